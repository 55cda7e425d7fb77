import type { StringWatch } from './bodies/json-scan.ts'
import type { TaggedParameter, TextWatch } from './bodies/tag-scan.ts'
import type { CallForm } from './dialects/dialect.ts'
import type { MarkupRepairCode } from './markup-repairs.ts'

/** A call as it was framed: where it stands, and what is inside. What it means is read later, once. */
export interface Frame {
  readonly dialect: string
  readonly form: CallForm
  /** Found by a marker, not only by its looks. */
  readonly isMarked: boolean
  /** The name between opener and arguments, '' where it stands inside. */
  readonly name: string
  /** The whole of it, markers included. */
  readonly raw: string
  readonly start: number
  /** The text of the arguments, or of the calls, and where it stands. */
  readonly body: string
  readonly bodyStart: number
  /** Quotes of the dialect's own in the body. */
  readonly quotes?: readonly string[]
  /** Their places are counted in `raw`. */
  readonly parameters?: readonly TaggedParameter[]
  /** What had to be overlooked to frame it. */
  readonly oddities: readonly Oddity[]
  /** Whether it was closed as it should be. */
  readonly isClosed: boolean
  /** Whether something inside could not be read to its end. */
  readonly isBroken: boolean
  /** Whether it ended with the text: only then can it have been cut off. */
  readonly isLast: boolean
}

/** Something about the markers of a call that is not as its dialect has it. */
export interface Oddity {
  readonly code: MarkupRepairCode
  readonly text: string
}

/** What is known of a marked call when it begins. */
export type FrameOpening = Pick<Frame, 'dialect' | 'name'>

/** What a framer tells, in the order of the text. */
export interface FrameSink {
  text(raw: string): void
  thought(raw: string): void
  /** The final answer, behind its label. */
  answer(raw: string): void
  /** A marker that is no call: it belongs to the calls beside it, or is text. */
  marker(raw: string): void
  /** Markup for sure: labels, and what a model made up in the name of a tool. */
  markup(raw: string): void
  /** The end of a thought that nothing began: all before it was thought, as far as it is not told yet. */
  thoughtEnd(raw: string): void
  /**
   * A marked call has begun: what is still undecided must be decided now. Its frame is the next thing that is told.
   * Returns who is told of it as it comes, or `text` when it is only spoken of: then its text is told as text.
   */
  open(opening: FrameOpening): (StringWatch & TextWatch) | 'text'
  frame(frame: Frame): void
}

/** What a framer asks of whoever knows the tools. */
export interface FrameQuestions {
  /** The names of the tools. */
  readonly toolNames: readonly string[]
  /** Whether a name, as a model writes it, is that of an offered tool. */
  isOffered(name: string): boolean
  /** The names of the parameters of a tool. */
  parametersOf(name: string): ReadonlySet<string>
  /** Whether a frame can be read without a problem; asked only where JSON is broken. */
  canRead(frame: Frame): boolean
  /** Whether an object or list that begins so may be a call. */
  mayBeCall(start: string): boolean
}
