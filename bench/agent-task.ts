import { z } from 'zod'
import type { openAICompatible } from '../src/index.ts'
import type { Reply } from '../src/test/index.ts'

/** One run: so many turns of the model, each but the last with one call. */
export const STEPS = 10
export const CALLS = STEPS - 1

export const instructions = 'Do the task that the user gives you, step by step, and answer when it is done.'
export const task = 'Look up all nine cells and say what they add up to.'
export const answer = 'The nine cells add up to 285.'

/** Its type as callwright's own dependency has it: the folder of the peers holds an older one. */
export type Model = ReturnType<typeof openAICompatible>

/** What a run came to, for the check that it was one. */
export interface Outcome {
  readonly answer?: string | undefined
  readonly steps: number
}

/** A tool that costs next to nothing. All agents are given this one. */
export const lookUp = {
  name: 'look_up',
  description: 'Says what a cell of the sheet holds.',
  input: z.object({ cell: z.number() }),
}

/** What the tool looks at. It counts how often that happens, in whichever agent. */
export class Sheet {
  lookUps = 0

  readonly lookUp = ({ cell }: { readonly cell: number }): string => {
    this.lookUps++
    return `Cell ${cell} holds ${cell * cell}.`
  }
}

/** What the server replies, by how many results the model has been shown. */
export function replyTo(messages: readonly { readonly role: string }[]): Reply {
  const results = messages.filter(({ role }) => role === 'tool').length
  const usage = { input: 100, output: 10 }
  return results < CALLS
    ? { calls: [{ name: lookUp.name, arguments: { cell: results + 1 } }], usage }
    : { text: answer, usage }
}
