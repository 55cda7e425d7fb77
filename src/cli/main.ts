import { readFileSync } from 'node:fs'
import { LedgerError, RunLost } from '../ledger/errors.ts'
import { AgentError } from '../tools/errors.ts'
import { RunBusy } from '../tools/recorder.ts'
import { redactor } from '../tools/redact.ts'
import { Complaint } from './complaint.ts'
import { secretsOf } from './secrets.ts'
import { UsageError } from './usage-error.ts'

interface Command {
  readonly summary: string
  readonly help: string
  readonly run: (words: readonly string[]) => Promise<number>
}

/** Each is loaded when it is asked for: who reads a reply need not wait for the agent. */
const commands: { readonly [name: string]: () => Promise<Command> } = {
  read: () => import('./read.ts'),
  run: () => import('./run.ts'),
  runs: () => import('./runs.ts'),
  show: () => import('./show.ts'),
  resume: () => import('./resume.ts'),
  undo: () => import('./undo.ts'),
  doctor: () => import('./doctor.ts'),
  report: () => import('./report.ts'),
  demo: () => import('./demo.ts'),
}

async function overview(): Promise<string> {
  const lines = Object.entries(commands).map(async ([name, load]) => {
    const { summary } = await load()
    return `  callwright ${name.padEnd(8)} ${summary}`
  })
  return `callwright: reads the tool calls that language models meant to write

${(await Promise.all(lines)).join('\n')}

  callwright COMMAND --help    what a command takes
  callwright --version
`
}

const version = (): string => JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

/** Runs one command line and sets the exit code: 2 when it was not understood. */
export async function main(words: readonly string[]): Promise<void> {
  const [name, ...rest] = words
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe may leave early, as head does: that is no failure.
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
  // What is told on the way is nobody's any more; the work goes on.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  // A command that stops without an end, such as one that waits for a module that never loads, has not succeeded.
  process.exitCode = 1
  // Tools can fail behind their call's back, too, with a key in their words.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${withoutSecrets(stackOf(error))}\n`)
    process.exit(1)
  })
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help')
      process.exitCode = told(await overview())
    else if (name === '--version' || name === '-v') process.exitCode = told(`${version()}\n`)
    else process.exitCode = await runCommand(name, rest)
  } catch (error) {
    const help = name !== undefined && Object.hasOwn(commands, name) ? `callwright ${name} --help` : 'callwright --help'
    const complaint = usageComplaint(error)
    const isUsage = complaint !== undefined
    const said = isUsage ? `${complaint}\nSee: ${help}` : isComplaint(error) ? error.message : stackOf(error)
    process.stderr.write(`${withoutSecrets(said)}\n`)
    process.exitCode = isUsage ? 2 : 1
  }
  // Nobody waits for what a tool has left behind.
  process.stdout.write('', () => process.stderr.write('', () => process.exit()))
}

function told(text: string): number {
  process.stdout.write(text)
  return 0
}

/** Errors whose words are all that a person needs. */
const isComplaint = (error: unknown): error is Error =>
  error instanceof Complaint || [LedgerError, RunBusy, RunLost, AgentError].some((kind) => kind.isInstance(error))

const stackOf = (error: unknown): string => (error instanceof Error && error.stack ? error.stack : String(error))

const withoutSecrets = (text: string): string => redactor(secretsOf())(text)

async function runCommand(name: string, words: readonly string[]): Promise<number> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) throw new UsageError(`There is no command ${name}: it is one of ${Object.keys(commands).join(', ')}.`)
  const command = await load()
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(command.help)
    return 0
  }
  return command.run(words)
}

/** What to tell of our own usage errors and of those of node:util's parseArgs, whose first sentence is enough. */
function usageComplaint(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) return undefined
  return `${error.message.split(/\.\s|\n/)[0]?.replace(/\.$/, '')}.`
}
