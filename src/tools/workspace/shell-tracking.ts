import { type TakenBack, takeBack, violationsOf } from './sandbox-guard.ts'
import { isGuarded, type WorkspaceRules } from './sandbox-mounts.ts'
import type { Snapshot } from './snapshot.ts'
import { changesBetween, type WorkspaceChanges } from './snapshot-changes.ts'

/** What a command changed, and what was taken back of it. */
export interface Comparison extends WorkspaceChanges {
  readonly takenBack: readonly TakenBack[]
  /** Folders in which changes were not looked for. */
  readonly skipped: readonly string[]
}

export const NOTHING: Comparison = {
  changes: [],
  folders: { made: [], gone: [] },
  unkept: [],
  takenBack: [],
  skipped: [],
}

interface CompareOptions {
  readonly rules: WorkspaceRules
  readonly before: Snapshot
  /** Whether a sandbox held: then what is made in a protected place is surely new, and can be taken back. */
  readonly isConfined: boolean
  /** Places where nothing could be made by the command. What is there is somebody else's. */
  readonly spared: readonly string[]
  readonly look: (previous: Snapshot) => Promise<Snapshot>
}

/** Looks what a command has changed, and takes back what it may not have made. */
export async function compareAfter({
  rules,
  before,
  isConfined,
  spared,
  look,
}: CompareOptions): Promise<{ readonly after: Snapshot; readonly comparison: Comparison }> {
  let after = await look(before)
  const violations = violationsOf(rules, before, after).filter((path) => !spared.includes(path))
  const taken = isConfined
    ? takeBack(rules, violations, before, after)
    : violations.map((path) => ({ path, how: 'it was left, because there is no sandbox' }))
  if (isConfined && taken.length > 0) after = await look(after)
  // Folders that are not looked into and may not be written cannot have changed in a sandbox.
  const skipped = after.skipped.filter((path) => !isConfined || !isGuarded(rules, path))
  return { after, comparison: { ...changesBetween(before, after), takenBack: taken, skipped } }
}
