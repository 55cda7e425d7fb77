import { parseArgs } from 'node:util'
import { ends, type RunEvent } from '../agent/index.ts'
import { stateOf } from '../agent/state.ts'
import type { Ledger, RunRow } from '../ledger/index.ts'
import { runStateOf, workerOf } from '../ledger/run-state.ts'
import { statisticsOf } from '../ledger/statistics.ts'
import { cleaned, redactor } from '../tools/redact.ts'
import { type LedgerPlace, ledgerFlags, ledgerPlace, openExisting } from './ledger-file.ts'
import { prune } from './runs-prune.ts'
import { secretsOf } from './secrets.ts'
import { counted, durationIn, sizeText } from './show-quantity.ts'
import { type ListedRun, runLines } from './show-runs.ts'
import { statisticsLines } from './show-statistics.ts'
import { paintFor, visible } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export const summary = 'list the runs, count what was repaired and refused, remove old ones'

export const help = `callwright runs [options]
callwright runs --stats [options]
callwright runs prune --older-than 30d | --keep-days 30 | --keep-size 100MB [--dry-run]

Lists the runs of a ledger, the newest first. callwright show RUN tells one, callwright resume RUN goes on with one.

  --state STATE     only those: running, interrupted, answered, paused, failed … (may be repeated)
  --model TEXT      only those whose model has this in its name
  --since AGE       only those that were begun since: 90s, 30m, 12h, 2d, 3w
  --limit NUMBER    so many. Default 20; with --stats all
  --stats           what was repaired, refused, ignored and not read, by model and by tool
  --json            for programs
  --ledger FILE     Default .callwright/ledger.db, or what callwright.yaml (ledger) or CALLWRIGHT_LEDGER says
  --config FILE     settings. Default: callwright.yaml, where there is one

runs prune removes runs for good; never one that is being worked on:
  --older-than AGE  those that nothing was done with for so long; --keep-days N is the same in days
  --keep-size SIZE  the oldest, until the rest is smaller: 500kB, 100MB, 1GB
  --dry-run         only say which

Exit code: 0 it was listed, 1 there is no ledger or it cannot be used, 2 the command was not understood.
`

const DEFAULT_LIMIT = 20
const states = ['running', 'interrupted', ...Object.keys(ends)]

/** `callwright runs`: prints the list or the statistics, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const at = words.findIndex((word, index) => word === 'prune' && !words[index - 1]?.startsWith('--'))
  if (at >= 0) return prune(words.toSpliced(at, 1))
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      ...ledgerFlags,
      state: { type: 'string', multiple: true },
      model: { type: 'string' },
      since: { type: 'string' },
      limit: { type: 'string' },
      stats: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  })
  if (positionals.length > 0) {
    throw new UsageError(`callwright runs takes no ${positionals[0]}: show a run with callwright show RUN.`)
  }
  const isWanted = filterOf(values)
  const limit = limitOf(values.limit) ?? (values.stats ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT)
  const place = await ledgerPlace(values)
  const secrets = secretsOf(place.config)
  const ledger = openExisting(place, { readOnly: true, secrets })
  try {
    // What was taken and never begun, because its process was killed first, is no run yet.
    const all = ledger.list().filter(({ events }) => events > 0)
    const wanted = all.filter(isWanted)
    const shown = wanted.slice(0, limit)
    const print = (value: object): unknown =>
      process.stdout.write(`${JSON.stringify(cleaned(value, redactor(secrets)), null, 2)}\n`)
    if (values.stats) {
      const found = shown.map(({ run, model }) => ({ model, events: ledger.load(run) ?? [] }))
      const statistics = statisticsOf(found)
      if (values.json) print(statistics)
      else write(statisticsLines(statistics, paintFor(process.stdout)))
      return 0
    }
    const listed = shown.map((row) => listedRun(row, ledger))
    if (values.json) print(listed)
    else write(tableOf(listed, all, wanted.length, place))
    return 0
  } finally {
    ledger.close()
  }
}

function tableOf(listed: readonly ListedRun[], all: readonly RunRow[], wanted: number, place: LedgerPlace): string[] {
  const { columns } = process.stdout
  const paint = paintFor(process.stdout)
  const bytes = sizeText(all.reduce((sum, row) => sum + row.bytes, 0))
  const count = `${counted(all.length, 'run')}, ${bytes}, in ${visible(place.file)}`
  if (listed.length === 0) return [all.length === 0 ? `No runs yet in ${visible(place.file)}.` : `None of ${count}.`]
  const part = listed.length < all.length ? `${listed.length} of ` : ''
  const more = listed.length < wanted ? `; --limit ${wanted} shows more` : ''
  const ids = all.map(({ run }) => run)
  return [
    ...runLines(listed, ids, { paint, ...(process.stdout.isTTY ? { width: columns - 2 } : {}) }),
    '',
    paint.dim(part + count + more),
  ]
}

function listedRun(row: RunRow, ledger: Ledger<RunEvent>): ListedRun {
  const { turns, usage } = stateOf(ledger.load(row.run) ?? [])
  const worker = workerOf(row)
  const { run, createdAt, updatedAt, model, task, bytes } = row
  return {
    ...{ run, state: runStateOf(row), ...(worker === undefined ? {} : { worker }), createdAt, updatedAt },
    ...{ steps: turns, usage, model, task, bytes },
  }
}

interface Filter {
  readonly state?: readonly string[] | undefined
  readonly model?: string | undefined
  readonly since?: string | undefined
}

function filterOf({ state, model, since }: Filter): (row: RunRow) => boolean {
  const wrong = state?.find((word) => !states.includes(word))
  if (wrong !== undefined) throw new UsageError(`--state takes ${states.join(', ')}, and not ${wrong}.`)
  const age = since === undefined ? undefined : durationIn(since)
  if (since !== undefined && age === undefined) {
    throw new UsageError(`--since takes an age such as 90s, 30m, 12h, 2d or 3w, and not ${since}.`)
  }
  const earliest = age === undefined ? 0 : Date.now() - age
  const part = model?.toLowerCase()
  return (row) =>
    row.createdAt >= earliest &&
    (part === undefined || row.model.toLowerCase().includes(part)) &&
    (state === undefined || state.includes(runStateOf(row)))
}

function limitOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  const limit = Number(word)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new UsageError(`--limit takes a whole number above 0, and not ${word}.`)
}

const write = (lines: readonly string[]): unknown =>
  process.stdout.write(`\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`)
