import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import { isSchemaObject } from '../../fit/schema.ts'
import type { RunnableTool } from '../../tools/tool.ts'
import type { Entry } from '../transcript.ts'
import { assistant, filesOf, merged, outputLine, system, user } from './messages.ts'
import type { Mode } from './mode.ts'

/** The provider's own calls. Those that a model writes as text all the same are found too. */
export const native: Mode = {
  name: 'native',
  plainText: 'answer',
  request: ({ instructions, tools, entries, output }) => ({
    prompt: [
      system(
        instructions,
        'Call the tools for what you do not know; never guess what one would say.',
        outputLine(output),
      ),
      ...nativeMessages(entries),
    ],
    ...(tools.length > 0 ? { tools: tools.map(functionTool), toolChoice: { type: 'auto' } } : {}),
  }),
  reminder: ({ tools }) =>
    tools.length === 0
      ? 'Reply with the answer.'
      : 'Reply with a call of one of the tools, its arguments as JSON, or with the answer.',
}

export const functionTool = ({ name, description, schema }: RunnableTool): LanguageModelV4FunctionTool => ({
  type: 'function',
  name,
  description,
  inputSchema: isSchemaObject(schema) ? { ...schema } : { type: 'object' },
})

/** The history with calls and results as such: thought, call with its id, result of that id. */
export const nativeMessages = (entries: readonly Entry[]): LanguageModelV4Message[] =>
  merged(entries.flatMap(nativeMessage))

function nativeMessage(entry: Entry): LanguageModelV4Message[] {
  switch (entry.kind) {
    case 'user':
    case 'feedback':
      return [user(entry.text)]
    case 'thought':
    case 'answer':
      return [assistant(entry.text)]
    case 'calls':
      return [calling(entry)]
    case 'observation':
      return observed(entry)
  }
}

function calling({ text, thought, signed, calls }: Extract<Entry, { kind: 'calls' }>): LanguageModelV4Message {
  const said = text ?? (signed ? '' : (thought ?? ''))
  return {
    role: 'assistant',
    content: [
      ...(signed ?? []).map(({ text, metadata }) => ({ type: 'reasoning' as const, text, providerOptions: metadata })),
      ...(said === '' ? [] : [{ type: 'text' as const, text: said }]),
      ...calls.map((call) => ({
        type: 'tool-call' as const,
        toolCallId: call.id,
        toolName: call.name,
        input: call.arguments,
        ...(call.metadata ? { providerOptions: call.metadata } : {}),
      })),
    ],
  }
}

function observed({ observation }: Extract<Entry, { kind: 'observation' }>): LanguageModelV4Message[] {
  const { call, text, isError } = observation
  const output = { type: isError ? ('error-text' as const) : ('text' as const), value: text }
  const files = filesOf(observation)
  return [
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: call.id, toolName: call.name, output }] },
    ...(files.length > 0 ? [user(`What ${call.name} gave:`, files)] : []),
  ]
}
