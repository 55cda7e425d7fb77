import { join } from 'node:path'
import type { Mount } from './sandbox-arguments.ts'
import type { Snapshot } from './snapshot.ts'
import { foldersAround } from './snapshot-changes.ts'

/** What commands may do in the workspace. */
export interface WorkspaceRules {
  /** Absolute, without links. */
  readonly root: string
  readonly mode: 'read-only' | 'edit' | 'allowlist'
  /** In the mode `allowlist`: files and folders, relative to the root, that commands may write. */
  readonly writablePaths?: readonly string[]
  /** Paths that are never written and, while a command runs, cannot be made either. Relative to the root. */
  readonly protectedPaths?: readonly string[]
  /** Whether a path is never written, at any depth. What is made there all the same is taken away after the command. */
  readonly isProtected?: (path: string) => boolean
  /** Whether a path is not read. */
  readonly isHidden?: (path: string) => boolean
}

/** More mounts than this make each command slow. */
const MOST_MOUNTS = 500

/** A workspace whose parts cannot be guarded one by one. */
export class TooManyMounts extends Error {}

/** Whether commands may write a path, as far as the mode says. */
export function isWritable({ mode, writablePaths = [] }: WorkspaceRules, path: string): boolean {
  if (mode !== 'allowlist') return mode === 'edit'
  return writablePaths.some((one) => path === one || path.startsWith(`${one}/`))
}

/** Whether a path lies in one that is protected. */
export function isGuarded(rules: WorkspaceRules, path: string): boolean {
  const { protectedPaths = [], isProtected } = rules
  return protectedPaths.some((one) => path === one || path.startsWith(`${one}/`)) || (isProtected?.(path) ?? false)
}

/**
 * The places of a workspace that are mounted by themselves: what may not be written or not be read, and the folders
 * around it, because a folder that is no mount could be moved away and made anew.
 */
export function planMounts(rules: WorkspaceRules, seen: Snapshot, placeholders: readonly string[] = []): Mount[] {
  const { root, mode, writablePaths = [], isHidden = () => false } = rules
  const kinds = new Map<string, boolean>()
  for (const path of [...seen.folders, ...placeholders]) kinds.set(path, true)
  for (const path of seen.files.keys()) kinds.set(path, false)
  const special = [...seen.others].flatMap(([path, what]) => (what.startsWith('link') ? [] : [path]))
  for (const path of special) kinds.set(path, false)

  const hidden = outermost([...kinds.keys()].filter(isHidden))
  const guarded = outermost([...kinds.keys()].filter((path) => isWritable(rules, path) && isGuarded(rules, path)))
  const around = guarded.flatMap(foldersAround).filter((path) => isWritable(rules, path))
  const aliased = seen.aliased.filter((path) => isWritable(rules, path) && !guarded.some((one) => isIn(path, one)))
  const allowed = mode === 'allowlist' ? writablePaths.filter((path) => kinds.has(path)) : []

  const mounts = new Map<string, Mount['access']>()
  for (const path of [...allowed, ...around]) mounts.set(path, 'write')
  for (const path of [...guarded, ...aliased]) mounts.set(path, 'read')
  for (const path of [...hidden, ...special.filter((path) => !hidden.some((one) => isIn(path, one)))]) {
    mounts.set(path, 'hide')
  }
  if (mounts.size > MOST_MOUNTS) {
    throw new TooManyMounts(
      `${mounts.size} places of the workspace are protected, secret, or files with a second name outside of it (${aliased.length}), and at most ${MOST_MOUNTS} can be guarded one by one.`,
    )
  }
  return [...mounts]
    .map(([path, access]) => ({ access, path: join(root, path), isFolder: kinds.get(path) ?? false }))
    .sort((one, other) => depthOf(one.path) - depthOf(other.path))
}

const depthOf = (path: string): number => path.split('/').length
const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

/** Without what lies inside of another one. */
function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths)
  return paths.filter((path) => !foldersAround(path).some((folder) => all.has(folder)))
}
