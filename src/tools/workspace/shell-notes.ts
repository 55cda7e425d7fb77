import type { JsonObject } from '../../types.ts'
import type { FileChange } from './change.ts'
import { runsLater } from './runs-later.ts'
import type { Sandbox } from './sandbox.ts'
import type { WorkspaceRules } from './sandbox-mounts.ts'
import type { ShellOutcome } from './shell.ts'
import type { Comparison } from './shell-tracking.ts'

/** A change as it is recorded. */
export const changeNote = ({ before, after, folders, ...change }: FileChange): JsonObject => ({
  ...change,
  before: before && { ...before },
  after: after && { ...after },
  ...(runsLater(change.path) ? { runsLater: true } : {}),
  ...(folders ? { folders: [...folders] } : {}),
})

/** Which rung was active, and what the command was allowed; recorded before it starts. */
export const startNote = (
  sandbox: Sandbox,
  { mode, network = false }: WorkspaceRules & { readonly network?: boolean },
  command: string,
): JsonObject => ({
  kind: 'shell',
  rung: sandbox.kind,
  sandbox: sandbox.name,
  mode,
  network,
  bytes: Buffer.byteLength(command),
})

/** How a command ended and what it changed, recorded behind the changes themselves. */
export const endNote = (
  outcome: ShellOutcome,
  { changes, folders, unkept, takenBack, skipped, beyond }: Comparison,
): JsonObject => ({
  kind: 'shell-end',
  ended: outcome.ended,
  exitCode: outcome.exitCode,
  seconds: outcome.seconds,
  outputSize: outcome.outputSize,
  outputCut: outcome.outputCut,
  changes: changes.length,
  foldersMade: [...folders.made],
  foldersGone: [...folders.gone],
  unkept: unkept.map(({ path, reason }) => ({ path, reason })),
  takenBack: takenBack.map(({ path, how }) => ({ path, how })),
  notLookedInto: [...skipped],
  ...(beyond === undefined ? {} : { untracked: beyond }),
})
