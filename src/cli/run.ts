import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { RunEvent } from '../agent/index.ts'
import { type Ledger, LedgerError, openLedger } from '../ledger/index.ts'
import { replayedReplies, savedReplies } from '../models/index.ts'
import { messageOf } from '../tools/index.ts'
import { type Redact, redactor } from '../tools/redact.ts'
import { agentBy, type Chosen, chosenModel, type RunSettings, settingsFrom, toolboxOf } from './agent-settings.ts'
import { Complaint } from './complaint.ts'
import { inputText } from './input.ts'
import { describing, ledgerFlags, ledgerPlace, shortId } from './ledger-file.ts'
import { secretsOf } from './secrets.ts'
import { brief } from './show-run.ts'
import { interruptibly, isAnswered, nameOf, screenFor } from './show-work.ts'
import { UsageError } from './usage-error.ts'

export const summary = 'let a model work on a task with your tools'

export const help = `callwright run [options] TASK

Works on a task: the model thinks, calls tools and sees what they give, until it answers. The answer goes to standard
output, what happens on the way to standard error. Without a task, or with -, it is what is piped in.
Everything is kept in a ledger as it happens: a run that was killed goes on with callwright resume.

  --model NAME         the model; callwright doctor says which would be taken
  --base-url URL       a server that speaks OpenAI's Chat Completions; keys come from the environment
  --tools FILE         a module that exports tools (may be repeated)
  --workspace          tools for the files of this folder and for commands in it, confined to it
  --read-only          the same, without changing anything
  --unsafe-shell       with these: run commands also where there is no sandbox for them
  --mode MODE          auto (default), native, structured, json or react
  --instructions TEXT  who the agent is and what it should heed
  --steps NUMBER       model turns before it must answer. Default 10
  --key NAME           a name for the run: the same name is the same run, which goes on or gives its answer again
  --ledger FILE        where runs are kept. Default .callwright/ledger.db, or what callwright.yaml (ledger) or
                       CALLWRIGHT_LEDGER says
  --no-record          keep nothing
  --config FILE        settings. Default: callwright.yaml, where there is one
  --verbose            show the whole exchange
  --json               print how the run ended as JSON, and what happens as JSON lines on standard error
  --save-replies FILE  keep what the model says, to replay it
  --replay FILE        take the model's replies from such a file; needs no model

Calls of tools that need approval are asked for on the terminal, and are not run where there is none.
Keys in the environment, and what looks like one, are written and shown nowhere.
Exit code: 0 it was answered, 1 it was not, 2 the command was not understood.
`

/** `callwright run`: works on a task, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      model: { type: 'string' },
      'base-url': { type: 'string' },
      tools: { type: 'string', multiple: true },
      mode: { type: 'string' },
      instructions: { type: 'string' },
      steps: { type: 'string' },
      key: { type: 'string' },
      ...ledgerFlags,
      workspace: { type: 'boolean' },
      'read-only': { type: 'boolean' },
      'unsafe-shell': { type: 'boolean' },
      'no-record': { type: 'boolean' },
      verbose: { type: 'boolean' },
      json: { type: 'boolean' },
      'save-replies': { type: 'string' },
      replay: { type: 'string' },
    },
  })
  if (positionals.length > 1) throw new UsageError('Give one task: put quotes around it.')
  if (values.replay !== undefined && values['save-replies'] !== undefined) {
    throw new UsageError('Take --replay or --save-replies, not both.')
  }
  const isKept = !values['no-record']
  if (!isKept && (values.key ?? values.ledger) !== undefined) {
    throw new UsageError('With --no-record nothing is kept: leave out --key and --ledger, or --no-record.')
  }
  if (values.key?.trim() === '') throw new UsageError('--key takes a name for the run.')
  const place = await ledgerPlace(values)
  const wanted = settingsFrom(values, place.config)
  const known = secretsOf({ apiKeyFrom: wanted.apiKeyFrom, baseURL: values['base-url'] ?? wanted.baseURL })
  const toolbox = await toolboxOf(wanted, place.file, known)
  const task = positionals[0] === undefined || positionals[0] === '-' ? await inputText(undefined) : positionals[0]
  if (task.trim() === '') throw new UsageError('Give a task: a text that says what to do.')
  const flags = { model: values.model, baseURL: values['base-url'] }
  const choice = wanted.replay === undefined ? await chosenModel(flags, wanted) : replayed(wanted, wanted.replay)
  if (choice.kind === 'missing') throw new Complaint(choice.message)
  const { settings } = choice
  const saved = values['save-replies']
  const model = saved === undefined ? choice.model : savedReplies(choice.model, saved)

  const secrets = secretsOf({ apiKeyFrom: settings.apiKeyFrom })
  const redact = redactor(secrets)
  const id = values.key ?? randomUUID()
  const ledger = isKept ? opened(place.file, secrets) : undefined
  try {
    if (ledger && values.key !== undefined) checkKey(ledger, id, task, redact)
    const others = ledger && values.key === undefined ? ledger.list().map((row) => row.run) : []
    const name = ledger ? nameOf(shortId(id, others), place.flag) : undefined
    const screen = screenFor({ json: values.json ?? false, verbose: values.verbose ?? false, redact, name })
    const agent = agentBy(
      settings,
      { model, toolbox, ...(ledger ? { recorder: describing(ledger, settings) } : {}) },
      redact,
    )
    const result = await interruptibly((signal) => agent.run(task, { signal, onEvent: screen.tell, key: id }))
    screen.end(result)
    return isAnswered(result) ? 0 : 1
  } finally {
    ledger?.close()
  }
}

function opened(file: string, secrets: readonly string[]): Ledger<RunEvent> {
  try {
    return openLedger<RunEvent>(file, { secrets })
  } catch (error) {
    if (!LedgerError.isInstance(error)) throw error
    throw new Complaint(`${error.message}\nOr name another place with --ledger FILE, or keep nothing with --no-record.`)
  }
}

/** The same key is the same run; it must not be silently about something else. */
function checkKey(ledger: Ledger<RunEvent>, key: string, task: string, redact: Redact): void {
  const known = ledger.list().find(({ run, events }) => run === key && events > 0)
  if (known === undefined || known.task === redact(task)) return
  const say = `callwright resume ${nameOf(key, '')} --message TEXT`
  throw new UsageError(
    `The run ${key} has another task: ${brief(known.task)}\nTake another key for this one, or say more in that run: ${say}`,
  )
}

function replayed(settings: RunSettings, file: string): Chosen {
  try {
    const model = replayedReplies(file)
    return { kind: 'chosen', model, settings: { ...settings, model: model.modelId } }
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
}
