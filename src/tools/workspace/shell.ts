import { Socket } from 'node:net'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { bashProgram, type Sandbox } from './sandbox.ts'
import type { Mount } from './sandbox-arguments.ts'
import { type ShellLimits, watchProcesses } from './shell-limits.ts'
import { HeadAndTail } from './shell-output.ts'
import { type ShellProcess, startConfined, startPlain } from './shell-process.ts'
import { openScratch } from './shell-scratch.ts'

/** A command, and all that decides what it may do. */
export interface ShellCommand {
  readonly sandbox: Sandbox
  /** The workspace: absolute, without links. */
  readonly root: string
  readonly access: 'write' | 'read'
  readonly mounts: readonly Mount[]
  readonly network: boolean
  /** More that may be read, such as the folder of a compiler. Default: the Node that runs this. */
  readonly readable?: readonly string[]
  /** Text for bash; or a program with its arguments, which no shell reads. */
  readonly run: { readonly script: string } | { readonly words: readonly string[] }
  readonly limits: ShellLimits
  readonly signal?: AbortSignal
}

/** How a command ended. */
export interface ShellOutcome {
  readonly ended: 'exit' | 'time' | 'processes' | 'abort'
  /** As shells count: 128 and the number of the signal for one that was killed. */
  readonly exitCode: number
  readonly seconds: number
  /** Both streams as they came, cut in the middle where it was too much. */
  readonly output: string
  /** Bytes that were said, and those of them that were not kept. */
  readonly outputSize: number
  readonly outputCut: number
}

/** A command that was not even started. */
export class ShellFailure extends Error {}

/** Milliseconds between the request to end and the end. */
const GRACE = 500
/** Milliseconds for what is left in the pipe, when something outside of a sandbox still holds it open. */
const LINGER = 200

/**
 * Runs a command until it ends or its time is up. In a sandbox, all that it started has ended then.
 *
 * @example
 * const { exitCode, output } = await runShell({
 *   sandbox: await findSandbox(), root, access: 'read', mounts: [], network: false, run: { script: 'ls' }, limits: shellLimits,
 * })
 */
export async function runShell(command: ShellCommand): Promise<ShellOutcome> {
  const { sandbox, run, limits } = command
  const bash = bashProgram()
  if (sandbox.kind === 'none' || !bash) throw new ShellFailure(sandbox.why)
  const scratch = await openScratch('script' in run ? run.script : '')
  const output = new HeadAndTail(limits.output)
  const reader = new Socket({ fd: scratch.reader, readable: true, writable: false })
  reader.on('data', (bytes) => output.push(bytes))
  const closed = new Promise<void>((resolve) => reader.once('close', () => resolve()))
  try {
    const start = performance.now()
    const started = (sandbox.kind === 'bubblewrap' ? startConfined : startPlain)(command, bash, scratch)
    scratch.closeWriter()
    const { ended, exitCode } = await endOf(started, command)
    await started.isOver()
    await Promise.race([closed, wait(LINGER)])
    const seconds = (performance.now() - start) / 1_000
    return { ended, exitCode, seconds, output: output.text(), outputSize: output.size, outputCut: output.cut }
  } finally {
    reader.destroy()
    scratch.remove()
  }
}

/** Waits for the end of a command, and brings it about when it has to be. */
async function endOf(
  started: ShellProcess,
  { limits, signal, sandbox }: ShellCommand,
): Promise<Pick<ShellOutcome, 'ended' | 'exitCode'>> {
  let ended: ShellOutcome['ended'] = 'exit'
  const timers: NodeJS.Timeout[] = []
  let endWatch = (): void => undefined
  const stop = (reason: ShellOutcome['ended']): void => {
    if (ended !== 'exit') return
    ended = reason
    started.kill('SIGTERM')
    timers.push(setTimeout(() => started.kill('SIGKILL'), GRACE))
  }
  const abort = (): void => stop('abort')
  timers.push(setTimeout(() => stop('time'), limits.seconds * 1_000))
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  started.onStart(({ first }) => {
    // The kernel limits the processes of everybody but root.
    if (first === undefined || process.getuid?.() !== 0) return
    endWatch = watchProcesses(first, limits.processes, () => {
      stop('processes')
      started.kill('SIGKILL')
    })
  })
  try {
    const [code, name] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      started.child.once('error', (error) => reject(new ShellFailure(`${sandbox.name}: ${error.message}`)))
      started.child.once('close', (...end) => resolve(end))
    })
    const { exitCode } = started.status()
    if (sandbox.kind === 'bubblewrap' && exitCode === undefined && ended === 'exit') {
      throw new ShellFailure(started.complaint().trim() || `${sandbox.name} ended before the command did.`)
    }
    return { ended, exitCode: exitCode ?? code ?? 128 + (name ? constants.signals[name] : 0) }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    endWatch()
    signal?.removeEventListener('abort', abort)
  }
}
