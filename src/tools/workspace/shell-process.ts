import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { constants, homedir, setPriority, tmpdir } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { descriptors, nodeFolders, sandboxArguments, searchPath } from './sandbox-arguments.ts'
import { systemCallFilter } from './sandbox-filter.ts'
import type { ShellCommand } from './shell.ts'
import { limitedWords } from './shell-limits.ts'
import { COMMAND_PLACE, type Scratch } from './shell-scratch.ts'

/** A command that runs. */
export interface ShellProcess {
  readonly child: ChildProcess
  /** Asks all of it to end, or ends it. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** What the sandbox reports of itself. */
  status(): SandboxStatus
  /** Calls a function when the sandbox has its first process. */
  onStart(action: (status: SandboxStatus) => void): void
  /** What bubblewrap complained of: then the command has not started. */
  complaint(): string
  /** Resolves when nothing of the command runs any more. */
  isOver(): Promise<void>
}

export interface SandboxStatus {
  /** The first process in the sandbox: all others end with it. */
  readonly first?: number
  readonly exitCode?: number
}

const LOWEST = constants.priority.PRIORITY_LOW

/** Starts a command in bubblewrap. */
export function startConfined(command: ShellCommand, bash: string, scratch: Scratch): ShellProcess {
  const { root, access, mounts, network, readable = nodeFolders(), limits, run, sandbox } = command
  const script = 'script' in run ? ([[scratch.command, COMMAND_PLACE]] as const) : []
  const files = [[scratch.passwords, '/etc/passwd'] as const, [scratch.groups, '/etc/group'] as const, ...script]
  const options = sandboxArguments({ root, access, mounts, network, readable, temporary: limits.temporary, files })
  const words = [...limitedWords(bash, limits), ...('script' in run ? [bash, COMMAND_PLACE] : run.words)]
  // The environment of bubblewrap can be read in the sandbox, and its words too: the one is empty, the others are few.
  const child = spawn(sandbox.program ?? '', ['--args', String(descriptors.words), '--', ...words], {
    env: {},
    cwd: '/',
    detached: true,
    stdio: ['ignore', scratch.writer, 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  // Who watches over the number of processes must not wait behind them.
  if (process.getuid?.() === 0 && child.pid !== undefined) setPriority(child.pid, LOWEST)
  tell(child, descriptors.words, Buffer.from(options.map((word) => `${word}\0`).join('')))
  tell(child, descriptors.filter, systemCallFilter(process.arch) ?? Buffer.alloc(0))
  const reports = new EventEmitter()
  const reported = heard(child, descriptors.status, () => reports.emit('report'))
  const complained = heard(child, 2)
  const status = (): SandboxStatus => statusOf(reported())
  return {
    child,
    status,
    onStart: (action) => reports.once('report', () => action(status())),
    complaint: complained,
    kill: (signal) => {
      const { first } = status()
      if (first !== undefined) killQuietly(signal === 'SIGTERM' ? -first : first, signal)
      if (signal === 'SIGKILL' || first === undefined) child.kill('SIGKILL')
    },
    isOver: async () => {
      const { first } = status()
      while (first !== undefined && isAlive(first)) await wait(2)
    },
  }
}

/** Starts a command with nothing around it. */
export function startPlain(command: ShellCommand, bash: string, scratch: Scratch): ShellProcess {
  const { root, run, limits, readable = nodeFolders() } = command
  const words = [...limitedWords(bash, limits), ...('script' in run ? [bash, scratch.command] : run.words)]
  const [program = '', ...rest] = words
  const user = { HOME: homedir(), TMPDIR: tmpdir(), LANG: 'C.UTF-8', TERM: 'dumb' }
  const child = spawn(program, rest, {
    env: { ...user, PATH: searchPath(readable), PWD: root },
    cwd: root,
    detached: true,
    stdio: ['ignore', scratch.writer, scratch.writer],
  })
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) killQuietly(-child.pid, signal)
  }
  // Who has left the group lives on: only a sandbox holds everybody.
  const isOver = async (): Promise<void> => kill('SIGKILL')
  return { child, kill, isOver, status: () => ({}), onStart: () => undefined, complaint: () => '' }
}

/** Sends bytes by an open file, to a process that may have ended before it read them. */
function tell(child: ChildProcess, descriptor: number, bytes: Buffer): void {
  const streams: readonly (Readable | Writable | null | undefined)[] = child.stdio
  const stream = streams[descriptor]
  if (!stream || !('end' in stream)) throw new TypeError(`There is no way to tell bubblewrap by ${descriptor}.`)
  stream.on('error', () => stream.destroy())
  stream.end(bytes)
}

const MOST_HEARD = 10_000

/** What a process says by an open file, as far as it has come. */
function heard(child: ChildProcess, descriptor: number, more: () => void = () => undefined): () => string {
  let said = ''
  const streams: readonly (Readable | Writable | null | undefined)[] = child.stdio
  streams[descriptor]?.on('data', (bytes: Buffer) => {
    if (said.length < MOST_HEARD) said += bytes.toString()
    more()
  })
  return () => said
}

/** bubblewrap reports in lines of JSON, the exit code last. */
function statusOf(text: string): SandboxStatus {
  const number = (name: string): number | undefined => {
    const found = new RegExp(`"${name}": *(\\d+)`).exec(text)?.[1]
    return found === undefined ? undefined : Number(found)
  }
  const first = number('child-pid')
  const exitCode = number('exit-code')
  return {
    ...(first === undefined ? {} : { first }),
    ...(exitCode === undefined ? {} : { exitCode }),
  }
}

/** The first process has ended, and with it all others, when it is gone or waits to be counted. */
function isAlive(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^\d+ \(.*\) [ZX]/s.test(text)
  } catch {
    // There is none of that number.
    return false
  }
}

function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
