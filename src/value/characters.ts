/** Character codes and classes that the value readers share. */

export const TAB = 0x09
export const LINE_FEED = 0x0a
export const FORM_FEED = 0x0c
export const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const DOUBLE_QUOTE = 0x22
export const HASH = 0x23
export const DOLLAR = 0x24
export const SINGLE_QUOTE = 0x27
export const OPEN_PARENTHESIS = 0x28
export const CLOSE_PARENTHESIS = 0x29
export const ASTERISK = 0x2a
export const PLUS = 0x2b
export const COMMA = 0x2c
export const MINUS = 0x2d
export const DOT = 0x2e
export const SLASH = 0x2f
export const ZERO = 0x30
export const NINE = 0x39
export const COLON = 0x3a
export const SEMICOLON = 0x3b
export const EQUALS = 0x3d
export const GREATER = 0x3e
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_BRACKET = 0x5d
export const UNDERSCORE = 0x5f
export const BACKTICK = 0x60
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d

export const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

const letterOrMark = /[\p{L}\p{M}]/u

/** A letter of any script, an ASCII digit, an underscore or a dollar sign. */
export const isWord = (code: number): boolean =>
  isLetter(code) ||
  isDigit(code) ||
  code === UNDERSCORE ||
  code === DOLLAR ||
  (code > 0x7f && letterOrMark.test(String.fromCharCode(code)))

/** White space of JSON itself. */
export const isJsonSpace = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB

/** White space of JSON, and the kinds that models paste in between. */
export const isSpace = (code: number): boolean =>
  code === SPACE ||
  (code >= TAB && code <= CARRIAGE_RETURN) ||
  code === 0xa0 ||
  code === 0xfeff ||
  code === 0x3000 ||
  (code >= 0x2000 && code <= 0x200b) ||
  code === 0x2028 ||
  code === 0x2029

/** The value of a hexadecimal digit, or -1. */
export const hexadecimal = (code: number): number =>
  isDigit(code) ? code - ZERO : (code | 0x20) >= 0x61 && (code | 0x20) <= 0x66 ? (code | 0x20) - 0x57 : -1

/** The number that exactly `length` hexadecimal digits at `start` write, or -1. */
export function hexadecimalAt(text: string, start: number, length: number): number {
  let value = 0
  for (let index = start; index < start + length; index++) {
    const digit = hexadecimal(text.charCodeAt(index))
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}
