import type { LanguageModelV4CallOptions, LanguageModelV4ToolChoice, SharedV4Warning } from '@ai-sdk/provider'
import { isSchemaObject } from '../fit/schema.ts'
import type { ChatRequest, ChatResponseFormat, ChatTool, ChatToolChoice } from './chat.ts'
import { isFields, parsed } from './json.ts'
import { messagesOf } from './messages.ts'

/**
 * The body of a request. What Chat Completions has no word for is left out; `warningsOf` tells what.
 *
 * @example
 * const body = chatRequestOf({ prompt, tools }, 'qwen3', { stream: true })
 */
export function chatRequestOf(
  options: LanguageModelV4CallOptions,
  model: string,
  { stream = false }: { readonly stream?: boolean } = {},
): ChatRequest {
  const { maxOutputTokens, temperature, topP, presencePenalty, frequencyPenalty, stopSequences = [], seed } = options
  const { toolChoice, reasoning = 'provider-default' } = options
  const tools = toolsOf(options)
  const format = formatOf(options)
  return {
    model,
    messages: messagesOf(options.prompt),
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && toolChoice ? { tool_choice: choiceOf(toolChoice) } : {}),
    ...(format ? { response_format: format } : {}),
    ...(maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
    ...(stopSequences.length > 0 ? { stop: stopSequences } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(reasoning === 'provider-default' ? {} : { reasoning_effort: reasoning }),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
}

/** What of a request does not reach the server as it was given. */
export function warningsOf({ tools = [], topK, prompt }: LanguageModelV4CallOptions): SharedV4Warning[] {
  const own = tools.flatMap((tool) => (tool.type === 'provider' ? [tool.name] : []))
  const lost = prompt.flatMap(({ role, content }) => {
    if (role !== 'assistant') return []
    return content.flatMap((part) => (part.type === 'tool-call' && !isObjectText(part.input) ? [part.toolName] : []))
  })
  return [
    ...own.map((name) => ({ type: 'unsupported' as const, feature: `tool ${name} of a provider` })),
    ...(topK === undefined
      ? []
      : [
          {
            type: 'unsupported' as const,
            feature: 'topK',
            details: 'Where the server knows it, give it as extraBody.',
          },
        ]),
    ...lost.map((name) => ({
      type: 'other' as const,
      message: `A call of ${name} in the history has arguments that are no object: {} was sent in their place.`,
    })),
  ]
}

const isObjectText = (input: unknown): boolean => isFields(typeof input === 'string' ? parsed(input) : input)

function toolsOf({ tools = [] }: LanguageModelV4CallOptions): ChatTool[] {
  return tools.flatMap((tool) => {
    if (tool.type !== 'function') return []
    const { name, description, inputSchema, strict } = tool
    const parameters = isSchemaObject(inputSchema) ? inputSchema : {}
    return [
      {
        type: 'function' as const,
        function: {
          name,
          ...(description === undefined ? {} : { description }),
          parameters,
          ...(strict === undefined ? {} : { strict }),
        },
      },
    ]
  })
}

const choiceOf = (choice: LanguageModelV4ToolChoice): ChatToolChoice =>
  choice.type === 'tool' ? { type: 'function', function: { name: choice.toolName } } : choice.type

function formatOf({ responseFormat }: LanguageModelV4CallOptions): ChatResponseFormat | undefined {
  if (responseFormat?.type !== 'json') return undefined
  const { name = 'response', description, schema } = responseFormat
  if (!isSchemaObject(schema)) return { type: 'json_object' }
  return {
    type: 'json_schema',
    json_schema: { name, ...(description === undefined ? {} : { description }), schema, strict: true },
  }
}
