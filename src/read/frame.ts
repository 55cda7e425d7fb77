import type { StringWatch } from './bodies/json-scan.ts'
import type { TaggedParameter, TextWatch } from './bodies/tag-scan.ts'

/** A call as it was framed: where it stands, and what is inside. What it means is read later, once. */
export interface Frame {
  readonly dialect: string
  /** Found by a marker, not only by its looks. */
  readonly isMarked: boolean
  /** The whole of it, markers included. */
  readonly raw: string
  readonly start: number
  /** What stands between opener and arguments: the name, where it stands there. */
  readonly head: string
  /** The text of the arguments, or of the whole envelope, and where it stands. */
  readonly body: string
  readonly bodyStart: number
  readonly kind: 'envelope' | 'arguments' | 'tags'
  /** Their places are counted in `raw`. */
  readonly parameters?: readonly TaggedParameter[]
  /** Whether it was closed as it should be. */
  readonly isClosed: boolean
  /** Whether something inside could not be read to its end. */
  readonly isBroken: boolean
  /** Whether it ended with the text: only then can it have been cut off. */
  readonly isLast: boolean
}

/** What is known of a marked call when it begins. */
export type FrameOpening = Pick<Frame, 'dialect' | 'head' | 'start'>

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
  /** A marked call has begun: what is still undecided must be decided now. Returns who is told of it as it comes. */
  open(opening: FrameOpening): (StringWatch & TextWatch) | undefined
  frame(frame: Frame): void
}

/** What a framer asks of whoever knows the tools. */
export interface FrameQuestions {
  /** Whether a frame can be read without a problem; asked only where JSON is broken. */
  canRead(frame: Frame): boolean
  /** Whether the name of an offered tool stands in a text. */
  namesTool(text: string): boolean
}
