import type { CallForm } from '../dialects/dialect.ts'
import type { Oddity } from '../frame.ts'
import type { TaggedParameter } from './tag-scan.ts'

/** The text of a unit as far as it has come. All places are counted from the start of the unit. */
export interface UnitText {
  /** What has not been settled yet. */
  readonly window: string
  /** Where the window starts. */
  readonly offset: number
  /** Nothing more will come. */
  readonly isEnd: boolean
  /** A piece of the unit, wherever it stands. */
  slice(from: number, to: number): string
}

/** Where and how a unit ended. */
export interface UnitEnd {
  /** Behind its closer. */
  readonly end: number
  /** From where to where the arguments stand. */
  readonly from: number
  readonly to: number
  /** Name and form, where the body says them. `text` is no call. */
  readonly name?: string
  readonly form?: CallForm | 'text'
  readonly parameters?: readonly TaggedParameter[]
  readonly oddities?: readonly Oddity[]
  /** Whether it was closed as it should be. */
  readonly isClosed: boolean
  /** What stands behind it is the start of a part that did not come. */
  readonly isCut?: boolean
  /** Whether something inside could not be read to its end. */
  readonly isBroken?: boolean
}

/** The inside of a call while it comes in. */
export interface Body {
  /** Whether it never ends before what it has settled. */
  readonly isForward: boolean
  /** Up to here the text will not be looked at again. */
  readonly settled: number
  /** Reads on, and returns where the unit ends, or `undefined` when more is needed. */
  read(text: UnitText): UnitEnd | undefined
}
