import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  opendirSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs'
import type { FileState } from './change.ts'
import { type HeldFolder, linkMessage } from './held-folder.ts'
import { shownPath, WorkspaceRefusal } from './refusal.ts'

/** What stands in a folder. */
export interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly size: number
  /** Permission bits. */
  readonly mode: number
}

/** A point of a write at which the process may die. */
export type WritePoint = 'begun' | 'opened' | 'written' | 'synced' | 'renamed' | 'done'

/** A file in a held folder. */
export interface Target {
  readonly held: HeldFolder
  readonly name: string
  /** From the root on, for messages. */
  readonly path: string
}

const { O_CREAT, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
const PERMISSIONS = 0o777
const PIECE = 65_536

const kindOf = (found: Stats): Entry['kind'] =>
  found.isFile() ? 'file' : found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'other'

/** What there is of a name, without following a link. */
export function entryAt(held: HeldFolder, name: string): Entry | undefined {
  const found = lstatSync(held.at(name), { throwIfNoEntry: false })
  return found && { name, kind: kindOf(found), size: found.size, mode: found.mode & PERMISSIONS }
}

/** The entries of a folder, in the order of their names; not more than so many. */
export function entriesIn(held: HeldFolder, most: number): { readonly entries: Entry[]; readonly isCut: boolean } {
  const folder = opendirSync(held.path)
  const names: string[] = []
  let isCut = false
  try {
    for (let next = folder.readSync(); next; next = folder.readSync()) {
      isCut = names.length >= most
      if (isCut) break
      names.push(next.name)
    }
  } finally {
    folder.closeSync()
  }
  held.confirm()
  const entries = names.sort().flatMap((name) => entryAt(held, name) ?? [])
  return { entries, isCut }
}

/** Opens an ordinary file, and nothing else, and does something with it. */
function withFile<Result>(target: Target, action: (descriptor: number, found: Stats) => Result): Result {
  const { held, name } = target
  // What is no file is not even opened: opening can be an effect.
  check(lstatSync(held.at(name)), target)
  const descriptor = openSync(held.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  try {
    const found = fstatSync(descriptor)
    check(found, target)
    held.confirm()
    return action(descriptor, found)
  } finally {
    closeSync(descriptor)
  }
}

function check(found: Stats, { path }: Target): void {
  const shown = shownPath(path)
  if (found.isSymbolicLink()) throw new WorkspaceRefusal('link', path, linkMessage(path))
  if (found.isDirectory()) throw new WorkspaceRefusal('not-a-file', path, `Name a file: ${shown} is a folder.`)
  if (!found.isFile()) {
    const message = `Name an ordinary file: ${shown} is a device, a pipe or a socket.`
    throw new WorkspaceRefusal('special-file', path, message)
  }
}

/** A part of a file. */
export interface ReadPart {
  readonly bytes: Buffer
  /** Of the whole file. */
  readonly size: number
  readonly mode: number
}

/** Reads so many bytes from an offset on, fewer where the file ends before. */
export function readPart(target: Target, offset: number, limit: number): ReadPart {
  return withFile(target, (descriptor, { size, mode }) => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(limit, size - offset)))
    let filled = 0
    while (filled < bytes.length) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, offset + filled)
      if (count === 0) break
      filled += count
    }
    return { bytes: bytes.subarray(0, filled), size, mode: mode & PERMISSIONS }
  })
}

/** What a file is, by its content; read in pieces. */
export function stateAt(target: Target): FileState {
  return withFile(target, (descriptor, { mode }) => {
    const hash = createHash('sha256')
    const piece = Buffer.alloc(PIECE)
    let size = 0
    for (let count = -1; count !== 0; size += count) {
      count = readSync(descriptor, piece, 0, PIECE, size)
      hash.update(piece.subarray(0, count))
    }
    return { hash: hash.digest('hex'), mode: mode & PERMISSIONS, size }
  })
}

/** Throws when a file is not what somebody thinks it is: of this hash, or not there. */
export function checkHash(target: Target, hash: string | null): void {
  const state = entryAt(target.held, target.name) ? stateAt(target) : null
  if ((state?.hash ?? null) === hash) return
  const message = `Read ${shownPath(target.path)} again before you change it: it was changed meanwhile.`
  throw new WorkspaceRefusal('changed', target.path, message)
}

/** What is there and may be replaced or removed; nothing when there is nothing. */
export function changeable(target: Target): Stats | undefined {
  const { held, name, path } = target
  const found = lstatSync(held.at(name), { throwIfNoEntry: false })
  if (found) check(found, target)
  // Files are replaced by others, for which the folder counts; one that is read-only itself stays all the same.
  accessSync(held.path, constants.W_OK)
  if (!found) return undefined
  if (found.nlink > 1) {
    const message = `Write to another file: ${shownPath(path)} is a hard link, and what it shares may lie outside of the workspace.`
    throw new WorkspaceRefusal('hard-link', path, message)
  }
  accessSync(held.at(name), constants.W_OK)
  return found
}

/**
 * Puts a file in its place at once: whoever looks sees the old content or the new one, and when this returns the new one
 * is on the disk.
 */
export function replaceFile(
  target: Target,
  bytes: Uint8Array,
  { mode, at }: { readonly mode: number; readonly at: (point: WritePoint) => void },
): void {
  const { held, name } = target
  const existing = changeable(target)
  at('begun')
  const temporary = held.at(`.callwright-${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
  const descriptor = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  let isPlaced = false
  try {
    at('opened')
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
    at('written')
    // A file of somebody else stays theirs, where whoever runs this may give files away.
    if (existing && existing.uid !== fstatSync(descriptor).uid && process.geteuid?.() === 0) {
      fchownSync(descriptor, existing.uid, existing.gid)
    }
    fchmodSync(descriptor, mode)
    fsyncSync(descriptor)
    at('synced')
    held.confirm()
    renameSync(temporary, held.at(name))
    isPlaced = true
    at('renamed')
    held.sync()
    at('done')
  } finally {
    closeSync(descriptor)
    if (!isPlaced) unlinkSync(temporary)
  }
}

/** Takes a file away, and says whether there was one. */
export function removeFile(target: Target): boolean {
  const { held, name } = target
  if (!changeable(target)) return false
  held.confirm()
  unlinkSync(held.at(name))
  held.sync()
  return true
}

/** Takes an empty folder away. */
export function removeFolder({ held, name }: Target): void {
  held.confirm()
  rmdirSync(held.at(name))
  held.sync()
}

const leftBehind = /^\.callwright-(\d+)-[0-9a-f]{12}\.tmp$/

/** Takes away what processes that died have left half-written. */
export function sweep(held: HeldFolder, most: number): void {
  for (const { name, kind } of entriesIn(held, most).entries) {
    const owner = leftBehind.exec(name)?.[1]
    if (owner !== undefined && kind === 'file' && !isRunning(Number(owner))) unlinkSync(held.at(name))
  }
}

function isRunning(owner: number): boolean {
  try {
    return process.kill(owner, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
