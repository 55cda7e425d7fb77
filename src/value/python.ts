import type { JsonObject, JsonValue, Problem, Span } from '../types.ts'
import {
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  HASH,
  isDigit,
  isWord,
  LINE_FEED,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
  PLUS,
  SINGLE_QUOTE,
} from './characters.ts'
import { setKey } from './objects.ts'
import { MOST_PROBLEMS, problem, type ValueProblemCode } from './problems.ts'
import { PythonLines } from './python-lines.ts'
import { NotPython, type PythonString, pythonString, pythonStringAt } from './python-string.ts'
import { type PythonNumber, pythonFloatText, pythonNumber } from './python-tokens.ts'
import type { ValueRepair, ValueRepairCode } from './repairs.ts'

/** What a Python literal holds, with what of it JSON cannot hold as repairs or problems. */
export interface PythonReading {
  readonly value: JsonValue
  readonly repairs: readonly ValueRepair[]
  readonly problems: readonly Problem[]
  /** Nothing in it says Python, and JSON reads one of its strings otherwise. */
  readonly differsInJson: boolean
}

/** CPython's tokenizer refuses deeper nesting (its MAXLEVEL). */
const DEEPEST = 200

type FrameKind = 'top' | 'parentheses' | 'list' | 'braces' | 'dict' | 'set'

/** A bracket that is open, with what was put in so far. */
interface Frame {
  kind: FrameKind
  readonly start: number
  readonly items: JsonValue[]
  readonly hashes: (string | undefined)[]
  object: JsonObject | undefined
  key: string | undefined
  /** The keys of the object by what Python compares, once one of them is not a string. */
  keysByHash: Map<string, string> | undefined
  comma: number
}

/** What the value just read is, as far as operators, sets and keys care. */
type Kind = 'plain' | 'string' | 'integer' | 'float' | 'imaginary' | 'complex' | 'tuple' | 'set-name'

/** A repair whose path is known only when the brackets around it have closed. */
type Placed = ValueRepair & { readonly steps: readonly (readonly [frame: Frame, step: string | number])[] }

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

class PythonReader {
  readonly text: string
  readonly lines: PythonLines
  index = 0
  frame: Frame = newFrame('top', 0)
  readonly frames: Frame[] = [this.frame]
  readonly problems: Problem[] = []
  readonly conversions: Placed[] = []
  /** What JSON forbids and Python allows, named one by one when nothing else says that the text is Python. */
  readonly spellings: Placed[] = []
  isPython = false
  differsInJson = false

  // The value just read, before a comma, colon or closer puts it in its place.
  value: JsonValue = null
  kind: Kind = 'plain'
  exact: bigint | undefined
  hash: string | undefined

  constructor(text: string) {
    this.text = text
    this.lines = new PythonLines(text)
  }

  read(): PythonReading {
    this.index = this.lines.start()
    const start = this.index
    do this.readOperand()
    while (!this.readOperators())
    const { frame: top, index: end } = this
    if (top.comma >= 0) {
      this.value = top.items
      this.frames.pop()
      this.convert('tuple-to-list', [start, end], top.items)
    }
    this.lines.end(this.index)
    if (this.text.includes('\0') || !this.text.isWellFormed()) throw new NotPython()

    const { value, problems } = this
    const literal: ValueRepair = {
      code: 'python-literal',
      path: [],
      span: [start, end],
      before: this.text.slice(start, end),
      after: value,
    }
    const repairs = this.isPython
      ? [literal, ...this.conversions.map(place)]
      : [...this.spellings, ...this.conversions].map(place)
    if (!this.isPython && this.lines.comment) repairs.push({ code: 'comment-dropped', span: this.lines.comment })
    return { value, repairs, problems, differsInJson: this.differsInJson && !this.isPython }
  }

  /** Reads one scalar or empty bracket, and every opening bracket before it. */
  readOperand(): void {
    const { text } = this
    while (true) {
      this.skip()
      const { frame } = this
      const code = text.charCodeAt(this.index)
      if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) return this.readStrings()
      if (isDigit(code) || (code === DOT && isDigit(text.charCodeAt(this.index + 1)))) {
        return this.setNumber(this.takeNumber(), 1, this.index)
      }
      if (code === OPEN_BRACKET) this.open('list')
      else if (code === OPEN_BRACE) this.open('braces')
      else if (code === OPEN_PARENTHESIS) this.open('parentheses')
      else if (isCloser(code)) {
        const isEmpty = frame.items.length === 0 && frame.object === undefined
        if ((!isEmpty && frame.comma < 0) || frame.key !== undefined) throw new NotPython()
        return this.close(code, false)
      } else if (code === PLUS || code === MINUS) return this.readSigned(code === MINUS ? -1 : 1)
      else if (code === DOT && text.startsWith('...', this.index)) {
        this.index += 3
        this.refuse('python-ellipsis', this.index - 3)
        return this.set(null, 'plain')
      } else if (isWord(code)) return this.readWord()
      else throw new NotPython()
    }
  }

  /** Reads what stands behind a value. True at the end of the expression, false where another value must come. */
  readOperators(): boolean {
    while (true) {
      this.skip()
      const { frame } = this
      const code = this.text.charCodeAt(this.index)
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
      if (isCloser(code)) this.close(code, true)
      else if (code === OPEN_PARENTHESIS && this.kind === 'set-name') this.readEmptySet()
      else if (code === PLUS || code === MINUS) this.readComplex()
      else if (frame.kind === 'top' && this.endsHere()) {
        if (this.kind === 'set-name') throw new NotPython()
        if (frame.comma >= 0) this.put()
        return true
      } else throw new NotPython()
    }
  }

  endsHere(): boolean {
    this.skip()
    const code = this.text.charCodeAt(this.index)
    return Number.isNaN(code) || code === LINE_FEED || code === CARRIAGE_RETURN || code === HASH
  }

  skip(): void {
    this.index = this.lines.skip(this.index, this.frames.length > 1)
  }

  set(value: JsonValue, kind: Kind): void {
    this.value = value
    this.kind = kind
    this.exact = undefined
    this.hash = undefined
  }

  open(kind: FrameKind): void {
    if (this.frames.length > DEEPEST) throw new NotPython()
    this.frame = newFrame(kind, this.index++)
    this.frames.push(this.frame)
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
      frame.hashes.push(this.hashOfValue())
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
    const hash = this.hashOfValue()
    if (hash === undefined || this.kind === 'set-name') throw new NotPython()
    frame.keysByHash ??= new Map(Object.keys(object).map((key) => [JSON.stringify(key), key]))
    const known = frame.keysByHash.get(hash)
    if (known !== undefined) return known

    const span: Span = [frame.comma < 0 ? frame.start + 1 : frame.comma + 1, this.index]
    let key = this.value as string
    if (this.kind !== 'string') {
      key = keyText(this.value, this.kind, this.exact)
      frame.key = key
      if (this.kind === 'tuple') this.refuse('key-unusable', span[0])
      else this.convert('key-to-text', span, key)
    }
    if (Object.hasOwn(object, key)) this.refuse('key-repeated', span[0], key)
    frame.keysByHash.set(hash, key)
    return key
  }

  close(code: number, hasValue: boolean): void {
    const { frame } = this
    if (code === CLOSE_PARENTHESIS && frame.kind === 'parentheses' && hasValue && frame.comma < 0) {
      this.isPython = true
      return this.pop()
    }
    if (hasValue) this.put()
    if (closerOf[frame.kind] !== code) throw new NotPython()
    const hasTrailingComma = !hasValue && frame.comma >= 0
    this.pop()
    const span: Span = [frame.start, this.index]
    if (frame.kind === 'parentheses' || frame.kind === 'set') {
      const isHashable = !frame.hashes.includes(undefined)
      if (frame.kind === 'parentheses') {
        this.convert('tuple-to-list', span, frame.items)
        this.set(frame.items, 'tuple')
        this.hash = isHashable ? `(${frame.hashes.join()})` : undefined
        return
      }
      if (!isHashable) throw new NotPython()
      const first = new Map(frame.hashes.map((hash, position) => [hash, position] as const).reverse())
      const items = frame.items.filter((_, position) => first.get(frame.hashes[position]) === position)
      this.convert('set-to-list', span, items)
      return this.set(items, 'plain')
    }
    if (hasTrailingComma) this.spell('comma-trailing', [frame.comma, frame.comma + 1])
    this.set(frame.kind === 'list' ? frame.items : (frame.object ?? {}), 'plain')
  }

  pop(): void {
    this.frames.pop()
    this.frame = this.frames[this.frames.length - 1] as Frame
    this.index++
  }

  readStrings(): void {
    const start = this.index
    let read = this.readString()
    let joined = read.text
    let count = 1
    const { isBytes } = read
    this.index = read.end
    while (true) {
      this.skip()
      if (!pythonStringAt(this.text, this.index)) break
      read = this.readString()
      if (read.isBytes !== isBytes) throw new NotPython()
      joined += read.text
      this.index = read.end
      count++
    }
    const { end } = read
    if (count > 1) this.convert('strings-joined', [start, end], joined)
    if (isBytes) this.refuse('python-bytes', start)
    this.set(isBytes ? null : joined, isBytes ? 'plain' : 'string')
    if (isBytes) this.hash = `b${start}`
  }

  readString(): PythonString {
    const start = this.index
    const read = pythonString(this.text, start)
    if (read.isPython) this.isPython = true
    if (read.differsInJson) this.differsInJson = true
    if (read.named) this.refuse('name-escape', read.named[0])
    if (read.foreign) this.spell(read.foreign.code, read.foreign.span, read.foreign.after)
    return read
  }

  readWord(): void {
    const { text } = this
    const start = this.index
    while (isWord(text.charCodeAt(this.index))) this.index++
    const code = text.charCodeAt(this.index)
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) {
      this.index = start
      return this.readStrings()
    }
    this.isPython = true
    const word = text.slice(start, this.index)
    if (word === 'True') this.set(true, 'plain')
    else if (word === 'False') this.set(false, 'plain')
    else if (word === 'None') this.set(null, 'plain')
    else if (word === 'set') this.set(null, 'set-name')
    else throw new NotPython()
  }

  readEmptySet(): void {
    const start = this.text.lastIndexOf('set', this.index)
    this.open('parentheses')
    this.skip()
    if (this.text.charCodeAt(this.index) !== CLOSE_PARENTHESIS) throw new NotPython()
    this.pop()
    this.set([], 'plain')
    this.convert('set-to-list', [start, this.index], this.value)
  }

  takeNumber(): PythonNumber {
    const number = pythonNumber(this.text, this.index)
    if (!number) throw new NotPython()
    return number
  }

  setNumber(number: PythonNumber, sign: 1 | -1, start: number): void {
    const { end, kind, value, exact } = number
    if (this.index < end) this.index = end
    this.set(kind === 'integer' && value === 0 ? 0 : sign * value, kind)
    if (number.isPython) this.isPython = true
    if (kind === 'imaginary') this.refuse('python-complex', start)
    else if (!Number.isFinite(value) && exact === undefined) this.refuse('number-not-finite', start)
    if (exact !== undefined) {
      this.exact = sign === 1 ? exact : -exact
      if (!Number.isFinite(value)) this.refuse('number-not-finite', start)
      else this.convert('integer-rounded', [start, this.index], this.value, String(this.exact))
    }
  }

  /** A sign and a number, which may stand in parentheses of its own: the only operand that Python's literals sign. */
  readSigned(sign: 1 | -1): void {
    const start = this.index++
    const number = this.takeGroupedNumber()
    if (sign === 1 || number.end !== this.index || !isDigit(this.text.charCodeAt(start + 1))) this.isPython = true
    this.setNumber(number, sign, start)
  }

  takeGroupedNumber(): PythonNumber {
    let depth = 0
    this.skip()
    while (this.text.charCodeAt(this.index) === OPEN_PARENTHESIS) {
      this.open('parentheses')
      this.skip()
      depth++
    }
    const code = this.text.charCodeAt(this.index)
    if (!isDigit(code) && code !== DOT) throw new NotPython()
    const number = this.takeNumber()
    this.index = number.end
    for (; depth > 0; depth--) {
      this.skip()
      if (this.text.charCodeAt(this.index) !== CLOSE_PARENTHESIS) throw new NotPython()
      this.pop()
    }
    return number
  }

  /** `1 + 2j` is a literal; any other sum is an expression. */
  readComplex(): void {
    const start = this.index
    if (this.kind !== 'integer' && this.kind !== 'float') throw new NotPython()
    this.index++
    if (this.takeGroupedNumber().kind !== 'imaginary') throw new NotPython()
    this.refuse('python-complex', start)
    this.set(null, 'complex')
  }

  /** What Python compares: equal for 1, 1.0 and True; `undefined` for what cannot be hashed. */
  hashOfValue(): string | undefined {
    const { value } = this
    if (typeof value === 'string') return JSON.stringify(value)
    if (typeof value === 'boolean') return value ? '1' : '0'
    if (typeof value === 'number') {
      if (this.exact !== undefined) return String(this.exact)
      return Number.isInteger(value) ? String(BigInt(value)) : String(value)
    }
    if (value === null) return this.kind === 'plain' ? (this.hash ?? 'None') : `complex${this.index}`
    return this.kind === 'tuple' ? this.hash : undefined
  }

  placed(code: ValueRepairCode, span: Span, after: unknown, before: string = this.text.slice(...span)): Placed {
    const steps = this.frames.map((frame) => [frame, frame.key ?? frame.items.length] as const)
    return { code, span, before, after, steps }
  }

  convert(code: ValueRepairCode, span: Span, after: unknown, before?: string): void {
    if (code !== 'integer-rounded') this.isPython = true
    this.conversions.push(this.placed(code, span, after, before))
  }

  spell(code: ValueRepairCode, span: Span, after: unknown = ''): void {
    if (!this.isPython) this.spellings.push(this.placed(code, span, after))
  }

  refuse(code: ValueProblemCode, start: number, detail = ''): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem(code, this.text, [start, this.index], detail))
  }
}

/** Drops the steps of parentheses that turned out to group and not to make a tuple. */
function place({ steps, ...repair }: Placed): ValueRepair {
  const path = steps.filter(([{ kind, comma }]) => (kind !== 'top' && kind !== 'parentheses') || comma >= 0)
  return { ...repair, path: path.map(([, step]) => step) }
}

function keyText(value: JsonValue, kind: Kind, exact: bigint | undefined): string {
  if (exact !== undefined) return String(exact)
  if (kind === 'float') return pythonFloatText(value as number)
  return kind === 'tuple' ? JSON.stringify(value) : String(value)
}

const closerOf: { readonly [kind in FrameKind]: number } = {
  top: -1,
  parentheses: CLOSE_PARENTHESIS,
  list: CLOSE_BRACKET,
  braces: CLOSE_BRACE,
  dict: CLOSE_BRACE,
  set: CLOSE_BRACE,
}

const isCloser = (code: number): boolean => code === CLOSE_BRACE || code === CLOSE_BRACKET || code === CLOSE_PARENTHESIS

function newFrame(kind: FrameKind, start: number): Frame {
  return {
    kind,
    start,
    items: [],
    hashes: [],
    object: undefined,
    key: undefined,
    keysByHash: undefined,
    comma: -1,
  }
}
