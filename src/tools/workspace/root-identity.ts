import { closeSync, constants, existsSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type RootIdentity, type Walk, walkByDescriptor, walkByPath } from './held-folder.ts'
import { foldedName } from './protected-paths.ts'
import { refusalOfSystem, shownPath, WorkspaceRefusal } from './refusal.ts'

/** No workspace lies in these: what looks like a file there is none. */
const systemFolders = ['/proc', '/sys', '/dev']

/** No workspace lies inside of a folder of such a name. */
const ownFolders = new Set(['.callwright', '.git'])

/** Resolves a folder once, and refuses one that is no workspace. */
export function identityOf(folder: string): RootIdentity {
  const real = realOf(folder)
  const refuse = (reason: string): never => {
    throw new WorkspaceRefusal('root', folder, `Choose a folder of its own as workspace: ${shownPath(real)} ${reason}.`)
  }
  if (dirname(real) === real) refuse('is the whole system')
  for (const home of homes()) {
    if (real === home) refuse('is the home folder')
    if (isInside(home, real)) refuse('holds the home folder')
  }
  if (systemFolders.some((one) => real === one || isInside(real, one))) refuse('belongs to the system')
  const own = real.split(sep).find((part) => ownFolders.has(foldedName(part)))
  if (own !== undefined) refuse(`lies inside of ${own}, which no tool may touch`)
  const { dev, ino, isDirectory } = statOf(real)
  if (!isDirectory) refuse('is no folder')
  return { folder: real, device: dev, inode: ino }
}

/** The home folder as the environment and as the system knows it. */
function homes(): string[] {
  const found = [homedir()]
  try {
    found.push(userInfo().homedir)
  } catch (error) {
    // In containers there are users that the system does not know.
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
  return found.filter((home) => isAbsolute(home)).map(realOfMissing)
}

function statOf(path: string): { readonly dev: bigint; readonly ino: bigint; readonly isDirectory: boolean } {
  const found = statSync(path, { bigint: true })
  return { dev: found.dev, ino: found.ino, isDirectory: found.isDirectory() }
}

/**
 * What must be kept from tools, such as the ledger's folder, as paths inside of the root; what lies elsewhere is out of
 * their reach anyway.
 */
export function keptInside({ folder }: RootIdentity, keep: readonly string[]): string[] {
  return keep.flatMap((given) => {
    if (!isAbsolute(given)) throw new TypeError(`What is kept is named by an absolute path, and not by ${given}.`)
    const real = realOfMissing(given)
    if (real === folder || isInside(folder, real)) {
      throw new WorkspaceRefusal(
        'root',
        folder,
        `Choose another workspace: ${shownPath(folder)} lies in ${shownPath(real)}, which tools may not touch.`,
      )
    }
    return isInside(real, folder) ? [relative(folder, real).split(sep).join('/')] : []
  })
}

/** The safe way to walk where the system has it: Linux with /proc. */
export function walkFor({ folder }: RootIdentity): Walk {
  if (process.platform !== 'linux') return walkByPath
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const link = `/proc/self/fd/${descriptor}`
    return existsSync(link) && readlinkSync(link) === folder ? walkByDescriptor : walkByPath
  } finally {
    closeSync(descriptor)
  }
}

const isInside = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

function realOf(folder: string): string {
  try {
    return realpathSync.native(resolve(folder))
  } catch (error) {
    throw refusalOfSystem(error, folder)
  }
}

/** The real path of what may not exist yet. */
function realOfMissing(path: string): string {
  const whole = resolve(path)
  if (existsSync(whole) || dirname(whole) === whole) return realpathSync.native(whole)
  return join(realOfMissing(dirname(whole)), basename(whole))
}
