import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import { isSchemaObject } from '../../fit/schema.ts'
import type { RunnableTool } from '../../tools/tool.ts'
import type { Entry, Observation } from '../transcript.ts'
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
export function nativeMessages(entries: readonly Entry[]): LanguageModelV4Message[] {
  const messages: LanguageModelV4Message[] = []
  let observations: Observation[] = []
  // Files follow the last result of a reply: nothing may stand between its results.
  const settle = (): void => {
    messages.push(...observations.map(resultOf))
    const shown = observations.filter(({ files }) => files.length > 0)
    messages.push(...shown.map((observation) => user(`What ${observation.call.name} gave:`, filesOf(observation))))
    observations = []
  }
  for (const entry of entries) {
    if (entry.kind === 'observation') observations.push(entry.observation)
    else {
      settle()
      messages.push(nativeMessage(entry))
    }
  }
  settle()
  return merged(messages)
}

function nativeMessage(entry: Exclude<Entry, { kind: 'observation' }>): LanguageModelV4Message {
  if (entry.kind === 'user' || entry.kind === 'feedback') return user(entry.text)
  return entry.kind === 'calls' ? calling(entry) : assistant(entry.text)
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

function resultOf({ call, text, isError }: Observation): LanguageModelV4Message {
  const output = { type: isError ? ('error-text' as const) : ('text' as const), value: text }
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: call.id, toolName: call.name, output }] }
}
