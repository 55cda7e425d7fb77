import { type End, type EndKind, ends } from './ends.ts'
import type { Usage } from './events.ts'
import type { ModeName } from './modes/names.ts'
import type { Prices } from './settings.ts'
import type { RunState } from './state.ts'

/** What is known of every run that has ended. */
export interface RunSummary {
  /** The id of the run, for `continue` and `resume`. */
  readonly run: string
  /** What happened. */
  readonly message: string
  /** What to do next. */
  readonly next: string
  /** Model turns, all in all. */
  readonly steps: number
  readonly mode: ModeName
  readonly usage: Usage
  /** Where prices are given. */
  readonly money?: number
  readonly seconds: number
  /** How often each repair was made, and each problem found, by code. */
  readonly repairs: { readonly [code: string]: number }
  readonly refusals: { readonly [code: string]: number }
}

/** A run that ended with an answer. `output` is the answer as the schema wants it, where there is one. */
export interface AnsweredRun<Output> extends RunSummary {
  readonly kind: 'answered' | 'answered-at-limit'
  readonly answer: string
  readonly output: Output
}

/** A run that ended without one. `error` is what was thrown, where something was. */
export interface UnansweredRun extends RunSummary {
  readonly kind: Exclude<EndKind, 'answered' | 'answered-at-limit'>
  readonly answer?: undefined
  readonly output?: undefined
  readonly error?: unknown
}

/** How a run ended: look at `kind`. */
export type RunResult<Output = undefined> = AnsweredRun<Output> | UnansweredRun

/** What tokens have cost, where prices are known. */
export const moneyOf = ({ input, output }: Usage, prices: Prices | undefined): number | undefined =>
  prices && (input * prices.input + output * prices.output) / 1_000_000

/** What a run came to. */
export function resultOf<Output>(
  end: End & { readonly error?: unknown },
  state: RunState,
  { seconds, prices }: { readonly seconds: number; readonly prices: Prices | undefined },
): RunResult<Output> {
  const money = moneyOf(state.usage, prices)
  const summary: RunSummary = {
    run: state.run,
    message: end.message,
    next: ends[end.kind],
    steps: state.turns,
    mode: state.mode,
    usage: state.usage,
    ...(money === undefined ? {} : { money }),
    seconds,
    repairs: Object.fromEntries(state.repairs),
    refusals: Object.fromEntries(state.refusals),
  }
  if (end.kind === 'answered' || end.kind === 'answered-at-limit') {
    return { ...summary, kind: end.kind, answer: end.answer ?? '', output: end.output as Output }
  }
  return { ...summary, kind: end.kind, ...('error' in end ? { error: end.error } : {}) }
}
