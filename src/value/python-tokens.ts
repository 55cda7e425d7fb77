import {
  CARRIAGE_RETURN,
  DOT,
  hexadecimal,
  hexadecimalAt,
  isDigit,
  isLetter,
  LINE_FEED,
  MINUS,
  PLUS,
  UNDERSCORE,
  ZERO,
} from './characters.ts'

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
  if (continuesWord(text.charCodeAt(end))) return undefined
  if (isImaginary) return { end, kind: 'imaginary', value: 0, isPython: true }

  let digits = text.slice(start, end)
  if (digits.includes('_')) {
    digits = digits.replaceAll('_', '')
    isPython = true
  }
  if (isFloat) return { end, kind: 'float', value: Number(digits), isPython }
  if (digits.length > MOST_DECIMAL_DIGITS) return undefined
  const number = integer(end, digits, isPython)
  return digits.charCodeAt(0) === ZERO && number.value !== 0 ? undefined : number
}

function radixNumber(text: string, start: number, radix: number): PythonNumber | undefined {
  const first = text.charCodeAt(start + 2) === UNDERSCORE ? start + 3 : start + 2
  const end = digitsEnd(text, first, radix)
  if (end <= first || continuesWord(text.charCodeAt(end))) return undefined
  const digits = text.slice(start, end).replaceAll('_', '')
  return integer(end, digits, true)
}

const continuesWord = (code: number): boolean => isLetter(code) || isDigit(code) || code === UNDERSCORE || code > 0x7f

/** How an escape of Python reads: its text and where it ends; `undefined` where CPython would raise. */
export interface Escape {
  readonly end: number
  readonly text: string
  /** Not an escape at all: Python and we keep the backslash as it stands. */
  readonly kept?: boolean
  /** A `\N{…}` escape, whose table of names we do not carry. */
  readonly named?: boolean
}

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

/**
 * The escape of a string literal that starts with the backslash at `start`.
 *
 * @example
 * pythonEscape('\\x41', 0) // { end: 4, text: 'A' }
 */
export function pythonEscape(text: string, start: number): Escape | undefined {
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
  if (code === CARRIAGE_RETURN)
    return { end: text.charCodeAt(start + 2) === LINE_FEED ? start + 3 : start + 2, text: '' }
  if (letter === 'N') return { end: start + 2, text: '', named: true }
  return { end: start + 1, text: '\\', kept: true }
}

/** What `repr` would write for a float, which is how Python spells it as a key. */
export function pythonFloatText(value: number): string {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power < -4 || power >= 16) {
    return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  }
  const plain = Object.is(value, -0) ? '-0' : String(value)
  return Number.isInteger(value) ? `${plain}.0` : plain
}
