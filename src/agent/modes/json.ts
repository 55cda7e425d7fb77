import type { Observation } from '../transcript.ts'
import { outputLine, system, toolList, type Writing, writtenMessages } from './messages.ts'
import type { Conversation, Mode, ModeRequest } from './mode.ts'

export const jsonWriting: Writing = {
  calls: (calls, thought) =>
    calls
      .map(({ name, arguments: given }, index) => {
        const scratchpad = index === 0 && thought ? { scratchpad: thought } : {}
        return JSON.stringify({ ...scratchpad, tool: name, arguments: given })
      })
      .join('\n'),
  thought: (text) => JSON.stringify({ scratchpad: text }),
  answer: (text) => JSON.stringify({ answer: text }),
  observation: observed,
}

/** One JSON object in each reply: a call, the answer, or a thought. Works with every model that can write JSON. */
export const json: Mode = {
  name: 'json',
  plainText: 'unreadable',
  request: ({ instructions, tools, entries, output }) => ({
    prompt: [
      system(instructions, protocol(tools.length > 0), tools.length > 0 ? toolList(tools) : '', outputLine(output)),
      ...writtenMessages(entries, jsonWriting),
    ],
    stopSequences: ['\nObservation from '],
  }),
  reminder: ({ tools }) =>
    `Reply with one JSON object and nothing else: ${forms(tools.length > 0)
      .map(([form]) => form)
      .join(' or ')}.`,
}

const forms = (hasTools: boolean): (readonly [form: string, use: string])[] => [
  ...(hasTools ? [['{"tool": "…", "arguments": {…}}', 'to call one of the tools below'] as const] : []),
  ['{"answer": "…"}', 'when the task is done: the final answer'],
  ['{"scratchpad": "…"}', 'to think before you go on'],
]

function protocol(hasTools: boolean): string {
  const lines = forms(hasTools).map(([form, use]) => `${form}  ${use}`)
  return [
    'Reply with one JSON object and nothing else. It is one of these:',
    ...lines,
    '"scratchpad" may also stand beside the others. Each result comes as an observation; never write one yourself, and never guess it.',
  ].join('\n')
}

function observed({ call, text, isError }: Observation): string {
  return `${isError ? 'Error' : 'Observation'} from ${call.name}:\n${text}`
}

/** The last request of a run: no tool, no protocol but the answer. It is the same in every mode. */
export function finalRequest({ instructions, entries, output }: Conversation): ModeRequest {
  const wanted =
    output === undefined ? 'Reply with the answer itself, in plain words.' : 'Reply with the answer itself, as JSON.'
  return {
    prompt: [
      system(instructions, outputLine(output)),
      ...writtenMessages(
        [
          ...entries,
          {
            kind: 'feedback',
            text: `Give the final answer now, from what you know by now. ${wanted} No more tools can be called.`,
          },
        ],
        jsonWriting,
      ),
    ],
    ...(output === undefined || typeof output === 'boolean'
      ? {}
      : { responseFormat: { type: 'json', schema: { ...output }, name: 'answer' } }),
  }
}
