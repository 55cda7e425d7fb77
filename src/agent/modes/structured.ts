import { outputLine, system } from './messages.ts'
import type { Mode } from './mode.ts'
import { nativeMessages } from './native.ts'
import { replySchema } from './reply-schema.ts'

/** One response schema, which the server enforces: a step, or the answer. */
export const structured: Mode = {
  name: 'structured',
  plainText: 'unreadable',
  request: ({ instructions, tools, entries, output, nextStep }) => ({
    prompt: [
      system(
        instructions,
        'Reply with one JSON object of the given schema. "function" is the one tool to call next, or {"answer": …} when the task is done.',
        nextStep
          ? 'Say in "current_state" where things stand, and in "plan" the remaining steps, at most five; only the first is done now.'
          : '"thought" says why.',
        tools.map(({ name, description }) => `${name}: ${description}`).join('\n'),
        outputLine(output),
      ),
      ...nativeMessages(entries),
    ],
    responseFormat: { type: 'json', schema: replySchema(tools, { nextStep, output }), name: 'next_step' },
  }),
  reminder: ({ nextStep }) =>
    `Reply with one JSON object: {${nextStep ? '"current_state": "…", "plan": ["…"], "task_completed": false' : '"thought": "…"'}, "function": {"tool": "…", "arguments": {…}}}, or {"answer": "…"} as the function.`,
}
