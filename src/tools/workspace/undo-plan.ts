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
}

/** Changes that were made together: by the calls of a run, or by one undo. */
export interface ChangeGroup {
  readonly by: 'run' | 'undo'
  readonly changes: readonly FileChange[]
}

/**
 * What undoing means now: the last undo, when nothing was changed since, else all that the run did. A file that comes out
 * as it was is left out.
 */
export function undoSteps(groups: readonly ChangeGroup[]): UndoStep[] {
  const last = groups.at(-1)
  const changes = last?.by === 'undo' ? last.changes : groups.flatMap((group) => group.changes)
  const byPath = Map.groupBy(changes, ({ path }) => path)
  return [...byPath].flatMap(([path, chain]) => {
    const [first] = chain
    const end = chain.at(-1)
    if (!first || !end || isSame(first.before, end.after)) return []
    const folders = chain.flatMap((change) => change.folders ?? [])
    return [{ path, left: end.after, wanted: first.before, folders: [...new Set(folders)] }]
  })
}

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
