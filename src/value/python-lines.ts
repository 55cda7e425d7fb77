import type { Span } from '../types.ts'
import { BACKSLASH, CARRIAGE_RETURN, FORM_FEED, HASH, LINE_FEED, SPACE, TAB } from './characters.ts'
import { NotPython } from './python-string.ts'

/** White space, comments, line continuation and indentation, as CPython's tokenizer takes them. */
export class PythonLines {
  readonly text: string
  /** The first comment that was passed over. */
  comment: Span | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Passes over space; inside brackets also over line ends and comments. */
  skip(from: number, inBrackets: boolean): number {
    const { text } = this
    let index = from
    while (true) {
      const code = text.charCodeAt(index)
      if (code === SPACE || code === TAB || code === FORM_FEED) index++
      else if (code === BACKSLASH) index = this.continued(index)
      else if (inBrackets && (code === LINE_FEED || code === CARRIAGE_RETURN)) index++
      else if (inBrackets && code === HASH) index = this.commentEnd(index)
      else return index
    }
  }

  /** Where the expression starts: behind blank lines, with no indentation. `literal_eval` strips the first line itself. */
  start(): number {
    const { text } = this
    let index = 0
    while (text.charCodeAt(index) === SPACE || text.charCodeAt(index) === TAB) index++
    while (true) {
      const [next, column] = this.indentation(index)
      const code = text.charCodeAt(next)
      if (code === HASH) index = this.commentEnd(next)
      else if (code === LINE_FEED || code === CARRIAGE_RETURN) index = next + 1
      else if (column > 0) throw new NotPython()
      else return next
    }
  }

  /** Checks that nothing but blank lines and comments follows. */
  end(from: number): void {
    const { text } = this
    let index = from
    while (index < text.length) {
      const [next] = this.indentation(index)
      const code = text.charCodeAt(next)
      if (code === HASH) index = this.commentEnd(next)
      else if (code === LINE_FEED || code === CARRIAGE_RETURN) index = next + 1
      else if (next < text.length) throw new NotPython()
      else return
    }
  }

  /** The first character of a line and its column. A form feed starts the column anew; so does a continuation at column 0. */
  indentation(from: number): readonly [index: number, column: number] {
    const { text } = this
    let index = from
    let column = 0
    let continuedColumn = 0
    while (true) {
      const code = text.charCodeAt(index)
      if (code === SPACE || code === TAB) column++
      else if (code === FORM_FEED) column = 0
      else if (code === BACKSLASH) {
        continuedColumn ||= column
        index = this.continued(index)
        continue
      } else return [index, continuedColumn || column]
      index++
    }
  }

  continued(index: number): number {
    const { text } = this
    const code = text.charCodeAt(index + 1)
    const next =
      code === LINE_FEED
        ? index + 2
        : code === CARRIAGE_RETURN
          ? index + (text.charCodeAt(index + 2) === LINE_FEED ? 3 : 2)
          : -1
    if (next < 0 || next >= text.length) throw new NotPython()
    return next
  }

  commentEnd(from: number): number {
    const { text } = this
    let index = from
    while (index < text.length) {
      const code = text.charCodeAt(index)
      if (code === LINE_FEED || code === CARRIAGE_RETURN) break
      index++
    }
    this.comment ??= [from, index]
    return index
  }
}
