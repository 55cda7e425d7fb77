import type { JsonValue } from '../types.ts'
import { DOT, hexadecimal, isDigit, isWord, MINUS, PLUS, UNDERSCORE, ZERO } from './characters.ts'

/** A number as CPython's tokenizer takes it, without its sign. */
export interface PythonNumber {
  readonly end: number
  readonly kind: 'integer' | 'float' | 'imaginary'
  readonly value: number
  /** Not spelled as JSON spells it. */
  readonly isPython: boolean
  /** The exact value of an integer that a double cannot hold. */
  readonly exact?: bigint
}

/** CPython refuses longer decimal integers (sys.int_info.default_max_str_digits). */
const MOST_DECIMAL_DIGITS = 4300

const radixes: { [letter: string]: number } = { x: 16, o: 8, b: 2 }

/** Digits with single underscores between them; returns where they end, or -1 when an underscore stands wrong. */
function digitsEnd(text: string, start: number, radix: number): number {
  let index = start
  let underscore = false
  for (; ; index++) {
    const code = text.charCodeAt(index)
    if (code === UNDERSCORE) {
      if (underscore || index === start) return -1
      underscore = true
    } else {
      const digit = hexadecimal(code)
      if (digit < 0 || digit >= radix) return underscore ? -1 : index
      underscore = false
    }
  }
}

function integer(end: number, digits: string, isPython: boolean): PythonNumber {
  const value = Number(digits)
  return Number.isSafeInteger(value)
    ? { end, kind: 'integer', value, isPython }
    : { end, kind: 'integer', value, isPython, exact: BigInt(digits) }
}

/**
 * The number that starts at `start`, or `undefined` where CPython's tokenizer would raise.
 *
 * @example
 * pythonNumber('0x_ff', 0) // { end: 5, kind: 'integer', value: 255, isPython: true }
 */
export function pythonNumber(text: string, start: number): PythonNumber | undefined {
  const short = shortInteger(text, start)
  if (short) return short
  const radix = text.charCodeAt(start) === ZERO ? radixes[text.charAt(start + 1).toLowerCase()] : undefined
  if (radix !== undefined) return radixNumber(text, start, radix)

  let end = start
  if (text.charCodeAt(start) !== DOT) {
    end = digitsEnd(text, start, 10)
    if (end < 0) return undefined
  }
  let isFloat = false
  let isPython = text.charCodeAt(start) === ZERO ? end > start + 1 : end === start
  if (text.charCodeAt(end) === DOT) {
    isFloat = true
    const fraction = isDigit(text.charCodeAt(end + 1)) ? digitsEnd(text, end + 1, 10) : end + 1
    if (fraction < 0 || text.charCodeAt(fraction) === UNDERSCORE) return undefined
    if (fraction === start + 1) return undefined
    if (fraction === end + 1) isPython = true
    end = fraction
  }
  if ((text.charCodeAt(end) | 0x20) === 0x65) {
    const sign = text.charCodeAt(end + 1)
    const exponentStart = sign === PLUS || sign === MINUS ? end + 2 : end + 1
    if (!isDigit(text.charCodeAt(exponentStart))) return undefined
    const exponent = digitsEnd(text, exponentStart, 10)
    if (exponent < 0) return undefined
    isFloat = true
    end = exponent
  }
  const after = text.charCodeAt(end)
  const isImaginary = (after | 0x20) === 0x6a
  if (isImaginary) end++
  if (isWord(text.charCodeAt(end))) return undefined
  if (isImaginary) return { end, kind: 'imaginary', value: 0, isPython: true }

  let digits = text.slice(start, end)
  if (digits.includes('_')) {
    digits = digits.replaceAll('_', '')
    isPython = true
  }
  if (isFloat) return { end, kind: 'float', value: Number(digits), isPython }
  if (digits.charCodeAt(0) === ZERO) {
    return /[^0]/.test(digits) ? undefined : { end, kind: 'integer', value: 0, isPython }
  }
  return digits.length > MOST_DECIMAL_DIGITS ? undefined : integer(end, digits, isPython)
}

/** A plain integer of up to nine digits with a sign of the grammar behind it: most numbers are so. */
function shortInteger(text: string, start: number): PythonNumber | undefined {
  let value = text.charCodeAt(start) - ZERO
  if (!(value >= 1 && value <= 9)) return undefined
  let end = start + 1
  while (end < start + 9 && isDigit(text.charCodeAt(end))) value = value * 10 + text.charCodeAt(end++) - ZERO
  const after = text.charAt(end)
  return after === ',' || after === '}' || after === ']' ? { end, kind: 'integer', value, isPython: false } : undefined
}

function radixNumber(text: string, start: number, radix: number): PythonNumber | undefined {
  const first = text.charCodeAt(start + 2) === UNDERSCORE ? start + 3 : start + 2
  const end = digitsEnd(text, first, radix)
  if (end <= first || isWord(text.charCodeAt(end))) return undefined
  const digits = text.slice(start, end).replaceAll('_', '')
  return integer(end, digits, true)
}

/** The text that a key becomes: what json.dumps of Python makes of it. */
export function pythonKeyText(value: JsonValue, isFloat: boolean, exact: bigint | undefined): string {
  if (isFloat) return floatText(value as number)
  if (exact !== undefined && Number.isFinite(value)) return String(exact)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** What `repr` of Python writes. */
function floatText(value: number): string {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power < -4 || power >= 16) {
    return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  }
  const plain = Object.is(value, -0) ? '-0' : String(value)
  return Number.isInteger(value) ? `${plain}.0` : plain
}

/** A scalar as Python compares it: the same text for 1, 1.0 and True. Base 32 takes linear time, whatever the size. */
export function pythonHash(value: string | number | boolean | null, exact: bigint | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (exact !== undefined) return exact.toString(32)
  return Number.isInteger(value) ? BigInt(value as number).toString(32) : String(value)
}

/** CPython normalizes names, but not its keywords: `\uff53et()` is a set, and nothing else spells True. */
export const isSetName = (word: string): boolean =>
  word === 'set' || (/^\p{XID_Start}\p{XID_Continue}*$/u.test(word) && word.normalize('NFKC') === 'set')
