import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RunEvent } from '../agent/index.ts'
import { type Ledger, type LedgerOptions, openLedger, type RunRow } from '../ledger/index.ts'
import type { Recorder } from '../tools/index.ts'
import { nearestName } from '../tools/nearest-name.ts'
import { Complaint } from './complaint.ts'
import { type Config, loadConfig } from './config.ts'
import { shellWord } from './shell-line.ts'
import { visible } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Where runs are kept when nobody says another place. */
const DEFAULT = '.callwright/ledger.db'
/** Characters of an id that people see and type. */
const SHORT = 8
const MOST_CANDIDATES = 5

/** What every command takes that looks into a ledger. */
export const ledgerFlags = { ledger: { type: 'string' }, config: { type: 'string' } } as const

/** A ledger, and how a person names it in another command. */
export interface LedgerPlace {
  readonly file: string
  /** ` --ledger FILE` where it would not be found without. */
  readonly flag: string
  readonly config: Config
}

/** Where the ledger is: by the flag, the file of settings, the environment, or in this folder. */
export async function ledgerPlace(flags: {
  readonly ledger?: string | undefined
  readonly config?: string | undefined
}): Promise<LedgerPlace> {
  if (flags.ledger?.trim() === '') throw new UsageError('--ledger takes a file.')
  const config = (await loadConfig(process.cwd(), flags.config))?.config ?? {}
  const file = resolve(flags.ledger ?? config.ledger ?? (process.env['CALLWRIGHT_LEDGER']?.trim() || DEFAULT))
  const isNamed = flags.ledger !== undefined || (flags.config !== undefined && config.ledger !== undefined)
  return { file, config, flag: isNamed ? ` --ledger ${shellWord(flags.ledger ?? file)}` : '' }
}

/** Opens a ledger that must be there. */
export function openExisting({ file }: LedgerPlace, options: LedgerOptions): Ledger<RunEvent> {
  if (!statSync(file, { throwIfNoEntry: false })?.size) {
    throw new Complaint(
      `There is no ledger at ${visible(file)}: callwright run makes one, or name another with --ledger FILE.`,
    )
  }
  return openLedger<RunEvent>(file, options)
}

/** A ledger that is told how a run was started before anything else of it. */
export function describing(ledger: Ledger<RunEvent>, settings: object): Recorder<RunEvent> {
  const described = new Set<string>()
  return {
    take: (run) => ledger.take(run),
    append(run, event) {
      if (!described.has(run)) ledger.settings(run, settings)
      described.add(run)
      ledger.append(run, event)
    },
    release: (run) => ledger.release(run),
    load: (run) => ledger.load(run),
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** As much of an id as names only this run; keys that people chose stay whole. */
export function shortId(run: string, others: readonly string[]): string {
  if (!uuid.test(run)) return run
  let length = SHORT
  while (length < run.length && others.some((other) => other !== run && other.startsWith(run.slice(0, length))))
    length++
  return run.slice(0, length)
}

/** The run that a person means by its id, or by the beginning of it. */
export function findRun(rows: readonly RunRow[], word: string, { file }: LedgerPlace): RunRow {
  if (word === '') throw new UsageError('Name a run: the id that was given is empty.')
  const exact = rows.find(({ run }) => run === word)
  if (exact) return exact
  const found = rows.filter(({ run }) => run.startsWith(word))
  const [only, other] = found
  if (only && !other) return only
  const ids = rows.map(({ run }) => run)
  const shown = (candidates: readonly RunRow[]): string =>
    candidates
      .slice(0, MOST_CANDIDATES)
      .map(({ run, task }) => `\n  ${visible(shortId(run, ids))}  ${visible(task.slice(0, 60).replaceAll('\n', ' '))}`)
      .join('')
  const name = visible(word)
  if (other) throw new Complaint(`${found.length} runs begin with ${name}: type more of the id.${shown(found)}`)
  if (rows.length === 0) throw new Complaint(`There is no run ${name}: the ledger ${visible(file)} is empty.`)
  const nearest = rows.filter(({ run }) => nearestName(word, [run, run.slice(0, word.length)]) !== undefined)
  throw new Complaint(
    nearest.length > 0
      ? `There is no run ${name}. Did you mean one of these?${shown(nearest)}`
      : `There is no run ${name} in ${visible(file)}. The last ones are:${shown(rows)}`,
  )
}
