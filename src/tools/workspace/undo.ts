import { messageOf } from '../errors.ts'
import type { FileChange, FileState } from './change.ts'
import type { ConfinedRoot } from './confined-root.ts'
import { WorkspaceRefusal } from './refusal.ts'
import { contentOf, isSame, type UndoStep } from './undo-plan.ts'
import { placeOf } from './workspace-path.ts'

/** What becomes of one file when a run is undone. */
export interface UndoneFile {
  readonly path: string
  /**
   * - `restored`, `removed`: it is again what it was before
   * - `as-it-was`: it was so already
   * - `conflict`: it is not what the run left, and nobody knows whose work would be lost
   * - `impossible`: what it was is not in the record, or may not be written
   */
  readonly fate: 'restored' | 'removed' | 'as-it-was' | 'conflict' | 'impossible'
  readonly why?: string
}

/** What undoing did, or would have done: nothing, where one file could not be undone. */
export interface UndoReport {
  readonly isDone: boolean
  readonly files: readonly UndoneFile[]
}

type Planned = UndoneFile & { readonly step: UndoStep; readonly current: FileState | null }

/**
 * Brings files back to what they were. When one of them is not what was left, none is touched. `record` is told all
 * changes before the first of them is made, so that this can be undone as well.
 */
export async function undoFiles(
  root: ConfinedRoot,
  steps: readonly UndoStep[],
  record: (changes: readonly FileChange[]) => void | Promise<void>,
): Promise<UndoReport> {
  const planned = steps.map((step) => plannedFor(step, root))
  const files = planned.map(({ step, current, ...file }) => file)
  if (files.some(({ fate }) => fate === 'conflict' || fate === 'impossible')) return { isDone: false, files }
  const due = planned.filter(({ fate }) => fate === 'restored' || fate === 'removed')
  if (due.length > 0) await record(due.map(({ step }) => changeFor(step, root)))
  for (const { step, current } of due) apply(step, current, root)
  return { isDone: true, files }
}

function plannedFor(step: UndoStep, root: ConfinedRoot): Planned {
  const { path, left, wanted, hasGap } = step
  const place = placeOf(path.split('/'))
  try {
    const current = root.state(place)
    const planned = { path, step, current }
    if (isSame(current, wanted)) return { ...planned, fate: 'as-it-was' }
    if (!isSame(current, left)) return { ...planned, fate: 'conflict', why: 'it was changed since the run' }
    if (hasGap) return { ...planned, fate: 'conflict', why: 'somebody else changed it while the run was at work' }
    root.planWrite(place)
    if (wanted === null) return { ...planned, fate: 'removed' }
    if (contentOf(wanted)) return { ...planned, fate: 'restored' }
    const why = wanted.content === undefined ? 'it was too large to be kept' : 'a secret was taken out of what was kept'
    return { ...planned, fate: 'impossible', why }
  } catch (error) {
    if (!WorkspaceRefusal.isInstance(error)) throw error
    // A folder that has become a link since, and the like.
    return { path, step, current: null, fate: 'conflict', why: messageOf(error) }
  }
}

const changeFor = ({ path, wanted, folders }: UndoStep, root: ConfinedRoot): FileChange => ({
  kind: 'file-change',
  stage: 'intent',
  path,
  before: root.keptState(placeOf(path.split('/'))),
  after: wanted && { hash: wanted.hash, mode: wanted.mode, size: wanted.size },
  ...(folders.length === 0 ? {} : { folders }),
})

function apply({ path, wanted, folders }: UndoStep, current: FileState | null, root: ConfinedRoot): void {
  const content = wanted && contentOf(wanted)
  const place = placeOf(path.split('/'))
  if (wanted && content) {
    root.write(place, content, { mode: wanted.mode, ifHash: current?.hash ?? null })
    return
  }
  root.remove(place, current ? { ifHash: current.hash } : {})
  for (const folder of folders.toReversed()) {
    try {
      root.removeFolder(placeOf(folder.split('/')))
    } catch (error) {
      // Somebody has put something else there: then it stays.
      if (!WorkspaceRefusal.isInstance(error) || (error.code !== 'not-empty' && error.code !== 'missing')) throw error
    }
  }
}
