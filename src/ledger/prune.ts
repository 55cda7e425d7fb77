import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ledgerError } from './errors.ts'
import { workerOf } from './run-state.ts'
import type { RunRow } from './store.ts'

/** Which runs may go: those that nobody has touched for so long, and the oldest until the rest is so small. */
export interface PruneWish {
  /** Milliseconds since anything was last done with a run. */
  readonly olderThan?: number
  /** Bytes on the disk. */
  readonly keepSize?: number
}

/** The runs that a wish removes, the oldest first; never one that somebody works on. */
export function runsToPrune(rows: readonly RunRow[], size: number, wish: PruneWish, now = Date.now()): RunRow[] {
  const held = rows.reduce((sum, { bytes }) => sum + bytes, 0)
  // What a run takes on the disk is more than its texts: rows, keys, pages that are not full.
  const perByte = held === 0 ? 1 : Math.max(1, size / held)
  let left = held * perByte
  return rows
    .filter((row) => workerOf(row) === undefined)
    .sort((one, other) => one.updatedAt - other.updatedAt)
    .filter((row) => {
      const isOld = wish.olderThan !== undefined && now - row.updatedAt > wish.olderThan
      const isTooMuch = wish.keepSize !== undefined && left > wish.keepSize
      if (isOld || isTooMuch) left -= row.bytes * perByte
      return isOld || isTooMuch
    })
}

/** Bytes that the files of a ledger take on the disk. */
export const bytesOnDisk = (file: string): number =>
  [file, `${file}-wal`].reduce((sum, name) => sum + (statSync(name, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Gives the room of what was forgotten back to the disk; until then it is only free inside of the file. */
export function compactLedger(file: string, patience = 5_000): void {
  try {
    const database = new DatabaseSync(file, { timeout: patience })
    try {
      database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      database.close()
    }
  } catch (error) {
    throw ledgerError(error, file)
  }
}
