import { isDeepStrictEqual } from 'node:util'
import type { Bar, Block } from './benchmark.ts'
import type { Reply } from './reader-inputs.ts'
import type { Streamed } from './streamers.ts'

/** The size of the largest call, and of the texts without one. */
export const LARGEST = 1_000_000
/** So many milliseconds a program gets for one run whose time nobody knows before. */
export const PATIENCE = 4_000
export const MOST_GROWTH = 1.1
export const WRONG = '**wrong**'

/** What one measure adds to the section. */
export interface Part {
  readonly bars: readonly Bar[]
  readonly blocks: readonly Block[]
  readonly faults: readonly string[]
}

export const isRight = ({ calls }: Pick<Streamed, 'calls'>, reply: Reply): boolean =>
  isDeepStrictEqual(
    calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
    reply.calls,
  )
