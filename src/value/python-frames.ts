import type { JsonObject, JsonValue } from '../types.ts'
import { CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PARENTHESIS } from './characters.ts'
import type { ValueRepair } from './repairs.ts'

export type FrameKind = 'top' | 'parentheses' | 'list' | 'braces' | 'dict' | 'set'

/** A bracket that is open, with what was put in so far. */
export interface Frame {
  kind: FrameKind
  readonly start: number
  readonly items: JsonValue[]
  readonly hashes: (string | undefined)[]
  object: JsonObject | undefined
  key: string | undefined
  /** The keys of the object by what Python compares, once one of them is not a string. */
  keysByHash: Map<string, string> | undefined
  comma: number
}

export function newFrame(kind: FrameKind, start: number): Frame {
  return { kind, start, items: [], hashes: [], object: undefined, key: undefined, keysByHash: undefined, comma: -1 }
}

/** A repair whose path is known only when the brackets around it have closed. */
export type Placed = ValueRepair & { readonly steps: readonly Step[] | undefined }
export type Step = readonly [frame: Frame, step: string | number | undefined]

/** Drops the steps of parentheses that turned out to group and not to make a tuple. */
export function place({ steps, ...repair }: Placed): ValueRepair {
  if (!steps) return repair
  const path = steps.filter(([{ kind, comma }]) => (kind !== 'top' && kind !== 'parentheses') || comma >= 0)
  return { ...repair, path: path.map(([, step]) => step).filter((step) => step !== undefined) }
}

export const closerOf: { readonly [kind in FrameKind]: number } = {
  top: -1,
  parentheses: CLOSE_PARENTHESIS,
  list: CLOSE_BRACKET,
  braces: CLOSE_BRACE,
  dict: CLOSE_BRACE,
  set: CLOSE_BRACE,
}
