import { parseArgs } from 'node:util'
import type { RunRow } from '../ledger/index.ts'
import { bytesOnDisk, compactLedger, type PruneWish, runsToPrune } from '../ledger/prune.ts'
import { RunBusy } from '../tools/index.ts'
import { type LedgerPlace, ledgerFlags, ledgerPlace, openExisting, shortId } from './ledger-file.ts'
import { secretsOf } from './secrets.ts'
import { ageText, counted, durationIn, sizeIn, sizeText } from './show-quantity.ts'
import { brief } from './show-run.ts'
import { tableLines } from './show-table.ts'
import { paintFor, visible } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** `callwright runs prune`: removes runs, says how much room that gave, and returns the exit code. */
export async function prune(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      ...ledgerFlags,
      'keep-days': { type: 'string' },
      'keep-size': { type: 'string' },
      'older-than': { type: 'string' },
      'dry-run': { type: 'boolean' },
    },
  })
  const wish = wishOf(values)
  const isDry = values['dry-run'] ?? false
  const place = await ledgerPlace(values)
  const before = bytesOnDisk(place.file)
  const removed = removedFrom(place, wish, isDry)
  if (isDry) return 0
  if (removed.length > 0) compactLedger(place.file)
  const after = bytesOnDisk(place.file)
  const unfinished = removed.filter(({ end }) => end === undefined).length
  const note = unfinished > 0 ? ` ${unfinished} of them had not ended.` : ''
  const freed = `${sizeText(Math.max(0, before - after))} less than before`
  say(
    removed.length === 0
      ? 'There is nothing to remove.'
      : `Removed ${counted(removed.length, 'run')}.${note} The ledger takes ${sizeText(after)}, ${freed}: ${visible(place.file)}`,
  )
  return 0
}

/** Removes what the wish says, or only says what that is. */
function removedFrom(place: LedgerPlace, wish: PruneWish, isDry: boolean): readonly RunRow[] {
  const ledger = openExisting(place, { readOnly: isDry, secrets: secretsOf(place.config) })
  try {
    const rows = ledger.list()
    const chosen = runsToPrune(rows, ledger.size(), wish)
    if (!isDry) return chosen.filter(({ run }) => isForgotten(() => ledger.forget(run)))
    const text = sizeText(chosen.reduce((sum, { bytes }) => sum + bytes, 0))
    const count = chosen.length === 1 ? 'This run' : `These ${chosen.length} runs`
    say(
      chosen.length === 0
        ? 'There is nothing to remove.'
        : `${shownRuns(chosen, rows)}\n\n${count} would be removed, with ${text} of record.`,
    )
    return chosen
  } finally {
    ledger.close()
  }
}

/** A run that somebody has taken meanwhile stays. */
function isForgotten(forget: () => void): boolean {
  try {
    forget()
    return true
  } catch (error) {
    if (RunBusy.isInstance(error)) return false
    throw error
  }
}

function shownRuns(chosen: readonly RunRow[], rows: readonly RunRow[]): string {
  const ids = rows.map(({ run }) => run)
  const { bold } = paintFor(process.stdout)
  const cells = chosen.map(({ run, updatedAt, bytes, end = 'not ended', task }) => [
    ...[{ text: visible(shortId(run, ids)), paint: bold }, ageText(Date.now() - updatedAt)],
    ...[sizeText(bytes), end, brief(task)],
  ])
  const width = process.stdout.isTTY ? process.stdout.columns - 2 : undefined
  return tableLines(cells, { right: [1, 2], width }).join('\n')
}

interface PruneFlags {
  readonly 'keep-days'?: string | undefined
  readonly 'keep-size'?: string | undefined
  readonly 'older-than'?: string | undefined
}

function wishOf(flags: PruneFlags): PruneWish {
  const { 'keep-days': days, 'older-than': age, 'keep-size': size } = flags
  if ((days ?? age ?? size) === undefined) {
    throw new UsageError('Say what may go: --older-than 30d, --keep-days 30 or --keep-size 100MB.')
  }
  if (days !== undefined && age !== undefined) throw new UsageError('Take --keep-days or --older-than, not both.')
  const olderThan = days === undefined ? age && durationIn(age) : durationIn(`${days}d`)
  if (age !== undefined && typeof olderThan !== 'number') {
    throw new UsageError(`--older-than takes an age such as 12h, 30d or 8w, and not ${age}.`)
  }
  if (days !== undefined && typeof olderThan !== 'number') {
    throw new UsageError(`--keep-days takes a number of days, and not ${days}.`)
  }
  const keepSize = size === undefined ? undefined : sizeIn(size)
  if (size !== undefined && keepSize === undefined) {
    throw new UsageError(`--keep-size takes a size such as 500kB, 100MB or 1GB, and not ${size}.`)
  }
  return {
    ...(typeof olderThan === 'number' ? { olderThan } : {}),
    ...(keepSize === undefined ? {} : { keepSize }),
  }
}

const say = (text: string): unknown =>
  process.stdout.write(
    `\n${text
      .split('\n')
      .map((line) => `  ${line}`.trimEnd())
      .join('\n')}\n\n`,
  )
