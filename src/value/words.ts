import type { Frame } from './building.ts'
import { COLON, COMMA, HASH, isSpace, isWord, LINE_FEED, MINUS, SLASH } from './characters.ts'
import { canFollow } from './follow.ts'
import { constants, isCloser, isQuote, type Scan } from './scan.ts'

/** Text without quotes that stands where a string must. */
export interface BareWord {
  readonly text: string
  readonly end: number
  /** A closing quote ended it, so only the opening one is missing. */
  readonly hasQuote: boolean
}

/** Signs that names, paths and addresses have and expressions have not. */
const SIGNS = '-./\\:@~'
/** Signs that only an address has. */
const ADDRESS_SIGNS = '?=&#%+'

/**
 * The words from here to the next member, when they can be text: a name, a path, an address, a few words.
 * An expression, a call or anything with brackets is not.
 */
export function bareWord(scan: Scan, start: number, frames: readonly Frame[]): BareWord | undefined {
  const { text } = scan
  const frame = frames[frames.length - 1]
  if (!canStart(text, start)) return undefined
  let isAddress = false
  let hasSpace = false
  let index = start
  for (; index < scan.end; index++) {
    const code = text.charCodeAt(index)
    if (isWord(code)) continue
    if (code === LINE_FEED || isCloser(code)) break
    if (code === COMMA) {
      if (!frame?.isObject) break
      const next = scan.blank(index + 1)
      if (next >= scan.end || isCloser(scan.code(next)) || scan.keyAt(next, true, false)) break
      return undefined
    }
    if (isQuote(code)) {
      if (!canFollow(scan, index + 1, frames, true) || constants.has(text.slice(start, index))) return undefined
      scan.looked += index - start
      const words = text.slice(start, index)
      return words.includes('\\') ? undefined : { text: words, end: index + 1, hasQuote: true }
    }
    const before = text.charCodeAt(index - 1)
    const after = scan.code(index + 1)
    if (isSpace(code)) {
      hasSpace = true
      if (after === HASH || (after === SLASH && scan.code(index + 2) === SLASH)) break
      continue
    }
    if (code === COLON) {
      if (text.startsWith('://', index)) isAddress = true
      else if (hasSpace) return undefined
      else if (!isWord(after) && after !== SLASH && text.charAt(index + 1) !== '\\') return undefined
      continue
    }
    if (text.charAt(index) === '\\' && !isWord(after) && text.charAt(index + 1) !== '\\') return undefined
    if (code === MINUS && isSpace(before) && isSpace(after)) return undefined
    const sign = text.charAt(index)
    if (!SIGNS.includes(sign) && !(isAddress && ADDRESS_SIGNS.includes(sign))) return undefined
  }
  scan.looked += index - start
  const words = text.slice(start, index).trimEnd()
  return hasSpace && operatorWord.test(words) ? undefined : { text: words, end: index, hasQuote: false }
}

/** A word, `./a`, `~/a`, `/a`, `@a` or `\\\\server`; not a comment and not a constant with something behind it. */
function canStart(text: string, start: number): boolean {
  const sign = text.charAt(start)
  const next = text.charAt(start + 1)
  if (sign === '/') return next !== '/' && next !== '*'
  if (sign === '\\') return next === '\\' || isWord(text.charCodeAt(start + 1))
  if (sign === '.') return next === '/' || text.startsWith('../', start) || isWord(text.charCodeAt(start + 1))
  if (sign === '~' || sign === '@') return true
  return isWord(text.charCodeAt(start)) && !/^(true|false|null|None)\b/i.test(text.slice(start, start + 6))
}

/** Words that make an expression of what stands around them. */
const operatorWord = /(^| )(and|or|not|if|else|for|in|is|await|typeof|new|lambda|instanceof)( |$)/
