import type { FileChange, FileState, KeptState } from './change.ts'
import type { Snapshot, SnapshotFile } from './snapshot.ts'

/** A change that was seen and cannot be brought back. */
export interface UnkeptChange {
  readonly path: string
  readonly reason: string
}

/** What is different between two snapshots. */
export interface WorkspaceChanges {
  readonly changes: readonly FileChange[]
  readonly folders: { readonly made: readonly string[]; readonly gone: readonly string[] }
  readonly unkept: readonly UnkeptChange[]
  /** Why changes could not be found, in words that follow a colon. */
  readonly beyond?: string
}

/**
 * What changed between two snapshots of a workspace, file by file and in the order of paths. A change of permission bits
 * is one, too.
 *
 * @example
 * changesBetween(before, after).changes.map(({ path, after }) => [path, after === null ? 'gone' : 'there'])
 */
export function changesBetween(before: Snapshot, after: Snapshot): WorkspaceChanges {
  const beyond = before.beyond ?? after.beyond
  const folders = {
    made: [...after.folders].filter((path) => !before.folders.has(path)).sort(),
    gone: [...before.folders].filter((path) => !after.folders.has(path)).sort(),
  }
  if (beyond !== undefined) return { changes: [], folders, unkept: [], beyond }
  const made = new Set(folders.made)
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].sort()
  const changes: FileChange[] = []
  const unkept: UnkeptChange[] = []
  for (const path of paths) {
    const was = before.files.get(path)
    const is = after.files.get(path)
    if (was && is && was.hash === is.hash && was.mode === is.mode) continue
    const reason = unreadable(was) ?? unreadable(is) ?? failedAround(path, after)
    if (reason !== undefined) {
      unkept.push({ path, reason })
      continue
    }
    const around = is && !was ? foldersAround(path).filter((folder) => made.has(folder)) : []
    changes.push({
      kind: 'file-change',
      stage: 'found',
      path,
      before: was ? keptOf(was) : null,
      after: is ? stateOf(is) : null,
      ...(around.length > 0 ? { folders: around } : {}),
    })
    if (was && was.content === undefined)
      unkept.push({ path, reason: 'what was there before was not kept: too large, or secret' })
  }
  return { changes, folders, unkept: [...unkept, ...othersBetween(before.others, after.others)] }
}

function othersBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): UnkeptChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  return paths.flatMap((path) => {
    const was = before.get(path)
    const is = after.get(path)
    if (was === is) return []
    return [{ path, reason: is === undefined ? `gone, it was a ${was}` : `it is a ${is}` }]
  })
}

/** Why a file was not seen, when a folder around it could not be looked into. */
const failedAround = (path: string, { failed }: Snapshot): string | undefined =>
  [...foldersAround(path), path].map((place) => failed.get(place)).find((reason) => reason !== undefined)

const unreadable = (file: SnapshotFile | undefined): string | undefined =>
  file?.hash.startsWith('? ') ? file.hash.slice(2) : undefined

const stateOf = ({ hash, mode, size }: SnapshotFile): FileState => ({ hash, mode, size })

const keptOf = (file: SnapshotFile): KeptState => ({
  ...stateOf(file),
  ...(file.content === undefined ? {} : { content: file.content.toString('base64') }),
})

/** The folders that a path lies in, the outermost first. */
export function foldersAround(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
