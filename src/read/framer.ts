import { ActionBody, type Label, labels } from './bodies/action-body.ts'
import { BareBody, PARAGRAPH } from './bodies/bare-body.ts'
import type { Body, UnitEnd } from './bodies/body.ts'
import { JsonBody } from './bodies/json-body.ts'
import type { StringWatch } from './bodies/json-scan.ts'
import { TagBody } from './bodies/tag-body.ts'
import type { TextWatch } from './bodies/tag-scan.ts'
import type { Dialect } from './dialects/dialect.ts'
import { channels, dialects, inventions, thoughts } from './dialects/table.ts'
import type { Frame, FrameQuestions, FrameSink } from './frame.ts'
import { type Head, headAt, isPlausible } from './head.ts'
import { Literals, partialOf } from './literals.ts'

type Meaning =
  | { readonly kind: 'call'; readonly dialect: Dialect }
  | { readonly kind: 'invention'; readonly close: string }
  | { readonly kind: 'marker' }
  | { readonly kind: 'thought'; readonly close: string }
  | { readonly kind: 'channel' }

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
    ...inventions.map(({ open, close }) => ({ text: open, means: { kind: 'invention', close } as const })),
    ...channels.open.map((text) => ({ text, means: { kind: 'channel' } as const })),
    ...channels.close.map((text) => ({ text, means: { kind: 'marker' } as const })),
  ],
  ['{', '[', '`', '\n'],
)
/** What JSON without a marker cannot go over. */
const barriers = new Literals<unknown>([...openers, { text: PARAGRAPH, means: undefined }])
/** What may begin at the start of a line. */
const lineOpeners = new Literals(channels.openLine.map((text) => ({ text, means: undefined })))

const messageEnds = new Literals([...channels.close, ...channels.open].map((text) => ({ text, means: undefined })))

/** JSON without a marker that names no tool in so many characters is text. */
const LONGEST_HOLD = 256
/** More backticks than this are so many at a time. */
const MOST_TICKS = 16
/** So long may the header of a message be. */
const LONGEST_HEADER = 300

/** A unit of text that is being framed. */
interface Unit {
  readonly start: number
  /** What was taken of it before the window. */
  readonly pieces: string[]
  taken: number
  readonly body: Body
  readonly made: Pick<Frame, 'dialect' | 'isMarked' | 'head'>
  /** It is no call for sure, and its text goes on as it comes. Undecided while it is short. */
  isText: boolean | undefined
}

/**
 * Finds where calls begin and end in a text that comes in pieces. It decides by characters that it has seen, and waits
 * where more are needed, so that the pieces cannot matter. Every character goes to the sink once.
 */
export class Framer {
  private readonly sink: FrameSink
  private readonly questions: FrameQuestions
  /** What has come and is not settled, and where it stands in the whole text. */
  private window = ''
  private base = 0
  private index = 0
  private isEnd = false
  private unit: Unit | undefined
  /** What is done with the text at hand: each returns whether there is more to do. */
  private step: () => boolean = this.line
  /** How many backticks opened the inline code that is open. */
  private ticksOpen = 0
  private hasActed = false

  constructor(sink: FrameSink, questions: FrameQuestions) {
    this.sink = sink
    this.questions = questions
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
    const recipient = label ?? lineOpeners.at(window, index, isEnd)
    if (label === 'more' || recipient === 'more') return false
    if (label) return this.labelled(label.means, label.text)
    return recipient ? this.channel(recipient.text) : this.become(this.prose)
  }

  private labelled(label: Label, text: string): boolean {
    if (label === 'action') {
      this.hasActed = true
      const made = { dialect: 'react', isMarked: true, head: '' }
      this.announce(made)
      return this.enter(made, new ActionBody(text.length), text.length)
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
    const { window, index } = this
    const character = window.charAt(index)
    if (character === '`') return this.ticks()
    if (character === '\n') {
      this.ticksOpen = 0
      return this.pass(1) && this.become(this.line)
    }
    const inCode = this.ticksOpen > 0
    const literal = inCode ? undefined : literals.at(window, index, this.isEnd)
    if (literal === 'more') return false
    if (!literal) {
      const isJson = !inCode && (character === '{' || character === '[')
      return isJson
        ? this.enter({ dialect: 'json', isMarked: false, head: '' }, new BareBody(barriers), 0)
        : this.pass(1)
    }
    const { means, text } = literal
    if (means.kind === 'call') return this.open(means.dialect, text)
    if (means.kind === 'channel') return this.channel(text)
    this.index += text.length
    if (means.kind === 'marker') {
      this.sink.marker(text)
      return true
    }
    const say = (means.kind === 'thought' ? this.sink.thought : this.sink.markup).bind(this.sink)
    say(text)
    return this.become(() => this.until(means.close, say))
  }

  /** Backticks open inline code, and as many of them close it; a line break ends it too. */
  private ticks(): boolean {
    const { window, index } = this
    let end = index
    while (window.charAt(end) === '`' && end - index < MOST_TICKS) end++
    const count = end - index
    if (end >= window.length && !this.isEnd && count < MOST_TICKS) return false
    if (this.ticksOpen === 0) this.ticksOpen = count
    else if (this.ticksOpen === count) this.ticksOpen = 0
    return this.pass(count)
  }

  private pass(length: number): boolean {
    this.sink.text(this.window.slice(this.index, this.index + length))
    this.index += length
    return true
  }

  /** What stands up to a closer, all of one kind. */
  private until(close: string, say: (raw: string) => void): boolean {
    const { window, index, isEnd } = this
    const end = window.indexOf(close, index)
    const until = end >= 0 ? end + close.length : window.length - (isEnd ? 0 : partialOf(window, [close]))
    if (until > index) say(window.slice(index, until))
    this.index = Math.max(index, until)
    return end >= 0 && this.become(this.prose)
  }

  /** A message with a header: a call, a thought, the answer, or words. */
  private channel(opener: string): boolean {
    const { window, index } = this
    const found = window.slice(index, index + LONGEST_HEADER).indexOf(channels.message)
    const at = index + found
    if (found < 0) {
      if (!this.isEnd && window.length - index < LONGEST_HEADER) return false
      this.sink.marker(opener)
      this.index += opener.length
      return this.become(this.prose)
    }
    const end = at + channels.message.length
    const header = window.slice(index, at)
    const name = recipientIn(header)
    const made = { dialect: channels.name, isMarked: true, head: name ?? '' }
    if (name !== undefined) return this.enterArguments(made, end - index, channels.close)
    this.sink.markup(window.slice(index, end))
    this.index = end
    const has = (words: readonly string[]): boolean => words.some((word) => header.includes(word))
    const say = has(channels.thought) ? this.sink.thought : has(channels.answer) ? this.sink.answer : this.sink.text
    return this.become(() => this.message(say.bind(this.sink)))
  }

  /** The text of a message, up to what ends it. */
  private message(say: (raw: string) => void): boolean {
    const { window, index, isEnd } = this
    let at = messageEnds.next(window, index)
    let end = messageEnds.at(window, at, isEnd)
    while (!end && at < window.length) {
      at = messageEnds.next(window, at + 1)
      end = messageEnds.at(window, at, isEnd)
    }
    if (at > index) say(window.slice(index, at))
    this.index = at
    return end !== undefined && end !== 'more' && this.become(this.prose)
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
    if (head.isTags) {
      const watch = this.announce(made)
      return this.enter(
        made,
        new TagBody(from, dialect.parameter ?? [], dialect.close, {
          watch,
          next: [...dialect.open, ...(dialect.section ?? [])],
        }),
        from,
      )
    }
    return this.enterArguments(made, from, dialect.close)
  }

  private enterArguments(made: Unit['made'], from: number, closers: readonly string[]): boolean {
    const kind = made.head.trim() === '' ? 'envelope' : 'arguments'
    const reads = (body: string): boolean =>
      this.questions.canRead({
        ...made,
        raw: body,
        start: 0,
        kind,
        body,
        bodyStart: 0,
        isClosed: true,
        isBroken: false,
        isLast: false,
      })
    return this.enter(made, new JsonBody(from, kind, closers, reads, this.announce(made)), from)
  }

  private announce(made: Unit['made']): (StringWatch & TextWatch) | undefined {
    return this.sink.open({ ...made, start: this.base + this.index })
  }

  private enter(made: Unit['made'], body: Body, length: number): boolean {
    const isText = made.isMarked ? false : undefined
    this.unit = { start: this.base + this.index, pieces: [], taken: 0, made, body, isText }
    this.take(this.index + length)
    return this.become(this.inside)
  }

  /** Moves on in the unit: what is settled is kept apart, so that the window stays short. */
  private take(index: number): void {
    const { unit, window } = this
    if (!unit || index <= this.index) return
    const piece = window.slice(this.index, index)
    if (unit.isText) this.sink.text(piece)
    unit.pieces.push(piece)
    unit.taken += piece.length
    this.index = index
  }

  private inside(): boolean {
    const { unit } = this
    if (!unit) return this.become(this.prose)
    const window = this.index === 0 ? this.window : this.window.slice(this.index)
    const offset = unit.taken
    const slice = (from: number, to: number): string =>
      (unit.pieces.join('') + window.slice(0, Math.max(0, to - offset))).slice(from, to)
    const end = unit.body.read({ window, offset, isEnd: this.isEnd, slice })
    const length = end ? end.end : offset + window.length
    if (unit.isText === undefined && length > LONGEST_HOLD) this.judgeHold(unit, slice(0, LONGEST_HOLD))
    if (end) return this.leave(unit, end)
    this.take(this.index + unit.body.settled - offset)
    return false
  }

  /** Whether what is held may still be a call. */
  private judgeHold(unit: Unit, start: string): void {
    unit.isText = !this.questions.namesTool(start)
    if (unit.isText && unit.taken > 0) this.sink.text(unit.pieces.join(''))
  }

  private leave(unit: Unit, { end, from, to, kind, head, parameters, isClosed, isBroken = false }: UnitEnd): boolean {
    const { taken, start, made, isText, pieces } = unit
    this.unit = undefined
    const rest = this.window.slice(this.index, Math.max(this.index, this.index + end - taken))
    const whole = pieces.join('') + rest
    const raw = whole.slice(0, end)
    if (end >= taken) this.index += end - taken
    else {
      // What was taken already, and does not belong to it after all, comes again.
      this.window = whole.slice(end) + this.window.slice(this.index)
      this.base = start + end
      this.index = 0
    }
    if (isText) this.sink.text(raw.slice(taken))
    else if (kind === 'text') this.sink.text(raw)
    else {
      const found = { ...made, ...(head === undefined ? {} : { head }), ...(parameters ? { parameters } : {}) }
      const inside = { body: raw.slice(from, to), bodyStart: start + from }
      this.sink.frame({ ...found, ...inside, raw, start, kind, isClosed, isBroken, isLast: this.isEnd })
    }
    return this.become(this.prose)
  }
}

/** The tool that a message is for. */
function recipientIn(header: string): string | undefined {
  for (const mark of channels.recipient) {
    const at = header.indexOf(mark)
    const [name] = at < 0 ? [] : (/^[\w.-]+/.exec(header.slice(at + mark.length)) ?? [])
    if (name !== undefined) return name
  }
  return undefined
}
