import { execFile } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { baseArguments } from './sandbox-arguments.ts'
import { systemCallFilter } from './sandbox-filter.ts'

/** What stands between a command and the machine. */
export interface Sandbox {
  /** `unsafe`: nothing does, and somebody has accepted that. `none`: nothing does, and no command runs. */
  readonly kind: 'bubblewrap' | 'unsafe' | 'none'
  /** With its version. */
  readonly name: string
  /** How it was chosen, in a sentence for people. */
  readonly why: string
  /** What to type to have a sandbox, where there is none. */
  readonly type: readonly string[]
  /** The absolute path of bubblewrap. */
  readonly program?: string
}

export interface SandboxOptions {
  /** Run commands without a sandbox where there is none: somebody has decided that this machine may be harmed. */
  readonly unsafeShell?: boolean
  /** Folders of the system in which bubblewrap is looked for; never the folders of PATH. */
  readonly folders?: readonly string[]
  /** A folder in which no bubblewrap is believed, because tools write there. */
  readonly workspace?: string
}

const systemFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin']
const NEEDED = [0, 6] as const
/** Milliseconds for the trial. */
const PATIENCE = 10_000

/**
 * Finds what can confine commands on this machine, by trying it. What is not found is never replaced by less: without
 * `unsafeShell`, no sandbox means no commands.
 *
 * @example
 * const { kind, why } = await findSandbox() // 'bubblewrap', 'bubblewrap 0.8.0 at /usr/bin/bwrap, tried and found working.'
 */
export async function findSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const found = await bubblewrap(options)
  if (found.kind !== 'none' || !options.unsafeShell) return found
  const place = isContainer() ? 'This looks like a container, and commands' : 'Commands'
  return {
    ...found,
    kind: 'unsafe',
    name: 'no sandbox',
    why: `${place} run without a sandbox, as was asked for. ${found.why}`,
  }
}

async function bubblewrap({ folders = systemFolders, workspace }: SandboxOptions): Promise<Sandbox> {
  if (process.platform !== 'linux') {
    return none('Commands are confined by bubblewrap, which is for Linux: there is no sandbox on this system yet.')
  }
  if (!systemCallFilter(process.arch)) {
    return none(`The sandbox knows x64, arm64 and riscv64 processors: this one is ${process.arch}.`)
  }
  if (!bashProgram()) return none('There is no bash in /bin or /usr/bin: install it.', installLines('bash'))
  const candidates = folders.map((folder) => join(folder, 'bwrap')).filter((program) => existsSync(program))
  if (candidates.length === 0) {
    return none(`bubblewrap is not installed: there is no bwrap in ${folders.join(', ')}.`, installLines('bubblewrap'))
  }
  const program = candidates.find((candidate) => isTrusted(candidate, workspace))
  if (program === undefined) {
    return none(
      `${candidates.join(' and ')} could be replaced by others than the system: it is not used. Install bubblewrap as root.`,
      installLines('bubblewrap'),
    )
  }
  return tried(program)
}

/** Whether only the system can have put a program there. */
function isTrusted(program: string, workspace: string | undefined): boolean {
  const real = realpathSync(program)
  if (workspace !== undefined && [program, real].some((path) => path.startsWith(workspace + sep))) return false
  return [real, dirname(real)].every((path) => {
    const { uid, mode } = statSync(path)
    return uid === 0 && (mode & 0o022) === 0
  })
}

async function tried(program: string): Promise<Sandbox> {
  const version = await outputOf(program, ['--version'])
  const [major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version.output)?.slice(1).map(Number) ?? []
  const isEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
  const name = version.output.trim() || 'bubblewrap'
  if (!isEnough) {
    return none(`${name} at ${program} is too old: ${NEEDED.join('.')} or newer is needed.`, installLines('bubblewrap'))
  }
  const trial = await outputOf(program, [...baseArguments(false), '--', '/usr/bin/env', 'true'])
  if (!trial.failed) {
    return { kind: 'bubblewrap', name, why: `${name} at ${program}, tried and found working.`, type: [], program }
  }
  const said = trial.output.trim().split('\n')[0] ?? ''
  const isUbuntu = existsSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')
  const advice = isContainer()
    ? 'This looks like a container: start it so that it may make user namespaces, or accept commands without a sandbox.'
    : 'Allow user namespaces for it.'
  return none(
    `${name} at ${program} does not work here: ${said} ${advice}`,
    isUbuntu
      ? ['sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0']
      : ['sudo sysctl user.max_user_namespaces=10000'],
  )
}

const none = (why: string, type: readonly string[] = []): Sandbox => ({ kind: 'none', name: 'none', why, type })

/** How each system installs a package, by the program that does it. */
const packageManagers: readonly (readonly [program: string, line: string])[] = [
  ['apt-get', 'sudo apt-get install'],
  ['dnf', 'sudo dnf install'],
  ['apk', 'sudo apk add'],
  ['pacman', 'sudo pacman -S'],
  ['zypper', 'sudo zypper install'],
]

function installLines(name: string): string[] {
  const folders = ['/usr/bin', '/sbin', '/usr/sbin', '/bin']
  const found = packageManagers.find(([program]) => folders.some((folder) => existsSync(join(folder, program))))
  return [`${found?.[1] ?? 'sudo apt-get install'} ${name}`]
}

const isContainer = (): boolean => existsSync('/.dockerenv') || existsSync('/run/.containerenv')

/** The shell of the system, from a fixed place. */
export const bashProgram = (): string | undefined => ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path))

async function outputOf(
  program: string,
  words: readonly string[],
): Promise<{ readonly output: string; readonly failed: boolean }> {
  return new Promise((resolve) => {
    execFile(program, words, { env: {}, cwd: '/', timeout: PATIENCE }, (error, stdout, stderr) => {
      resolve({ output: stdout + stderr, failed: error !== null })
    })
  })
}
