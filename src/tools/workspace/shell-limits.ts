import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { constants, release } from 'node:os'

/** What a command may use. */
export interface ShellLimits {
  /** Seconds. */
  readonly seconds: number
  /** Bytes of output that are kept, from its head and its tail. */
  readonly output: number
  /** Processes and threads at one time. */
  readonly processes: number
  /** Bytes of memory of each process. */
  readonly memory: number
  /** Bytes of each file that it writes. */
  readonly fileSize: number
  /** Bytes that `/tmp` may hold. */
  readonly temporary: number
}

const GIBIBYTE = 2 ** 30

export const shellLimits: ShellLimits = {
  seconds: 60,
  output: 50_000,
  processes: 512,
  memory: 4 * GIBIBYTE,
  fileSize: GIBIBYTE,
  temporary: GIBIBYTE / 2,
}

/**
 * The words by which bash sets limits, closes what it was left open, and becomes the program that follows. Nothing that
 * a model wrote is read by this shell.
 */
export function limitedWords(bash: string, { processes, memory, fileSize }: ShellLimits): string[] {
  const kibibytes = (bytes: number): number => Math.ceil(bytes / 1024)
  const limits = [
    '-c 0',
    // Elsewhere it counts all that the user runs.
    ...(process.platform === 'linux' ? [`-u ${processes + countedAlready()}`] : []),
    // The address space is no measure: V8, Go and Java reserve far more of it than they use.
    `-d ${kibibytes(memory)}`,
    `-f ${kibibytes(fileSize)}`,
  ]
  const script = [
    'exec 2>&1',
    // What this process was started with open, every program that it starts has open too.
    `for entry in /dev/fd/*; do descriptor=\${entry##*/}; ((descriptor > 2)) && exec {descriptor}>&-; done`,
    // One that is refused is lower already.
    ...limits.map((limit) => `ulimit ${limit} 2>/dev/null`),
    'exec "$@"',
  ].join('\n')
  return [bash, '--noprofile', '--norc', '-c', script, 'limits']
}

/** Before Linux 5.14, the limit counts all that the user runs, and not only what runs in the sandbox. */
function countedAlready(): number {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  return major > 5 || (major === 5 && minor >= 14) ? 0 : tasksOfSystem()
}

const tasksOfSystem = (): number => Number(/\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0)

/** Milliseconds. */
const PAUSE = 20

/**
 * Watches how many processes a sandbox has, for root, whom the kernel lets start as many as it likes. Gives the function
 * that ends the watch.
 */
export function watchProcesses(first: number, most: number, tooMany: () => void): () => void {
  yieldCpu(first)
  const timer = setInterval(() => {
    if (processesWith(first) > most) tooMany()
  }, PAUSE)
  return () => clearInterval(timer)
}

/** Who watches must not wait behind those that are watched: where sessions share the processor evenly, theirs gets less. */
function yieldCpu(first: number): void {
  try {
    writeFileSync(`/proc/${first}/autogroup`, String(constants.priority.PRIORITY_LOW))
  } catch {
    // This kernel does not do so, or has done it a moment ago: then the watch is slower.
  }
}

/** How many processes the first one of a sandbox sees: all that are in it. */
function processesWith(first: number): number {
  const seen = `/proc/${first}/root/proc`
  try {
    // Until the sandbox is complete, it sees the processes of the whole machine.
    if (statSync(seen).dev === statSync('/proc').dev) return 0
    return readdirSync(seen).filter((name) => /^\d+$/.test(name)).length
  } catch {
    // It has ended meanwhile.
    return 0
  }
}
