import { ToolRetry } from '../errors.ts'
import { type RunnableTool, type ToolContext, tool } from '../tool.ts'
import { type CommandRule, checkCommand, programPlace, shownRule } from './command-rules.ts'
import { findSandbox, type Sandbox } from './sandbox.ts'
import { nodeFolders, searchPath } from './sandbox-arguments.ts'
import { isWritable, planMounts, TooManyMounts, type WorkspaceRules } from './sandbox-mounts.ts'
import { placePlaceholders } from './sandbox-placeholders.ts'
import { runShell, type ShellCommand, ShellFailure, type ShellOutcome } from './shell.ts'
import { openHeredoc } from './shell-heredoc.ts'
import { type ShellLimits, shellLimits } from './shell-limits.ts'
import { changeNote, endNote, startNote } from './shell-notes.ts'
import { type Comparison, compareAfter, NOTHING } from './shell-tracking.ts'
import { inTurn, TurnRefused } from './shell-turn.ts'
import { shownOutcome } from './shell-words.ts'
import { type Snapshot, type SnapshotLimits, takeSnapshot, WorkspaceTooLarge } from './snapshot.ts'

/** How `run_bash` is set up. Paths are relative to the root where it does not say otherwise. */
export interface RunBashOptions extends WorkspaceRules {
  /** In the mode `allowlist`: the programs that may be run, and how. */
  readonly commands?: readonly CommandRule[]
  /** Whether commands may use the network, all of it. Default no. */
  readonly network?: boolean
  /** More that commands may read, by absolute path, such as the folder of a compiler; its `bin` is searched for programs. */
  readonly readable?: readonly string[]
  readonly limits?: Partial<ShellLimits>
  /** The most seconds that a model may ask for. Default 600. */
  readonly longest?: number
  /** Run commands without a sandbox where there is none. */
  readonly unsafeShell?: boolean
  /** What was found already; else it is looked for when the first command comes. */
  readonly sandbox?: Sandbox
  /** Names of folders in which changes are not looked for. Default `.git`, `.callwright`, `node_modules`. */
  readonly untracked?: readonly string[]
  readonly snapshotLimits?: Partial<SnapshotLimits>
  /** Texts that are secret: what a file held before is not kept where one of them is in it. */
  readonly secrets?: readonly string[]
}

const LONGEST = 600
/** Seconds for what is done before and after a command. */
const AROUND = 60
const OBSERVATION = 8_000

/**
 * The tool `run_bash`: runs a command in the workspace, in a sandbox, and finds out what it changed. Where there is no
 * sandbox it refuses.
 *
 * @example
 * const shell = runBash({ root: '/w/app', mode: 'edit', protectedPaths: ['.git'] })
 */
export function runBash(given: RunBashOptions): RunnableTool {
  const options = { ...given, isProtected: remembered(given.isProtected), isHidden: remembered(given.isHidden) }
  const { mode, commands = [], longest = LONGEST } = options
  const limits: ShellLimits = { ...shellLimits, ...options.limits }
  const session: Session = { options, limits, previous: undefined, sandbox: options.sandbox }
  const allowed = commands.map(shownRule).join('; ')
  const description =
    mode === 'allowlist'
      ? `Runs one program in the workspace, without a shell: no pipes, redirections or variables. Allowed: ${allowed || 'nothing'}. In place of arguments, * stands for any text and ** for any arguments.`
      : `Runs a bash command in the workspace and gives its exit code and output. For complex operations; to write a file, write_file is better.${mode === 'read-only' ? ' The workspace is read-only.' : ''}${options.network ? '' : ' There is no network.'}`
  return tool({
    name: 'run_bash',
    description,
    input: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command, as you would type it.' },
        timeout: { type: 'number', description: `Seconds; ${limits.seconds} if left out, at most ${longest}.` },
      },
      required: ['command'],
    },
    kind: 'once',
    timeout: (longest + AROUND) * 1_000,
    observationLimit: OBSERVATION,
    observationHint: 'Send the output through head, tail or grep to see the part that you need.',
    run: ({ command, timeout }, context) => {
      const seconds = timeout === undefined || !(timeout > 0) ? limits.seconds : Math.min(timeout, longest)
      return inTurn(options.root, () => perform(command, seconds, session, context)).catch((error: unknown) => {
        throw error instanceof TurnRefused ? new ToolRetry(error.message) : error
      })
    },
  })
}

const MOST_REMEMBERED = 400_000

/** What was answered for a path is not asked again: it is asked for every path, before and after each command. */
function remembered(ask: (path: string) => boolean = () => false): (path: string) => boolean {
  const answers = new Map<string, boolean>()
  return (path) => {
    const known = answers.get(path)
    if (known !== undefined) return known
    if (answers.size > MOST_REMEMBERED) answers.clear()
    const answer = ask(path)
    answers.set(path, answer)
    return answer
  }
}

/** What lasts from one command to the next. */
interface Session {
  readonly options: RunBashOptions
  readonly limits: ShellLimits
  previous: Snapshot | undefined
  sandbox: Sandbox | undefined
}

async function perform(command: string, seconds: number, session: Session, context: ToolContext): Promise<string> {
  const { options } = session
  session.sandbox ??= await findSandbox({ workspace: options.root, unsafeShell: options.unsafeShell ?? false })
  const { sandbox } = session
  await checkSandbox(sandbox, options, context)
  const run = await runOf(command, options, context)
  const before = await lookAt(session)
  await context.record(startNote(sandbox, options, command))
  const { outcome, comparison } = await runGuarded({ run, seconds, sandbox, before }, session, context)
  for (const change of comparison.changes) await context.record(changeNote(change))
  await context.record(endNote(outcome, comparison))
  return shownOutcome(outcome, comparison, { seconds, heredoc: 'script' in run ? openHeredoc(run.script) : undefined })
}

async function checkSandbox(sandbox: Sandbox, { mode }: RunBashOptions, { record }: ToolContext): Promise<void> {
  if (sandbox.kind === 'bubblewrap' || (sandbox.kind === 'unsafe' && mode !== 'read-only')) return
  await record({ kind: 'shell', rung: sandbox.kind, sandbox: sandbox.name, mode, refused: true })
  if (sandbox.kind === 'none') {
    const install = sandbox.type.length > 0 ? ` To have a sandbox, a person types: ${sandbox.type.join('; ')}.` : ''
    throw new ToolRetry(
      `Go on with the other tools, and say in the answer which command should be run: run_bash runs nothing without a sandbox. ${sandbox.why}${install} To run commands without one: --unsafe-shell.`,
    )
  }
  throw new ToolRetry(
    'Go on with the other tools: run_bash runs nothing here, because without a sandbox nobody can keep a command from writing, and the workspace is read-only.',
  )
}

/** What is to be run: a script as it came, or in the mode `allowlist` a program that the list allows. */
async function runOf(command: string, options: RunBashOptions, { record }: ToolContext): Promise<ShellCommand['run']> {
  if (command.trim() === '') throw new ToolRetry('Send the command to run: it was empty.')
  if (command.includes('\0')) throw new ToolRetry('Send the command without the NUL character in it.')
  if (!command.isWellFormed())
    throw new ToolRetry('Send the command anew: it holds half of a character (a lone surrogate).')
  if (options.mode !== 'allowlist') return { script: command }
  const rules = options.commands ?? []
  const verdict = checkCommand(command, rules)
  const shown = rules.map(shownRule).join('; ') || 'nothing'
  if (verdict.kind === 'refused') {
    await record({ kind: 'command-refused', reason: verdict.reason })
    throw new ToolRetry(`Send one program with plain arguments that the list allows (${shown}): ${verdict.reason}.`)
  }
  const place = programPlace(verdict.program, searchPath(readableOf(options)))
  if (place === undefined)
    throw new ToolRetry(`Use another program of the list (${shown}): there is no ${verdict.program} here.`)
  return { words: [place, ...verdict.arguments] }
}

const readableOf = ({ readable = [], root }: RunBashOptions): string[] =>
  [...nodeFolders(), ...readable].filter((path) => !path.startsWith(`${root}/`))

const canWrite = (options: RunBashOptions): boolean =>
  options.mode === 'edit' || (options.writablePaths ?? []).some((path) => isWritable(options, path))

async function lookAt({ options, previous }: Session): Promise<Snapshot> {
  try {
    return await takeSnapshot(options.root, {
      previous,
      namesOnly: !canWrite(options),
      ...snapshotOptions(options),
    })
  } catch (error) {
    if (error instanceof WorkspaceTooLarge) {
      throw new ToolRetry(
        `Go on with the other tools: run_bash cannot guard this workspace. ${error.message} A person can choose a smaller folder.`,
      )
    }
    throw error
  }
}

const snapshotOptions = ({ untracked, isHidden, snapshotLimits, secrets = [] }: RunBashOptions) => ({
  secrets,
  ...(untracked ? { skip: untracked } : {}),
  ...(isHidden ? { isHidden } : {}),
  ...(snapshotLimits ? { limits: snapshotLimits } : {}),
})

interface Start {
  readonly run: ShellCommand['run']
  readonly seconds: number
  readonly sandbox: Sandbox
  readonly before: Snapshot
}

/** Runs a command with all guards up, and looks afterwards what it changed. */
async function runGuarded(
  { run, seconds, sandbox, before }: Start,
  session: Session,
  { signal }: ToolContext,
): Promise<{ readonly outcome: ShellOutcome; readonly comparison: Comparison }> {
  const { options, limits } = session
  const { root, mode, network = false } = options
  const isConfined = sandbox.kind === 'bubblewrap'
  const placeholders = isConfined ? placePlaceholders(options) : { paths: [], remove: () => undefined }
  let outcome: ShellOutcome
  try {
    outcome = await runShell({
      sandbox,
      root,
      access: mode === 'edit' ? 'write' : 'read',
      mounts: isConfined ? planMounts(options, before, placeholders.paths) : [],
      network,
      readable: readableOf(options),
      run,
      limits: { ...limits, seconds },
      signal,
    })
  } catch (error) {
    if (error instanceof TooManyMounts || error instanceof ShellFailure) {
      throw new ToolRetry(`Go on with the other tools: the command was not run. ${error.message}`)
    }
    throw error
  } finally {
    placeholders.remove()
  }
  if (!canWrite(options)) return { outcome, comparison: NOTHING }
  const look = (previous: Snapshot) => takeSnapshot(root, { previous, ...snapshotOptions(options) })
  const { after, comparison } = await compareAfter({
    rules: options,
    before,
    isConfined,
    spared: placeholders.paths,
    look,
  })
  session.previous = after
  return { outcome, comparison }
}
