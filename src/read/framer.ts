import type { Dialect } from './dialects/dialect.ts'
import { dialects, thoughts } from './dialects/table.ts'
import { JsonScan } from './json-scan.ts'
import { Literals } from './literals.ts'
import { skip, type TaggedParameter, TagScan } from './tag-scan.ts'

/** A call as it was framed: where it stands, and what is inside. What it means is read later, once. */
export interface Frame {
  readonly dialect: string
  /** Found by a marker, not only by its looks. */
  readonly isMarked: boolean
  /** The whole of it, markers included. */
  readonly raw: string
  readonly start: number
  /** What stands between opener and arguments: the name, where it stands there. */
  readonly head: string
  /** The text of the arguments, or of the whole envelope. */
  readonly body: string
  readonly kind: 'envelope' | 'arguments' | 'tags'
  readonly parameters?: readonly TaggedParameter[]
  /** Whether it was closed as it should be. */
  readonly isClosed: boolean
}

/** What a framer tells, in the order of the text. */
export interface FrameSink {
  text(raw: string): void
  thought(raw: string): void
  /** A marker that is no call: it belongs to the calls beside it, or is text. */
  marker(raw: string): void
  /** A marked call has begun: what is still undecided must be decided now. */
  open(): void
  frame(frame: Frame): void
}

type Meaning =
  | { readonly kind: 'call'; readonly dialect: Dialect }
  | { readonly kind: 'marker' }
  | { readonly kind: 'thought'; readonly close: string }

/** The literals that mean something in prose, from the table. An opener counts before a marker of the same letters. */
const literals = new Literals<Meaning>([
  ...dialects.flatMap((dialect) => dialect.open.map((text) => ({ text, means: { kind: 'call', dialect } as const }))),
  ...dialects.flatMap(({ section = [], close }) =>
    [...section, ...close].map((text) => ({ text, means: { kind: 'marker' } as const })),
  ),
  ...thoughts.map(({ open, close }) => ({ text: open, means: { kind: 'thought', close } as const })),
])

/** Where prose may stop being prose. */
const trigger = new RegExp(`[${[...literals.firsts, '{', '[', '`', '\n'].map((first) => `\\${first}`).join('')}]`, 'g')

/** Where a marker may stand. */
const opening = new RegExp(`[${literals.firsts.map((first) => `\\${first}`).join('')}]`, 'g')

/** So long may the name and the markers before the arguments be. */
const LONGEST_HEAD = 300
/** So far behind the arguments a closer is looked for. */
const LONGEST_TAIL = 64
/** So often a text whose JSON is broken is tried up to a closer that stands in a string. */
const MOST_CLOSERS = 4

/** A unit of text that is being framed. */
interface Unit {
  readonly start: number
  /** What was taken of it before the window. */
  readonly pieces: string[]
  /** Where in the window the rest of it starts. */
  from: number
}

/**
 * Finds where calls begin and end in a text that comes in pieces. It decides by characters that it has seen, and waits
 * where more are needed, so that the pieces cannot matter. Every character goes to the sink once.
 */
export class Framer {
  private readonly sink: FrameSink
  private readonly canRead: (frame: Frame) => boolean
  private window = ''
  private base = 0
  private index = 0
  private isEnd = false
  private unit: Unit | undefined
  private step: () => boolean = this.prose
  private inCode = false

  /** `canRead` tells whether a frame can be read without a problem; asked only where JSON is broken. */
  constructor(sink: FrameSink, canRead: (frame: Frame) => boolean) {
    this.sink = sink
    this.canRead = canRead
  }

  push(chunk: string): void {
    const { unit, window, index } = this
    if (unit) {
      unit.pieces.push(window.slice(unit.from, index))
      unit.from = 0
    }
    this.window = window.slice(index) + chunk
    this.base += index
    this.index = 0
    this.run()
  }

  end(): void {
    this.isEnd = true
    this.run()
  }

  private run(): void {
    while (this.step());
  }

  /** Text up to the next place where something may begin. */
  private prose(): boolean {
    const { window } = this
    if (this.index >= window.length) return false
    trigger.lastIndex = this.index
    const found = trigger.exec(window)?.index ?? window.length
    if (found > this.index) this.sink.text(window.slice(this.index, found))
    this.index = found
    return found < window.length && this.begin()
  }

  /** Something may begin here. */
  private begin(): boolean {
    const { window, index } = this
    const character = window.charAt(index)
    if (character === '\n' || character === '`') {
      this.inCode = character === '`' && !this.inCode
      return this.pass(1)
    }
    const literal = this.inCode ? undefined : literals.at(window, index, this.isEnd)
    if (literal === 'more') return false
    if (!literal) return '{['.includes(character) && !this.inCode ? this.candidate() : this.pass(1)
    const { means, text } = literal
    if (means.kind === 'marker') {
      this.sink.marker(text)
      this.index += text.length
      return true
    }
    if (means.kind === 'thought') {
      this.sink.thought(text)
      this.index += text.length
      return this.become(() => this.thought(means.close))
    }
    return this.head(means.dialect, text)
  }

  private pass(length: number): boolean {
    this.sink.text(this.window.slice(this.index, this.index + length))
    this.index += length
    return true
  }

  private become(step: () => boolean): boolean {
    this.step = step
    return true
  }

  private backToProse(): boolean {
    this.unit = undefined
    return this.become(this.prose)
  }

  private thought(close: string): boolean {
    const { window, index } = this
    const end = window.indexOf(close, index)
    const until = end >= 0 ? end + close.length : this.isEnd ? window.length : window.length - partial(window, close)
    if (until > index) this.sink.thought(window.slice(index, until))
    this.index = until
    return end >= 0 && this.backToProse()
  }

  /** Behind an opener: a name, the arguments, or neither, and then it was a word about calls. */
  private head(dialect: Dialect, opener: string): boolean {
    const { window, isEnd } = this
    const from = this.index + opener.length
    const head = headAt(window, from, dialect)
    const isLong = window.length - from > LONGEST_HEAD
    if (head === undefined && !isEnd && !isLong) return false
    if (!head || !isPlausible(head.text, dialect)) {
      this.sink.marker(opener)
      this.index = from
      return true
    }
    this.sink.open()
    const unit: Unit = { start: this.base + this.index, pieces: [], from: this.index }
    this.unit = unit
    this.index = head.end
    const bodyStart = this.base + head.end - unit.start
    const made = { dialect: dialect.name, isMarked: true, start: unit.start, head: head.text }
    if (head.isTags) {
      const scan = new TagScan(dialect.parameter ?? [], dialect.close, bodyStart)
      return this.become(() => this.tags(scan, made, bodyStart))
    }
    const kind = dialect.body === 'json' || head.text.trim() === '' ? 'envelope' : 'arguments'
    const scan = new JsonScan()
    return this.become(() => this.json(scan, dialect, { ...made, kind }, bodyStart, 0))
  }

  private tags(scan: TagScan, made: Made, bodyStart: number): boolean {
    const { unit, base, window } = this
    if (!unit) return false
    const result = scan.read(window, base - unit.start, this.isEnd)
    if (result.kind === 'more') {
      this.index = scan.settled + unit.start - base
      return false
    }
    const isWhole = result.kind === 'closed' || result.kind === 'ended'
    const end = result.kind === 'broken' ? result.at : result.end
    this.index = end + unit.start - base
    const raw = this.unitText(this.index)
    const parameters = scan.parameters
    this.sink.frame({ ...made, raw, kind: 'tags', body: raw.slice(bodyStart), parameters, isClosed: isWhole })
    return this.backToProse()
  }

  /** Inside JSON: up to its end, or to a closer where the JSON is broken. */
  private json(scan: JsonScan, dialect: Dialect, made: MadeJson, bodyStart: number, tries: number): boolean {
    const { window, isEnd } = this
    const close = closeBefore(window, this.index, dialect.close)
    const until = close ? close.at : isEnd ? window.length : window.length - partialOf(window, dialect.close)
    this.index = scan.read(window, this.index, Math.max(this.index, until))
    if (scan.isDone) return this.become(() => this.behindJson(dialect, made, bodyStart, this.here()))
    if (!close || this.index < close.at) return isEnd && this.finish(made, bodyStart, this.index, this.index, false)
    const isInside = scan.inString && !scan.isBroken
    const isEnded = !isInside && (!scan.inString || tries >= MOST_CLOSERS || this.reads(made, bodyStart))
    if (isEnded) return this.finish(made, bodyStart, close.at, close.at + close.text.length, true)
    this.index = scan.read(window, this.index, close.at + close.text.length)
    return this.become(() => this.json(scan, dialect, made, bodyStart, isInside ? tries : tries + 1))
  }

  /** Behind the JSON: the closer, with or without a little rubbish before it. */
  private behindJson(dialect: Dialect, made: MadeJson, bodyStart: number, jsonEnd: number): boolean {
    const { window, isEnd, unit } = this
    if (!unit) return false
    const end = jsonEnd + unit.start - this.base
    if (dialect.close.length === 0) return this.finish(made, bodyStart, end, end, true)
    const at = passRubbish(window, end, dialect.close)
    const close = dialect.close.find((literal) => window.startsWith(literal, at))
    if (close !== undefined) return this.finish(made, bodyStart, at, at + close.length, true)
    const mayCome =
      at - end <= LONGEST_TAIL && window.length - at < LONGEST_TAIL && mayBecome(window, at, dialect.close)
    if (mayCome && !isEnd) return false
    return this.finish(made, bodyStart, end, end, false)
  }

  /** Where the unit stands, counted from its start. */
  private here(): number {
    return this.base + this.index - (this.unit?.start ?? 0)
  }

  private reads(made: MadeJson, bodyStart: number): boolean {
    const raw = this.unitText(this.index)
    return this.canRead({ ...made, raw, body: raw.slice(bodyStart), isClosed: true })
  }

  private finish(made: MadeJson, bodyStart: number, bodyEnd: number, end: number, isClosed: boolean): boolean {
    const raw = this.unitText(end)
    const body = raw.slice(bodyStart, raw.length - (end - bodyEnd))
    this.index = end
    this.sink.frame({ ...made, raw, body, isClosed })
    return this.backToProse()
  }

  private unitText(end: number): string {
    const { unit, window } = this
    return unit ? unit.pieces.join('') + window.slice(unit.from, end) : ''
  }

  /** JSON that no marker announces. */
  private candidate(): boolean {
    this.unit = { start: this.base + this.index, pieces: [], from: this.index }
    const scan = new JsonScan()
    return this.become(() => this.bare(scan))
  }

  private bare(scan: JsonScan): boolean {
    const { window, isEnd, unit } = this
    if (!unit) return false
    while (this.index < window.length && !scan.isDone) {
      opening.lastIndex = this.index
      const at = opening.exec(window)?.index ?? window.length
      this.index = scan.read(window, this.index, at)
      if (this.index < at || at >= window.length) break
      const literal = scan.inString && !scan.isBroken ? undefined : literals.at(window, at, isEnd)
      if (literal === 'more') return false
      if (literal?.means.kind === 'call') return this.abandon()
      this.index = scan.read(window, at, at + 1)
    }
    if (!scan.isDone && !isEnd) return false
    const made = { dialect: 'json', isMarked: false, start: unit.start, head: '', kind: 'envelope' } as const
    return this.finish(made, 0, this.index, this.index, scan.isDone)
  }

  /** What looked like the start of something is text. */
  private abandon(): boolean {
    this.sink.text(this.unitText(this.index))
    return this.backToProse()
  }
}

type Made = Pick<Frame, 'dialect' | 'isMarked' | 'start' | 'head'>
type MadeJson = Made & { readonly kind: 'envelope' | 'arguments' }

/** What stands between an opener and the arguments; `undefined` when they have not come yet. */
function headAt(
  text: string,
  from: number,
  dialect: Dialect,
): { text: string; end: number; isTags: boolean } | undefined {
  if (dialect.body === 'name-tags') {
    const end = dialect.nameEnd
      ?.map((literal) => [text.indexOf(literal, from), literal.length] as const)
      .filter(([at]) => at >= 0)
    const [at, length] = end?.sort(([one], [other]) => one - other)[0] ?? [-1, 0]
    if (at < 0) return undefined
    const body = skip(text, at + length)
    const first = text.charAt(body)
    if (first === '') return undefined
    return { text: text.slice(from, at), end: first === '{' ? body : at + length, isTags: first !== '{' }
  }
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index)
    const passed = dialect.nameEnd?.find((literal) => text.startsWith(literal, index))
    if (passed !== undefined) index += passed.length - 1
    else if (character === '{' || (character === '[' && !mayBecome(text, index, dialect.nameEnd ?? []))) {
      return { text: text.slice(from, index), end: index, isTags: false }
    } else if (dialect.body === 'json' && !' \n\r\t'.includes(character))
      return { text: character, end: index, isTags: false }
  }
  return undefined
}

const mayBecome = (text: string, index: number, list: readonly string[]): boolean =>
  list.some((literal) => literal.startsWith(text.slice(index, index + literal.length)))

/** Whether a head is nothing, or one name with the family's own words around it. */
function isPlausible(head: string, { body, nameEnd = [] }: Dialect): boolean {
  if (body === 'json') return head.trim() === ''
  return nameIn(head, nameEnd) !== undefined || (body === 'name-json' && head.trim() === '')
}

/** The one name in a head, `undefined` when there is none or several words. */
export function nameIn(head: string, nameEnd: readonly string[]): string | undefined {
  let rest = head
  for (const literal of nameEnd) rest = rest.replaceAll(literal, ' ')
  const words = rest.split(/[\s`]+/).filter((word) => word !== '' && word !== 'function' && word !== 'json')
  return words.length === 1 ? words[0] : undefined
}

function closeBefore(text: string, from: number, closers: readonly string[]): { at: number; text: string } | undefined {
  let found: { at: number; text: string } | undefined
  for (const closer of closers) {
    const at = text.indexOf(closer, from)
    if (at >= 0 && (!found || at < found.at)) found = { at, text: closer }
  }
  return found
}

/** Passes over signs that mean nothing between arguments and a closer: quotes, brackets, tags that close something else. */
function passRubbish(text: string, from: number, closers: readonly string[]): number {
  let index = from
  while (index < text.length && index - from <= LONGEST_TAIL) {
    if (closers.some((closer) => text.startsWith(closer, index))) return index
    const tag = text.startsWith('</', index) ? text.indexOf('>', index) : -1
    if (tag >= 0 && tag - index < LONGEST_TAIL) index = tag + 1
    else if (' \n\r\t}])"\'`;,.'.includes(text.charAt(index))) index++
    else return index
  }
  return index
}

/** How many characters at the end of a text may be the start of a literal. */
function partial(text: string, literal: string): number {
  for (let length = Math.min(literal.length - 1, text.length); length > 0; length--) {
    if (literal.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}

const partialOf = (text: string, list: readonly string[]): number =>
  Math.max(0, ...list.map((literal) => partial(text, literal)))
