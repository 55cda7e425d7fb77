import type { RunnableTool } from '../tool.ts'
import type { CommandRule } from './command-rules.ts'
import { ConfinedRoot, type ConfinedRootOptions } from './confined-root.ts'
import { fileInstructions, fileTools } from './file-tools.ts'
import { type RunBashOptions, runBash } from './run-bash.ts'
import { placeOf } from './workspace-path.ts'

/** How the tools of a workspace are set up. */
export interface WorkspaceOptions extends Omit<ConfinedRootOptions, 'walk' | 'atPoint'> {
  /** Whether there is a shell. Default yes. */
  readonly shell?: boolean
  /** In the mode `allowlist`: the programs that may be run, and how. */
  readonly commands?: readonly CommandRule[]
  /** Whether commands may use the network. Default no. */
  readonly network?: boolean
  /** Run commands without a sandbox where there is none. */
  readonly unsafeShell?: boolean
  /** Whether somebody must say yes to each change of a file. */
  readonly needsApproval?: boolean
  /** Texts that are secret: what a file held is not kept in the record where one of them is in it. */
  readonly secrets?: readonly string[]
  /** More for the shell: limits, and more that it may read. */
  readonly bash?: Pick<RunBashOptions, 'limits' | 'longest' | 'readable' | 'sandbox' | 'untracked' | 'snapshotLimits'>
}

/** The tools of a workspace, with what to tell a model of them. */
export interface Workspace {
  readonly root: ConfinedRoot
  readonly tools: readonly RunnableTool[]
  /** For the agent's instructions. */
  readonly instructions: string
}

/**
 * Opens a folder as a workspace: tools that read, write, edit, list and search its files, and run commands in it. Nothing
 * outside of the folder can be reached by any of them.
 *
 * @example
 * const { tools, instructions } = openWorkspace('.', { mode: 'edit' })
 * const agent = createAgent({ model, tools, instructions, recorder: openLedger('.callwright/ledger.db') })
 */
export function openWorkspace(folder: string, options: WorkspaceOptions = {}): Workspace {
  const { shell = true, commands, network, unsafeShell, needsApproval, secrets = [], bash, ...confinement } = options
  const root = ConfinedRoot.open(folder, confinement)
  const files = fileTools(root, { needsApproval: needsApproval ?? false, secrets })
  const tools = shell ? [...files, runBash(shellOptions(root, options))] : files
  return { root, tools, instructions: fileInstructions(tools.map(({ name }) => name)) }
}

function shellOptions(
  root: ConfinedRoot,
  { commands, network, unsafeShell, secrets = [], bash }: WorkspaceOptions,
): RunBashOptions {
  return {
    ...bash,
    secrets,
    root: root.folder,
    mode: root.mode,
    writablePaths: root.writable.map((glob) => glob.replace(/\/\*\*$/, '')).filter((path) => !/[*?[{]/.test(path)),
    protectedPaths: ['.git', '.callwright', ...root.kept],
    isProtected: (path) => root.writeRefusal(placeOf(path.split('/')))?.code === 'protected',
    isHidden: (path) => root.readRefusal(placeOf(path.split('/'))) !== undefined,
    ...(commands ? { commands } : {}),
    network: network ?? false,
    unsafeShell: unsafeShell ?? false,
  }
}
