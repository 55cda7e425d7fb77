import type { Span } from '../types.ts'
import { closerOf, type Frame, isEmpty, keySpan, type Outcome, Stop } from './building.ts'
import {
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  HASH,
  isDigit,
  isJsonSpace,
  isSpace,
  isWord,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  SEMICOLON,
  SLASH,
  SPACE,
} from './characters.ts'
import { canFollow, danglingKeyAt } from './follow.ts'
import { isCloser, isQuote } from './scan.ts'
import { type State, TolerantScalars } from './tolerant-scalars.ts'
import { readQuoted } from './tolerant-string.ts'

/**
 * Reads one object, list or string with a grammar that forgives: every departure from JSON is a repair with a name,
 * or the reading is refused. Keeps its own stack, so that depth costs memory and not calls.
 */
export class TolerantReader extends TolerantScalars {
  /** Where the last token ended. */
  private before = 0
  /** Where a bracket ended that closed nothing, or came behind a comma. */
  private oddEnd = -1
  /** A closing bracket was dropped. */
  private hasDropped = false

  /** Reads the value that starts here. */
  read(start: number): Outcome {
    this.index = start
    try {
      let state: State = 'value'
      while (state !== 'done') state = this.step(state)
      return { kind: 'value', value: this.root, end: this.index }
    } catch (error) {
      if (error instanceof Stop) return error.outcome
      throw error
    }
  }

  private step(state: State): State {
    this.before = this.index
    const index = this.blank(state)
    if (index >= this.scan.end) return this.atEnd(state)
    const code = this.scan.code(index)
    if (code !== this.scan.text.charCodeAt(index)) {
      this.note('sign-fullwidth', [index, index + 1], String.fromCharCode(code))
    }
    if (state === 'value') return this.readValue(code)
    if (state === 'after') return this.readAfter(code)
    if (state === 'key') return this.readKey(code)
    return this.readColon(code)
  }

  /** Passes over space and comments, and notes the comments. */
  private blank(state: State): number {
    const { scan } = this
    const { text } = scan
    if (text.charCodeAt(this.index) === SPACE) this.index++
    const here = text.charCodeAt(this.index)
    if (here > SPACE && here < 0x7f && here !== HASH && here !== SLASH) return this.index
    this.space()
    const code = text.charCodeAt(this.index)
    if (code !== HASH && code !== SLASH) return this.index
    for (let end = scan.comment(this.index); end > this.index; end = scan.comment(this.index)) {
      // 10 // 3, "b": 2 is a division, or hides a member.
      const hidesText = state === 'after' && text.slice(this.index, end).includes('"')
      if (hidesText) return this.refuse('ambiguous', [this.index, end], 'a comment hides what may be a value')
      this.note('comment-dropped', [this.index, end], '')
      this.index = end
      this.space()
    }
    return this.index
  }

  private space(): void {
    const { index: start, scan } = this
    this.index = scan.space(start)
    for (let index = start; index < this.index; index++) {
      if (isJsonSpace(scan.text.charCodeAt(index))) continue
      this.note('space-unusual', [index, index + 1], ' ')
      return
    }
  }

  private readValue(code: number): State {
    const { frame, index } = this
    if (code === OPEN_BRACE || code === OPEN_BRACKET) return this.open(code === OPEN_BRACE)
    if (isQuote(code)) return this.readText()
    const startsNumber = code === MINUS || code === PLUS || (code === DOT && isDigit(this.scan.code(index + 1)))
    if (isDigit(code) || startsNumber) return this.readNumber()
    if (isCloser(code) && frame && !frame.isObject) return this.close(code)
    if (code === COMMA || isCloser(code)) {
      if (frame?.isObject) return this.refuse('value-missing', keySpan(frame), JSON.stringify(frame.key))
      return this.refuse('ambiguous', [index, index + 1], 'a comma stands where a value must come')
    }
    return this.readWord()
  }

  private readAfter(code: number): State {
    const { frame, index, scan } = this
    if (!frame) return 'done'
    if (code === COMMA) {
      frame.comma = this.index++
      return frame.isObject ? 'key' : 'value'
    }
    if (isCloser(code)) return this.close(code)
    // In a list the quote may as well open the next item.
    if (frame.isObject && code === DOUBLE_QUOTE && this.isStrayQuote()) {
      this.note('quote-stray', [index, index + 1], '')
      this.index++
      return 'after'
    }
    if (frame.isObject && danglingKeyAt(scan, index)) {
      this.note('key-dangling', [index, index + 1], '')
      this.index++
      return 'after'
    }
    if (code === SEMICOLON) {
      const next = scan.blank(index + 1)
      if (!(frame.isObject ? scan.keyAt(next, false, false) : scan.valueAt(next))) {
        return this.refuse('unreadable', [index, index + 1], '";" cannot follow a value')
      }
      this.note('comma-missing', [index, index + 1], ',')
      this.index++
      return frame.isObject ? 'key' : 'value'
    }
    const allowsBare = frame.hasBareKey && scan.hasLineEnd(this.before, index)
    if (frame.isObject && scan.keyAt(index, allowsBare, false)) return this.addComma('key')
    const isAnother = code === OPEN_BRACE && this.frames.length === 1 && scan.keyAt(scan.space(index + 1), false, false)
    if (frame.isObject && isAnother) return this.closeAll()
    const isApart = index > this.before || code === OPEN_BRACE || code === OPEN_BRACKET || code === DOUBLE_QUOTE
    if (!frame.isObject && isApart && this.scalarEnd !== index && scan.valueAt(index)) return this.addComma('value')
    return this.refuse('unreadable', [index, index + 1], `${this.quoted(index)} cannot follow a value`)
  }

  /** A quote right behind a number, with the end of the member behind it. */
  private isStrayQuote(): boolean {
    const { index, scan } = this
    const next = scan.code(scan.space(index + 1))
    return (
      this.scalarEnd === index && (next === COMMA || isCloser(next)) && canFollow(scan, index + 1, this.frames, true)
    )
  }

  /** A missing comma behind a bracket that closed too soon is no missing comma. */
  private addComma(state: State): State {
    const span: Span = [this.index, this.index]
    if (this.before === this.oddEnd)
      return this.refuse('ambiguous', span, 'a comma is missing, or a bracket closed too soon')
    this.note('comma-missing', span, ',')
    return state
  }

  private readKey(code: number): State {
    const { index, scan } = this
    const frame = this.frame as Frame
    if (code === COMMA) {
      this.note('comma-extra', [index, index + 1], '')
      this.index++
      return 'key'
    }
    if (isCloser(code)) return this.close(code)
    if (isQuote(code)) return this.readQuotedKey(frame)
    const isDoubled = this.frames.length === 1 || (this.frames[0]?.doubled ?? 0) > 0
    if (code === OPEN_BRACE && frame.comma < 0 && isEmpty(frame) && isDoubled) {
      if (frame.doubled === 0) this.note('braces-doubled', [frame.start, index + 1], '{')
      frame.doubled++
      this.index++
      return 'key'
    }
    if (!isWord(code)) {
      return this.refuse('unreadable', [index, index + 1], `${this.quoted(index)} stands where a key must come`)
    }
    const end = scan.wordEnd(index)
    const isNumber = isDigit(code)
    const hasQuote = isQuote(scan.code(end))
    frame.key = scan.text.slice(index, end)
    frame.keyStart = index
    frame.keyEnd = this.index = hasQuote ? end + 1 : end
    const after = scan.code(scan.blank(this.index))
    if (after !== COLON && after !== EQUALS && !Number.isNaN(after)) {
      return this.refuse('unreadable', keySpan(frame), `${JSON.stringify(frame.key)} has no colon behind it`)
    }
    this.note(hasQuote ? 'quote-missing' : isNumber ? 'key-to-text' : 'key-bare', keySpan(frame), frame.key)
    frame.hasBareKey = !hasQuote
    return 'colon'
  }

  /** Takes a key without escapes and the colon right behind it: most keys are so. */
  private takePlainKey(frame: Frame): boolean {
    const { index: start, scan } = this
    const { text } = scan
    if (text.charCodeAt(start) !== DOUBLE_QUOTE) return false
    let index = start + 1
    let code = text.charCodeAt(index)
    while (code !== DOUBLE_QUOTE && code !== BACKSLASH && code >= SPACE) code = text.charCodeAt(++index)
    scan.looked += index - start
    if (code !== DOUBLE_QUOTE || scan.code(index + 1) !== COLON || text.charCodeAt(index + 1) !== COLON) return false
    frame.key = text.slice(start + 1, index)
    frame.hasBareKey = false
    frame.keyStart = start
    frame.keyEnd = index + 1
    this.index = index + 2
    return true
  }

  private readQuotedKey(frame: Frame): State {
    const { index, scan } = this
    if (this.takePlainKey(frame)) return 'value'
    if (frame.comma >= 0 && danglingKeyAt(scan, index)) {
      this.note('key-dangling', [frame.comma, index + 1], '')
      frame.comma = -1
      this.index = index + 1
      return 'after'
    }
    const close = scan.quotedEnd(index)
    if (scan.code(index) === BACKTICK && scan.wordEnd(index + 1) !== close) {
      return this.refuse('unreadable', [index, index + 1], 'a backtick stands where a key must come')
    }
    const after = scan.blank(close + 1)
    const code = scan.code(after)
    const isBeforeValue = code !== COLON && code !== COMMA && !isCloser(code) && !isQuote(code)
    const hasOwnColon = close >= 0 && isBeforeValue && scan.text.slice(index, close).trimEnd().endsWith(':')
    const canFollowKey = code === COLON || code === EQUALS || code === COMMA || isCloser(code) || scan.valueAt(after)
    if (close < 0 || !canFollowKey || hasOwnColon) {
      const end = scan.wordEnd(index + 1)
      const isSmart = scan.code(end) > 0x7f && isQuote(scan.code(end))
      const colon = scan.space(isSmart ? end + 1 : end)
      const isKeyAlone = close >= 0 && scan.space(colon + 1) === close
      if (end > index + 1 && isKeyAlone && scan.code(colon) === COLON) {
        frame.key = scan.text.slice(index + 1, end)
        frame.keyStart = index
        frame.keyEnd = this.index = isSmart ? end + 1 : end
        this.note(isSmart ? 'quotes-smart' : 'quote-missing', keySpan(frame), frame.key)
        return 'colon'
      }
      if (close < 0) return this.cut('inside a key', index)
    }
    frame.hasBareKey = false
    const key = readQuoted(scan, index, close)
    frame.key = key.text
    frame.keyStart = index
    frame.keyEnd = key.end
    this.noteString(key, index)
    this.index = key.end
    return 'colon'
  }

  private readColon(code: number): State {
    const { index, scan } = this
    const frame = this.frame as Frame
    if (code === COLON) {
      this.index++
      return 'value'
    }
    if (code === EQUALS) {
      this.index += scan.code(index + 1) === GREATER ? 2 : 1
      this.note('colon-missing', [index, this.index], ':')
      return 'value'
    }
    if (isCloser(code) || code === COMMA) {
      const isDangling = isCloser(code) && frame.key?.trim() === '' && !isEmpty(frame)
      if (!isDangling) return this.refuse('value-missing', keySpan(frame), JSON.stringify(frame.key))
      this.note('key-dangling', [frame.comma < 0 ? frame.keyStart : frame.comma, frame.keyEnd], '')
      frame.key = undefined
      frame.comma = -1
      return 'after'
    }
    // A quote right behind the key with the colon behind it is one too many: {"a"": 1}.
    const isStray = isQuote(code) && scan.code(scan.space(index + 1)) === COLON
    if (!isStray && scan.valueAt(index) && !scan.keyAt(index, false, false)) {
      this.note('colon-missing', [index, index], ':')
      return 'value'
    }
    return this.refuse('unreadable', [index, index + 1], `a colon must follow the key ${JSON.stringify(frame.key)}`)
  }

  private open(isObject: boolean): State {
    this.push(isObject)
    this.index++
    return isObject ? 'key' : 'value'
  }

  /** A closing bracket: it closes what is open, or is wrong, or others are missing before it. */
  private close(code: number): State {
    const { index, scan, frames } = this
    const frame = this.frame as Frame
    const closesObject = code === CLOSE_BRACE
    if (frame.comma >= 0 || isEmpty(frame)) this.oddEnd = index + 1
    const hasComma = frame.comma >= 0
    if (hasComma) {
      this.note('comma-trailing', [frame.comma, frame.comma + 1], '')
      frame.comma = -1
    }
    const span: Span = [index, index + 1]
    const next = scan.blank(index + 1)
    const key = scan.code(next) === COMMA ? scan.blank(next + 1) : -1
    const isBeforeKey = key >= 0 && scan.keyAt(key, false, false)
    if (frame.isObject === closesObject) {
      if (isBeforeKey && frames.length === 1 && closesObject) return this.closesTooSoon(span)
      return this.takeCloser()
    }
    if (hasComma) return this.refuse('ambiguous', span, 'a comma and then a closing bracket of the wrong kind')
    const outer = frames.findLastIndex(({ isObject }) => isObject === closesObject)
    if (outer < 0) {
      const isLast = next >= scan.end && frames.length === 1
      if (!isLast) return this.dropCloser()
      this.note('closer-swapped', span, closerOf(frame))
      return this.takeCloser()
    }
    if (isBeforeKey) {
      const isTakenHere = frame.isObject || frames[frames.length - 2]?.isObject === true
      const isTakenThere = frames[outer - 1]?.isObject === true
      if (isTakenHere && isTakenThere) return this.refuse('ambiguous', span, 'a closing bracket is of the wrong kind')
      if (isTakenHere) {
        if (frame.isObject) return this.dropCloser()
        this.note('closer-swapped', span, closerOf(frame))
        return this.takeCloser()
      }
    }
    while (frames.length - 1 > outer) {
      if (isEmpty(this.frame as Frame)) return this.refuse('ambiguous', span, 'a bracket was opened for nothing')
      if (this.hasDropped)
        return this.refuse('ambiguous', span, 'one closing bracket is too many and another is missing')
      this.note('closer-missing', [index, index], closerOf(this.frame as Frame))
      this.pop()
    }
    this.oddEnd = index + 1
    return this.takeCloser()
  }

  /** `{"a": 1}, "b": 2}`: the first brace is one too many, unless it could have been another. */
  private closesTooSoon(span: Span): State {
    let before = span[0] - 1
    while (isSpace(this.scan.text.charCodeAt(before))) before--
    if (isCloser(this.scan.code(before))) return this.refuse('ambiguous', span, 'a closing bracket is one too many')
    return this.dropCloser()
  }

  private dropCloser(): State {
    this.note('closer-dropped', [this.index, this.index + 1], '')
    this.hasDropped = true
    this.index++
    return 'after'
  }

  /** Takes the closing bracket that stands here, and its double. */
  private takeCloser(): State {
    const { scan } = this
    const start = this.index++
    for (let extra = this.frame?.doubled ?? 0; extra > 0; extra--) {
      const next = scan.blank(this.index)
      if (scan.code(next) === CLOSE_BRACE) this.index = next + 1
      else if (next < scan.end)
        this.refuse('ambiguous', [start, next], 'braces are doubled in one place and not in another')
      else if (this.finish === 'length') this.cut('before its closing bracket', next)
      else this.note('closer-missing', [next, next], '}')
    }
    this.pop()
    return this.frame ? 'after' : 'done'
  }

  private atEnd(state: State): State {
    if (state === 'value') return this.cut('where a value must come', this.index)
    if (state === 'key') return this.cut('where a key must come', this.index)
    if (state === 'colon') return this.cut('behind a key', this.index)
    if (!this.frame) return 'done'
    if (this.mayGoOn) return this.cut('inside a value', this.index)
    if (this.finish === 'length') return this.cut('before its closing bracket', this.index)
    return this.closeAll()
  }

  private closeAll(): State {
    const { index } = this
    if (this.frames.length > 1 && this.frames.some(({ doubled }) => doubled > 0)) {
      return this.refuse('ambiguous', [index, index], 'braces are doubled in one place and not in another')
    }
    if (isRestarted(this.frames)) {
      return this.refuse('ambiguous', [index, index], 'the object seems to start anew inside of itself')
    }
    if (this.hasDropped) {
      return this.refuse('ambiguous', [index, index], 'one closing bracket is too many and another is missing')
    }
    this.note('closer-missing', [index, index], this.frames.map(closerOf).reverse().join(''))
    while (this.frame) this.pop()
    return 'done'
  }

  private quoted(index: number): string {
    return JSON.stringify(String.fromCodePoint(this.scan.text.codePointAt(index) ?? 0))
  }
}

/** `{"a": 1, "b": {"a": 1, "b": 2}` with one brace missing: cut in the middle and written again, or nested. */
function isRestarted(frames: readonly Frame[]): boolean {
  const [root] = frames
  if (!root?.isObject || frames.length !== 1) return false
  const members = Object.entries(root.object)
  const last = members[members.length - 1]?.[1]
  return typeof last === 'object' && last !== null && members.length > 1 && Object.keys(last)[0] === members[0]?.[0]
}
