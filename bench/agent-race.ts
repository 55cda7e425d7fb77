import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Arm } from './agent-arms.ts'
import { answer, CALLS, type Sheet, STEPS } from './agent-task.ts'

/** An arm, and whether it is in each round or only in every fifth. */
export interface Entrant {
  readonly arm: Arm
  readonly isMain: boolean
}

/** Rounds of one race, and runs of an arm in each of them. */
export interface RaceSize {
  readonly rounds: number
  readonly runs: number
  readonly warmUp: number
}

/** Which rounds those arms are in that are not the main ones. */
export const SIDE_ROUNDS = 5

/** Milliseconds a step, one figure a round; not a number for rounds that the arm was not in. */
export interface Figures {
  readonly wall: number[]
  /** Of this process on all its threads, and so without the server. */
  readonly cpu: number[]
  /** Runs that did not make all calls, or did not end with the answer. */
  wrong: number
}

/**
 * Runs all arms in turns, each time from another one on, so that noise of the machine hits all alike. What a round
 * says of an arm is the mean of its runs in it.
 */
export async function raceAgents(
  entrants: readonly Entrant[],
  sheet: Sheet,
  { rounds, runs, warmUp }: RaceSize,
): Promise<Map<Arm, Figures>> {
  const found = new Map<Arm, Figures>()
  for (const { arm } of entrants) {
    const wrong = await countWrong(arm, sheet, warmUp)
    found.set(arm, { wall: Array(rounds).fill(Number.NaN), cpu: Array(rounds).fill(Number.NaN), wrong })
  }
  for (let round = 0; round < rounds; round++) {
    const those = entrants.filter(({ isMain }) => isMain || round % SIDE_ROUNDS === 0)
    const first = round % those.length
    for (const { arm } of [...those.slice(first), ...those.slice(0, first)]) {
      const figures = found.get(arm)
      if (!figures) continue
      const start = performance.now()
      const before = process.cpuUsage()
      figures.wrong += await countWrong(arm, sheet, runs)
      const { user, system } = process.cpuUsage(before)
      figures.wall[round] = (performance.now() - start) / runs / STEPS
      figures.cpu[round] = (user + system) / 1_000 / runs / STEPS
    }
  }
  return found
}

async function countWrong(arm: Arm, sheet: Sheet, runs: number): Promise<number> {
  let wrong = 0
  for (let run = 0; run < runs; run++) if (!(await isRight(arm, sheet))) wrong++
  return wrong
}

async function isRight({ run }: Arm, sheet: Sheet): Promise<boolean> {
  sheet.lookUps = 0
  const outcome = await run()
  return outcome.answer === answer && outcome.steps === STEPS && sheet.lookUps === CALLS
}

/** Works with the server while it runs, and ends it. */
export async function withServer<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const server = fork(fileURLToPath(new URL('./agent-server.ts', import.meta.url)), { execArgv: [] })
  const ended = once(server, 'exit')
  try {
    return await work(await Promise.race([urlOf(server), ended.then(failed)]))
  } finally {
    if (server.connected) server.disconnect()
    await ended
  }
}

async function urlOf(server: ChildProcess): Promise<string> {
  const [url] = await once(server, 'message')
  return String(url)
}

function failed(): never {
  throw new Error('The server of the benchmark ended before it was asked.')
}
