import type { Span } from '../types.ts'
import { BACKSLASH, CARRIAGE_RETURN, DOUBLE_QUOTE, isLetter, LINE_FEED, SINGLE_QUOTE, SLASH } from './characters.ts'
import { pythonEscape } from './python-tokens.ts'

/** Thrown and caught inside the Python reader: the text is no literal. */
export class NotPython extends Error {}

/** One string token of Python. */
export interface PythonString {
  readonly end: number
  readonly text: string
  readonly isBytes: boolean
  /** Not a string of JSON: another quote, a prefix, three quotes. */
  readonly isPython: boolean
  /** The place of a `\N{…}`, whose names we do not carry. */
  readonly named: Span | undefined
  /** The first escape that JSON does not have. */
  readonly foreign:
    | { readonly code: 'escape-kept' | 'escape-decoded'; readonly span: Span; readonly after: string }
    | undefined
  /** Means one thing in Python and another in JSON: a Windows path that nobody escaped, or the escape `\\/`. */
  readonly differsInJson: boolean
}

const prefixes = new Set(['', 'r', 'b', 'u', 'br', 'rb'])

/** Whether a string token starts here: a quote, or letters and then a quote. */
export function pythonStringAt(text: string, index: number): boolean {
  let at = index
  while (at < index + 3 && isLetter(text.charCodeAt(at))) at++
  const code = text.charCodeAt(at)
  return code === SINGLE_QUOTE || code === DOUBLE_QUOTE
}

const jsonEscapes = '"\\/bfnrtu'

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
  const isPath = drivePathAt(text, index)
  let hasSlashEscape = false
  let named: PythonString['named']
  let foreign: PythonString['foreign']
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
        if (index + 1 >= text.length) throw new NotPython()
        index += 2
        if (text.charCodeAt(index - 1) === CARRIAGE_RETURN) {
          built += `${text.slice(from, index - 1)}\n`
          if (text.charCodeAt(index) === LINE_FEED) index++
          from = index
        }
        continue
      }
      built += text.slice(from, index)
      const escape =
        isBytes && 'uUN'.includes(text.charAt(index + 1)) ? keptBackslash(index) : pythonEscape(text, index)
      if (!escape || escape.end > text.length) throw new NotPython()
      if (escape.named) named ??= [index, index + 2]
      if (text.charCodeAt(index + 1) === SLASH) hasSlashEscape = true
      if (!jsonEscapes.includes(text.charAt(index + 1)) || text.charAt(index + 1) === '') {
        foreign ??= {
          code: escape.kept ? 'escape-kept' : 'escape-decoded',
          span: [index, Math.max(escape.end, index + 2)],
          after: escape.kept ? `\\${text.charAt(index + 1)}` : escape.text,
        }
      }
      built += escape.text
      index = escape.end
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
    else index++
  }
  return {
    end: index + (isTriple ? 3 : 1),
    text: built === '' ? text.slice(from, index) : built + text.slice(from, index),
    isBytes,
    isPython: !isJsonString,
    named,
    foreign,
    differsInJson: isJsonString && (hasSlashEscape || (isPath && foreign !== undefined)),
  }
}

const keptBackslash = (index: number) => ({ end: index + 1, text: '\\', kept: true, named: false })

/** `C:\` with one backslash and a letter behind it: a path that nobody escaped. */
export const drivePathAt = (text: string, index: number): boolean =>
  isLetter(text.charCodeAt(index)) &&
  text.charAt(index + 1) === ':' &&
  text.charCodeAt(index + 2) === BACKSLASH &&
  text.charCodeAt(index + 3) !== BACKSLASH
