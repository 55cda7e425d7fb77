import type { Span } from '../types.ts'
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  COLON,
  DOUBLE_QUOTE,
  hexadecimalAt,
  isLetter,
  LINE_FEED,
  SINGLE_QUOTE,
  ZERO,
} from './characters.ts'

/** Thrown and caught inside the Python reader: the text is no literal. */
export class NotPython extends Error {}

/** Something in a string that JSON does not have. */
export interface ForeignPart {
  readonly code: 'escape-kept' | 'escape-decoded' | 'control-character'
  readonly span: Span
  readonly after: string
}

/** One string token of Python. */
export interface PythonString {
  readonly end: number
  readonly text: string
  readonly isBytes: boolean
  /** Not a string of JSON: another quote, a prefix, three quotes. */
  readonly isPython: boolean
  /** The place of a `\N{…}`, whose names we do not carry. */
  readonly named: Span | undefined
  /** The escapes and characters that JSON does not have, the first of each kind. */
  readonly foreign: readonly ForeignPart[]
  /** Means another thing in JSON: `\\/`, a path that nobody escaped, or `\\1` and `\\alpha`, which Python decodes. */
  readonly differsInJson: boolean
}

const NOTHING: readonly ForeignPart[] = []

const withPart = (parts: readonly ForeignPart[], part: ForeignPart): readonly ForeignPart[] =>
  parts.some(({ code }) => code === part.code) ? parts : [...parts, part]

const isEscape = ({ code }: ForeignPart): boolean => code !== 'control-character'

const prefixes = new Set(['', 'r', 'b', 'u', 'br', 'rb'])

/** Whether a string token starts here: a quote, or letters and then a quote. */
export function pythonStringAt(text: string, index: number): boolean {
  let at = index
  while (at < index + 3 && isLetter(text.charCodeAt(at))) at++
  const code = text.charCodeAt(at)
  return code === SINGLE_QUOTE || code === DOUBLE_QUOTE
}

const jsonEscapes = '"\\/bfnrtu'

/** JSON knows the first and has none of the others, so there a backslash before them is a backslash. */
const otherInJson = '/$av01234567\n\r'

/** The string token at `start`; throws `NotPython` where CPython would raise. */
export function pythonString(text: string, start: number): PythonString {
  let index = start
  while (isLetter(text.charCodeAt(index))) index++
  const prefix = text.slice(start, index).toLowerCase()
  if (!prefixes.has(prefix)) throw new NotPython()
  const isRaw = prefix.includes('r')
  const isBytes = prefix.includes('b')
  const quote = text.charCodeAt(index)
  const isTriple = text.charCodeAt(index + 1) === quote && text.charCodeAt(index + 2) === quote
  index += isTriple ? 3 : 1

  const isJsonString = quote === DOUBLE_QUOTE && !isTriple && prefix === ''
  const first = index
  let hasOtherEscape = false
  let hasControlEscape = false
  let named: PythonString['named']
  let foreign: readonly ForeignPart[] = NOTHING
  let built = ''
  let from = index
  while (true) {
    const code = text.charCodeAt(index)
    if (code === quote) {
      if (!isTriple) break
      if (text.charCodeAt(index + 1) === quote && text.charCodeAt(index + 2) === quote) break
      index++
    } else if (code === BACKSLASH) {
      if (isRaw) {
        // The next character is looked at like any other, except that it ends neither string nor line.
        const next = text.charCodeAt(++index)
        if (next === quote || next === BACKSLASH || next === LINE_FEED) index++
        else if (next === CARRIAGE_RETURN) {
          built += `${text.slice(from, index)}\n`
          index += text.charCodeAt(index + 1) === LINE_FEED ? 2 : 1
          from = index
        }
        continue
      }
      const letter = text.charAt(index + 1)
      const common = commonEscapes[letter]
      built += common === undefined ? text.slice(from, index) : text.slice(from, index) + common
      if (common !== undefined) {
        from = index += 2
        continue
      }
      const read = isBytes && 'uUN'.includes(letter) ? keptBackslash(index) : pythonEscape(text, index)
      if (!read || letter === '') throw new NotPython()
      if (read.named) named ??= [index, read.end]
      if (otherInJson.includes(letter)) hasOtherEscape = true
      if (letter === 'b' || letter === 'f') hasControlEscape = true
      if (!jsonEscapes.includes(letter)) {
        foreign = withPart(foreign, {
          code: read.kept ? 'escape-kept' : 'escape-decoded',
          span: [index, Math.max(read.end, index + 2)],
          after: read.kept ? `\\${letter}` : read.text,
        })
      }
      built += read.text
      index = read.end
      from = index
    } else if (code === LINE_FEED) {
      if (!isTriple) throw new NotPython()
      index++
    } else if (code === CARRIAGE_RETURN) {
      // CPython reads its source with line ends made one kind.
      if (!isTriple) throw new NotPython()
      built += `${text.slice(from, index)}\n`
      index += text.charCodeAt(index + 1) === LINE_FEED ? 2 : 1
      from = index
    } else if (Number.isNaN(code) || (isBytes && code > 0x7f)) throw new NotPython()
    else {
      if (code < 0x20) {
        foreign = withPart(foreign, { code: 'control-character', span: [index, index + 1], after: text.charAt(index) })
      }
      index++
    }
  }
  const isHalfEscaped = foreign.some(isEscape) && (hasControlEscape || hasDrivePath(text, first))
  return {
    end: index + (isTriple ? 3 : 1),
    text: built === '' ? text.slice(from, index) : built + text.slice(from, index),
    isBytes,
    isPython: !isJsonString,
    named,
    foreign,
    differsInJson: isJsonString && (hasOtherEscape || isHalfEscaped),
  }
}

/** `C:\` with one backslash and something behind it: a path that nobody escaped. */
export const drivePathAt = (text: string, index: number): boolean =>
  isLetter(text.charCodeAt(index)) &&
  !isLetter(text.charCodeAt(index - 1)) &&
  text.charAt(index + 1) === ':' &&
  text.charCodeAt(index + 2) === BACKSLASH &&
  text.charCodeAt(index + 3) !== BACKSLASH

/** Whether such a path stands in the string that starts here. */
function hasDrivePath(text: string, start: number): boolean {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === DOUBLE_QUOTE) return false
    if (code === COLON && drivePathAt(text, index - 1)) return true
    if (code === BACKSLASH) index++
  }
  return false
}

/** How an escape of Python reads: its text and where it ends. */
interface Escape {
  readonly end: number
  readonly text: string
  /** Not an escape at all: Python and we keep the backslash as it stands. */
  readonly kept?: boolean
  /** A `\N{…}` escape, whose table of names we do not carry. */
  readonly named?: boolean
}

/** The escapes that JSON and Python share and that texts are full of. */
const commonEscapes: { [letter: string]: string } = { n: '\n', t: '\t', '"': '"', '\\': '\\' }

const simpleEscapes: { [letter: string]: string } = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

const hexadecimalEscapes: { [letter: string]: number } = { x: 2, u: 4, U: 8 }

const nameEscape = /\\N\{[A-Za-z0-9 -]+\}/y

const keptBackslash = (index: number): Escape => ({ end: index + 1, text: '\\', kept: true })

/** The escape whose backslash stands at `start`, or `undefined` where CPython would raise. */
function pythonEscape(text: string, start: number): Escape | undefined {
  const letter = text.charAt(start + 1)
  const simple = simpleEscapes[letter]
  if (simple !== undefined) return { end: start + 2, text: simple }

  const length = hexadecimalEscapes[letter]
  if (length !== undefined) {
    const value = hexadecimalAt(text, start + 2, length)
    if (value < 0 || value > 0x10ffff) return undefined
    return { end: start + 2 + length, text: String.fromCodePoint(value) }
  }

  const code = text.charCodeAt(start + 1)
  if (code >= ZERO && code <= ZERO + 7) {
    let end = start + 2
    let value = code - ZERO
    while (end < start + 4 && text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= ZERO + 7) {
      value = value * 8 + text.charCodeAt(end++) - ZERO
    }
    return { end, text: String.fromCharCode(value) }
  }

  if (code === LINE_FEED) return { end: start + 2, text: '' }
  if (code === CARRIAGE_RETURN) {
    return { end: text.charCodeAt(start + 2) === LINE_FEED ? start + 3 : start + 2, text: '' }
  }
  if (letter === 'N') {
    nameEscape.lastIndex = start
    return nameEscape.test(text) ? { end: nameEscape.lastIndex, text: '', named: true } : undefined
  }
  return keptBackslash(start)
}
