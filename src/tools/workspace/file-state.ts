import { createHash } from 'node:crypto'
import type { FileState } from './change.ts'

/** What a file of this content is. */
export const stateOf = (bytes: Uint8Array, mode: number): FileState => ({
  hash: createHash('sha256').update(bytes).digest('hex'),
  mode,
  size: bytes.length,
})
