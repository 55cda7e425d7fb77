import { createHash } from 'node:crypto'
import type { FileChange, FileState, KeptState } from './change.ts'

/** What has to happen to one file. */
export interface UndoStep {
  readonly path: string
  /** What the run left there: only what still is this may be touched. `null`: nothing. */
  readonly left: FileState | null
  /** What is to be there again. `null`: nothing. */
  readonly wanted: KeptState | null
  /** Folders that were made for the file. */
  readonly folders: readonly string[]
  /** Between two changes of the run somebody else has changed it. */
  readonly hasGap: boolean
}

/** Changes that were made together: by the calls of a run, or by one undo. */
export interface ChangeGroup {
  readonly by: 'run' | 'undo'
  readonly changes: readonly FileChange[]
}

/**
 * What undoing means now, file by file: the last undo of a file, when nothing was done with it since, else all that the run
 * did to it. A file that comes out as it was is left out.
 */
export function undoSteps(groups: readonly ChangeGroup[]): UndoStep[] {
  const placed = groups.flatMap(({ by, changes }) => changes.map((change) => ({ by, change })))
  const byPath = Map.groupBy(placed, ({ change }) => change.path)
  return [...byPath].flatMap(([path, chain]) => {
    const last = chain.at(-1)
    const due = last?.by === 'undo' ? [last] : chain
    const [first] = due
    if (!first || !last || isSame(first.change.before, last.change.after)) return []
    const folders = [...new Set(due.flatMap(({ change }) => change.folders ?? []))]
    return [{ path, left: last.change.after, wanted: first.change.before, folders, hasGap: hasGap(due) }]
  })
}

/** Whether somebody else changed the file in between: then his work would be lost as well. */
const hasGap = (chain: readonly { readonly change: FileChange }[]): boolean =>
  chain.some(({ change }, index) => {
    const before = chain[index - 1]?.change
    // An intent that was never carried out leaves the file as it was before it.
    return before !== undefined && !isSame(before.after, change.before) && !isSame(before.before, change.before)
  })

/** Whether two states are the same. */
export const isSame = (one: FileState | null, other: FileState | null): boolean =>
  one === null || other === null ? one === other : one.hash === other.hash && one.mode === other.mode

/** The content of a state that was kept; nothing where it was not, or is not what it was: a secret may have been taken out. */
export function contentOf({ content, hash }: KeptState): Buffer | undefined {
  if (content === undefined) return undefined
  const bytes = Buffer.from(content, 'base64')
  return hashOf(bytes) === hash ? bytes : undefined
}

/** What tells two contents apart. */
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
