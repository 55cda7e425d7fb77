import { readFileSync } from 'node:fs'
import * as demo from './demo.ts'
import * as read from './read.ts'
import * as report from './report.ts'
import { UsageError } from './usage-error.ts'

interface Command {
  readonly summary: string
  readonly help: string
  readonly run: (words: readonly string[]) => Promise<number>
}

const commands: { readonly [name: string]: Command } = { read, report, demo }

const overview = (): string => `callwright: reads the tool calls that language models meant to write

${Object.entries(commands)
  .map(([name, { summary }]) => `  callwright ${name.padEnd(8)} ${summary}`)
  .join('\n')}

  callwright COMMAND --help    what a command takes
  callwright --version
`

const version = (): string => JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

/** Runs one command line and sets the exit code: 2 when it was not understood. */
export async function main(words: readonly string[]): Promise<void> {
  const [name, ...rest] = words
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe may leave early, as head does: that is no failure.
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') process.stdout.write(overview())
    else if (name === '--version' || name === '-v') process.stdout.write(`${version()}\n`)
    else process.exitCode = await runCommand(name, rest)
  } catch (error) {
    const complaint = usageComplaint(error)
    if (complaint === undefined) throw error
    const help = name !== undefined && Object.hasOwn(commands, name) ? `callwright ${name} --help` : 'callwright --help'
    process.stderr.write(`${complaint}\nSee: ${help}\n`)
    process.exitCode = 2
  }
}

async function runCommand(name: string, words: readonly string[]): Promise<number> {
  if (!Object.hasOwn(commands, name)) {
    throw new UsageError(`There is no command ${name}: it is one of ${Object.keys(commands).join(', ')}.`)
  }
  const command = commands[name] as Command
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
  return `${error.message.split('. ')[0]}.`
}
