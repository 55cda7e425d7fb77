import type { JsonObject, JsonValue, Problem, Span } from '../types.ts'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  isDigit,
  isWord,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
  PLUS,
  SINGLE_QUOTE,
} from './characters.ts'
import { setKey } from './objects.ts'
import { MOST_PROBLEMS, problem, type ValueProblemCode } from './problems.ts'
import { closerOf, type Frame, type FrameKind, newFrame, type Placed, place } from './python-frames.ts'
import { PythonLines } from './python-lines.ts'
import { NotPython, type PythonString, pythonString, pythonStringAt } from './python-string.ts'
import { isSetName, type PythonNumber, pythonHash, pythonKeyText } from './python-tokens.ts'
import { MOST_STEPS, type ValueRepair, type ValueRepairCode } from './repairs.ts'

/** What a Python literal holds, with what of it JSON cannot hold as repairs or problems. */
export interface PythonReading {
  readonly value: JsonValue
  readonly repairs: readonly ValueRepair[]
  readonly problems: readonly Problem[]
  /** Nothing in it but this says Python, and JSON with a fault reads it otherwise. */
  readonly differsInJson: boolean
  /** Strings side by side in a list, where nothing else says Python: joined, or a comma is missing. */
  readonly joinedInList: Span | undefined
}

/** What the value just read is, as far as operators, sets and keys care. */
type Kind = 'plain' | 'string' | 'integer' | 'float' | 'imaginary' | 'tuple' | 'set-name'

/**
 * Reads exactly what CPython's `ast.literal_eval` accepts; `undefined` for anything else.
 * Nothing is executed: this is a grammar of literals, with no names, calls or operators to run.
 *
 * @example
 * readPython("{'a': (1, True)}")?.value // { a: [1, true] }
 */
export function readPython(text: string): PythonReading | undefined {
  try {
    return new PythonReader(text).read()
  } catch (error) {
    if (error instanceof NotPython) return undefined
    throw error
  }
}

class PythonReader extends PythonLines {
  frame: Frame = newFrame('top', 0)
  readonly frames: Frame[] = [this.frame]
  readonly problems: Problem[] = []
  readonly conversions: Placed[] = []
  /** What JSON forbids and Python allows, named one by one when nothing else says that the text is Python. */
  readonly spellings: Placed[] = []
  /** A token that JSON has not: then all of the text is Python. */
  isPython = false
  differsInJson = false
  joinedInList: Span | undefined

  // The value just read, before a comma, colon or closer puts it in its place. What JSON cannot hold is null here.
  value: JsonValue = null
  kind: Kind = 'plain'
  exact: bigint | undefined
  /** The hash of a tuple; `undefined` when one of its items has none. */
  tupleHash: string | undefined
  setNameStart = 0
  /** How many steps the paths of the repairs have, all together. */
  steps = 0

  read(): PythonReading {
    this.start()
    const start = this.index
    do this.readOperand()
    while (!this.readOperators())
    const { frame: top, text } = this
    const span: Span = [start, this.index]
    if (top.comma >= 0) {
      // Without parentheses this is as well a value with a comma behind it, or several values.
      if (top.items.length === 1 || top.items.some((item) => typeof item === 'object')) this.differsInJson = true
      this.value = top.items
      this.frames.pop()
      this.convert('tuple-to-list', span, top.items)
    }
    this.end()
    if (text.includes('\0') || !text.isWellFormed()) throw new NotPython()

    const { value, problems, comment, isPython } = this
    const isConverted = this.conversions.some(({ code }) => code !== 'integer-large')
    const literal: ValueRepair = { code: 'python-literal', path: [], span, before: text.slice(...span), after: value }
    const repairs =
      isPython || isConverted
        ? [literal, ...this.conversions.map(place)]
        : [...this.spellings, ...this.conversions].map(place)
    if (!isPython && !isConverted && comment) {
      repairs.push({ code: 'comment-dropped', path: [], span: comment, before: text.slice(...comment), after: '' })
    }
    const differsInJson = (this.differsInJson || comment !== undefined) && !isPython
    return { value, repairs, problems, differsInJson, joinedInList: isPython ? undefined : this.joinedInList }
  }

  /** Reads one scalar or empty bracket, and every opening bracket before it. */
  readOperand(): void {
    const { text } = this
    let code = this.skipTo()
    while (code === OPEN_BRACKET || code === OPEN_BRACE || code === OPEN_PARENTHESIS) {
      this.open(code === OPEN_BRACKET ? 'list' : code === OPEN_BRACE ? 'braces' : 'parentheses')
      code = this.skipTo()
    }
    const start = this.index
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) this.readStrings()
    else if (isDigit(code)) this.setNumber(this.takeNumber(), 1, start)
    else if (isCloser(code)) this.closeWithoutValue(code)
    else if (code === PLUS || code === MINUS) this.readSigned(code === MINUS ? -1 : 1)
    else if (text.startsWith('...', start)) {
      this.index += 3
      this.isPython = true
      this.refuse('python-ellipsis', start)
      this.set(null, 'plain')
    } else if (code === DOT) this.setNumber(this.takeNumber(), 1, start)
    else if (pythonStringAt(text, start)) this.readStrings()
    else this.readWord()
  }

  /** Reads what stands behind a value. True at the end of the expression, false where another value must come. */
  readOperators(): boolean {
    while (true) {
      const code = this.skipTo()
      const { frame } = this
      if (code === COMMA) {
        this.put()
        frame.comma = this.index++
        return frame.kind === 'top' && this.endsHere()
      }
      if (code === COLON) {
        this.putKey()
        this.index++
        return false
      }
      if (isCloser(code)) this.closeWithValue(code)
      else if (code === OPEN_PARENTHESIS && this.kind === 'set-name') this.readEmptySet()
      else if (code === PLUS || code === MINUS) this.readComplex()
      else if (frame.kind === 'top' && this.endsHere()) {
        if (this.kind === 'set-name') throw new NotPython()
        if (frame.comma >= 0) this.put()
        return true
      } else throw new NotPython()
    }
  }

  set(value: JsonValue, kind: Kind): void {
    this.value = value
    this.kind = kind
    this.exact = undefined
  }

  open(kind: FrameKind): void {
    if (kind === 'parentheses') this.isPython = true
    this.frame = newFrame(kind, this.index)
    this.frames.push(this.frame)
    this.enter()
  }

  /** Puts the value in its place: a comma or a closer has come. */
  put(): void {
    const { frame } = this
    if (this.kind === 'set-name') throw new NotPython()
    if (frame.kind === 'list') frame.items.push(this.value)
    else if (frame.kind === 'dict') {
      if (frame.key === undefined) throw new NotPython()
      setKey(frame.object as JsonObject, frame.key, this.value)
      frame.key = undefined
    } else {
      if (frame.kind === 'braces') frame.kind = 'set'
      frame.items.push(this.value)
      frame.hashes.push(this.hash())
    }
  }

  putKey(): void {
    const { frame } = this
    if (frame.kind === 'braces') {
      frame.kind = 'dict'
      frame.object = {}
    } else if (frame.kind !== 'dict' || frame.key !== undefined) throw new NotPython()
    if (this.kind === 'string' && frame.keysByHash === undefined) frame.key = this.value as string
    else frame.key = this.unusualKey(frame, frame.object as JsonObject)
  }

  /** The text of a key in an object where not all keys are strings. */
  unusualKey(frame: Frame, object: JsonObject): string {
    const hash = this.hash()
    if (hash === undefined || this.kind === 'set-name') throw new NotPython()
    // A key keeps all of its digits: what was said of the number does not hold for it.
    if (this.exact !== undefined && Number.isFinite(this.value)) this.conversions.pop()
    frame.keysByHash ??= new Map(Object.keys(object).map((key) => [pythonHash(key, undefined), key]))
    const known = frame.keysByHash.get(hash)
    if (known !== undefined) return known

    const span: Span = [frame.comma < 0 ? frame.start + 1 : frame.comma + 1, this.index]
    let key = this.value as string
    if (this.kind !== 'string') {
      key = pythonKeyText(this.value, this.kind === 'float', this.exact)
      frame.key = key
      if (this.kind === 'tuple') this.refuse('key-unusable', span[0])
      else this.convert('key-to-text', span, key)
    }
    if (Object.hasOwn(object, key)) this.refuse('key-repeated', span[0], key)
    frame.keysByHash.set(hash, key)
    return key
  }

  closeWithValue(code: number): void {
    const { frame } = this
    if (frame.kind === 'parentheses' && frame.comma < 0) {
      if (code !== CLOSE_PARENTHESIS) throw new NotPython()
      this.pop()
    } else {
      this.put()
      this.close(code)
    }
  }

  closeWithoutValue(code: number): void {
    const { frame } = this
    const isEmpty = frame.items.length === 0 && frame.object === undefined
    if ((!isEmpty && frame.comma < 0) || frame.key !== undefined) throw new NotPython()
    if (!isEmpty && (frame.kind === 'list' || frame.kind === 'dict')) {
      this.spell('comma-trailing', [frame.comma, frame.comma + 1])
    }
    this.close(code)
  }

  close(code: number): void {
    const { frame } = this
    if (closerOf[frame.kind] !== code) throw new NotPython()
    this.pop()
    const span: Span = [frame.start, this.index]
    if (frame.kind === 'list') this.set(frame.items, 'plain')
    else if (frame.kind === 'parentheses') {
      this.convert('tuple-to-list', span, frame.items)
      this.set(frame.items, 'tuple')
      this.tupleHash = frame.hashes.includes(undefined) ? undefined : `(${frame.hashes.join()})`
    } else if (frame.kind === 'set') {
      if (frame.hashes.includes(undefined)) throw new NotPython()
      // Or an object that lacks its colons.
      if (frame.items.some((item) => typeof item === 'string')) this.differsInJson = true
      const first = new Map(frame.hashes.map((hash, position) => [hash, position] as const).reverse())
      const items = frame.items.filter((_, position) => first.get(frame.hashes[position]) === position)
      this.convert('set-to-list', span, items)
      this.set(items, 'plain')
    } else this.set(frame.object ?? {}, 'plain')
  }

  pop(): void {
    this.frames.pop()
    this.frame = this.frames[this.frames.length - 1] as Frame
    this.leave()
  }

  /** Reads a string and those that stand beside it, which Python joins. */
  readStrings(): void {
    const start = this.index
    const plain = this.takePlainString()
    if (plain !== undefined) {
      if (this.text.charCodeAt(start) === SINGLE_QUOTE) this.isPython = true
      this.set(plain, 'string')
      return
    }
    const first = this.takeString()
    const { isBytes } = first
    let last = first
    let joined = first.text
    for (this.skip(); pythonStringAt(this.text, this.index); this.skip()) {
      last = this.takeString()
      if (last.isBytes !== isBytes) throw new NotPython()
      joined += last.text
    }
    if (last !== first) {
      const span: Span = [start, last.end]
      this.convert('strings-joined', span, joined)
      if (this.frame.kind === 'list') this.joinedInList ??= span
      else if (this.frame.kind === 'braces' || this.frame.kind === 'dict') this.differsInJson = true
    }
    if (isBytes) this.refuse('python-bytes', start)
    this.set(isBytes ? null : joined, isBytes ? 'plain' : 'string')
  }

  takeString(): PythonString {
    const read = pythonString(this.text, this.index)
    this.index = read.end
    if (read.isPython) this.isPython = true
    if (read.differsInJson) this.differsInJson = true
    if (read.named) this.refuse('name-escape', read.named[0])
    for (const { code, span, after } of read.foreign) this.spell(code, span, after)
    return read
  }

  readWord(): void {
    const { text, index: start } = this
    while (isWord(text.charCodeAt(this.index)) || isSurrogate(text.charCodeAt(this.index))) this.index++
    const word = text.slice(start, this.index)
    this.isPython = true
    this.setNameStart = start
    if (word === 'True' || word === 'False') this.set(word === 'True', 'plain')
    else if (word === 'None') this.set(null, 'plain')
    else if (isSetName(word)) this.set(null, 'set-name')
    else throw new NotPython()
  }

  readEmptySet(): void {
    this.enter()
    this.leaveParentheses()
    this.set([], 'plain')
    this.convert('set-to-list', [this.setNameStart, this.index], this.value)
  }

  setNumber(number: PythonNumber, sign: 1 | -1, start: number): void {
    const { kind, value, exact } = number
    this.set(kind === 'integer' && value === 0 ? 0 : sign * value, kind)
    if (number.isPython) this.isPython = true
    if (exact !== undefined) this.exact = sign === 1 ? exact : -exact
    if (kind === 'imaginary') this.refuse('python-complex', start)
    else if (!Number.isFinite(value)) this.refuse('number-not-finite', start)
    else if (exact !== undefined) {
      this.convert('integer-large', [start, this.index], this.value, String(this.exact))
    }
  }

  readSigned(sign: 1 | -1): void {
    const start = this.index++
    const number = this.takeOperand()
    const isJson = sign === -1 && number.end === this.index && isDigit(this.text.charCodeAt(start + 1))
    if (!isJson) this.isPython = true
    this.setNumber(number, sign, start)
  }

  /** `1 + 2j` is a literal; any other sum is an expression, and one whose integer is no double overflows. */
  readComplex(): void {
    const start = this.index++
    const isReal = this.kind === 'float' || (this.kind === 'integer' && Number.isFinite(this.value))
    if (!isReal || this.takeOperand().kind !== 'imaginary') throw new NotPython()
    this.refuse('python-complex', start)
    this.set(null, 'plain')
  }

  /** What Python compares; `undefined` for what cannot be hashed. */
  hash(): string | undefined {
    const { value, kind } = this
    if (typeof value === 'object' && value !== null) return kind === 'tuple' ? this.tupleHash : undefined
    return pythonHash(value, this.exact)
  }

  placed(code: ValueRepairCode, span: Span, after: unknown, before: string = this.text.slice(...span)): Placed {
    this.steps += this.frames.length
    const steps =
      this.steps > MOST_STEPS
        ? undefined
        : this.frames.map((frame) => [frame, frame.object ? frame.key : frame.items.length] as const)
    return { code, span, before, after, steps }
  }

  convert(code: ValueRepairCode, span: Span, after: unknown, before?: string): void {
    this.conversions.push(this.placed(code, span, after, before))
  }

  spell(code: ValueRepairCode, span: Span, after: unknown = ''): void {
    if (!this.isPython) this.spellings.push(this.placed(code, span, after))
  }

  refuse(code: ValueProblemCode, start: number, detail = ''): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem(code, this.text, [start, this.index], detail))
  }
}

/** Half of a letter beyond the first 65,536, which a name may have. */
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

const isCloser = (code: number): boolean => code === CLOSE_BRACE || code === CLOSE_BRACKET || code === CLOSE_PARENTHESIS
