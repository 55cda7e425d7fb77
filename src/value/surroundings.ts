import type { Finish, JsonValue, Problem, Span } from '../types.ts'
import {
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isSpace,
  isWord,
  OPEN_BRACE,
  OPEN_BRACKET,
  SLASH,
} from './characters.ts'
import { isSame } from './objects.ts'
import { problem, type ValueProblemCode } from './problems.ts'
import type { ValueRepair, ValueRepairCode } from './repairs.ts'
import { isQuote, Scan } from './scan.ts'
import { TolerantReader } from './tolerant.ts'

/** What a text holds, read with every repair that is known. */
export interface TolerantReading {
  readonly value: JsonValue | undefined
  readonly repairs: readonly ValueRepair[]
  readonly problems: readonly Problem[]
  readonly complete: boolean
  readonly values?: readonly JsonValue[]
  /** The JSON seems to be escaped once too often, from here. */
  readonly escapedAt?: number
  /** Characters looked at, for the test that counts them. */
  readonly looked: number
}

export interface TolerantOptions {
  readonly finish: Finish
  readonly deepest: number
  readonly known: ReadonlySet<string> | undefined
}

/** So many places in prose are tried as a value; then the text holds none. */
const MOST_CANDIDATES = 16
/** So many values are told apart; a longer sequence is refused. */
const MOST_VALUES = 256

/** Reads the value in a text that is neither JSON nor a Python literal: repaired, fenced, in prose, repeated. */
export function readTolerant(text: string, options: TolerantOptions): TolerantReading {
  return new Surroundings(text, options).read()
}

interface Candidate {
  readonly value: JsonValue
  readonly span: Span
}

class Surroundings {
  readonly text: string
  readonly options: TolerantOptions
  readonly scan: Scan
  readonly repairs: ValueRepair[] = []
  readonly found: Candidate[] = []
  start = 0
  candidates = 0
  /** The first refusal of something that looked like a value. */
  refusal: Problem | undefined
  inFence = false
  hasProse = false

  constructor(text: string, options: TolerantOptions) {
    this.text = text
    this.options = options
    this.scan = new Scan(text, this.trimEnd(), options.known)
    this.start = this.trimStart()
  }

  read(): TolerantReading {
    const { text, scan } = this
    let index = this.start
    let prose = -1
    let depth = 0
    while (index < scan.end) {
      const code = text.charCodeAt(index)
      if (isSpace(code)) {
        index++
        continue
      }
      if (code === BACKTICK && text.startsWith('```', index)) {
        prose = this.dropProse(prose, index)
        index = this.fence(index)
        continue
      }
      const isFirst = this.found.length === 0 && prose < 0
      if (code === OPEN_BRACE || code === OPEN_BRACKET || (isFirst && isQuote(code))) {
        const isInline = prose >= 0
        if (depth > 0) {
          depth++
          index++
          continue
        }
        const reading = this.candidate(index, isInline)
        if (reading.kind === 'ended') return reading.result
        if (reading.kind === 'found') {
          prose = this.dropProse(prose, index)
          depth = 0
          index = reading.end
          continue
        }
        if (reading.end > index) {
          prose = prose < 0 ? index : prose
          index = reading.end
          continue
        }
        depth++
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        if (depth > 0) depth--
        else if (this.found.length > 0) {
          if (prose >= 0 || this.hasProse) {
            return this.refuse('unreadable', [index, index + 1], 'a closing bracket closes nothing')
          }
          const { end } = scan.closers(index)
          this.note('closer-dropped', [index, end])
          index = end
          continue
        }
      } else if (this.found.length > 0 && prose < 0 && (isQuote(code) || ':='.includes(text.charAt(index)))) {
        return this.refuse('unreadable', [index, index + 1], 'something stands behind the value')
      } else if (this.found.length > 0 && prose < 0 && (code === COMMA || text.charAt(index) === ';')) {
        index++
        if (scan.space(index) >= scan.end) this.note('comma-trailing', [index - 1, index])
        continue
      }
      if (prose < 0) prose = index
      index++
    }
    scan.looked += text.length
    return this.result(prose)
  }

  result(prose: number): TolerantReading {
    const { found, text } = this
    const [first, ...others] = found
    if (!first) {
      if (this.refusal) return this.answer(undefined, [this.refusal])
      return this.refuse('no-value', [0, 0])
    }
    this.dropProse(prose, this.scan.end)
    const isEmpty = Object.keys(Object(first.value)).length === 0
    const different = others.find(({ value }) => isEmpty || !isSame(value, first.value))
    if (different) {
      const count = found.filter(
        ({ value }, at) => found.findIndex((other) => isSame(other.value, value)) === at,
      ).length
      const several = problem('several-values', text, different.span, String(count))
      return { ...this.answer(undefined, [several]), values: found.map(({ value }) => value) }
    }
    const last = others[others.length - 1]
    if (last) this.note('value-repeated', [others[0]?.span[0] ?? 0, last.span[1]])
    return this.answer(first.value, [])
  }

  /** Tries the value that seems to start here. */
  candidate(
    index: number,
    isInline: boolean,
  ):
    | { readonly kind: 'found' | 'passed'; readonly end: number }
    | { readonly kind: 'ended'; readonly result: TolerantReading } {
    const { scan, options } = this
    if (++this.candidates > MOST_CANDIDATES && this.found.length === 0) return { kind: 'passed', end: index }
    if (this.found.length >= MOST_VALUES) {
      return { kind: 'ended', result: this.refuse('several-values', [index, index + 1], `over ${MOST_VALUES}`) }
    }
    const reader = new TolerantReader(scan, options.finish, options.deepest)
    const outcome = reader.read(index)
    if (outcome.kind === 'value') {
      if (!this.isLikely(outcome.value, [index, outcome.end], reader.repairs, isInline)) {
        if (isInline || this.isPlaceholder(index)) return { kind: 'passed', end: outcome.end }
        const refused = this.refuse('unreadable', [outcome.end, outcome.end + 1], 'something stands behind the value')
        return { kind: 'ended', result: refused }
      }
      this.keep(reader.repairs)
      this.found.push({ value: outcome.value, span: [index, outcome.end] })
      return { kind: 'found', end: outcome.end }
    }
    const isText = reader.members === 0 && !this.inFence && this.isPlaceholder(index)
    if (isText) {
      if (outcome.kind === 'refused' && !isInline) this.refusal ??= outcome.problem
      return { kind: 'passed', end: index }
    }
    if (outcome.kind === 'cut') {
      this.keep(reader.repairs)
      return { kind: 'ended', result: { ...this.answer(outcome.value, [outcome.problem]), complete: false } }
    }
    const isEscaped = this.text.charCodeAt(outcome.at) === BACKSLASH && isQuote(this.text.charCodeAt(outcome.at + 1))
    const refused = this.answer(undefined, [outcome.problem])
    return { kind: 'ended', result: isEscaped ? { ...refused, escapedAt: index } : refused }
  }

  /** In prose a bracket is often no value: `[1]` is a reference and `{name}` a placeholder. */
  isLikely(value: JsonValue, [start, end]: Span, repairs: readonly ValueRepair[], isInline: boolean): boolean {
    const { text, scan } = this
    if (typeof value !== 'object' || value === null) return end >= scan.end
    if (this.inFence || !(isInline || this.isProseAt(end))) return true
    if (repairs.some(({ code }) => code === 'word-bare' || code === 'quote-missing')) return false
    const label = text.slice(text.lastIndexOf('\n', start) + 1, start).trim()
    const next = scan.space(end)
    if ((label === '' || label.endsWith(':')) && (next >= scan.end || scan.hasLineEnd(end, next))) return true
    if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null)
    return Object.keys(value).length > 0 && repairs.every(({ code }) => code !== 'key-bare')
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

  /** Passes over a fence line. */
  fence(index: number): number {
    const { text, scan } = this
    let end = index + 3
    while (scan.code(end) === BACKTICK) end++
    this.inFence = !this.inFence
    if (this.inFence) end = Math.max(end, scan.wordEnd(end))
    this.note('fence-dropped', [index, end])
    void text
    return end
  }

  dropProse(from: number, to: number): -1 {
    if (from >= 0) {
      let end = to
      while (end > from && isSpace(this.text.charCodeAt(end - 1))) end--
      this.note('prose-dropped', [from, end])
      this.hasProse = true
    }
    return -1
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
    return { value, repairs, problems, complete: true, looked: this.scan.looked }
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
