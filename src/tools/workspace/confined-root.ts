import { resolve } from 'node:path'
import type { FileState, KeptState } from './change.ts'
import { stateOf } from './file-state.ts'
import { anyGlob, type Glob } from './globs.ts'
import {
  changeable,
  checkHash,
  type Entry,
  entriesIn,
  entryAt,
  type ReadPart,
  readPart,
  removeFile,
  removeFolder,
  replaceFile,
  stateAt,
  sweep,
  type Target,
  type WritePoint,
} from './held-files.ts'
import { type HeldFolder, type RootIdentity, type Walk, walkByDescriptor, walkByPath } from './held-folder.ts'
import { foldedName, type ProtectedPath, protectedPaths, protectionFinder } from './protected-paths.ts'
import { refusalOfSystem, shownPath, WorkspaceRefusal } from './refusal.ts'
import { identityOf, keptInside, walkFor } from './root-identity.ts'
import { type WorkspacePath, workspacePath } from './workspace-path.ts'

/** What tools may change: nothing, anything that is not protected, or what globs allow. */
export type EditMode = 'read-only' | 'edit' | 'allowlist'

export interface ConfinedRootOptions {
  /** Default `edit`. */
  readonly mode?: EditMode
  /** In the mode `allowlist`: globs of the files that may be written. */
  readonly writable?: readonly string[]
  /** Globs of files that may be read, and then written too, though they hold secrets, such as `.env`. */
  readonly readable?: readonly string[]
  /** Globs of what may be read and not written, beside what is protected anyway. */
  readonly protect?: readonly string[]
  /** Absolute paths that no tool may touch, such as the folder of the ledger. */
  readonly keep?: readonly string[]
  /** `by-path` is the weaker way of systems other than Linux, everywhere; else the best that the system has. */
  readonly walk?: 'by-path'
  /** Is called at each point of a write; for tests that end the process there. */
  readonly atPoint?: (point: WritePoint) => void
}

export interface WriteOptions {
  /** Permission bits; else those of the file that was there, or the usual ones. */
  readonly mode?: number
  /** Write only when the file still has this hash; `null`: only when there is none. */
  readonly ifHash?: string | null
  /** Make folders that are missing. Default yes. */
  readonly folders?: boolean
}

/** So much of a file is kept in the record, to bring it back. */
export const MOST_KEPT = 1_000_000
const MOST_READ = 16_000_000
const MOST_ENTRIES = 10_000

/** A folder, and the only way in which any tool touches the file system. What lies outside of it cannot be reached. */
export class ConfinedRoot {
  /** Its real path. */
  readonly folder: string
  readonly mode: EditMode
  /** Whether nothing can be swapped under way (Linux), or somebody very quick might (elsewhere). */
  readonly confinement: 'by-descriptor' | 'by-path'
  /** What tools may not touch, or only read; the paths that are kept among it. */
  readonly protectedPaths: readonly ProtectedPath[]
  /** Globs of what may be written in the mode `allowlist`. */
  readonly writable: readonly string[]
  /** Paths inside, relative, that no tool may touch. */
  readonly kept: readonly string[]
  private readonly identity: RootIdentity
  private readonly names: readonly string[]
  private readonly walk: Walk
  private readonly isWritable: Glob
  private readonly isReadable: Glob
  private readonly protectionsOf: (parts: readonly string[]) => ProtectedPath[]
  private readonly atPoint: (point: WritePoint) => void
  private readonly newMode: number

  private constructor(given: string, options: ConfinedRootOptions) {
    this.identity = identityOf(given)
    this.folder = this.identity.folder
    this.names = [...new Set([this.folder, resolve(given)])]
    this.mode = options.mode ?? 'edit'
    this.writable = options.writable ?? []
    this.kept = keptInside(this.identity, options.keep ?? [])
    this.walk = options.walk === 'by-path' ? walkByPath : walkFor(this.identity)
    this.confinement = this.walk === walkByDescriptor ? 'by-descriptor' : 'by-path'
    const more = (options.protect ?? []).map((path): ProtectedPath => ({ path, read: 'yes', write: 'never', reason }))
    this.protectedPaths = [...protectedPaths, ...more]
    this.protectionsOf = protectionFinder(this.protectedPaths)
    this.isWritable = anyGlob(this.writable)
    this.isReadable = anyGlob(options.readable ?? [])
    this.atPoint = options.atPoint ?? (() => undefined)
    this.newMode = 0o666 & ~process.umask()
  }

  /**
   * Opens a folder as a workspace. Throws a `WorkspaceRefusal` for one that is none: the whole system, the home folder
   * and what holds it, and what lies inside of `.callwright`, `.git` or of what is kept.
   *
   * @example
   * const root = ConfinedRoot.open('.', { mode: 'allowlist', writable: ['src/**'] })
   */
  static open(folder: string, options: ConfinedRootOptions = {}): ConfinedRoot {
    return new ConfinedRoot(folder, options)
  }

  /** Reads a path as a model wrote it, and says where in the workspace it leads. Touches no file. */
  resolve(path: string | WorkspacePath): WorkspacePath {
    return typeof path === 'string' ? workspacePath(path, this.names) : path
  }

  /** Why a place may not be read; nothing when it may. */
  readRefusal(given: string | WorkspacePath): WorkspaceRefusal | undefined {
    const { parts, path } = this.resolve(given)
    const found = this.protectionsOf(parts)
    const never = this.isKept(parts) ? keptReason : found.find(({ read }) => read === 'never')?.reason
    const shown = shownPath(path)
    if (never !== undefined) {
      return new WorkspaceRefusal('protected', path, `Go on without ${shown}: no tool may touch it, because ${never}.`)
    }
    const secret = found.find(({ read }) => read === 'if-allowed')
    if (!secret || this.isReadable(parts)) return undefined
    const message = `Go on without it, or ask the person for what you need of it: ${shown} may not be read, because ${secret.reason}.`
    return new WorkspaceRefusal('secret', path, message)
  }

  /** Why a place may not be written; nothing when it may. */
  writeRefusal(given: string | WorkspacePath): WorkspaceRefusal | undefined {
    const { parts, path } = this.resolve(given)
    const shown = shownPath(path)
    if (this.mode === 'read-only') {
      const message = `Say in the answer what you would write: ${shown} was not written, because the workspace is read-only.`
      return new WorkspaceRefusal('read-only', path, message)
    }
    const unread = this.readRefusal(given)
    if (unread?.code === 'protected') return unread
    const fixed = this.protectionsOf(parts).find(({ write }) => write === 'never')
    if (fixed) {
      const message = `Leave ${shown} alone, and say in the answer what should be changed there: it is protected, because ${fixed.reason}.`
      return new WorkspaceRefusal('protected', path, message)
    }
    if (unread) return unread
    if (this.mode === 'edit' || this.isWritable(parts)) return undefined
    const message = `Write only what ${this.writable.join(', ') || 'nothing'} allows, or say in the answer what should be changed: ${shown} is not among it.`
    return new WorkspaceRefusal('not-allowed', path, message)
  }

  /** What there is at a place, without following a link; nothing when there is nothing. */
  stat(given: string | WorkspacePath): Entry | undefined {
    const place = this.readable(given, false)
    const name = place.parts.at(-1)
    if (name === undefined) return { name: '.', kind: 'folder', size: 0, mode: 0 }
    return this.unlessMissing(() => this.inFolder(place, false, (held) => entryAt(held, name)))
  }

  /** Reads a file, or a part of it; 16 MB at most. */
  read(
    given: string | WorkspacePath,
    { offset = 0, limit = MOST_READ }: { readonly offset?: number; readonly limit?: number } = {},
  ): ReadPart {
    return this.atFile(this.readable(given), false, (target) => readPart(target, offset, Math.min(limit, MOST_READ)))
  }

  /** What a file is: its hash, size and permission bits. `null` when there is none. */
  state(given: string | WorkspacePath): FileState | null {
    const place = this.readable(given)
    return this.unlessMissing(() => this.atFile(place, false, stateAt)) ?? null
  }

  /** What a file is, with its content where that is small enough to be kept. */
  keptState(given: string | WorkspacePath): KeptState | null {
    const part = this.unlessMissing(() => this.read(given, { limit: MOST_KEPT + 1 }))
    if (!part) return null
    if (part.bytes.length > MOST_KEPT) return this.state(given)
    return { ...stateOf(part.bytes, part.mode), content: part.bytes.toString('base64') }
  }

  /** The entries of a folder by name, 10,000 at most. What no tool may touch is not among them. */
  list(given: string | WorkspacePath): { readonly entries: readonly Entry[]; readonly isCut: boolean } {
    const place = this.readable(given, false)
    const { entries, isCut } = this.guarded(place.path, () =>
      this.walk(this.identity, place.parts, false, (held) => entriesIn(held, MOST_ENTRIES)),
    )
    return { isCut, entries: entries.filter(({ name }) => !this.isHidden([...place.parts, name])) }
  }

  /** Throws what would be refused of a write, and says what folders it would have to make and which bits the file would have. */
  planWrite(given: string | WorkspacePath): { readonly folders: readonly string[]; readonly mode: number } {
    const place = this.writablePlace(given)
    const folders = place.parts.slice(0, -1).map((_, index) => place.parts.slice(0, index + 1).join('/'))
    const missing = folders.filter((folder) => !this.stat(folder))
    if (missing.length > 0) return { folders: missing, mode: this.newMode }
    const mode = this.atFile(place, false, changeable)?.mode
    return { folders: [], mode: mode === undefined ? this.newMode : mode & 0o777 }
  }

  /**
   * Writes a file at once: whoever looks sees the old content or the new one. Gives the folders that were made for it.
   *
   * @example
   * root.write('src/main.py', Buffer.from('print(1)\n'), { ifHash: null })
   */
  write(given: string | WorkspacePath, bytes: Uint8Array, options: WriteOptions = {}): readonly string[] {
    const place = this.writablePlace(given)
    const { ifHash, folders = true } = options
    return this.atFile(place, folders, (target) => {
      if (ifHash !== undefined) checkHash(target, ifHash)
      const bits = changeable(target)?.mode
      const mode = options.mode ?? (bits === undefined ? this.newMode : bits & 0o777)
      replaceFile(target, bytes, { mode: mode & 0o777, at: this.atPoint })
      return target.held.made
    })
  }

  /** Removes a file, and says whether there was one. */
  remove(given: string | WorkspacePath, { ifHash }: { readonly ifHash?: string } = {}): boolean {
    const place = this.writablePlace(given)
    const removed = this.unlessMissing(() =>
      this.atFile(place, false, (target) => {
        if (ifHash !== undefined) checkHash(target, ifHash)
        return removeFile(target)
      }),
    )
    return removed ?? false
  }

  /** Removes an empty folder. */
  removeFolder(given: string | WorkspacePath): void {
    const place = this.resolve(given)
    this.atFile(this.writablePlace({ ...place, isFolder: false }), false, removeFolder)
  }

  /** Takes away what processes that died have left half-written beside a file. */
  sweep(given: string | WorkspacePath): void {
    const place = this.writablePlace(given)
    this.unlessMissing(() => this.inFolder(place, false, (held) => sweep(held, MOST_ENTRIES)))
  }

  private isKept(parts: readonly string[]): boolean {
    const path = parts.map(foldedName).join('/')
    return this.kept.some((kept) => {
      const folded = kept.split('/').map(foldedName).join('/')
      // SQLite keeps its log beside the file, under its name with -wal and -shm.
      return path === folded || path.startsWith(`${folded}/`) || path.startsWith(`${folded}-`)
    })
  }

  private isHidden(parts: readonly string[]): boolean {
    return this.isKept(parts) || this.protectionsOf(parts).some(({ read }) => read === 'never')
  }

  private readable(given: string | WorkspacePath, isContent = true): WorkspacePath {
    const place = this.resolve(given)
    const refusal = this.readRefusal(place)
    // That there is a file with secrets may be known; what no tool may touch is not even looked at.
    if (refusal && (isContent || refusal.code === 'protected')) throw refusal
    return place
  }

  private writablePlace(given: string | WorkspacePath): WorkspacePath {
    const place = this.resolve(given)
    const refusal = this.writeRefusal(place)
    if (refusal) throw refusal
    return place
  }

  private atFile<Result>(place: WorkspacePath, makes: boolean, action: (target: Target) => Result): Result {
    const { path, parts, isFolder } = place
    const name = parts.at(-1)
    if (name === undefined || isFolder) {
      throw new WorkspaceRefusal('not-a-file', path, `Send the path of a file: ${shownPath(path)} is that of a folder.`)
    }
    return this.inFolder(place, makes, (held) => action({ held, name, path }))
  }

  private inFolder<Result>(
    { path, parts }: WorkspacePath,
    makes: boolean,
    action: (held: HeldFolder) => Result,
  ): Result {
    return this.guarded(path, () => this.walk(this.identity, parts.slice(0, -1), makes, action))
  }

  private guarded<Result>(path: string, action: () => Result): Result {
    try {
      return action()
    } catch (error) {
      const refusal = refusalOfSystem(error, path)
      if (!WorkspaceRefusal.isInstance(refusal) || refusal.code !== 'missing') throw refusal
      // Which part of it was missing, is found out by whoever looks for what was meant.
      throw new WorkspaceRefusal('missing', path, `Look with list_dir what there is: there is no ${shownPath(path)}.`)
    }
  }

  private unlessMissing<Result>(action: () => Result): Result | undefined {
    try {
      return action()
    } catch (error) {
      if (WorkspaceRefusal.isInstance(error) && error.code === 'missing') return undefined
      throw error
    }
  }
}

const keptReason = 'the record of the runs is kept there'
const reason = 'the person does not want it changed'
