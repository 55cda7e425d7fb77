import type { Span } from '../types.ts'
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  FORM_FEED,
  HASH,
  isDigit,
  LINE_FEED,
  OPEN_PARENTHESIS,
  SINGLE_QUOTE,
  SPACE,
  TAB,
} from './characters.ts'
import { NotPython } from './python-string.ts'
import { type PythonNumber, pythonNumber } from './python-tokens.ts'

/** CPython's tokenizer refuses deeper nesting (its MAXLEVEL). */
export const DEEPEST_LITERAL = 200

/** A place in a Python text that moves on as CPython's tokenizer does, over space, comments, lines and brackets. */
export class PythonLines {
  readonly text: string
  index = 0
  /** How many brackets are open: inside them, line ends are space. */
  depth = 0
  /** The first comment that was passed over. */
  comment: Span | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Passes over space; inside brackets also over line ends and comments. */
  skip(): void {
    const { text } = this
    const inBrackets = this.depth > 0
    while (true) {
      const code = text.charCodeAt(this.index)
      if (code === SPACE || code === TAB || code === FORM_FEED) this.index++
      else if (code === BACKSLASH) this.skipContinuation()
      else if (inBrackets && (code === LINE_FEED || code === CARRIAGE_RETURN)) this.index++
      else if (inBrackets && code === HASH) this.skipComment()
      else return
    }
  }

  /** Skips, and returns the code of the character that stands there. */
  skipTo(): number {
    const here = this.text.charCodeAt(this.index)
    if (here > HASH && here !== BACKSLASH) return here
    this.skip()
    return this.text.charCodeAt(this.index)
  }

  /** Whether the line, and so an expression outside of brackets, ends here. */
  endsHere(): boolean {
    const code = this.skipTo()
    return Number.isNaN(code) || code === LINE_FEED || code === CARRIAGE_RETURN || code === HASH
  }

  /** Moves to where the expression starts. `literal_eval` strips the first line itself. */
  start(): void {
    const { text } = this
    while (text.charCodeAt(this.index) === SPACE || text.charCodeAt(this.index) === TAB) this.index++
    this.skipBlankLines()
  }

  /** Checks that nothing but blank lines and comments follows. */
  end(): void {
    this.skipBlankLines()
    if (this.index < this.text.length) throw new NotPython()
  }

  /** Moves to the next line that is not blank, which must not be indented. The end of the text is such a line. */
  skipBlankLines(): void {
    while (true) {
      const column = this.skipIndentation()
      const code = this.text.charCodeAt(this.index)
      if (code === HASH) this.skipComment()
      else if (code === LINE_FEED || code === CARRIAGE_RETURN) this.index++
      else if (column > 0) throw new NotPython()
      else return
    }
  }

  /** Returns the column. A form feed starts it anew; the first continuation behind column 0 decides it. */
  skipIndentation(): number {
    let column = 0
    let continuedColumn = 0
    while (true) {
      const code = this.text.charCodeAt(this.index)
      if (code === BACKSLASH) {
        continuedColumn ||= column
        this.skipContinuation()
        continue
      }
      if (code === SPACE || code === TAB) column++
      else if (code === FORM_FEED) column = 0
      else return continuedColumn || column
      this.index++
    }
  }

  skipContinuation(): void {
    const { text } = this
    const code = text.charCodeAt(this.index + 1)
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN) throw new NotPython()
    this.index += code === CARRIAGE_RETURN && text.charCodeAt(this.index + 2) === LINE_FEED ? 3 : 2
    if (this.index >= text.length) throw new NotPython()
  }

  skipComment(): void {
    const { text, index: start } = this
    while (this.index < text.length) {
      const code = text.charCodeAt(this.index)
      if (code === LINE_FEED || code === CARRIAGE_RETURN) break
      this.index++
    }
    this.comment ??= [start, this.index]
  }

  enter(): void {
    if (this.depth === DEEPEST_LITERAL) throw new NotPython()
    this.depth++
    this.index++
  }

  leave(): void {
    this.depth--
    this.index++
  }

  leaveParentheses(): void {
    if (this.skipTo() !== CLOSE_PARENTHESIS) throw new NotPython()
    this.leave()
  }

  /** Takes a string that has no escapes and a comma, colon or closer right behind it: most strings are so. */
  takePlainString(): string | undefined {
    const { text, index: start } = this
    const quote = text.charCodeAt(start)
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) return undefined
    let index = start + 1
    let code = text.charCodeAt(index)
    while (code !== quote && code !== BACKSLASH && code >= SPACE) code = text.charCodeAt(++index)
    const after = text.charCodeAt(index + 1)
    const isBehind = after === COMMA || after === COLON || after === CLOSE_BRACE || after === CLOSE_BRACKET
    if (code !== quote || !isBehind) return undefined
    this.index = index + 1
    return text.slice(start + 1, index)
  }

  takeNumber(): PythonNumber {
    const number = pythonNumber(this.text, this.index)
    if (!number) throw new NotPython()
    this.index = number.end
    return number
  }

  /** A number, which may stand in parentheses of its own: the only operand that Python's literals take. */
  takeOperand(): PythonNumber {
    const outside = this.depth
    let code = this.skipTo()
    while (code === OPEN_PARENTHESIS) {
      this.enter()
      code = this.skipTo()
    }
    if (!isDigit(code) && code !== DOT) throw new NotPython()
    const number = this.takeNumber()
    while (this.depth > outside) this.leaveParentheses()
    return number
  }
}
