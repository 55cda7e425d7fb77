/**
 * How a call stands between its markers:
 *
 * - `json`: an object or list with name and arguments
 * - `name-json`: the name, then the arguments as JSON
 * - `tags`: the name, then a tag for each parameter
 * - `python`: calls as in Python, one or a list
 */
export type CallForm = 'json' | 'name-json' | 'tags' | 'python'

/**
 * One way in which models write calls. A row is plain data and survives JSON.stringify; what differs between families
 * stands here and nowhere in the code.
 */
export interface Dialect {
  readonly name: string
  readonly families: readonly string[]
  /** What opens a call. */
  readonly open: readonly string[]
  /** What ends the opener, where it is a tag with the name inside. */
  readonly openEnd?: string
  /** What closes it; none where a call ends with its arguments. */
  readonly close: readonly string[]
  readonly form: CallForm
  /** How the name is written, where that is not just the name. */
  readonly nameAs?: string
  /** What stands between the name and the arguments. */
  readonly nameEnd?: string
  /** Other marks and words that may stand around the name. */
  readonly around?: readonly string[]
  /** How a parameter is written in a tag: with KEY and VALUE, and IS_TEXT or TYPE where the family says so. */
  readonly parameter?: string
  /** Quotes of the family's own, which hold texts without escapes. */
  readonly quotes?: readonly string[]
  /** Markers around a group of calls: no calls themselves. The first pair is the usual one. */
  readonly section?: readonly (readonly [open: string, close: string])[]
  /** What stands between two calls. */
  readonly between?: string
}

/** Where a model thinks. What stands there is no call and no answer. */
export interface ThoughtMarks {
  readonly open: string
  readonly close: string
}

/** How the tags of parameters are written. */
export interface Brackets {
  readonly open: string
  readonly end: string
  readonly close: string
  /** Every tag is that of a parameter, also one that the tool does not have. */
  readonly takesAny?: boolean
}

/** How key and value of a parameter are written, each with marks of its own. */
export interface PairMarks {
  readonly open: string
  readonly keyEnd: string
  readonly value: string
  readonly close: string
}

/** Messages of a model in channels, each with a header: who it is for, and what it is. */
export interface ChannelMarks {
  readonly name: string
  readonly families: readonly string[]
  readonly open: readonly string[]
  /** What ends the header. */
  readonly message: string
  readonly close: readonly string[]
  /** What stands before the name of a tool in the header. */
  readonly recipient: readonly string[]
  /** Words in the header of what is thought, and of what is the answer. */
  readonly thought: readonly string[]
  readonly answer: readonly string[]
}
