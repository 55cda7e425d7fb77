import type { Tell } from './events.ts'
import type { Settings } from './settings.ts'
import type { RunState } from './state.ts'

/** One run while it is worked on. */
export interface RunContext {
  readonly settings: Settings
  readonly run: string
  readonly state: RunState
  /** Aborted by the person, or by the end of the run's time. */
  readonly signal: AbortSignal
  /** Records an event, takes it into the state, and tells it to whoever listens. In this order. */
  readonly tell: Tell
  /** Whether somebody wants the pieces of replies as they come. */
  readonly wantsDeltas: boolean
}
