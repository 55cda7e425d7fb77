import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { RunEvent, RunResult } from '../agent/index.ts'
import { stateOf } from '../agent/state.ts'
import type { Ledger, RunRow } from '../ledger/index.ts'
import { interruptedRuns } from '../ledger/run-state.ts'
import { RunBusy } from '../tools/index.ts'
import { redactor } from '../tools/redact.ts'
import { agentBy, chosenModel, type RunSettings, toolboxOf } from './agent-settings.ts'
import { Complaint } from './complaint.ts'
import {
  describing,
  findRun,
  type LedgerPlace,
  ledgerFlags,
  ledgerPlace,
  openExisting,
  shortId,
} from './ledger-file.ts'
import { secretsOf } from './secrets.ts'
import { counted } from './show-quantity.ts'
import { brief } from './show-run.ts'
import { paintState } from './show-runs.ts'
import { type Cell, tableLines } from './show-table.ts'
import { interruptibly, isAnswered, nameOf, screenFor } from './show-work.ts'
import { paintFor, visible } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export const summary = 'go on with a run where it was left'

export const help = `callwright resume [options] RUN
callwright resume [options] --all

Goes on with a run that was killed, interrupted, paused or failed, with the tools, the model and the limits that it was
started with. What was done is not done again. An answered run gives its answer again. RUN is an id, or the beginning
of one.

  --message TEXT   say something to the model first: a second question, or another way
  --all            every run that has not ended and that nobody works on, one after the other
  --force          take the run over from a process that still has it; that one can then change nothing more
  --tools FILE     a module that exports tools, in place of those it was started with (may be repeated)
  --model NAME     another model
  --base-url URL   another server
  --verbose        show the whole exchange
  --json           print how the run ended as JSON (with --all a list), and what happens as JSON lines on standard error
  --ledger FILE    Default .callwright/ledger.db, or what callwright.yaml (ledger) or CALLWRIGHT_LEDGER says
  --config FILE    settings. Default: callwright.yaml, where there is one

Exit code: 0 it was answered, with --all every one; 1 it was not, or cannot be gone on with; 2 the command was not
understood.
`

interface ResumeFlags {
  readonly message?: string | undefined
  readonly tools?: readonly string[] | undefined
  readonly model?: string | undefined
  readonly 'base-url'?: string | undefined
  readonly verbose?: boolean | undefined
  readonly json?: boolean | undefined
}

/** `callwright resume`: goes on with runs, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      ...ledgerFlags,
      message: { type: 'string' },
      all: { type: 'boolean' },
      force: { type: 'boolean' },
      tools: { type: 'string', multiple: true },
      model: { type: 'string' },
      'base-url': { type: 'string' },
      verbose: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  })
  const [word, other] = positionals
  if (other !== undefined) throw new UsageError('Name one run, or take --all.')
  if ((word === undefined) === !values.all)
    throw new UsageError('Name a run, or take --all; callwright runs lists them.')
  if (values.all && (values.force || values.message !== undefined)) {
    throw new UsageError('--force and --message are for one run: name it.')
  }
  if (values.message?.trim() === '') throw new UsageError('--message takes a text.')
  const place = await ledgerPlace(values)
  const flags = { ...values, ...(values.tools ? { tools: values.tools.map((file) => resolve(file)) } : {}) }
  const secrets = secretsOf({ ...place.config, ...(values['base-url'] ? { baseURL: values['base-url'] } : {}) })
  const ledger = openExisting(place, { secrets, force: values.force ?? false })
  try {
    const rows = ledger.list().filter(({ events }) => events > 0)
    const resuming: Resuming = { ledger, place, flags, ids: rows.map(({ run }) => run) }
    if (word === undefined) return await resumeAll(interruptedRuns(rows), resuming)
    const { result, show } = await interruptibly((signal) => resumeRun(findRun(rows, word, place), resuming, signal))
    show()
    return isAnswered(result) ? 0 : 1
  } finally {
    ledger.close()
  }
}

interface Resuming {
  readonly ledger: Ledger<RunEvent>
  readonly place: LedgerPlace
  readonly flags: ResumeFlags
  /** Of all runs. */
  readonly ids: readonly string[]
}

interface Resumed {
  readonly result: RunResult
  /** Prints how it ended. */
  readonly show: () => void
}

/** Goes on with one run, by how it was started and what the flags say. */
async function resumeRun(row: RunRow, resuming: Resuming, signal: AbortSignal): Promise<Resumed> {
  const { ledger, place, flags, ids } = resuming
  const name = nameOf(shortId(row.run, ids), place.flag)
  const wanted = settingsFor(row, resuming, name)
  if (wanted.folder !== process.cwd()) enter(wanted.folder, name)
  const server = { model: flags.model, baseURL: flags['base-url'] }
  const choice = await chosenModel(server, wanted, `callwright resume ${name}`)
  if (choice.kind === 'missing') throw new Complaint(choice.message)
  const secrets = secretsOf({ apiKeyFrom: choice.settings.apiKeyFrom })
  const redact = redactor(secrets)
  const toolbox = await toolboxOf(choice.settings, place.file, secrets).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
    throw new Complaint(`${error.message}\nName the tools anew: callwright resume ${name} --tools FILE`)
  })
  const screen = screenFor({ json: flags.json ?? false, verbose: flags.verbose ?? false, redact, name })
  const recorder = describing(ledger, choice.settings)
  const agent = agentBy(choice.settings, { model: choice.model, toolbox, recorder }, redact)
  const given = { signal, onEvent: screen.tell }
  try {
    const result = await (flags.message === undefined
      ? agent.resume(row.run, given)
      : agent.continue(row.run, flags.message, given))
    return { result, show: () => screen.end(result) }
  } catch (error) {
    if (!RunBusy.isInstance(error)) throw error
    const ways = `Watch it:     callwright show ${name} --follow\nTake it over: callwright resume ${name} --force`
    throw new Complaint(`${error.message}\n${ways}`)
  }
}

/** How the run was started, with what the flags change. */
function settingsFor(row: RunRow, { ledger, flags, place }: Resuming, name: string): RunSettings {
  const stored = storedSettings(row)
  const { ledger: _, ...config } = place.config
  const settings = stored ?? { ...config, folder: process.cwd() }
  if (
    stored === undefined &&
    flags.tools === undefined &&
    Object.keys(stateOf(ledger.load(row.run) ?? []).setup.tools).length > 0
  ) {
    throw new Complaint(
      `Run ${visible(row.run)} was not started by callwright run, so nobody knows where its tools are. Name them: callwright resume ${name} --tools FILE`,
    )
  }
  if (settings.replay !== undefined && flags.model === undefined) {
    throw new Complaint(
      `Run ${visible(row.run)} took its replies from ${visible(settings.replay)}, and a recording cannot be gone on with in the middle. Name a model: callwright resume ${name} --model NAME`,
    )
  }
  const { apiKeyFrom } = settings
  if (apiKeyFrom !== undefined && flags['base-url'] === undefined && !process.env[apiKeyFrom]?.trim()) {
    throw new Complaint(
      `The key of run ${visible(row.run)} was in ${apiKeyFrom}, which is not set: set it, then resume.`,
    )
  }
  const { replay, ...others } = settings
  return { ...others, ...(flags.tools ? { tools: flags.tools } : {}) }
}

function storedSettings({ settings }: RunRow): RunSettings | undefined {
  if (settings === undefined) return undefined
  const stored: RunSettings = JSON.parse(settings)
  return stored
}

/** Tools name files from the folder that the run was started in. */
function enter(folder: string, name: string): void {
  if (!existsSync(folder)) {
    throw new Complaint(
      `Run ${name} was at work in ${visible(folder)}, which is not there any more: bring it back first.`,
    )
  }
  process.stderr.write(`  The run goes on in its folder: ${visible(folder)}\n`)
  process.chdir(folder)
}

/** Goes on with one run after the other, and says how each ended. */
async function resumeAll(rows: readonly RunRow[], resuming: Resuming): Promise<number> {
  const { flags, ids } = resuming
  const results: RunResult[] = []
  const lines: Cell[][] = []
  const paint = paintFor(process.stderr)
  await interruptibly(async (signal) => {
    for (const row of rows) {
      if (signal.aborted) break
      const cells = (state: string, text: string): Cell[] => [
        { text: visible(shortId(row.run, ids)), paint: paint.bold },
        { text: state, paint: paintState(state, paint) },
        brief(text),
      ]
      try {
        const { result } = await resumeRun(row, resuming, signal)
        results.push(result)
        lines.push(cells(result.kind, result.answer ?? result.message))
      } catch (error) {
        if (!(error instanceof Complaint)) throw error
        lines.push(cells('not resumed', error.message))
      }
    }
  })
  const answered = results.filter(isAnswered).length
  if (flags.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
  else {
    const width = process.stderr.isTTY ? process.stderr.columns - 2 : undefined
    const table = tableLines(lines, { width }).map((line) => `  ${line}\n`)
    const sum =
      rows.length === 0 ? 'No run waits to be gone on with.' : `${answered} of ${counted(rows.length, 'run')} answered.`
    process.stderr.write(`${rows.length === 0 ? '' : '\n'}${table.join('')}\n  ${sum}\n`)
  }
  return answered === rows.length ? 0 : 1
}
