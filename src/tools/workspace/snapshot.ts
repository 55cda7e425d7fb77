import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import type { FileState } from './change.ts'
import { type Found, openFound, reasonOf, targetOf, walkWorkspace } from './snapshot-walk.ts'

/** A file at the time of a snapshot. */
export interface SnapshotFile extends FileState {
  /** Left out where it is too large, or secret: then it cannot be brought back. */
  readonly content?: Buffer
  /** Whether whoever runs it has the rights of its owner or group (set-user-id, set-group-id). */
  readonly lendsRights: boolean
  /** How many names the file has on the disk, here and elsewhere. */
  readonly names: number
  /** What changes when the file does. */
  readonly identity: string
  /** Whether so much time had passed since its last change that another one would show in its identity. */
  readonly isSettled: boolean
}

/** A workspace at one time. Links are not followed. */
export interface Snapshot {
  readonly files: ReadonlyMap<string, SnapshotFile>
  readonly folders: ReadonlySet<string>
  /** Links with their targets, and pipes, sockets and devices. */
  readonly others: ReadonlyMap<string, string>
  /** Files that have names which were not found: outside of the workspace, or where nobody looked. */
  readonly aliased: readonly string[]
  /** Folders that were not looked into. */
  readonly skipped: readonly string[]
  /** What could not be looked at, and why. */
  readonly failed: ReadonlyMap<string, string>
  /** Why changes cannot be found by it, in words that follow a colon. */
  readonly beyond?: string
}

export interface SnapshotLimits {
  /** So many entries are looked at. Beyond, `takeSnapshot` throws. */
  readonly entries: number
  /** So many files are compared, and so many bytes; beyond, changes are not found. */
  readonly files: number
  readonly bytes: number
  /** The content of files up to this size is kept, and so much of it in all. */
  readonly keptFile: number
  readonly keptBytes: number
}

export interface SnapshotOptions {
  /** An earlier snapshot: what is unchanged since is not read again. */
  readonly previous?: Snapshot | undefined
  /** Names of folders that are not looked into. Default `.git`, `.callwright`, `node_modules`. */
  readonly skip?: readonly string[]
  /** Files whose content is not kept. */
  readonly isHidden?: (path: string) => boolean
  /** Texts that are secret: the content of a file that holds one is not kept. */
  readonly secrets?: readonly string[]
  /** Look at names alone; nothing can be compared then. */
  readonly namesOnly?: boolean
  readonly limits?: Partial<SnapshotLimits>
}

export const snapshotLimits: SnapshotLimits = {
  entries: 200_000,
  files: 20_000,
  bytes: 256_000_000,
  keptFile: 1_000_000,
  keptBytes: 64_000_000,
}

const skippedFolders = ['.git', '.callwright', 'node_modules']
/** Nanoseconds; file systems round the time of a change by up to two seconds. */
const SETTLED = 2_500_000_000n

/** A workspace that is too large to be looked through. */
export class WorkspaceTooLarge extends Error {}

/**
 * Takes a snapshot of a workspace, to be compared with a later one. Holds the content of small files, so that a change
 * can be undone.
 *
 * @example
 * const before = await takeSnapshot('/w/app')
 * // … something happens …
 * const after = await takeSnapshot('/w/app', { previous: before })
 * changesBetween(before, after).changes
 */
export async function takeSnapshot(root: string, options: SnapshotOptions = {}): Promise<Snapshot> {
  const { previous, isHidden = () => false, secrets = [], namesOnly = false } = options
  const limits = { ...snapshotLimits, ...options.limits }
  const skip = new Set(options.skip ?? skippedFolders)
  const files = new Map<string, SnapshotFile>()
  const folders = new Set<string>()
  const others = new Map<string, string>()
  const failed = new Map<string, string>()
  const skipped: string[] = []
  const now = BigInt(Date.now()) * 1_000_000n
  let bytes = 0
  let kept = 0
  let beyond: string | undefined = namesOnly ? 'only names were looked at' : undefined

  const visitFile = (found: Found): void => {
    const { path, stats } = found
    const size = Number(stats.size)
    if (files.size >= limits.files) beyond ??= `there are more than ${limits.files.toLocaleString('en-US')} files`
    bytes += size
    if (bytes > limits.bytes) beyond ??= `its files hold more than ${Math.round(limits.bytes / 1_000_000)} MB`
    const facts = factsOf(found, now)
    const known = previous?.files.get(path)
    if (beyond !== undefined) files.set(path, { ...facts, hash: '' })
    else if (known?.isSettled && known.hash !== '' && known.identity === facts.identity) files.set(path, known)
    else {
      const isKept = size <= limits.keptFile && kept + size <= limits.keptBytes && !isHidden(path)
      files.set(path, { ...facts, ...contentsOf(found, isKept, secrets) })
    }
    kept += files.get(path)?.content?.length ?? 0
  }

  const isWhole = await walkWorkspace(root, {
    skip,
    most: limits.entries,
    visit: (found) => {
      const { path, kind } = found
      if (kind === 'file') visitFile(found)
      else if (kind === 'link') others.set(path, `link to ${targetOf(found)}`)
      else if (kind === 'special') others.set(path, 'special file')
      else {
        folders.add(path)
        if (skip.has(path.slice(path.lastIndexOf('/') + 1))) skipped.push(path)
      }
    },
    fail: (path, reason) => failed.set(path, reason),
  })
  if (!isWhole) throw new WorkspaceTooLarge(`The workspace holds more than ${limits.entries} files and folders.`)
  const aliased = aliasedOf(files)
  return { files, folders, others, aliased, skipped, failed, ...(beyond === undefined ? {} : { beyond }) }
}

function factsOf({ stats }: Found, now: bigint): Omit<SnapshotFile, 'hash'> {
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = stats
  return {
    size: Number(size),
    mode: Number(mode) & 0o777,
    lendsRights: (Number(mode) & 0o6000) !== 0,
    names: Number(stats.nlink),
    identity: [dev, ino, size, mode, mtimeNs, ctimeNs].join(':'),
    isSettled: now - ctimeNs > SETTLED,
  }
}

const CHUNK = 1 << 18
const chunk = Buffer.allocUnsafe(CHUNK)

/** The hash of a file, and its content where that is to be kept. What cannot be read has neither. */
function contentsOf(
  found: Found,
  isKept: boolean,
  secrets: readonly string[],
): { readonly hash: string; readonly content?: Buffer } {
  let descriptor: number
  try {
    descriptor = openFound(found)
  } catch (error) {
    return { hash: `? ${reasonOf(error)}` }
  }
  try {
    const hash = createHash('sha256')
    const pieces: Buffer[] = []
    for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
      const piece = chunk.subarray(0, length)
      hash.update(piece)
      if (isKept) pieces.push(Buffer.from(piece))
    }
    const content = Buffer.concat(pieces)
    const isOpen = isKept && !secrets.some((secret) => content.includes(secret))
    return { hash: hash.digest('hex'), ...(isOpen ? { content } : {}) }
  } finally {
    closeSync(descriptor)
  }
}

/** The files that have more names than were found. */
function aliasedOf(files: ReadonlyMap<string, SnapshotFile>): string[] {
  const linked = [...files].filter(([, { names }]) => names > 1)
  const fileOf = (identity: string): string => identity.split(':').slice(0, 2).join(':')
  const counts = Map.groupBy(linked, ([, { identity }]) => fileOf(identity))
  return linked.flatMap(([path, { identity, names }]) =>
    names > (counts.get(fileOf(identity))?.length ?? 0) ? [path] : [],
  )
}
