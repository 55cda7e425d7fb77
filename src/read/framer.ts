import { ActionBody, type Label, labels } from './bodies/action-body.ts'
import { BareBody } from './bodies/bare-body.ts'
import type { Body, UnitEnd } from './bodies/body.ts'
import { JsonBody } from './bodies/json-body.ts'
import { TagBody } from './bodies/tag-body.ts'
import type { TaggedParameter } from './bodies/tag-scan.ts'
import type { Dialect } from './dialects/dialect.ts'
import { dialects, thoughts } from './dialects/table.ts'
import { type Head, headAt, isPlausible } from './head.ts'
import { Literals, partialOf } from './literals.ts'

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
  /** Their places are counted in `raw`. */
  readonly parameters?: readonly TaggedParameter[]
  /** Whether it was closed as it should be. */
  readonly isClosed: boolean
}

/** What is known of a marked call when it begins. */
export type FrameOpening = Pick<Frame, 'dialect' | 'head' | 'start'>

/** What a framer tells, in the order of the text. */
export interface FrameSink {
  text(raw: string): void
  thought(raw: string): void
  /** The final answer, behind its label. */
  answer(raw: string): void
  /** A marker that is no call: it belongs to the calls beside it, or is text. */
  marker(raw: string): void
  /** Markup for sure: labels, and what a model made up in the name of a tool. */
  markup(raw: string): void
  /** A marked call has begun: what is still undecided must be decided now. */
  open(opening: FrameOpening): void
  frame(frame: Frame): void
}

type Meaning =
  | { readonly kind: 'call'; readonly dialect: Dialect }
  | { readonly kind: 'marker' }
  | { readonly kind: 'thought'; readonly close: string }

const openers = dialects.flatMap((dialect) =>
  dialect.open.map((text) => ({ text, means: { kind: 'call', dialect } as const })),
)
/** The literals that mean something in prose, from the table. An opener counts before a marker of the same letters. */
const literals = new Literals<Meaning>(
  [
    ...openers,
    ...dialects.flatMap(({ section = [], close }) =>
      [...section, ...close].map((text) => ({ text, means: { kind: 'marker' } as const })),
    ),
    ...thoughts.map(({ open, close }) => ({ text: open, means: { kind: 'thought', close } as const })),
  ],
  ['{', '[', '`', '\n'],
)
const callOpeners = new Literals(openers)

/** A unit of text that is being framed. */
interface Unit {
  readonly start: number
  /** What was taken of it before the window. */
  readonly pieces: string[]
  taken: number
  readonly body: Body
  readonly made: Pick<Frame, 'dialect' | 'isMarked' | 'head'>
}

/**
 * Finds where calls begin and end in a text that comes in pieces. It decides by characters that it has seen, and waits
 * where more are needed, so that the pieces cannot matter. Every character goes to the sink once.
 */
export class Framer {
  private readonly sink: FrameSink
  private readonly canRead: (frame: Frame) => boolean
  /** What has come and is not settled, and where it stands in the whole text. */
  private window = ''
  private base = 0
  private index = 0
  private isEnd = false
  private unit: Unit | undefined
  /** What is done with the text at hand: each returns whether there is more to do. */
  private step: () => boolean = this.line
  private inCode = false
  private hasActed = false

  /** `canRead` tells whether a frame can be read without a problem; asked only where JSON is broken. */
  constructor(sink: FrameSink, canRead: (frame: Frame) => boolean) {
    this.sink = sink
    this.canRead = canRead
  }

  push(chunk: string): void {
    this.window = this.window.slice(this.index) + chunk
    this.base += this.index
    this.index = 0
    while (this.step());
  }

  end(): void {
    this.isEnd = true
    while (this.step());
  }

  private become(step: () => boolean): boolean {
    this.step = step
    return true
  }

  /** The start of a line, where the labels of ReAct stand. */
  private line(): boolean {
    const { window, index, isEnd } = this
    if (index >= window.length) return false
    const label = labels.at(window, index, isEnd)
    if (label === 'more') return false
    return label ? this.labelled(label.means, label.text) : this.become(this.prose)
  }

  private labelled(label: Label, text: string): boolean {
    if (label === 'action') {
      this.hasActed = true
      return this.enter({ dialect: 'react', isMarked: true, head: '' }, new ActionBody(text.length), text.length)
    }
    // What a tool is said to have answered was made up, and so is all that follows from it.
    if (label === 'observation' && this.hasActed) return this.become(this.invention)
    if (label === 'input' || label === 'observation') return this.become(this.prose)
    this.sink.markup(text)
    this.index += text.length
    const say = label === 'thought' ? this.sink.thought : this.sink.answer
    return this.become(() => this.untilLabel(say.bind(this.sink)))
  }

  private invention(): boolean {
    if (this.index < this.window.length) this.sink.markup(this.window.slice(this.index))
    this.index = this.window.length
    return false
  }

  /** Text of one kind, up to the next label at the start of a line. */
  private untilLabel(say: (raw: string) => void): boolean {
    const { window, index, isEnd } = this
    const line = window.indexOf('\n', index)
    const end = line < 0 ? window.length : line + 1
    if (end > index) say(window.slice(index, end))
    this.index = end
    if (line < 0) return false
    const label = labels.at(window, end, isEnd)
    if (end >= window.length || label === 'more') return this.become(() => this.lineUntilLabel(say))
    return label ? this.become(this.line) : true
  }

  private lineUntilLabel(say: (raw: string) => void): boolean {
    if (this.index >= this.window.length) return false
    const label = labels.at(this.window, this.index, this.isEnd)
    if (label === 'more') return false
    return this.become(label ? this.line : () => this.untilLabel(say))
  }

  /** Text up to the next place where something may begin. */
  private prose(): boolean {
    const { window, index } = this
    if (index >= window.length) return false
    const found = literals.next(window, index)
    if (found > index) this.sink.text(window.slice(index, found))
    this.index = found
    return found < window.length && this.begin()
  }

  /** Something may begin here. */
  private begin(): boolean {
    const { window, index, inCode } = this
    const character = window.charAt(index)
    if (character === '\n' || character === '`') {
      this.inCode = character === '`' && !inCode
      return this.pass(1) && this.become(character === '\n' ? this.line : this.prose)
    }
    const literal = inCode ? undefined : literals.at(window, index, this.isEnd)
    if (literal === 'more') return false
    if (!literal) {
      const isJson = !inCode && (character === '{' || character === '[')
      return isJson
        ? this.enter({ dialect: 'json', isMarked: false, head: '' }, new BareBody(callOpeners), 0)
        : this.pass(1)
    }
    const { means, text } = literal
    if (means.kind === 'call') return this.open(means.dialect, text)
    this.index += text.length
    if (means.kind === 'marker') this.sink.marker(text)
    else this.sink.thought(text)
    return means.kind === 'marker' || this.become(() => this.thought(means.close))
  }

  private pass(length: number): boolean {
    this.sink.text(this.window.slice(this.index, this.index + length))
    this.index += length
    return true
  }

  private thought(close: string): boolean {
    const { window, index, isEnd } = this
    const end = window.indexOf(close, index)
    const until = end >= 0 ? end + close.length : window.length - (isEnd ? 0 : partialOf(window, [close]))
    if (until > index) this.sink.thought(window.slice(index, until))
    this.index = Math.max(index, until)
    return end >= 0 && this.become(this.prose)
  }

  /** Behind an opener: a name, the arguments, or neither, and then it was a word about calls. */
  private open(dialect: Dialect, opener: string): boolean {
    const head = headAt(this.window, this.index + opener.length, dialect, this.isEnd)
    if (head === 'more') return false
    if (head && isPlausible(head.text, dialect)) return this.enterCall(dialect, head)
    this.sink.marker(opener)
    this.index += opener.length
    return true
  }

  private enterCall(dialect: Dialect, head: Head): boolean {
    const from = head.end - this.index
    const made = { dialect: dialect.name, isMarked: true, head: head.text }
    if (head.isTags) return this.enter(made, new TagBody(from, dialect.parameter ?? [], dialect.close), from)
    const kind = head.text.trim() === '' ? 'envelope' : 'arguments'
    const reads = (body: string): boolean => this.canRead({ ...made, raw: body, start: 0, kind, body, isClosed: true })
    return this.enter(made, new JsonBody(from, kind, dialect.close, reads), from)
  }

  private enter(made: Unit['made'], body: Body, length: number): boolean {
    if (made.isMarked) this.sink.open({ ...made, start: this.base + this.index })
    this.unit = { start: this.base + this.index, pieces: [], taken: 0, made, body }
    this.take(this.index + length)
    return this.become(this.inside)
  }

  /** Moves on in the unit: what is settled is kept apart, so that the window stays short. */
  private take(index: number): void {
    const { unit, window } = this
    if (!unit || index <= this.index) return
    unit.pieces.push(window.slice(this.index, index))
    unit.taken += index - this.index
    this.index = index
  }

  private inside(): boolean {
    const { unit } = this
    if (!unit) return this.become(this.prose)
    const window = this.index === 0 ? this.window : this.window.slice(this.index)
    const offset = unit.taken
    const slice = (from: number, to: number): string => (unit.pieces.join('') + window).slice(from, to)
    const end = unit.body.read({ window, offset, isEnd: this.isEnd, slice })
    if (end) return this.leave(unit, end)
    this.take(this.index + unit.body.settled - offset)
    return false
  }

  private leave(
    { pieces, taken, start, made }: Unit,
    { end, from, to, kind, head, parameters, isClosed }: UnitEnd,
  ): boolean {
    const raw =
      end >= taken
        ? pieces.join('') + this.window.slice(this.index, this.index + end - taken)
        : pieces.join('').slice(0, end)
    this.index += end - taken
    this.unit = undefined
    const body = raw.slice(from, to)
    if (kind === 'text') this.sink.text(raw)
    else {
      const found = { ...made, ...(head === undefined ? {} : { head }), ...(parameters ? { parameters } : {}) }
      this.sink.frame({ ...found, raw, start, body, kind, isClosed })
    }
    return this.become(this.prose)
  }
}
