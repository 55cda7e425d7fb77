import type { Problem, Repair } from '../types.ts'
import type { LedgerEvent } from './ledger.ts'

/** What is counted of a run. */
export interface CountedRun {
  readonly model: string
  readonly events: Iterable<LedgerEvent>
}

/** The event that says what a reply meant, as far as it is counted. */
export interface ReadReplyEvent extends LedgerEvent {
  readonly kind: 'reply-read'
  readonly calls: readonly { readonly call: { readonly name: string }; readonly repairs: readonly Repair[] }[]
  readonly refused: readonly { readonly name?: string; readonly problems: readonly Problem[] }[]
  /** Why the reply was not taken as it was. */
  readonly advice?: { readonly reason: string }
}

/** How often something was the case, by its code. */
export type Counts = { readonly [code: string]: number }

/** Calls, and how many of them were repaired or refused. A call counts once for each code. */
export interface Tally {
  readonly calls: number
  readonly repaired: number
  readonly refused: number
  readonly repairs: Counts
  readonly refusals: Counts
}

/** Replies besides calls: those that could not be taken as they were, by the reason. */
export interface ReplyTally extends Tally {
  readonly runs: number
  readonly replies: number
  readonly advice: Counts
}

export interface ModelTally extends ReplyTally {
  readonly model: string
  /** The same over its last runs that had calls. */
  readonly recent: ReplyTally
}

export interface ToolTally extends Tally {
  readonly tool: string
}

/** A parameter that models send and a tool does not take. */
export interface IgnoredParameter {
  readonly tool: string
  readonly parameter: string
  readonly calls: number
  /** Calls of the tool, all in all. */
  readonly of: number
  readonly models: readonly string[]
}

/** What was repaired, refused, ignored and not read. */
export interface Statistics {
  readonly all: ReplyTally
  readonly recent: ReplyTally
  readonly models: readonly ModelTally[]
  readonly tools: readonly ToolTally[]
  readonly ignored: readonly IgnoredParameter[]
}

/** The tool of a call that names none. */
export const NAMELESS = '(no name)'

/**
 * Counts over runs, the newest first: what models write, and what of it had to be repaired or refused.
 *
 * @example
 * const { all } = statisticsOf(runs)
 * all.repairs['python-literal'] / all.calls // how much the fallback for Python literals is needed
 */
export function statisticsOf(runs: Iterable<CountedRun>, recentRuns = 10): Statistics {
  const [all, recent] = [new Counter(), new Counter()]
  const models = new Map<string, { readonly all: Counter; readonly recent: Counter }>()
  const tools = new Map<string, Counter>()
  const ignored = new Map<string, Ignored>()
  for (const { model, events } of runs) {
    const replies = [...events].filter(isReadReply)
    const hasCalls = replies.some(({ calls, refused }) => calls.length + refused.length > 0)
    const ofModel = entryOf(models, model, () => ({ all: new Counter(), recent: new Counter() }))
    const counters = [all, recent, ofModel.all, ofModel.recent].filter(
      (counter, index) => index % 2 === 0 || (hasCalls && counter.runs < recentRuns),
    )
    for (const counter of counters) counter.runs++
    for (const reply of replies) {
      for (const counter of counters) counter.addReply(reply)
      for (const { call, repairs } of reply.calls) {
        entryOf(tools, call.name, () => new Counter()).addCall(repairs)
        noteIgnored(ignored, call.name, repairs, model)
      }
      for (const { name = NAMELESS, problems } of reply.refused) {
        entryOf(tools, name, () => new Counter()).addRefused(problems)
      }
    }
  }
  return {
    all: all.replyTally(),
    recent: recent.replyTally(),
    models: [...models]
      .map(([model, counted]) => ({ model, ...counted.all.replyTally(), recent: counted.recent.replyTally() }))
      .sort(byCalls),
    tools: [...tools].map(([tool, counter]) => ({ tool, ...counter.tally() })).sort(byCalls),
    ignored: [...ignored.values()]
      .map(({ tool, parameter, calls, models: names }) => ({
        ...{ tool, parameter, calls, of: tools.get(tool)?.calls ?? 0 },
        models: [...names],
      }))
      .sort(byCalls),
  }
}

interface Ignored {
  readonly tool: string
  readonly parameter: string
  calls: number
  readonly models: Set<string>
}

function noteIgnored(found: Map<string, Ignored>, tool: string, repairs: readonly Repair[], model: string): void {
  const parameters = repairs.filter(({ code }) => code === 'parameter-ignored').map(({ path = [] }) => placeOf(path))
  for (const parameter of new Set(parameters)) {
    const key = JSON.stringify([tool, parameter])
    const entry = entryOf(found, key, () => ({ tool, parameter, calls: 0, models: new Set<string>() }))
    entry.calls++
    entry.models.add(model)
  }
}

/** The place of a parameter; items of a list are all one. */
const placeOf = (path: readonly (string | number)[]): string =>
  path.map((key) => (typeof key === 'number' ? '[]' : key)).join('.')

const isReadReply = (event: LedgerEvent): event is ReadReplyEvent => event.kind === 'reply-read'

class Counter {
  runs = 0
  calls = 0
  private replies = 0
  private repaired = 0
  private refused = 0
  private readonly repairs = new Map<string, number>()
  private readonly refusals = new Map<string, number>()
  private readonly advice = new Map<string, number>()

  addReply({ calls, refused, advice }: ReadReplyEvent): void {
    this.replies++
    if (advice) count(this.advice, advice.reason)
    for (const { repairs } of calls) this.addCall(repairs)
    for (const { problems } of refused) this.addRefused(problems)
  }

  addCall(repairs: readonly Repair[]): void {
    this.calls++
    if (repairs.length > 0) this.repaired++
    for (const code of new Set(repairs.map(({ code }) => code))) count(this.repairs, code)
  }

  addRefused(problems: readonly Problem[]): void {
    this.calls++
    this.refused++
    for (const code of new Set(problems.map(({ code }) => code))) count(this.refusals, code)
  }

  tally(): Tally {
    const { calls, repaired, refused } = this
    return { calls, repaired, refused, repairs: sorted(this.repairs), refusals: sorted(this.refusals) }
  }

  replyTally(): ReplyTally {
    return { runs: this.runs, replies: this.replies, ...this.tally(), advice: sorted(this.advice) }
  }
}

const count = (counts: Map<string, number>, key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1)

const sorted = (counts: ReadonlyMap<string, number>): Counts =>
  Object.fromEntries([...counts].sort(([, one], [, other]) => other - one))

const byCalls = (one: { readonly calls: number }, other: { readonly calls: number }): number => other.calls - one.calls

function entryOf<Entry>(entries: Map<string, Entry>, key: string, make: () => Entry): Entry {
  const known = entries.get(key)
  if (known !== undefined) return known
  const made = make()
  entries.set(key, made)
  return made
}
