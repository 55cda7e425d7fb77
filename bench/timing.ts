import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** Something whose speed is measured against that of others. */
export interface Contender {
  readonly name: string
  run(): unknown
}

export interface RaceOptions {
  readonly rounds: number
  /** A sample repeats the work until so many milliseconds have passed. */
  readonly sample: number
  /** No new round starts after so many milliseconds, once five have been run. */
  readonly budget: number
}

const FEWEST_ROUNDS = 5
const WARM_UP = 400

/** What the last run returned, kept so that no compiler can leave the work out. */
export let lastResult: unknown

/**
 * Milliseconds per run of each contender, one figure a round.
 *
 * Every round runs all of them, each time from another one on, so that noise of the machine hits all alike.
 */
export function race(contenders: readonly Contender[], options: RaceOptions): Map<string, number[]> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  for (const contender of contenders) timeOf(contender, WARM_UP)
  for (const contender of inTurns(contenders, options)) {
    times.get(contender.name)?.push(timeOf(contender, options.sample))
  }
  return times
}

/** The same where some of them are asynchronous: each run is awaited. */
export async function raceAwaited(
  contenders: readonly Contender[],
  options: RaceOptions,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  for (const contender of contenders) await awaitedTimeOf(contender, WARM_UP)
  for (const contender of inTurns(contenders, options)) {
    times.get(contender.name)?.push(await awaitedTimeOf(contender, options.sample))
  }
  return times
}

function* inTurns(contenders: readonly Contender[], { rounds, budget }: RaceOptions): Generator<Contender> {
  const start = performance.now()
  for (let round = 0; round < rounds; round++) {
    if (round >= FEWEST_ROUNDS && performance.now() - start > budget) return
    const first = round % contenders.length
    yield* [...contenders.slice(first), ...contenders.slice(0, first)]
  }
}

function timeOf({ run }: Contender, sample: number): number {
  // The garbage of the one before is not collected on this one's time. A major collection would throw optimized code away.
  collectGarbage({ type: 'minor' })
  const start = performance.now()
  let count = 0
  let passed = 0
  do {
    lastResult = run()
    count++
    passed = performance.now() - start
  } while (passed < sample)
  return passed / count
}

async function awaitedTimeOf({ run }: Contender, sample: number): Promise<number> {
  collectGarbage({ type: 'minor' })
  const start = performance.now()
  let count = 0
  let passed = 0
  do {
    lastResult = await run()
    count++
    passed = performance.now() - start
  } while (passed < sample)
  return passed / count
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** How many times as fast the first is as the second: the median of the ratios of their rounds. */
export function timesAsFast(first: readonly number[], second: readonly number[]): number {
  return median(first.map((time, round) => (second[round] ?? Number.NaN) / time))
}

/** A figure with about three digits, as a person reads it. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
