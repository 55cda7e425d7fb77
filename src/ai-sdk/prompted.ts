import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider'
import { exampleOf } from '../fit/example.ts'
import { isObject } from '../fit/judge.ts'
import { documentOf, isSchemaObject } from '../fit/schema.ts'
import type { JsonValue } from '../types.ts'
import { CLOSE, OPEN, writtenMessages } from './history.ts'

/** Ends a reply that goes on with a result of its own making. */
const STOP = '<tool_response>'

/** A request for a model that takes no tools: they are told in the system prompt, and what was called is text. */
export function prompted(request: LanguageModelV4CallOptions): {
  readonly sent: LanguageModelV4CallOptions
  /** The call that the prompt shows. */
  readonly example: string
} {
  const { tools = [], toolChoice, ...others } = request
  const own = tools.filter((tool) => tool.type === 'provider')
  const offered = tools.filter((tool) => tool.type === 'function')
  const rest = own.length > 0 ? { ...others, tools: own } : others
  const history = writtenMessages(request.prompt)
  const [first] = offered
  if (!first || toolChoice?.type === 'none') return { sent: { ...rest, prompt: history }, example: '' }
  const chosen = toolChoice?.type === 'tool' ? offered.find(({ name }) => name === toolChoice.toolName) : undefined
  const example = exampleFor(chosen ?? first)
  const stopSequences = [...new Set([...(request.stopSequences ?? []), STOP])]
  const prompt = withSystem(history, instructions(offered, request, example))
  return { sent: { ...rest, prompt, stopSequences }, example }
}

function instructions(
  tools: readonly LanguageModelV4FunctionTool[],
  { toolChoice }: LanguageModelV4CallOptions,
  example: string,
): string {
  const wanted =
    toolChoice?.type === 'required' ? 'a tool' : toolChoice?.type === 'tool' ? `the tool "${toolChoice.toolName}"` : ''
  return [
    `${wanted === '' ? '' : `Call ${wanted} now. `}To call a tool, write this with its name and its arguments as JSON, and nothing after it:`,
    example,
    'For several calls, write several. Each result comes in <tool_response>; never write one yourself.',
    ...(wanted === '' ? ['When you need no tool, answer without a call.'] : []),
    'The tools, with the JSON Schema of their arguments:',
    '<tools>',
    ...tools.map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, description, parameters: { ...inputSchema, $schema: undefined } }),
    ),
    '</tools>',
  ].join('\n')
}

/** A call of a tool: with the arguments that its author gives as an example, or stand-ins for those it requires. */
function exampleFor({ name, inputSchema, inputExamples }: LanguageModelV4FunctionTool): string {
  const given = inputExamples?.[0]?.input
  const schema = isSchemaObject(inputSchema) ? inputSchema : {}
  const made: JsonValue = given ? {} : exampleOf(schema, documentOf(schema), {}, [])
  return `${OPEN}${JSON.stringify({ name, arguments: given ?? (isObject(made) ? made : {}) })}${CLOSE}`
}

/** Puts text behind the system prompt, or makes one. */
function withSystem(prompt: LanguageModelV4Prompt, text: string): LanguageModelV4Prompt {
  const index = prompt.findIndex(({ role }) => role === 'system')
  if (index < 0) return [{ role: 'system', content: text }, ...prompt]
  return prompt.map((message, at): LanguageModelV4Message => {
    if (at !== index || message.role !== 'system') return message
    return { ...message, content: `${message.content}\n\n${text}` }
  })
}
