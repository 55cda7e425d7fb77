import type { Finish, JsonValue, PlacedValue, Problem, Span } from '../types.ts'
import {
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  EQUALS,
  isSpace,
  isWord,
  OPEN_BRACE,
  OPEN_BRACKET,
  SEMICOLON,
  SLASH,
} from './characters.ts'
import { isSame } from './objects.ts'
import { problem, type ValueProblemCode } from './problems.ts'
import { readPython } from './python.ts'
import type { ValueRepair, ValueRepairCode } from './repairs.ts'
import { isQuote, type OnNumber, Scan } from './scan.ts'
import { TolerantReader } from './tolerant.ts'

/** What a text holds, read with every repair that is known. */
export interface TolerantReading {
  readonly value: JsonValue | undefined
  readonly repairs: readonly ValueRepair[]
  readonly problems: readonly Problem[]
  readonly complete: boolean
  readonly values?: readonly PlacedValue[]
  /** The JSON seems to be escaped once too often. */
  readonly isEscaped: boolean
  /** Characters looked at, for the test that counts them. */
  readonly looked: number
}

export interface TolerantOptions {
  readonly finish: Finish
  readonly deepest: number
  readonly known: ReadonlySet<string> | undefined
  /** Told of every number. */
  readonly onNumber?: OnNumber
}

/** So many places in prose are tried as a value; then the text holds none. */
const MOST_CANDIDATES = 16
/** So many values are told apart; a longer sequence is refused. */
const MOST_VALUES = 256

/** Reads the value in a text that is neither JSON nor a Python literal: repaired, fenced, in prose, repeated. */
export function readTolerant(text: string, options: TolerantOptions): TolerantReading {
  return new Surroundings(text, options).read()
}

/** Walks over a text: values, and what stands before, between and behind them. */
class Surroundings {
  readonly text: string
  readonly options: TolerantOptions
  readonly scan: Scan
  readonly repairs: ValueRepair[] = []
  readonly found: PlacedValue[] = []
  index = 0
  /** Where the words started that no value came behind yet, else -1. */
  prose = -1
  /** Words were dropped. */
  hasProse = false
  /** How many brackets of the prose are open. */
  depth = 0
  inFence = false
  /** An object that was taken for words. */
  passed: Span | undefined
  candidates = 0
  /** The refusal of what the text starts with, should nothing better come. */
  refusal: Problem | undefined

  constructor(text: string, options: TolerantOptions) {
    this.text = text
    this.options = options
    this.scan = new Scan(text, this.trimEnd(), options.known, options.onNumber)
    this.index = this.trimStart()
  }

  read(): TolerantReading {
    const { scan } = this
    for (this.index = scan.space(this.index); this.index < scan.end; this.index = scan.space(this.index)) {
      const ended = this.step(this.text.charCodeAt(this.index))
      if (ended) return ended
    }
    return this.result()
  }

  /** Looks at what stands here and moves on; returns a reading when that settles it. */
  step(code: number): TolerantReading | undefined {
    const { found, index, scan } = this
    if (code === BACKTICK && this.isFence(index)) return this.passFence()
    const isFirst = found.length === 0 && this.prose < 0
    if (code === OPEN_BRACE || code === OPEN_BRACKET || (isFirst && isQuote(code) && code !== BACKTICK)) {
      if (this.depth === 0) return this.tryValue()
      this.depth++
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (this.depth > 0) this.depth--
      else if (found.length > 0) return this.passCloser()
    } else if (found.length > 0 && this.prose < 0) {
      if ((isQuote(code) && code !== BACKTICK) || code === COLON || code === EQUALS) {
        return this.refuse('unreadable', [index, index + 1], 'something stands behind the value')
      }
      if (code === COMMA || code === SEMICOLON) {
        this.index++
        if (scan.space(this.index) >= scan.end) this.note('comma-trailing', [index, index + 1])
        return undefined
      }
    }
    this.passProse(index + 1)
    return undefined
  }

  passProse(end: number): void {
    if (this.prose < 0) this.prose = this.index
    this.index = end
  }

  /** Brackets that close nothing, right behind the value. */
  passCloser(): TolerantReading | undefined {
    const { index, scan } = this
    if (this.prose >= 0 || this.hasProse) {
      return this.refuse('unreadable', [index, index + 1], 'a closing bracket closes nothing')
    }
    this.index = scan.closers(index).end
    this.note('closer-dropped', [index, this.index])
    return undefined
  }

  /** A fence stands at the start of a line, or behind the value that it closes. */
  isFence(index: number): boolean {
    const { found, text } = this
    if (!text.startsWith('```', index)) return false
    if (this.inFence && found.length > 0) return true
    let before = index - 1
    while (before >= 0 && text.charAt(before) !== '\n' && isSpace(text.charCodeAt(before))) before--
    return before < 0 || text.charAt(before) === '\n'
  }

  passFence(): undefined {
    const { index, scan } = this
    this.dropProse(index)
    let end = index + 3
    while (scan.code(end) === BACKTICK) end++
    this.inFence = !this.inFence
    this.index = this.inFence ? scan.wordEnd(end) : end
    this.note('fence-dropped', [index, this.index])
    return undefined
  }

  result(): TolerantReading {
    const { found, text, scan } = this
    const [first, ...others] = found
    if (!first) return this.refusal ? this.answer(undefined, [this.refusal]) : this.refuse('no-value', [0, 0])
    this.dropProse(scan.end)
    if (this.passed) return this.refuse('ambiguous', this.passed, 'another value stands in the words around this one')
    const different = others.find(({ value }) => !isSame(value, first.value))
    if (different) {
      const several = problem('several-values', text, different.span, String(found.length))
      return { ...this.answer(undefined, [several]), values: found }
    }
    const [second] = others
    const last = others[others.length - 1]
    if (second && last) this.note('value-repeated', [second.span[0], last.span[1]])
    return this.answer(first.value, [])
  }

  /** Tries the value that seems to start here. */
  tryValue(): TolerantReading | undefined {
    const { index, scan, options, text } = this
    if (this.found.length >= MOST_VALUES) {
      return this.refuse('several-values', [index, index + 1], `over ${MOST_VALUES}`)
    }
    if (++this.candidates > MOST_CANDIDATES + this.found.length) {
      this.passProse(index + 1)
      return undefined
    }
    let reader = new TolerantReader(scan, options.finish, options.deepest)
    let outcome = reader.read(index)
    const fenceEnd = this.inFence && outcome.kind !== 'value' ? text.indexOf('\n```', index) : -1
    if (fenceEnd >= 0) {
      // The end of the fence is an end: what is open there may be closed.
      const fenced = new TolerantReader(
        new Scan(text, fenceEnd, options.known, options.onNumber),
        'stop',
        options.deepest,
      )
      const other = fenced.read(index)
      if (other.kind === 'value') [reader, outcome] = [fenced, other]
    }
    if (outcome.kind === 'value') return this.takeValue(outcome.value, outcome.end, reader.repairs)
    const isUnknown = outcome.kind === 'refused' && outcome.problem.code === 'unreadable'
    if (this.inFence && isUnknown && this.takeFencedPython()) return undefined
    if (reader.members === 0 && !this.inFence && this.isPlaceholder(index)) {
      if (outcome.kind === 'refused' && this.prose < 0) this.refusal ??= outcome.problem
      this.depth++
      this.passProse(index + 1)
      return undefined
    }
    if (outcome.kind === 'cut') {
      this.keep(reader.repairs)
      return { ...this.answer(outcome.value, [outcome.problem]), complete: false }
    }
    const isEscaped = text.charCodeAt(outcome.at) === BACKSLASH && isQuote(text.charCodeAt(outcome.at + 1))
    return { ...this.answer(undefined, [outcome.problem]), isEscaped }
  }

  takeValue(value: JsonValue, end: number, repairs: readonly ValueRepair[]): TolerantReading | undefined {
    const { index } = this
    if (this.isLikely(value, [index, end], repairs)) {
      if (this.isArgument(index, end))
        return this.refuse('unreadable', [index, end], 'the value is part of something larger')
      this.dropProse(index)
      this.keep(repairs)
      this.found.push({ value, span: [index, end] })
      this.index = end
      return undefined
    }
    if (this.prose < 0 && !this.isPlaceholder(index)) {
      return this.refuse('unreadable', [end, end + 1], 'something stands behind the value')
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) this.passed ??= [index, end]
    this.passProse(end)
    return undefined
  }

  /** What cannot be repaired in a fence may be Python that the repairs do not know: a tuple, a set, joined strings. */
  takeFencedPython(): boolean {
    const { index, text } = this
    const close = text.indexOf('```', index)
    const end = close < 0 ? this.scan.end : close
    const python = readPython(text.slice(index, end).trimEnd())
    if (!python || python.problems.length > 0 || python.differsInJson) return false
    if (python.repairs.some(({ code }) => code === 'strings-joined')) return false
    for (const { span, ...repair } of python.repairs) {
      this.repairs.push(span ? { ...repair, span: [span[0] + index, span[1] + index] } : repair)
    }
    this.found.push({ value: python.value, span: [index, end] })
    this.index = end
    return true
  }

  /** In prose a bracket is often no value: `[1]` is a reference and `{name}` a placeholder. */
  isLikely(value: JsonValue, [start, end]: Span, repairs: readonly ValueRepair[]): boolean {
    const { text, scan } = this
    if (typeof value !== 'object' || value === null) return end >= scan.end
    if (this.inFence || (this.prose < 0 && !this.isProseAt(end))) return true
    if (repairs.some(({ code }) => code === 'word-bare' || code === 'quote-missing')) return false
    const label = text.slice(text.lastIndexOf('\n', start) + 1, start).trim()
    const next = scan.space(end)
    if ((label === '' || label.endsWith(':')) && (next >= scan.end || scan.hasLineEnd(end, next))) return true
    if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null)
    return Object.keys(value).length > 0 && repairs.every(({ code }) => code !== 'key-bare')
  }

  /** `f({"a": 1}, 5)`, `path: "x", opts: {"a": 1}`, `[1] * 3`: what stands around is no prose but takes part. */
  isArgument(start: number, end: number): boolean {
    const { text, scan } = this
    const before = this.prose < 0 ? '' : text.slice(this.prose, start)
    if (before.lastIndexOf('(') > before.lastIndexOf(')')) return true
    const key = before.slice(before.lastIndexOf(',') + 1).trim()
    if (before.includes(',') && /["=]/.test(before) && /^[\w"'-]+[:=]$/.test(key)) return true
    const next = scan.space(end)
    const isOperator = '*+-/%&|?'.includes(text.charAt(next) || ' ') && !text.startsWith('//', next)
    return isOperator && !scan.hasLineEnd(end, next)
  }

  /** A bracket with a word in it, as prose and prompts have them: `{name}`, `[INST]`, `[/INST]`. */
  isPlaceholder(index: number): boolean {
    const inside = this.text.charCodeAt(this.scan.space(index + 1))
    return !isQuote(this.text.charCodeAt(index)) && (isWord(inside) || inside === SLASH) && !isQuote(inside)
  }

  /** Whether words follow, rather than the end, another value or the end of a fence. */
  isProseAt(end: number): boolean {
    const index = this.scan.closers(end).end
    return index < this.scan.end && !'{[`,;<'.includes(this.text.charAt(index))
  }

  /** The words so far belong to no value. */
  dropProse(to: number): void {
    if (this.prose < 0) return
    let end = to
    while (end > this.prose && isSpace(this.text.charCodeAt(end - 1))) end--
    this.note('prose-dropped', [this.prose, end])
    this.hasProse = true
    this.prose = -1
  }

  trimStart(): number {
    let index = 0
    if (this.text.charCodeAt(0) === 0xfeff) {
      this.note('byte-order-mark', [0, 1])
      index = 1
    }
    while (true) {
      index = this.scan.space(index)
      const end = specialTokenEnd(this.text, index)
      if (end < 0 || end > this.scan.end) return index
      this.note('special-token-dropped', [index, end])
      index = end
    }
  }

  trimEnd(): number {
    const { text } = this
    let end = text.length
    while (true) {
      while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
      if (text.charAt(end - 1) !== '>') return end
      const start = text.lastIndexOf('<', end)
      if (start < 0 || end - start > LONGEST_TOKEN || specialTokenEnd(text, start) !== end) return end
      this.note('special-token-dropped', [start, end])
      end = start
    }
  }

  /** One by one: a spread of as many arguments as a text has repairs would exhaust the stack. */
  keep(repairs: readonly ValueRepair[]): void {
    for (const repair of repairs) this.repairs.push(repair)
  }

  note(code: ValueRepairCode, span: Span): void {
    this.repairs.push({ code, path: [], span, before: this.text.slice(...span), after: '' })
  }

  answer(value: JsonValue | undefined, problems: readonly Problem[]): TolerantReading {
    const repairs = this.repairs.toSorted((one, other) => (one.span?.[0] ?? 0) - (other.span?.[0] ?? 0))
    return { value, repairs, problems, complete: true, isEscaped: false, looked: this.scan.looked + this.text.length }
  }

  refuse(code: ValueProblemCode, span: Span, detail = ''): TolerantReading {
    return this.answer(undefined, [problem(code, this.text, span, detail)])
  }
}

const LONGEST_TOKEN = 64
const plainTokens = ['<s>', '</s>', '<eos>', '<bos>', '<end_of_turn>', '<start_of_turn>', '<pad>', '<unk>']

/** Where the special token that starts here ends, or -1: `<|…|>`, `<｜…｜>`, or one of the plain ones. */
function specialTokenEnd(text: string, start: number): number {
  if (text.charCodeAt(start) !== 0x3c) return -1
  const plain = plainTokens.find((token) => text.startsWith(token, start))
  if (plain) return start + plain.length
  const bar = text.charAt(start + 1)
  if (bar !== '|' && bar !== '｜') return -1
  const end = text.indexOf(`${bar}>`, start + 2)
  return end < 0 || end + 2 - start > LONGEST_TOKEN ? -1 : end + 2
}
