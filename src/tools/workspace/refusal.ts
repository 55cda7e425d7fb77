import { CallwrightError } from '../errors.ts'

/** Why the workspace does not do what it was asked for. */
export type RefusalCode =
  | 'root'
  | 'outside'
  | 'name'
  | 'link'
  | 'hard-link'
  | 'special-file'
  | 'protected'
  | 'secret'
  | 'read-only'
  | 'not-allowed'
  | 'missing'
  | 'exists'
  | 'not-a-file'
  | 'not-a-folder'
  | 'not-empty'
  | 'too-large'
  | 'changed'
  | 'permission'
  | 'system'

/** What the workspace refuses. The message is what the model reads. */
export class WorkspaceRefusal extends CallwrightError {
  readonly code: RefusalCode
  /** From the root on, or as it was given where it does not lead inside. */
  readonly path: string

  constructor(code: RefusalCode, path: string, message: string, options?: ErrorOptions) {
    super('WorkspaceRefusal', message, options)
    this.code = code
    this.path = path
  }

  static override isInstance(value: unknown): value is WorkspaceRefusal {
    return CallwrightError.isInstance(value) && value.name === 'WorkspaceRefusal'
  }
}

const LONGEST_SHOWN = 200

/**
 * A path as it may stand in a message: in one line, and not too long.
 *
 * @example
 * shownPath('a\nb') // 'a\\nb'
 */
export function shownPath(path: string): string {
  const plain = path.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    return sign === '\n' ? '\\n' : `\\u{${code.toString(16)}}`
  })
  return plain.length > LONGEST_SHOWN ? `${plain.slice(0, LONGEST_SHOWN)}…` : plain
}

/** What to do, and why, for each thing that the file system can say. */
const systemWords: { readonly [code: string]: readonly [code: RefusalCode, remedy: string, reason: string] } = {
  ENOENT: ['missing', 'Look with list_dir what there is', 'there is no'],
  ENOTDIR: ['not-a-folder', 'Look with list_dir what there is', 'a part of the path is no folder in'],
  EISDIR: ['not-a-file', 'Name a file', 'this is a folder:'],
  ELOOP: ['link', 'Name the file itself', 'links are not followed, and there is one in'],
  EACCES: ['permission', 'Use another file', 'the system does not permit it for'],
  EPERM: ['permission', 'Use another file', 'the system does not permit it for'],
  EROFS: ['permission', 'Use another file', 'the disk is read-only at'],
  ENAMETOOLONG: ['name', 'Send a shorter path', 'the system does not take one as long as'],
  ENXIO: ['special-file', 'Name an ordinary file', 'this is a device, a pipe or a socket:'],
  ENOTEMPTY: ['not-empty', 'Remove what is in it first', 'it is not empty:'],
  ENOSPC: ['system', 'Say in the answer that the disk is full', 'there is no room to write'],
  EDQUOT: ['system', 'Say in the answer that the disk is full', 'there is no room to write'],
}

/** An error of the file system in words that a model can act on; without the paths by which files are reached inside. */
export function refusalOfSystem(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === undefined || CallwrightError.isInstance(error)) return error
  const [refusal, remedy, reason] = systemWords[code] ?? ['system', 'Try another way', `the system says ${code} for`]
  return new WorkspaceRefusal(refusal, path, `${remedy}: ${reason} ${shownPath(path)}.`, { cause: error })
}
