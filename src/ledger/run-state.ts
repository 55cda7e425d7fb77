import { isAlive, ownerName } from '../tools/process-name.ts'
import type { RunRow } from './store.ts'

/** Who works on a run at this moment, in words; `undefined` when nobody does. */
export const workerOf = ({ owner }: RunRow): string | undefined =>
  owner !== undefined && isAlive(owner) ? ownerName(owner) : undefined

/** How a run ended, or `running` while somebody works on it, or `interrupted` when nobody does. */
export const runStateOf = (row: RunRow): string => row.end ?? (workerOf(row) === undefined ? 'interrupted' : 'running')

/** Runs that have not ended and that nobody works on, the oldest first. What never began has nothing to go on with. */
export const interruptedRuns = (rows: readonly RunRow[]): RunRow[] =>
  rows.filter((row) => row.events > 0 && runStateOf(row) === 'interrupted').reverse()
