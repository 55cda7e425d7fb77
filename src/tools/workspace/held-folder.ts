import { closeSync, constants, fstatSync, fsyncSync, lstatSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { refusalOfSystem, shownPath, WorkspaceRefusal } from './refusal.ts'

/** The folder that a root was when it was opened. */
export interface RootIdentity {
  /** Its real path. */
  readonly folder: string
  readonly device: bigint
  readonly inode: bigint
}

/** A folder inside of a root, while something is done in it. */
export interface HeldFolder {
  /** The path by which it is reached. */
  readonly path: string
  /** The path by which an entry of it is reached. Nothing but the entry itself can be a link in it. */
  at(name: string): string
  /** Throws when the folder may be another one by now. */
  confirm(): void
  /** Resolves when its entries are on the disk. */
  sync(): void
  /** The folders that had to be made on the way. */
  readonly made: readonly string[]
}

/** Goes to a folder, part by part, and does something there. */
export type Walk = <Result>(
  root: RootIdentity,
  folders: readonly string[],
  makes: boolean,
  action: (held: HeldFolder) => Result,
) => Result

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants

/**
 * The way on Linux: each folder is opened in the one before it, which is held open, and links are not followed. Nothing
 * that happens to the path meanwhile leads anywhere else.
 */
export const walkByDescriptor: Walk = (root, folders, makes, action) => {
  const made: string[] = []
  let descriptor = openRoot(root)
  try {
    for (const [index, name] of folders.entries()) {
      const whole = folders.slice(0, index + 1).join('/')
      if (makes && makeFolder(`/proc/self/fd/${descriptor}/${name}`, whole)) {
        fsyncSync(descriptor)
        made.push(whole)
      }
      const next = openFolder(`/proc/self/fd/${descriptor}/${name}`, whole)
      const parent = descriptor
      descriptor = next
      closeSync(parent)
    }
    const path = `/proc/self/fd/${descriptor}`
    return action({
      path,
      made,
      at: (name) => `${path}/${name}`,
      // What is held open cannot become another.
      confirm: () => undefined,
      sync: () => fsyncSync(descriptor),
    })
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The way elsewhere: each part is looked at before, and the real path of the folder before and after. Somebody who
 * swaps a folder for a link between two looks is not seen.
 */
export const walkByPath: Walk = (root, folders, makes, action) => {
  const made: string[] = []
  closeSync(openRoot(root))
  let path = root.folder
  for (const [index, name] of folders.entries()) {
    path = join(path, name)
    const whole = folders.slice(0, index + 1).join('/')
    if (makes && makeFolder(path, whole)) made.push(whole)
    checkFolder(path, whole)
  }
  const confirm = (): void => {
    const real = realpathSync.native(path)
    if (real !== root.folder && !real.startsWith(root.folder + sep)) {
      throw new WorkspaceRefusal('link', folders.join('/'), linkMessage(folders.join('/')))
    }
  }
  confirm()
  return action({ path, made, at: (name) => join(path, name), confirm, sync: () => syncFolder(path) })
}

function openRoot({ folder, device, inode }: RootIdentity): number {
  const descriptor = openFolder(folder, '.')
  const { dev, ino } = fstatSync(descriptor, { bigint: true })
  if (dev === device && ino === inode) return descriptor
  closeSync(descriptor)
  throw new WorkspaceRefusal(
    'root',
    '.',
    'Say in the answer that the workspace was replaced by another folder: nothing is done in it.',
  )
}

function openFolder(path: string, whole: string): number {
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    checkFolder(path, whole)
    throw refusalOfSystem(error, whole)
  }
}

/** Throws what is wrong with a folder, if there is something. */
function checkFolder(path: string, whole: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) {
    throw new WorkspaceRefusal('missing', whole, `Look with list_dir what there is: there is no ${shownPath(whole)}.`)
  }
  if (found.isSymbolicLink()) throw new WorkspaceRefusal('link', whole, linkMessage(whole))
  if (!found.isDirectory()) {
    throw new WorkspaceRefusal(
      'not-a-folder',
      whole,
      `Send another path: ${shownPath(whole)} is a file, and no folder.`,
    )
  }
}

/** What is said of a link, wherever one stands. */
export const linkMessage = (path: string): string =>
  `Name the file itself, inside of the workspace: ${shownPath(path)} is a link, and links are not followed.`

/** Makes a folder, and says whether it was not there before. */
function makeFolder(path: string, whole: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })) return false
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw refusalOfSystem(error, whole)
  }
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
