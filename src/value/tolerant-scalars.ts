import type { Finish, Span } from '../types.ts'
import { Building } from './building.ts'
import { BACKSLASH, COLON, DOT, isDigit, isWord, MINUS, PLUS } from './characters.ts'
import { pythonNumber } from './python-tokens.ts'
import { constants, type Scan } from './scan.ts'
import { plainStringEnd, type ReadString, readString } from './tolerant-string.ts'
import { bareWord } from './words.ts'

/** What a tolerant reader expects next. */
export type State = 'key' | 'colon' | 'value' | 'after' | 'done'

/** The part of the tolerant reader that reads strings, numbers and words. */
export class TolerantScalars extends Building {
  readonly finish: Finish
  /** The last value is a number or bare word that touches the end: it may go on. */
  protected mayGoOn = false
  protected scalarEnd = -1

  constructor(scan: Scan, finish: Finish, deepest: number) {
    super(scan, deepest)
    this.finish = finish
  }

  protected readText(): State {
    const { index } = this
    const plainEnd = plainStringEnd(this.scan, index, this.frames)
    if (plainEnd >= 0) {
      this.index = plainEnd + 1
      this.put(this.scan.text.slice(index + 1, plainEnd))
      return 'after'
    }
    const read = readString(this.scan, index, this.frames)
    const { fault } = read
    if (fault?.kind === 'ambiguous') {
      return this.refuse('ambiguous', [fault.at, fault.at + 1], 'a quote inside a string is not escaped')
    }
    if (fault?.kind === 'half-escaped') {
      const detail = 'a backslash starts no escape, so the others of the string may not be meant as escapes either'
      return this.refuse('ambiguous', [fault.at, fault.at + 1], detail)
    }
    if (fault?.kind === 'unreadable') {
      return this.refuse('unreadable', [fault.at, fault.at + 1], 'something stands behind a closing quote')
    }
    const where = this.frame?.key === undefined ? 'a string' : JSON.stringify(this.frame.key)
    this.index = read.end
    this.noteString(read, index)
    this.put(read.text)
    const isOpen = fault?.kind === 'open' && this.finish !== 'length'
    return fault && !isOpen ? this.cut(`inside ${where}`, index) : 'after'
  }

  protected readNumber(): State {
    const { index, scan } = this
    const { text } = scan
    const sign = text.charCodeAt(index)
    const isSigned = sign === MINUS || sign === PLUS
    const start = isSigned ? index + 1 : index
    if (text.startsWith('Infinity', start)) return this.refuse('number-not-finite', [index, start + 8])
    const number = isDigit(scan.code(start)) || scan.code(start) === DOT ? pythonNumber(text, start) : undefined
    if (!number || number.end > scan.end || number.kind === 'imaginary') {
      return start >= scan.end
        ? this.cut('inside a number', index)
        : this.refuse('unreadable', [index, index + 1], 'no number is spelled like that')
    }
    const after = scan.code(number.end)
    const hasLeadingZero = number.isPython && number.kind === 'integer' && isDigit(scan.code(start + 1))
    const goesOn = isWord(after) || after === MINUS || after === PLUS || after === DOT || after === COLON
    if (goesOn || hasLeadingZero || after === BACKSLASH) {
      return this.refuse('unreadable', [index, number.end], 'no number is spelled like that')
    }
    const value = sign === MINUS ? -number.value : number.value
    const span: Span = [index, number.end]
    if (!Number.isFinite(value)) return this.refuse('number-not-finite', span)
    if (number.exact !== undefined)
      this.note('integer-large', span, value, `${sign === MINUS ? '-' : ''}${number.exact}`)
    if (number.isPython || sign === PLUS || (start > index && scan.code(start) === DOT))
      this.note('number-spelling', span, value)
    scan.onNumber?.(this.path(), text.slice(...span))
    this.index = this.scalarEnd = number.end
    this.mayGoOn = number.end >= scan.end
    this.put(value)
    return 'after'
  }

  protected readWord(): State {
    const { index, scan } = this
    const end = scan.wordEnd(index)
    const word = scan.text.slice(index, end)
    const span: Span = [index, end]
    if (constants.has(word) && (end >= scan.end || scan.blank(end) > end || ',}]"'.includes(scan.text.charAt(end)))) {
      const value = constants.get(word) ?? null
      if (word === 'undefined') this.note('undefined-to-null', span, value)
      else if (word !== String(value)) this.note('constant-spelling', span, value)
      this.index = this.scalarEnd = end
      this.put(value)
      return 'after'
    }
    if (/^(nan|inf|infinity)$/i.test(word)) return this.refuse('number-not-finite', span)
    const isCutShort = end >= scan.end && [...constants.keys()].some((constant) => constant.startsWith(word))
    if (isCutShort) return this.cut('inside a word', index)
    if (/^(none|nil)$/i.test(word) || isHalfConstant(word)) {
      return this.refuse('ambiguous', span, `${word} may be a word or a constant`)
    }
    const bare = this.frames.length > 1 || this.frame?.isObject ? bareWord(scan, index, this.frames) : undefined
    if (!bare) return this.refuse('unreadable', [index, end], 'text stands without quotes, or an expression')
    if (bare.hasQuote && this.frame?.hasBareKey) {
      return this.refuse('ambiguous', [index, bare.end], 'neither the key nor the value before the quote has another')
    }
    this.note(bare.hasQuote ? 'quote-missing' : 'word-bare', [index, bare.end], bare.text)
    this.index = bare.end
    this.mayGoOn = bare.end >= scan.end
    this.put(bare.text)
    return 'after'
  }

  protected noteString({ notes, text }: ReadString, start: number): void {
    for (const { code, span, after } of notes) this.note(code, span, span[0] === start ? text : after)
  }
}

/** The start of true, false or null, of at least two letters. */
const isHalfConstant = (word: string): boolean =>
  word.length > 1 && [...constants.keys()].some((constant) => constant.startsWith(word) && constant !== word)
