import { posix } from 'node:path'
import { shownPath, WorkspaceRefusal } from './refusal.ts'

/** A place in the workspace, whether there is something or not. */
export interface WorkspacePath {
  /** Relative to the root, with `/`; `.` is the root itself. */
  readonly path: string
  readonly parts: readonly string[]
  /** What was changed in the path that was given, in words for the model; mostly nothing. */
  readonly note: string
  /** It was written with `/` at its end, as that of a folder. */
  readonly isFolder: boolean
}

/** A place by its parts as they are on the disk, which may be names that `workspacePath` refuses. */
export const placeOf = (parts: readonly string[]): WorkspacePath => ({
  path: parts.length === 0 ? '.' : parts.join('/'),
  parts,
  note: '',
  isFolder: parts.length === 0,
})

const LONGEST_NAME = 255
const LONGEST_PATH = 4_096
const DEEPEST_PATH = 100

/**
 * Reads a path as a model wrote it. What leaves the root is refused; an absolute path inside of it is taken as relative.
 *
 * @example
 * workspacePath('/w/app/src/../a.ts', ['/w/app']).path // 'a.ts'
 */
export function workspacePath(given: string, roots: readonly string[]): WorkspacePath {
  const refuse = (code: 'outside' | 'name', message: string): never => {
    throw new WorkspaceRefusal(code, given, message)
  }
  if (!given.isWellFormed() || /[\p{Cc}\u2028\u2029]/u.test(given)) {
    refuse('name', `Send a path without control characters: ${shownPath(given)} has some.`)
  }
  if (Buffer.byteLength(given) > LONGEST_PATH) refuse('name', `Send a shorter path: ${shownPath(given)} is too long.`)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) {
    refuse('outside', `Send a path relative to the workspace, such as src/main.py: ${shownPath(given)} is a URL.`)
  }
  if (given.startsWith('~')) {
    refuse('outside', `Send a path inside of the workspace, relative to it: ${shownPath(given)} is in a home folder.`)
  }
  const slashed = given.replaceAll('\\', '/')
  const isAbsolute = slashed.startsWith('/') || /^[a-z]:(?:\/|$)/i.test(slashed)
  const inner = isAbsolute ? innerOf(slashed, roots) : slashed
  if (inner === undefined) return refuse('outside', outside(given))
  const normal = posix.normalize(inner === '' ? '.' : inner)
  if (normal === '..' || normal.startsWith('../')) refuse('outside', outside(given))
  const parts = normal.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length > DEEPEST_PATH) {
    refuse('name', `Send a shorter path: more than ${DEEPEST_PATH} folders are not gone into.`)
  }
  for (const part of parts) {
    if (Buffer.byteLength(part) > LONGEST_NAME) {
      refuse('name', `Send a shorter name: ${shownPath(part)} has more than ${LONGEST_NAME} bytes.`)
    }
  }
  const path = parts.length === 0 ? '.' : parts.join('/')
  const isTaken = isAbsolute || slashed !== given
  const note = isTaken
    ? `[note: took ${shownPath(given)} as ${path}; send paths relative to the workspace, with /]`
    : ''
  return { path, parts, note, isFolder: normal.endsWith('/') || parts.length === 0 }
}

const outside = (given: string): string =>
  `Send a path inside of the workspace, relative to it: ${shownPath(given)} lies outside.`

/** An absolute path from the root on, or nothing when it does not lie inside. */
function innerOf(path: string, roots: readonly string[]): string | undefined {
  const normal = posix.normalize(path)
  for (const root of roots) {
    if (normal === root || normal === `${root}/`) return '.'
    if (normal.startsWith(`${root}/`)) return normal.slice(root.length + 1)
  }
  return undefined
}
