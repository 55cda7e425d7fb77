import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { RunEvent } from '../agent/index.ts'
import { stateOf } from '../agent/state.ts'
import type { Ledger, RunRow, TimedEvent } from '../ledger/index.ts'
import { runStateOf, workerOf } from '../ledger/run-state.ts'
import { isAlive } from '../tools/process-name.ts'
import { cleaned, redactor } from '../tools/redact.ts'
import { Complaint } from './complaint.ts'
import { labelled } from './demo/layout.ts'
import { findRun, type LedgerPlace, ledgerFlags, ledgerPlace, openExisting, shortId } from './ledger-file.ts'
import { diffOf, filesOf, rootOf } from './run-files.ts'
import { secretsOf } from './secrets.ts'
import { counted, countText, secondsText } from './show-quantity.ts'
import { paintState } from './show-runs.ts'
import { storyLines, type Telling } from './show-story.ts'
import { isAnswered, nameOf } from './show-work.ts'
import { paintFor, visible } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export const summary = 'tell what happened in a run'

export const help = `callwright show [options] [RUN]

Tells a run as a story: the task, each step, what the model wrote, what was read in it, repairs and refusals, what the
tools gave, the end. RUN is an id, or the beginning of one; without it, the newest run is meant.

  --step NUMBER    one step, with everything in full
  --raw            only what the model wrote, as it stood; control characters are made visible on a terminal
  --jsonl          all events as lines of JSON: { sequence, at, event }
  --files          what the run did to files, with diffs
  --follow         go on while another process works on the run, until it ends or you press Ctrl-C
  --ledger FILE    Default .callwright/ledger.db, or what callwright.yaml (ledger) or CALLWRIGHT_LEDGER says
  --config FILE    settings. Default: callwright.yaml, where there is one

Exit code: 0 it was shown, 1 there is no such run or step, or whoever was followed is gone, 2 the command was not
understood.
`

const WIDEST = 120
const NARROWEST = 60
/** Milliseconds between two looks at a run that is followed. */
const PAUSE = 150

/** `callwright show`: prints the story of a run, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      ...ledgerFlags,
      step: { type: 'string' },
      raw: { type: 'boolean' },
      jsonl: { type: 'boolean' },
      follow: { type: 'boolean' },
      files: { type: 'boolean' },
    },
  })
  if (positionals.length > 1) throw new UsageError('Name one run.')
  if (values.raw && values.jsonl) throw new UsageError('Take --raw or --jsonl, not both.')
  if (values.step !== undefined && values.follow) throw new UsageError('Take --step or --follow, not both.')
  const step = stepOf(values.step)
  const place = await ledgerPlace(values)
  const secrets = secretsOf(place.config)
  const ledger = openExisting(place, { readOnly: true, secrets })
  try {
    const rows = ledger.list().filter(({ events }) => events > 0)
    const row = meantRun(rows, positionals[0], place)
    const name = nameOf(
      shortId(
        row.run,
        rows.map(({ run }) => run),
      ),
      place.flag,
    )
    if (values.files) return showFiles(row, ledger.load(row.run) ?? [], place)
    const redact = redactor(secrets)
    const story = storyOf(row, values, name)
    const tell = (events: readonly TimedEvent<RunEvent>[]): void => {
      for (const event of events) story.tell(cleaned(event, redact))
    }
    story.begin()
    const events = ledger.events(row.run) ?? []
    tell(step === undefined ? events : eventsOfStep(events, step, row.run))
    const isGone = values.follow ? !(await followed(ledger, row, events, tell)) : false
    if (step === undefined) {
      const now = ledger.list().find(({ run }) => run === row.run)
      story.end(ledger.load(row.run) ?? [], now !== undefined && workerOf(now) !== undefined)
    }
    return isGone ? 1 : 0
  } finally {
    ledger.close()
  }
}

/** Prints what a run did to files. */
function showFiles(row: RunRow, events: readonly RunEvent[], place: LedgerPlace): number {
  const { steps, changes } = filesOf(events)
  const diffs = steps.length === 0 ? [] : steps.map((step) => diffOf(step, rootOf(row, place)))
  for (const diff of diffs) process.stdout.write(`${diff.split('\n').map(visible).join('\n')}\n`)
  const later = [...new Set(changes.flatMap(({ path, runsLater }) => (runsLater ? [path] : [])))]
  if (later.length > 0) process.stdout.write(`Look before you run them: ${later.map(visible).join(', ')}\n`)
  const paths = counted(new Set(changes.map(({ path }) => path)).size, 'file')
  process.stdout.write(steps.length === 0 ? `Nothing is left of what the run did to files: ${paths} in all.\n` : '')
  return 0
}

interface Story {
  readonly begin: () => void
  readonly tell: (event: TimedEvent<RunEvent>) => void
  readonly end: (events: readonly RunEvent[], isRunning: boolean) => void
}

interface Manner {
  readonly step?: string | undefined
  readonly raw?: boolean | undefined
  readonly jsonl?: boolean | undefined
}

/** How the story is told: as lines of JSON, as the model's own words, or for a person. */
function storyOf(row: RunRow, { step, raw, jsonl }: Manner, name: string): Story {
  const write = (lines: readonly string[]): void => {
    for (const line of lines) process.stdout.write(`${line}\n`)
  }
  const paint = paintFor(process.stdout)
  const silent = { begin: () => undefined, end: () => undefined }
  if (jsonl) return { ...silent, tell: (event) => write([JSON.stringify(event)]) }
  if (raw) {
    return {
      ...silent,
      tell: ({ event }) => {
        if (event.kind !== 'reply') return
        if (step === undefined) write([paint.dim(`--- step ${event.step}`)])
        for (const part of event.parts)
          write([shown(part.kind === 'call' ? `${part.name} ${part.arguments}` : part.text)])
      },
    }
  }
  const width = Math.max(NARROWEST, Math.min(process.stdout.columns ?? WIDEST, WIDEST))
  const telling: Telling = { paint, width, isWhole: step !== undefined }
  const state = runStateOf(row)
  const worker = workerOf(row)
  const by = worker === undefined ? '' : ` by ${worker}`
  const head = `${paint.bold(visible(row.run))}  ${paintState(state, paint)(state + (state === 'running' ? by : ''))}`
  return {
    begin: () => write(['', ...labelled('run', paint.dim, [head])]),
    tell: ({ event }) => write(storyLines(event, telling)),
    end: (events, isRunning) => write([...footer(events, telling, name, isRunning), '']),
  }
}

/** What the run has cost so far, and what can be done with it. */
function footer(events: readonly RunEvent[], { paint }: Telling, name: string, isRunning: boolean): string[] {
  const { turns, usage, seconds, end, pending } = stateOf(events)
  const begun = pending?.calls.filter(({ id }) => pending.started.has(id) && !pending.observations.has(id)) ?? []
  const words = isRunning ? 'is at work' : 'was begun and has no result: its kind decides what resume does with it'
  const tokens = `${countText(usage.input)} tokens in, ${countText(usage.output)} out`
  const spent = `${counted(turns, 'step')}, ${tokens}, ${secondsText(seconds)} at work`
  const isOver = end !== undefined && isAnswered(end)
  return [
    ...begun.flatMap(({ name: tool }) => labelled('open', paint.yellow, [`${visible(tool)} ${words}`])),
    ...labelled('spent', paint.dim, [spent]),
    ...(isOver || isRunning ? [] : labelled('go on', paint.dim, [`callwright resume ${name}`])),
  ]
}

/** Tells what comes, until the run ends. Says whether it did: whoever works on it may be gone. */
async function followed(
  ledger: Ledger<RunEvent>,
  { run, owner }: RunRow,
  told: readonly TimedEvent<RunEvent>[],
  tell: (events: readonly TimedEvent<RunEvent>[]) => void,
): Promise<boolean> {
  let last = told.at(-1)
  for (;;) {
    if (last?.event.kind === 'run-end') return true
    // Looked at first: what it wrote before it went is told.
    const isGone = owner === undefined || !isAlive(owner)
    const fresh = ledger.events(run, (last?.sequence ?? -1) + 1) ?? []
    tell(fresh)
    last = fresh.at(-1) ?? last
    if (fresh.length > 0) continue
    if (isGone) return false
    await sleep(PAUSE)
  }
}

function meantRun(rows: readonly RunRow[], word: string | undefined, place: LedgerPlace): RunRow {
  if (word !== undefined) return findRun(rows, word, place)
  const [newest] = rows
  if (newest) return newest
  throw new Complaint(`There are no runs yet in ${visible(place.file)}.`)
}

function eventsOfStep(events: readonly TimedEvent<RunEvent>[], step: number, run: string): TimedEvent<RunEvent>[] {
  const starts = events.filter(({ event }) => event.kind === 'step-start')
  const first = starts.findIndex(({ event }) => event.kind === 'step-start' && event.step === step)
  const from = starts[first]
  if (!from) {
    const last = starts.at(-1)?.event
    const known = last?.kind === 'step-start' ? `its steps are 1 to ${last.step}` : 'it has none yet'
    throw new Complaint(`There is no step ${step} in run ${visible(run)}: ${known}.`)
  }
  const next = starts.slice(first + 1).find(({ event }) => event.kind === 'step-start' && event.step !== step)
  return events.filter(({ sequence }) => sequence >= from.sequence && sequence < (next?.sequence ?? events.length))
}

function stepOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  const step = Number(word)
  if (Number.isInteger(step) && step > 0) return step
  throw new UsageError(`--step takes the number of a step, and not ${word}.`)
}

const shown = (text: string): string => (process.stdout.isTTY ? text.split('\n').map(visible).join('\n') : text)
