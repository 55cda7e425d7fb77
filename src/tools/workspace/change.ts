/** What a file was, or is to be. `null` in its place: there is no file. */
export interface FileState {
  /** SHA-256 of the content, in hexadecimal. */
  readonly hash: string
  /** Permission bits. */
  readonly mode: number
  readonly size: number
}

/** A state with what is needed to bring it back. */
export interface KeptState extends FileState {
  /** The content in base64. Left out where it is too large to keep: then it cannot be brought back. */
  readonly content?: string
}

/**
 * A change of one file, as the record of a run keeps it (a note of the call that made it).
 *
 * - `intent`: about to be made by a file tool; whether it was, the file itself shows
 * - `found`: seen by comparing the workspace before and after a command
 */
export interface FileChange {
  readonly kind: 'file-change'
  readonly stage: 'intent' | 'found'
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly before: KeptState | null
  readonly after: FileState | null
  /** The file is of a kind that somebody runs later with rights of his own, such as a Makefile or a test. */
  readonly runsLater?: boolean
  /** Folders that were made for it, the outermost first, relative to the root. */
  readonly folders?: readonly string[]
}
