import type { Frame } from './building.ts'
import { BACKTICK, COLON, COMMA, isLetter, isSpace, isWord, OPEN_BRACE, OPEN_BRACKET } from './characters.ts'
import { isCloser, isQuote, type Scan } from './scan.ts'

/**
 * Whether the end of a string value can stand before `from`: one rule, what follows must be able to follow.
 * The first quote in a string gets the benefit of the doubt, since it ends every string that is well-formed.
 * In doubt, after a quote that ended nothing, only what reads on counts.
 */
export function canFollow(scan: Scan, from: number, frames: readonly Frame[], inDoubt: boolean): boolean {
  const frame = frames[frames.length - 1]
  let index = inDoubt ? scan.space(from) : scan.blank(from)
  if (index >= scan.end || !frame) return !inDoubt
  const code = scan.code(index)
  if (code === COLON || scan.text.startsWith('<|', index)) return !inDoubt
  if (isCloser(code)) return !inDoubt || canFollowClosers(scan, index, frames)
  if (code === COMMA) {
    do index = inDoubt ? scan.space(index + 1) : scan.blank(index + 1)
    while (scan.code(index) === COMMA)
    if (index >= scan.end) return !inDoubt
    if (isCloser(scan.code(index))) return !inDoubt || canFollowClosers(scan, index, frames)
    if (inDoubt) return memberAt(scan, index, frame.isObject)
    return !frame.isObject || !startsProse(scan.code(index)) || scan.valueAt(index) || scan.keyAt(index, true, false)
  }
  const isBeside = index === from || scan.hasLineEnd(from, index)
  if (!inDoubt && isBeside && (code === OPEN_BRACE || code === OPEN_BRACKET)) return true
  if (!inDoubt && isBeside && !isWord(code) && !isQuote(code) && !isOpening(scan.text, from - 1)) return true
  return memberWithoutComma(scan, from, index, frames, frame.isObject, inDoubt)
}

function canFollowClosers(scan: Scan, from: number, frames: readonly Frame[]): boolean {
  const { end, count } = scan.closers(from)
  if (end >= scan.end) return true
  const code = scan.code(end)
  const next = code === COMMA ? scan.space(end + 1) : end
  const outer = frames[frames.length - 1 - count]
  if (!outer) {
    if (code === COMMA) return scan.keyAt(next, false, true)
    if (code === OPEN_BRACE) return scan.keyAt(scan.space(end + 1), false, true)
    return code === BACKTICK || scan.text.charAt(end) === '<' || scan.hasLineEnd(from, end)
  }
  if (code !== COMMA) return memberWithoutComma(scan, from, end, frames, outer.isObject, true)
  return next >= scan.end || isCloser(scan.code(next)) || memberAt(scan, next, outer.isObject)
}

function memberAt(scan: Scan, index: number, inObject: boolean): boolean {
  return inObject ? scan.keyAt(index, false, true) || danglingKeyAt(scan, index) : scan.valueAt(index)
}

function memberWithoutComma(
  scan: Scan,
  from: number,
  index: number,
  frames: readonly Frame[],
  inObject: boolean,
  inDoubt: boolean,
): boolean {
  const code = scan.code(index)
  if (inObject) {
    if (code === OPEN_BRACE && frames.length === 1) return scan.keyAt(scan.space(index + 1), false, inDoubt)
    if (!inDoubt && danglingKeyAt(scan, index)) return true
    if (index === from && (inDoubt || !isQuote(code))) return false
    return scan.keyAt(index, !inDoubt && scan.hasLineEnd(from, index), inDoubt)
  }
  if (code === OPEN_BRACE || code === OPEN_BRACKET) return true
  return !inDoubt && index > from && (isQuote(code) || (scan.hasLineEnd(from, index) && scan.valueAt(index)))
}

/** Whether the quote at `index` stands where an opening one does: behind a space or an opening sign. */
export function isOpening(text: string, index: number): boolean {
  return isSpace(text.charCodeAt(index - 1)) || '([{=:,-'.includes(text.charAt(index - 1))
}

const startsProse = (code: number): boolean => isLetter(code) || code > 0x7f

/** A quote with nothing behind it but closing brackets, as gpt-oss leaves it: `{"path": "x","}` (ollama 12064). */
export function danglingKeyAt(scan: Scan, index: number): boolean {
  if (!isQuote(scan.code(index))) return false
  const { end, count } = scan.closers(index + 1)
  return count > 0 && end >= scan.end
}
