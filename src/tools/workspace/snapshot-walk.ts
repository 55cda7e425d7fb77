import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
} from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** Something in the workspace, found without following a link. */
export interface Found {
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'special'
  readonly stats: BigIntStats
  /** The path by which it can be opened now; nothing but itself can be a link in it. */
  readonly at: string
}

export interface WalkOptions {
  /** Names of folders that are not looked into, at any depth. */
  readonly skip: ReadonlySet<string>
  /** So many entries are looked at. */
  readonly most: number
  /** Is told of each entry, folders before what is in them. */
  readonly visit: (found: Found) => void
  /** Is told of what cannot be looked at, and why. */
  readonly fail: (path: string, reason: string) => void
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const BATCH = 500

interface OpenFolder {
  readonly descriptor: number
  readonly at: string
  readonly path: string
  readonly names: string[]
}

/**
 * Goes through a workspace without following any link: on Linux each folder is opened in the one before, which is held
 * open. Lets others work in between. Says whether it came to the end.
 */
export async function walkWorkspace(root: string, { skip, most, visit, fail }: WalkOptions): Promise<boolean> {
  const open: OpenFolder[] = []
  let count = 0
  try {
    open.push(opened(root, ''))
    for (let folder = open.at(-1); folder; folder = open.at(-1)) {
      const name = folder.names.pop()
      if (name === undefined) {
        open.pop()
        closeSync(folder.descriptor)
        continue
      }
      if (++count > most) return false
      if (count % BATCH === 0) await setImmediate()
      const path = folder.path === '' ? name : `${folder.path}/${name}`
      const at = `${folder.at}/${name}`
      try {
        const stats = lstatSync(at, { bigint: true })
        visit({ path, kind: kindOf(stats), stats, at })
        if (stats.isDirectory() && !skip.has(name)) open.push(opened(at, path))
      } catch (error) {
        fail(path, reasonOf(error))
      }
    }
    return true
  } finally {
    for (const { descriptor } of open) closeSync(descriptor)
  }
}

function opened(at: string, path: string): OpenFolder {
  const descriptor = openSync(at, FOLDER)
  const held = process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : at
  try {
    return { descriptor, at: held, path, names: readdirSync(held).sort().reverse() }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

const kindOf = (stats: BigIntStats): Found['kind'] =>
  stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'special'

const reasons: { readonly [code: string]: string } = {
  ENOENT: 'its name is not UTF-8, or it was gone at once',
  EACCES: 'it may not be read',
  ELOOP: 'it was swapped for a link',
}

/** Why the file system did not do something, in a few words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return reasons[code] ?? `the system says ${code}`
}

/** Opens a file that was found, if it still is the same one. */
export function openFound({ at, stats }: Found): number {
  const descriptor = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const { ino, dev } = fstatSync(descriptor, { bigint: true })
  if (ino === stats.ino && dev === stats.dev) return descriptor
  closeSync(descriptor)
  throw Object.assign(new Error('The file was replaced.'), { code: 'ELOOP' })
}

/** Where a link points to. */
export const targetOf = ({ at }: Found): string => readlinkSync(at)
