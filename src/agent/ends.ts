/** Every way in which a run ends, with what the person who started it can do next. */
export const ends = {
  answered: 'Nothing is left to do.',
  'answered-at-limit': 'Check the answer: it was given without further tools. Raise limits.steps if it falls short.',
  paused: 'Look at what happened, then go on with agent.continue(run, message).',
  looping: 'Give the model another way: a clearer task, another tool, or a message by agent.continue(run, message).',
  unreadable: "Try another mode (mode: 'auto' tries them in turn), a larger model, or a higher output limit.",
  'out-of-budget': 'Raise the limit that was reached, or go on with agent.continue(run, message).',
  'timed-out': 'Look whether the model server is at work, or raise the timeout; then go on with agent.resume(run).',
  aborted: 'Go on with agent.resume(run) when you want to, or with agent.continue(run, message).',
  failed: 'Mend what the message names, then go on with agent.resume(run).',
} as const

/** The name of an end. */
export type EndKind = keyof typeof ends

/** How a run ended. */
export interface End {
  readonly kind: EndKind
  readonly message: string
  readonly answer?: string
  readonly output?: unknown
}
