import { changesOf } from '../agent/file-changes.ts'
import type { RunEvent } from '../agent/index.ts'
import type { RunRow } from '../ledger/index.ts'
import type { FileChange } from '../tools/workspace/change.ts'
import { ConfinedRoot } from '../tools/workspace/confined-root.ts'
import { WorkspaceRefusal } from '../tools/workspace/refusal.ts'
import { contentOf, isSame, type UndoStep, undoSteps } from '../tools/workspace/undo-plan.ts'
import { unifiedDiff } from '../tools/workspace/unified-diff.ts'
import { placeOf } from '../tools/workspace/workspace-path.ts'
import { Complaint } from './complaint.ts'
import type { LedgerPlace } from './ledger-file.ts'
import { visible } from './terminal.ts'

/** The folder in which a run was at work. */
export function rootOf({ run, settings }: RunRow, { file }: LedgerPlace): ConfinedRoot {
  const { folder }: { readonly folder?: string } = settings === undefined ? {} : JSON.parse(settings)
  if (folder === undefined) {
    throw new Complaint(
      `Nobody knows in which folder run ${visible(run)} was at work: it was started by another program.`,
    )
  }
  try {
    return ConfinedRoot.open(folder, { keep: [file] })
  } catch (error) {
    if (WorkspaceRefusal.isInstance(error)) throw new Complaint(error.message)
    throw error
  }
}

/** What a run has done to files, and what of it would be taken back now. */
export function filesOf(events: readonly RunEvent[], file?: string): { changes: FileChange[]; steps: UndoStep[] } {
  const groups = changesOf(events)
  const isMeant = ({ path }: { readonly path: string }): boolean => file === undefined || path === file
  return { changes: groups.flatMap((group) => group.changes).filter(isMeant), steps: undoSteps(groups).filter(isMeant) }
}

/** What a run made of a file, as a diff; in words where what it left is not there any more. */
export function diffOf({ path, left, wanted }: UndoStep, root: ConfinedRoot): string {
  const before = wanted === null ? undefined : contentOf(wanted)
  const isKnown = wanted === null || before !== undefined
  try {
    const current = root.keptState(placeOf(path.split('/')))
    const after = current === null ? undefined : contentOf(current)
    const isThere = isSame(current, left) && (current === null || after !== undefined)
    if (isKnown && isThere) return unifiedDiff(path, before, after)
    return isThere ? `${path}: what it was is not in the record` : `${path}: it has been changed since the run`
  } catch (error) {
    if (WorkspaceRefusal.isInstance(error)) return `${path}: ${error.message}`
    throw error
  }
}
