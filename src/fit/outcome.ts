import type { JsonValue, Path, RepairClass } from '../types.ts'
import { isSame } from '../value/objects.ts'
import type { FitProblemCode } from './problems.ts'
import { type FitRepair, type FitRepairCode, fitRepairs } from './repairs.ts'

/** A change at one place of a value; the place is where the outcome stands. */
export interface Change {
  readonly code: FitRepairCode | string
  readonly class: RepairClass
  readonly before?: unknown
  readonly after?: unknown
  /** From the outcome's own place to the place of the change, where that differs. */
  readonly path?: Path
}

/** What stands against a value at one place. */
export interface Fault {
  readonly code: FitProblemCode
  /** What would be right, in the words of the schema line. */
  readonly wanted?: string
  /** What was found, in words that follow "was". */
  readonly found?: string
  /** The parameter in question, when it is inside the place. */
  readonly key?: string
}

/** What became of a value under a schema. It fits when there are no faults, in it or inside. */
export interface Outcome {
  readonly value: JsonValue
  /** The class of the dearest change: 0 for none. */
  readonly rank: number
  readonly changes: readonly Change[]
  readonly inner: readonly (readonly [key: string | number, outcome: Outcome])[]
  readonly faults: readonly Fault[]
  /** How much stands against it, here and inside: 0 when it fits. */
  readonly faultWeight: number
}

/** Faults that tell the branch of a union that was not meant, and how much more than others they weigh. */
const wrongBranch: ReadonlySet<string> = new Set(['value-not-allowed', 'parameter-unknown'])
const WRONG_BRANCH = 4

const ranks: { readonly [name in RepairClass]: number } = { lossless: 1, renamed: 2, interpretive: 3 }

/** A change under one of the names of the list. */
export const change = (code: FitRepairCode, before: unknown, after?: unknown): Change => ({
  code,
  class: fitRepairs[code].class,
  before,
  after,
})

export const unchanged = (value: JsonValue): Outcome => made(value, [], [])

export const faulty = (value: JsonValue, fault: Fault): Outcome => made(value, [], [], [fault])

export function made(
  value: JsonValue,
  changes: readonly Change[],
  inner: Outcome['inner'],
  faults: readonly Fault[] = [],
): Outcome {
  let rank = 0
  for (const { class: name } of changes) rank = Math.max(rank, ranks[name])
  let faultWeight = 0
  for (const { code } of faults) faultWeight += wrongBranch.has(code) ? WRONG_BRANCH : 1
  for (const [, outcome] of inner) {
    rank = Math.max(rank, outcome.rank)
    faultWeight += outcome.faultWeight
  }
  return {
    value,
    rank,
    changes,
    inner: inner.filter(([, { rank, faultWeight }]) => rank + faultWeight > 0),
    faults,
    faultWeight,
  }
}

/** The same outcome, reached by a change before it. */
export const after = (outcome: Outcome, ...changes: readonly Change[]): Outcome => ({
  ...outcome,
  changes: [...changes, ...outcome.changes],
  rank: Math.max(outcome.rank, ...changes.map(({ class: name }) => ranks[name])),
})

/**
 * The outcome of the cheapest class among those that fit. Two different ones of the same class are a fault: nobody
 * may choose. When none fits, the one with the fewest faults tells what is wrong.
 */
export function cheapest(value: JsonValue, outcomes: readonly Outcome[]): Outcome | undefined {
  let best: Outcome | undefined
  let rival: Outcome | undefined
  for (const outcome of outcomes) {
    if (!best || isCheaper(outcome, best)) {
      best = outcome
      rival = undefined
    } else if (outcome.faultWeight + best.faultWeight === 0 && outcome.rank === best.rank) {
      if (!isSame(outcome.value, best.value)) rival = outcome
    }
  }
  if (best && rival)
    return faulty(value, {
      code: 'value-ambiguous',
      found: `${brief(value)}, which may be ${brief(best.value)} or ${brief(rival.value)}`,
    })
  if (!best || best.faultWeight === 0) return best
  const wanted = outcomes.map(({ faults, faultWeight }) =>
    faultWeight === 1 && faults[0]?.code === 'value-type' ? faults[0] : undefined,
  )
  if (!wanted.every((fault) => fault !== undefined)) return best
  const words = new Set(wanted.map((fault) => fault.wanted))
  return faulty(value, { ...(wanted[0] as Fault), wanted: [...words].join(' or ') })
}

function isCheaper(one: Outcome, other: Outcome): boolean {
  if (one.faultWeight === 0 || other.faultWeight === 0) {
    return one.faultWeight === 0 && (other.faultWeight > 0 || one.rank < other.rank)
  }
  return one.faultWeight < other.faultWeight
}

/** A value in at most so many characters. */
export function brief(value: unknown, most = 40): string {
  const text = start(value, most + 1)
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

/** The start of a value's JSON; no more of it is made than is asked for. */
function start(value: unknown, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nothing'
  const isList = Array.isArray(value)
  let text = isList ? '[' : '{'
  for (const key in value) {
    if (text.length >= most) return text
    if (!Object.hasOwn(value, key)) continue
    if (text.length > 1) text += ','
    if (!isList) text += `${JSON.stringify(key)}:`
    text += start((value as { readonly [key: string]: unknown })[key], most - text.length)
  }
  return text + (isList ? ']' : '}')
}

/** All changes of an outcome, each with its place. */
export function repairsOf(outcome: Outcome): FitRepair[] {
  const repairs: FitRepair[] = []
  walk(outcome, ({ changes }, path) => {
    for (const { code, before, after, path: further } of changes) {
      const repair = { code: code as FitRepairCode, path: further ? [...path, ...further] : path }
      repairs.push({
        ...repair,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
      })
    }
  })
  return repairs
}

/** All faults of an outcome, each with its place. */
export function faultsOf(outcome: Outcome): (Fault & { readonly path: Path })[] {
  const found: (Fault & { readonly path: Path })[] = []
  walk(outcome, ({ faults }, path) => {
    for (const fault of faults) found.push({ ...fault, path })
  })
  return found
}

function walk(outcome: Outcome, visit: (outcome: Outcome, path: Path) => void): void {
  const stack: [Outcome, Path][] = [[outcome, []]]
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const [here, path] = entry
    visit(here, path)
    for (const [key, inner] of here.inner.toReversed()) stack.push([inner, [...path, key]])
  }
}
