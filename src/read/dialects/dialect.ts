/**
 * One way in which models write calls. A row is plain data and survives JSON.stringify; what differs between families
 * stands here and nowhere in the code.
 */
export interface Dialect {
  readonly name: string
  readonly families: readonly string[]
  /** What opens a call. */
  readonly open: readonly string[]
  /** What closes it; none where a call ends with its arguments. */
  readonly close: readonly string[]
  /**
   * What stands between opener and closer:
   *
   * - `json`: an object or list with name and arguments
   * - `name-json`: the name, then the arguments as JSON
   * - `name-tags`: the name up to `nameEnd`, then a tag for each parameter, or JSON
   */
  readonly body: 'json' | 'name-json' | 'name-tags'
  /** What ends the name, where that is not the start of the arguments. */
  readonly nameEnd?: readonly string[]
  /** Tags of the parameters, without the angle brackets and with any prefix. */
  readonly parameter?: readonly string[]
  /** Markers around a group of calls: no calls themselves. */
  readonly section?: readonly string[]
}

/** Where a model thinks. What stands there is no call and no answer. */
export interface ThoughtMarks {
  readonly open: string
  readonly close: string
}

/** Messages of a model in channels, each with a header: who it is for, and what it is. */
export interface ChannelMarks {
  readonly name: string
  readonly families: readonly string[]
  readonly open: readonly string[]
  /** The same at the start of a line only. */
  readonly openLine: readonly string[]
  /** What ends the header. */
  readonly message: string
  readonly close: readonly string[]
  /** What stands before the name of a tool in the header. */
  readonly recipient: readonly string[]
  /** Words in the header of what is thought, and of what is the answer. */
  readonly thought: readonly string[]
  readonly answer: readonly string[]
}
