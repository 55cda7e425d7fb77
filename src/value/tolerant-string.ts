import type { Span } from '../types.ts'
import { closerOf, type Frame } from './building.ts'
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  DOUBLE_QUOTE,
  hexadecimalAt,
  isSpace,
  LINE_FEED,
  OPEN_BRACE,
} from './characters.ts'
import { canFollow, isOpening } from './follow.ts'
import { drivePathAt } from './python-string.ts'
import type { ValueRepairCode } from './repairs.ts'
import { quoteKind, type Scan } from './scan.ts'

/** A change inside a string, with its place. */
export interface StringNote {
  readonly code: ValueRepairCode
  readonly span: Span
  readonly after: string
}

/** A string that was read, or why it cannot be. */
export interface ReadString {
  readonly text: string
  readonly end: number
  readonly notes: readonly StringNote[]
  /** The text ended inside it, two readings are plausible, or something stands behind its closing quote. */
  readonly fault?: { readonly kind: 'cut' | 'open' | 'ambiguous' | 'half-escaped' | 'unreadable'; readonly at: number }
}

const NO_NOTES: readonly StringNote[] = []

/** A string full of the same repair names it so often, and no more. */
const MOST_NOTES = 64

/**
 * Reads the string value that opens at `start`. A closing quote counts when what follows can follow it:
 * so a quote that nobody escaped is text, and a well-formed string is never cut.
 */
export function readString(scan: Scan, start: number, frames: readonly Frame[]): ReadString {
  const { text } = scan
  const opener = text.charAt(start)
  if ((opener === '"' || opener === "'") && text.startsWith(opener.repeat(3), start)) {
    const triple = readTriple(scan, start, frames)
    if (triple) return triple
  }
  const reader = new StringReader(scan, start, frames, false)
  const read = reader.read()
  if (!reader.hasForeignEscape || !drivePathAt(text, start + 1)) return read
  // One backslash of the path starts no escape, so none was meant to (openclaw 88918).
  const path = new StringReader(scan, start, frames, true).read()
  return isPath(path.text) ? path : read
}

/** Where a string ends that JSON would take as it stands and that has no escapes, else -1. Most strings are so. */
export function plainStringEnd(scan: Scan, start: number, frames: readonly Frame[]): number {
  const { text } = scan
  if (text.charCodeAt(start) !== DOUBLE_QUOTE) return -1
  let index = start + 1
  let code = text.charCodeAt(index)
  while (code !== DOUBLE_QUOTE && code !== BACKSLASH && code >= 0x20) code = text.charCodeAt(++index)
  scan.looked += index - start
  const isEnd = code === DOUBLE_QUOTE && index < scan.end && text.charCodeAt(index + 1) !== DOUBLE_QUOTE
  return isEnd && canFollow(scan, index + 1, frames, false) ? index : -1
}

/** Reads a quoted text whose closing quote is known: a key. */
export function readQuoted(scan: Scan, start: number, close: number): ReadString {
  const plain = scan.text.slice(start + 1, close)
  if (scan.text.charCodeAt(start) === DOUBLE_QUOTE && !plain.includes('\\'))
    return { text: plain, end: close + 1, notes: NO_NOTES }
  return new StringReader(scan, start, [], false, close).read()
}

function isPath(text: string): boolean {
  for (const illegal of '<>"|?*\n') if (text.includes(illegal)) return false
  return true
}

function readTriple(scan: Scan, start: number, frames: readonly Frame[]): ReadString | undefined {
  const { text } = scan
  const quotes = text.slice(start, start + 3)
  let close = text.indexOf(quotes, start + 3)
  scan.looked += (close < 0 ? scan.end : close) - start
  // Of four quotes at the end the first belongs to the text.
  while (close >= 0 && text.charAt(close + 3) === quotes.charAt(0)) close++
  if (close < 0 || close + 3 > scan.end || !canFollow(scan, close + 3, frames, true)) return undefined
  const after = text.slice(start + 3, close)
  return { text: after, end: close + 3, notes: [{ code: 'quotes-triple', span: [start, close + 3], after }] }
}

class StringReader {
  readonly scan: Scan
  readonly start: number
  readonly frames: readonly Frame[]
  readonly opener: number
  /** Every backslash is one: the string is a Windows path. */
  readonly keepsBackslashes: boolean
  /** Where the closing quote stands, when that is known. */
  readonly close: number
  readonly notes: StringNote[] = []
  hasForeignEscape = false
  /** Where a backslash stands that starts no escape. */
  keptEscape = -1
  /** Where the backslash stands before a dollar. */
  dollarEscape = -1
  /** `\\b` or `\\f` was decoded, which hardly anybody means. */
  hasRareEscape = false
  /** One of those or `\\n`, `\\r`, `\\t` was decoded. */
  hasControlEscape = false
  /** A Windows path stands in the string. */
  hasPath = false
  hasLineBreak = false
  /** An escape stands between two quotes that nobody escaped. */
  hasInnerEscape = false
  hasQuoteEscape = false
  lastEscape = -1
  /** Where the escape just read ends. */
  next = 0
  /** Quotes of the opener's kind that did not end the string. */
  inner = 0
  firstInner = -1
  /** The last of them looks like an opening one, so the next could be its partner. */
  innerOpens = false
  /** Where the string may have ended all the same: a key of the object around, or another string, seems to follow. */
  otherEnd = -1
  openSmartQuotes = 0
  /** A typographic quote that could close the string, should the next plain one not do it. */
  smartEnd = -1

  constructor(scan: Scan, start: number, frames: readonly Frame[], keepsBackslashes: boolean, close = -1) {
    this.scan = scan
    this.start = start
    this.frames = frames
    this.opener = scan.text.charCodeAt(start)
    this.keepsBackslashes = keepsBackslashes
    this.close = close
  }

  read(): ReadString {
    const { scan, start, opener, notes } = this
    const { text, end } = scan
    const { closers, plain, repair } = quoteKind(opener)
    let built = ''
    let from = start + 1
    let index = from
    let hasControl = repair === 'quotes-backtick'
    while (index < end) {
      const code = text.charCodeAt(index)
      if (code === BACKSLASH) {
        built += text.slice(from, index) + this.readEscape(index)
        index = from = this.next
        continue
      }
      if (code < 0x20) {
        if (code === LINE_FEED && repair !== 'quotes-backtick') this.hasLineBreak = true
        if (!hasControl) this.note('control-character', [index, index + 1], text.charAt(index))
        hasControl = true
      } else if (code === opener || code === plain || (isSmartQuote(code) && closers.includes(text.charAt(index)))) {
        if (this.endsAt(index, code)) {
          scan.looked += index - start
          if (this.smartEnd >= 0 && this.inner > 0) return this.readToSmartEnd()
          if (repair) notes.unshift({ code: repair, span: [start, index + 1], after: '' })
          const read = { text: built + text.slice(from, index), end: index + 1, notes }
          const fault = this.fault()
          return fault ? { ...read, fault } : read
        }
      }
      index++
    }
    scan.looked += index - start
    if (
      this.smartEnd >= 0 &&
      text.slice(this.smartEnd + 1, end).trim() === this.frames.map(closerOf).reverse().join('')
    ) {
      return this.readToSmartEnd()
    }
    const close = this.missingClose()
    if (close >= 0) {
      const read = { text: built + text.slice(from, close), end: close, notes }
      notes.push({ code: 'quote-missing', span: [close, close], after: '"' })
      return { ...read, fault: { kind: 'open', at: start } }
    }
    const last = text.charCodeAt(end - 1)
    const isWhole = this.inner > 0 && (last === CLOSE_BRACE || last === CLOSE_BRACKET)
    const fault = isWhole ? { kind: 'unreadable' as const, at: this.firstInner } : { kind: 'cut' as const, at: start }
    return { text: built + text.slice(from, end), end, notes, fault }
  }

  /**
   * Where the closing quote is missing for sure: at the end of the text stand the closers of all that is open, and of
   * no bracket in the string, so that they cannot belong to it. -1 when it may as well be cut.
   */
  missingClose(): number {
    const { scan, start, inner, opener } = this
    if (opener !== DOUBLE_QUOTE || inner > 0 || this.frames.length === 0) return -1
    const tail = this.frames.map(closerOf).reverse()
    let index = scan.end
    for (const closer of tail.reverse()) {
      while (index > start && isSpace(scan.code(index - 1))) index--
      if (scan.text.charAt(index - 1) !== closer) return -1
      index--
    }
    const inside = scan.text.slice(start + 1, index)
    return /[{}[\]\\\n]/.test(inside) || inside.trim() === '' || /\s$/.test(inside) ? -1 : index
  }

  readToSmartEnd(): ReadString {
    const { scan, start, smartEnd } = this
    const read = new StringReader(scan, start, [], false, smartEnd).read()
    return { ...read, notes: [...read.notes, { code: 'quotes-smart', span: [smartEnd, smartEnd + 1], after: '"' }] }
  }

  /** Whether the quote at `index` ends the string; remembers it as text when it does not. */
  endsAt(index: number, code: number): boolean {
    const { scan, opener } = this
    if (this.close >= 0) return index === this.close
    if (opener === OPENING_SMART_QUOTE && this.isNested(code)) return false
    if (opener === DOUBLE_QUOTE && code !== opener) {
      if (code === OPENING_SMART_QUOTE) this.openSmartQuotes++
      else if (this.openSmartQuotes > 0) this.openSmartQuotes--
      else if (this.smartEnd < 0 && this.canEndSmart(index)) this.smartEnd = index
      return false
    }
    const isInside = opener === OPENING_SMART_QUOTE && scan.text.charCodeAt(index + 1) === CLOSING_SMART_QUOTE
    if (code === DOUBLE_QUOTE && isInside) return false
    if (canFollow(scan, index + 1, this.frames, this.inner > 0)) return true
    if (code === opener) this.addInner(index)
    return this.smartEnd >= 0
  }

  /** Typographic quotes come in pairs, also inside of others. */
  isNested(code: number): boolean {
    if (code === OPENING_SMART_QUOTE) this.openSmartQuotes++
    else if (code === DOUBLE_QUOTE || this.openSmartQuotes === 0) return false
    else this.openSmartQuotes--
    return true
  }

  /** At the end of the text a typographic quote proves nothing: the string may have been cut behind it. */
  canEndSmart(index: number): boolean {
    const { scan } = this
    return this.inner === 0 && scan.space(index + 1) < scan.end && canFollow(scan, index + 1, this.frames, true)
  }

  /** A quote that nobody escaped. Notes where another reading of the string would end it. */
  addInner(index: number): void {
    const { scan } = this
    this.inner++
    if (this.firstInner < 0) this.firstInner = index
    const isBehindSpace = isOpening(scan.text, index)
    const opens = isBehindSpace && !isSpace(scan.code(index + 1))
    const endsBefore = this.inner % 2 === 0 && isBehindSpace && !this.innerOpens
    const isDoubled = this.inner % 2 === 1 && scan.code(index + 1) === this.opener
    const isKey = scan.keyAt(index, false, true) && (!behindBrace(scan, index, this.start) || this.isRestart(index))
    const inList = this.frames[this.frames.length - 1]?.isObject === false
    const isBesideValue = this.inner === 1 && scan.valueAt(index + 1) && (inList || !isOpening(scan.text, index))
    const isBlank = this.inner === 1 && scan.space(this.start + 1) === index
    const isOverEscaped = scan.text.charCodeAt(index - 1) === BACKSLASH
    if (endsBefore || isDoubled || isKey || isBesideValue || isBlank || isOverEscaped) this.otherEnd = index
    this.innerOpens = opens
    this.note('quote-unescaped', [index, index + 1], `\\${scan.text.charAt(index)}`)
  }

  /** The object around starts anew inside its own string: it was cut, and written again (opencode 17315). */
  isRestart(index: number): boolean {
    const root = this.frames[0]
    if (!root?.isObject) return false
    const [first = root.key] = Object.keys(root.object)
    return first !== undefined && this.scan.text.startsWith(first, index + 1)
  }

  fault(): ReadString['fault'] {
    if (this.otherEnd >= 0) return { kind: 'ambiguous', at: this.otherEnd }
    if (this.inner % 2 === 1 && this.innerOpens) return { kind: 'ambiguous', at: this.firstInner }
    // One escape proves that nobody escaped this text, so another that JSON knows may be none either.
    const isHalfEscaped = this.keptEscape >= 0 && (this.hasRareEscape || (this.hasPath && this.hasControlEscape))
    if (isHalfEscaped) return { kind: 'half-escaped', at: this.keptEscape }
    // A shell and a template write \$ for a dollar, a pattern for one that is none: only another escape would tell.
    if (this.dollarEscape >= 0 && this.keptEscape < 0) return { kind: 'half-escaped', at: this.dollarEscape }
    // A raw line break or a bare quote proves the same.
    const isRaw = this.hasLineBreak && this.hasControlEscape
    const isMixed = this.inner > 0 && (this.hasInnerEscape || this.hasRareEscape || this.hasQuoteEscape)
    return isRaw || isMixed ? { kind: 'half-escaped', at: this.lastEscape } : undefined
  }

  readEscape(index: number): string {
    const { text } = this.scan
    const letter = text.charAt(index + 1)
    this.next = index + 2
    if (this.keepsBackslashes && letter !== '\\' && letter !== '"') {
      this.next = index + 1
      if (this.notes.every(({ code }) => code !== 'path-backslashes')) {
        this.note('path-backslashes', [this.start, Math.min(index + 2, this.scan.end)], '\\\\')
      }
      return '\\'
    }
    if (drivePathAt(text, index - 2)) this.hasPath = true
    const decoded = jsonEscapes[letter]
    if (decoded !== undefined) {
      this.lastEscape = index
      if (letter === '"') this.hasQuoteEscape = true
      else if (letter === 'b' || letter === 'f') this.hasRareEscape = true
      if (decoded < ' ') {
        this.hasControlEscape = true
        if (this.inner % 2 === 1) this.hasInnerEscape = true
      }
      return decoded
    }
    const length = hexadecimalEscapes[letter]
    const value = length === undefined ? -1 : hexadecimalAt(text, index + 2, length)
    if (length !== undefined && value >= 0 && value <= 0x10ffff && index + 2 + length <= this.scan.end) {
      this.next = index + 2 + length
      const character = String.fromCodePoint(value)
      if (letter !== 'u') this.foreign('escape-decoded', [index, this.next], character)
      return character
    }
    if (letter === "'" || letter === '`') {
      if (text.charAt(this.start) !== letter) this.foreign('escape-decoded', [index, this.next], letter)
      return letter
    }
    this.next = index + 1
    if (letter === '$' && this.keptEscape < 0) this.dollarEscape = index
    else this.keptEscape = index
    this.foreign('escape-kept', [index, Math.min(index + 2, this.scan.end)], `\\\\${letter}`)
    return '\\'
  }

  foreign(code: ValueRepairCode, span: Span, after: string): void {
    this.hasForeignEscape = true
    this.note(code, span, after)
  }

  note(code: ValueRepairCode, span: Span, after: string): void {
    const isFirst = this.notes.length < MOST_NOTES || this.notes.every((note) => note.code !== code)
    if (isFirst) this.notes.push({ code, span, after })
  }
}

const OPENING_SMART_QUOTE = 0x201c
const CLOSING_SMART_QUOTE = 0x201d

const jsonEscapes: { readonly [letter: string]: string } = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const hexadecimalEscapes: { readonly [letter: string]: number } = { u: 4, x: 2, U: 8 }

const isSmartQuote = (code: number): boolean =>
  (code >= 0x2018 && code <= 0x201e) || code === 0xb4 || code === 0xab || code === 0xbb

function behindBrace(scan: Scan, index: number, start: number): boolean {
  let at = index - 1
  while (at > start && isSpace(scan.text.charCodeAt(at))) at--
  scan.looked += index - at
  return scan.text.charCodeAt(at) === OPEN_BRACE
}
