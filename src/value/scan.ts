import type { Path } from '../types.ts'
import {
  ASTERISK,
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  HASH,
  isDigit,
  isSpace,
  isWord,
  LINE_FEED,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  SINGLE_QUOTE,
  SLASH,
  SPACE,
} from './characters.ts'

/** A kind of quotation mark: what may close it, and the repair that it takes. */
interface QuoteKind {
  /** The first is the proper one. Models mix the typographic ones with the plain. */
  readonly closers: string
  /** The one of them that keyboards have. */
  readonly plain: number
  readonly repair?: 'quotes-single' | 'quotes-smart' | 'quotes-backtick'
}

const smartDouble: QuoteKind = { closers: '”"', plain: DOUBLE_QUOTE, repair: 'quotes-smart' }
const smartSingle: QuoteKind = { closers: "’‘'", plain: SINGLE_QUOTE, repair: 'quotes-smart' }
const backtick: QuoteKind = { closers: '`´', plain: BACKTICK, repair: 'quotes-backtick' }

const quoteKinds: { readonly [opener: number]: QuoteKind } = {
  [DOUBLE_QUOTE]: { closers: '"”“', plain: DOUBLE_QUOTE },
  [SINGLE_QUOTE]: { closers: "'", plain: SINGLE_QUOTE, repair: 'quotes-single' },
  [BACKTICK]: backtick,
  180: backtick,
  171: { closers: '»', plain: 187, repair: 'quotes-smart' },
  8220: smartDouble,
  8221: smartDouble,
  8222: { closers: '“”"', plain: DOUBLE_QUOTE, repair: 'quotes-smart' },
  8216: smartSingle,
  8217: smartSingle,
}

/** Signs of the grammar as a Chinese or Japanese keyboard writes them. */
const plainSigns: { readonly [code: number]: number } = {
  65306: COLON,
  65292: COMMA,
  12289: COMMA,
  65371: OPEN_BRACE,
  65373: CLOSE_BRACE,
  65339: OPEN_BRACKET,
  65341: CLOSE_BRACKET,
}

export const isQuote = (code: number): boolean =>
  code === DOUBLE_QUOTE || code === SINGLE_QUOTE || code === BACKTICK || (code > 0x7f && quoteKinds[code] !== undefined)

export const quoteKind = (opener: number): QuoteKind => quoteKinds[opener] ?? { closers: '', plain: opener }

export const isCloser = (code: number): boolean => code === CLOSE_BRACE || code === CLOSE_BRACKET

/** Finds the next place of a needle; places asked for in order cost one pass in all. */
class NextPlace {
  readonly text: string
  readonly needle: string
  from = 0
  at = -1

  constructor(text: string, needle: string) {
    this.text = text
    this.needle = needle
  }

  after(index: number): number {
    if (index < this.from || index > this.at) {
      const at = this.text.indexOf(this.needle, index)
      this.from = index
      this.at = at < 0 ? this.text.length : at
    }
    return this.at
  }
}

/** Is told where a number stands, and how it is spelled. */
export type OnNumber = (path: Path, spelled: string) => void

/**
 * Questions about a text that need no state: what stands here, and what comes next.
 * `looked` counts the characters that were looked at, so that a test can hold the work per character.
 */
export class Scan {
  readonly text: string
  readonly end: number
  readonly known: ReadonlySet<string> | undefined
  readonly onNumber: OnNumber | undefined
  looked = 0
  /** Up to here, by the quote that opens, no quoted text of one line is closed. */
  private readonly noQuoteBefore: { [opener: number]: number } = {}
  private readonly lineEnd: NextPlace
  private readonly commentEnd: NextPlace

  constructor(text: string, end: number, known: ReadonlySet<string> | undefined, onNumber?: OnNumber) {
    this.text = text
    this.end = end
    this.known = known
    this.onNumber = onNumber
    this.lineEnd = new NextPlace(text, '\n')
    this.commentEnd = new NextPlace(text, '*/')
  }

  /** The code at an index, NaN from the end on. A full-width sign of the grammar counts as the sign it stands for. */
  code(index: number): number {
    if (index >= this.end) return Number.NaN
    const code = this.text.charCodeAt(index)
    return code < 0x3001 ? code : (plainSigns[code] ?? code)
  }

  /** Passes over space. */
  space(from: number): number {
    const here = this.text.charCodeAt(from)
    if (here > SPACE && here < 0x80) {
      this.looked++
      return from
    }
    let index = from
    while (isSpace(this.code(index))) index++
    this.looked += index - from + 1
    return index
  }

  /** Where the comment that starts here ends, or the same index when none does. One that never ends is none. */
  comment(index: number): number {
    const code = this.text.charCodeAt(index)
    if (code !== HASH && code !== SLASH) return index
    const next = this.text.charCodeAt(index + 1)
    let end = this.end
    // "#tag" is a word, and "# note" a comment.
    if (code === HASH && !isSpace(next) && next !== HASH) return index
    if (code === HASH || next === SLASH) end = this.lineEnd.after(index)
    else if (next === ASTERISK) end = this.commentEnd.after(index + 2) + 2
    return end < this.end ? end : index
  }

  /** Passes over space and comments. */
  blank(from: number): number {
    let index = this.space(from)
    for (let after = this.comment(index); after > index; after = this.comment(index)) index = this.space(after)
    return index
  }

  hasLineEnd(from: number, to: number): boolean {
    return this.lineEnd.after(from) < to
  }

  /** Whether a key stands here, quoted or bare, with its colon. In doubt only a key that the caller knows is one. */
  keyAt(index: number, allowsBare: boolean, inDoubt: boolean): boolean {
    const opener = this.code(index)
    let key: string
    let after: number
    if (isQuote(opener)) {
      if (inDoubt && opener !== DOUBLE_QUOTE && opener !== SINGLE_QUOTE) return false
      const close = this.quotedEnd(index)
      if (close < 0) return false
      key = this.text.slice(index + 1, close)
      after = close + 1
    } else if (allowsBare && isWord(opener)) {
      after = this.wordEnd(index)
      key = this.text.slice(index, after)
    } else return false
    after = this.space(after)
    const sign = this.code(after)
    if (sign !== COLON && (inDoubt || sign !== EQUALS)) return false
    if (this.code(after + 1) === SLASH && !isQuote(opener)) return false
    return !inDoubt || this.known === undefined || this.known.has(key)
  }

  /** Where the quoted text of one line that starts here is closed, or -1. */
  quotedEnd(index: number): number {
    const { text, end } = this
    const opener = this.code(index)
    if (index < (this.noQuoteBefore[opener] ?? 0)) return -1
    const { closers, plain } = quoteKind(opener)
    let at = index + 1
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code === plain || code === LINE_FEED) break
      if (code === BACKSLASH) at++
      else if (code > 0x7f && opener !== DOUBLE_QUOTE && closers.includes(text.charAt(at))) break
    }
    this.looked += at - index
    if (at < end && text.charCodeAt(at) !== LINE_FEED) return at
    this.noQuoteBefore[opener] = at
    return -1
  }

  /** Passes over the characters of a bare key. */
  wordEnd(index: number): number {
    let at = index
    while (isWord(this.code(at)) || this.code(at) === MINUS || this.code(at) === DOT) at++
    this.looked += at - index
    return at
  }

  /** Whether a value could start here, bare words apart. */
  valueAt(index: number): boolean {
    const code = this.code(index)
    if (isQuote(code) || code === OPEN_BRACE || code === OPEN_BRACKET || isDigit(code)) return true
    if (code === MINUS) return isDigit(this.code(index + 1))
    return isWord(code) && constants.has(this.text.slice(index, this.wordEnd(index)))
  }

  /** Passes over closing brackets and the space between them; counts them. */
  closers(from: number): { readonly end: number; readonly count: number } {
    let index = this.space(from)
    let count = 0
    while (isCloser(this.code(index))) {
      count++
      index = this.space(index + 1)
    }
    return { end: index, count }
  }
}

/** Words that are values in JSON, Python, JavaScript or SQL. */
export const constants: ReadonlyMap<string, boolean | null> = new Map([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['null', 'Null', 'NULL', 'None', 'undefined'].map((word) => [word, null] as const),
])
