import { ActionBody, type Label, labels } from './bodies/action-body.ts'
import { BareBody } from './bodies/bare-body.ts'
import type { Body, UnitEnd } from './bodies/body.ts'
import { JsonBody } from './bodies/json-body.ts'
import { PythonBody } from './bodies/python-body.ts'
import { TagBody } from './bodies/tag-body.ts'
import { channels } from './dialects/table.ts'
import type { FrameQuestions, FrameSink } from './frame.ts'
import { type Head, headAt } from './head.ts'
import { Literals, partialOf } from './literals.ts'
import {
  bareMarks,
  barriers,
  channelOpener,
  lineOpeners,
  literals,
  messageEnds,
  nameMarks,
  type Opener,
} from './openers.ts'
import { Unit, type UnitKind } from './unit.ts'

/** JSON without a marker that does not look like a call in so many characters is text. */
const LONGEST_HOLD = 256
/** More backticks than this are so many at a time. */
const MOST_TICKS = 16
/** So long may the header of a message be. */
const LONGEST_HEADER = 300
/** What may stand before a call at the start of a line, or behind a colon. */
const LONGEST_LEAD = 12
const lead = /^[ \t]*(?:(?:[-*•]|\d{1,3}[.)])[ \t]+)?/
const openLead = /^[ \t]*(?:[-*•]|\d{1,3}[.)]?)?[ \t]*$/
/** What may stand before the name of a tool in code. */
const codeLeads = ['', 'print(', 'default_api.', 'print(default_api.', 'functions.', 'tools.', 'await ']

/**
 * Finds where calls begin and end in a text that comes in pieces. It decides by characters that it has seen, and waits
 * where more are needed, so that the pieces cannot matter. Every character goes to the sink once.
 *
 * It is a machine of steps. Each does something with the text at hand, and returns whether there is more to do:
 *
 * - `line`: the start of a line: a label of ReAct, the name of a tool, or prose
 * - `prose`: up to a character at which something may begin
 * - `until`, `untilLabel`, `message`, `invention`: text of one kind, up to what ends it
 * - `inside`: a call, or what may be one, up to its end
 */
export class Framer {
  private readonly sink: FrameSink
  private readonly questions: FrameQuestions
  /** Names of tools, alone and as tags. */
  private readonly names: Literals<string>
  private readonly nameTags: Literals<string>
  /** What has come and is not settled, and where it stands in the whole text. */
  private window = ''
  private base = 0
  private index = 0
  private isEnd = false
  private step: () => boolean
  private unit: Unit | undefined
  /** How many backticks opened the inline code that is open. */
  private ticksOpen = 0
  private hasActed = false

  /** With `thinking` the text begins in a thought. */
  constructor(sink: FrameSink, questions: FrameQuestions, thinking: boolean) {
    this.sink = sink
    this.questions = questions
    const { toolNames } = questions
    this.names = new Literals(
      toolNames.flatMap((name) => codeLeads.map((lead) => ({ text: `${lead}${name}`, means: name }))),
    )
    this.nameTags = new Literals(toolNames.map((name) => ({ text: `<${name}>`, means: name })))
    this.step = thinking ? () => this.until('</think>', sink.thought) : this.line
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

  /** Gives away what stands up to an index. */
  private give(say: (raw: string) => void, to: number): true {
    if (to > this.index) say.call(this.sink, this.window.slice(this.index, to))
    this.index = Math.max(this.index, to)
    return true
  }

  private pass(length: number): boolean {
    return this.give(this.sink.text, this.index + length)
  }

  /** The start of a line, where labels and the words of some dialects stand. */
  private line(): boolean {
    const { window, index, isEnd } = this
    if (index >= window.length) return false
    const label = labels.at(window, index, isEnd)
    if (label === 'more') return false
    if (label) return this.labelled(label.means, label.text)
    const opener = lineOpeners.at(window, index, isEnd)
    if (opener === 'more') return false
    return opener ? this.open(opener.means, opener.text) : this.become(this.lead)
  }

  /** Space and the number of a list. */
  private lead(): boolean {
    const { window, index, isEnd } = this
    const start = window.slice(index, index + LONGEST_LEAD)
    if (!isEnd && start.length < LONGEST_LEAD && openLead.test(start)) return false
    this.pass(lead.exec(start)?.[0].length ?? 0)
    return this.become(this.name)
  }

  /** Where the name of a tool may begin a call. */
  private name(): boolean {
    const { window, index, isEnd } = this
    const name = index < window.length ? this.names.at(window, index, isEnd) : undefined
    if (name === 'more') return false
    const isOpen = name && this.openName(name.means, name.text.length)
    return isOpen ?? this.become(this.prose)
  }

  /** A call that its tool's name begins, `undefined` when it is only a name. */
  private openName(name: string, length: number): boolean | undefined {
    const { window, index, isEnd, questions } = this
    const from = index + length
    const closers = [`</${name}>`]
    const head = headAt(window, from, { close: closers, around: bareMarks }, isEnd, questions, name)
    if (head === 'more') return false
    const isCode = head?.form === 'python'
    if (!head || (isCode && window.charAt(from) !== '(') || head.end >= window.length) return undefined
    const isMarked = nameMarks.some((mark) => window.slice(from, head.end).includes(mark))
    const kind = { isMarked, oddities: [], form: head.form, name, dialect: dialectOfBare[head.form] }
    if (isMarked) this.sink.open({ dialect: kind.dialect, name, start: this.base + index })
    const next = questions.toolNames
    const body =
      head.form === 'tags'
        ? new TagBody(head.end - index, closers, { names: questions.parametersOf(name), closers, next })
        : new BareBody(isCode ? 0 : head.end - index, barriers, isCode)
    return this.enter(kind, body, isCode ? 0 : head.end - index)
  }

  private labelled(label: Label, text: string): boolean {
    if (label === 'action') {
      this.hasActed = true
      const kind = { ...marked, dialect: 'react', form: 'name-json', name: '' } as const
      this.sink.open({ dialect: 'react', name: '', start: this.base + this.index })
      return this.enter(kind, new ActionBody(text.length), text.length)
    }
    // What a tool is said to have answered was made up, and so is all that follows from it.
    if (label === 'observation' && this.hasActed) return this.become(this.invention)
    if (label === 'input' || label === 'observation') return this.become(this.prose)
    this.give(this.sink.markup, this.index + text.length)
    return this.become(() => this.untilLabel(label))
  }

  private invention(): boolean {
    this.give(this.sink.markup, this.window.length)
    return false
  }

  /** A labelled thought or answer, up to the next label at the start of a line. */
  private untilLabel(kind: 'thought' | 'answer'): boolean {
    const { window, index } = this
    const line = window.indexOf('\n', index)
    this.give(kind === 'thought' ? this.sink.thought : this.sink.answer, line < 0 ? window.length : line + 1)
    return line >= 0 && this.become(() => this.lineUntilLabel(kind))
  }

  private lineUntilLabel(kind: 'thought' | 'answer'): boolean {
    const { window, index, isEnd } = this
    if (index >= window.length) return false
    const label = labels.at(window, index, isEnd)
    // A thought is over where a call begins; an answer may show one.
    const opener = kind === 'thought' ? literals.at(window, index, isEnd) : undefined
    if (label === 'more' || (!label && opener === 'more')) return false
    const isOver = label || (opener && opener !== 'more' && opener.means.kind !== 'thought')
    return this.become(
      isOver || (kind === 'thought' && '{`'.includes(window.charAt(index))) ? this.line : () => this.untilLabel(kind),
    )
  }

  /** Text up to the next place where something may begin. */
  private prose(): boolean {
    const { window, index } = this
    if (index >= window.length) return false
    const found = literals.next(window, index)
    this.give(this.sink.text, found)
    return found < window.length && this.begin()
  }

  /** Something may begin here. */
  private begin(): boolean {
    const { window, index, isEnd } = this
    const character = window.charAt(index)
    if (character === '\n') {
      this.ticksOpen = 0
      return this.pass(1) && this.become(this.line)
    }
    if (this.ticksOpen > 0) return character === '`' ? this.ticks() : this.pass(1)
    if (character === ':' || character === '=') return this.pass(1) && this.become(this.lead)
    const literal = literals.at(window, index, isEnd)
    const tag = literal ? undefined : this.nameTags.at(window, index, isEnd)
    if (literal === 'more' || tag === 'more') return false
    if (tag) return this.openName(tag.means, tag.text.length) ?? this.pass(tag.text.length)
    if (!literal && character === '`') return this.ticks()
    if (!literal) return character === '{' || character === '[' ? this.brackets() : this.pass(1)
    const { means, text } = literal
    if (means.kind === 'call') return this.open(means.opener, text)
    if (means.kind === 'channel') return this.channel(text)
    if (means.kind === 'marker') return this.give(this.sink.marker, index + text.length)
    if (means.kind === 'thought-end') return this.give(this.sink.thoughtEnd, index + text.length)
    this.give(this.sink.markup, index + text.length)
    const say = means.kind === 'thought' ? this.sink.thought : this.sink.markup
    return this.become(() => this.until(means.close, say))
  }

  /** Brackets that nothing announces: JSON, or a list of calls as in Python. */
  private brackets(): boolean {
    const head = headAt(this.window, this.index, { close: [], around: [] }, this.isEnd, this.questions)
    if (head === 'more') return false
    const isPython = head?.form === 'python'
    const form = isPython ? 'python' : 'json'
    return this.enter(
      { ...bare, form, name: '', dialect: isPython ? 'pythonic' : 'json' },
      new BareBody(0, barriers, isPython),
      0,
    )
  }

  /** Backticks open inline code, and as many of them close it; a line break ends it too. Three or more are a fence. */
  private ticks(): boolean {
    const { window, index, isEnd } = this
    let end = index
    while (window.charAt(end) === '`' && end - index < MOST_TICKS) end++
    const count = end - index
    if (end >= window.length && !isEnd && count < MOST_TICKS) return false
    if (count >= 3) return this.fence(count)
    if (this.ticksOpen === 0) this.ticksOpen = count
    else if (this.ticksOpen === count) this.ticksOpen = 0
    return this.pass(count)
  }

  /** The line that opens or closes a fence, which is a marker beside a call. */
  private fence(count: number): boolean {
    const { window, index, isEnd } = this
    const after = window.slice(index + count, index + count + LONGEST_FENCE)
    if (!isEnd && after.length < LONGEST_FENCE && !/[\n`{[]/.test(after)) return false
    const [info = ''] = /^[^\n`{[]*\n/.exec(after) ?? /^[\w-]*[ \t]*/.exec(after) ?? []
    this.ticksOpen = 0
    this.give(this.sink.marker, index + count + info.length)
    return this.become(info.endsWith('\n') ? this.line : this.prose)
  }

  /** What stands up to a closer, all of one kind. */
  private until(close: string, say: (raw: string) => void): boolean {
    const { window, index, isEnd } = this
    const end = window.indexOf(close, index)
    this.give(say, end >= 0 ? end : window.length - (isEnd ? 0 : partialOf(window, [close])))
    return end >= 0 && this.give(this.sink.markup, end + close.length) && this.become(this.prose)
  }

  /** A message with a header: a call, a thought, the answer, or words. */
  private channel(opener: string): boolean {
    const { window, index } = this
    const found = window.slice(index, index + LONGEST_HEADER).indexOf(channels.message)
    const end = index + found + channels.message.length
    if (found < 0) {
      if (!this.isEnd && window.length - index < LONGEST_HEADER) return false
      return this.give(this.sink.marker, index + opener.length) && this.become(this.prose)
    }
    const header = window.slice(index, index + found)
    const name = recipientIn(header, this.questions.toolNames)
    if (name !== undefined) {
      return this.enterCall({ ...marked, form: 'name-json', name, dialect: channels.name }, channelOpener, end)
    }
    this.give(this.sink.markup, end)
    const has = (words: readonly string[]): boolean => words.some((word) => header.includes(word))
    const say = has(channels.thought) ? this.sink.thought : has(channels.answer) ? this.sink.answer : this.sink.text
    return this.become(() => this.message(say))
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
    this.give(say, at)
    return end !== undefined && end !== 'more' && this.become(this.prose)
  }

  /** Behind an opener: a name, the arguments, or neither, and then it was a word about calls. */
  private open(opener: Opener, text: string): boolean {
    const head = headAt(this.window, this.index + text.length, opener.marks, this.isEnd, this.questions)
    if (head === 'more') return false
    if (!head) return this.give(this.sink.marker, this.index + text.length) && this.become(this.prose)
    return this.enterCall(kindOf(opener, head), opener, head.end)
  }

  /** A marked call begins: its arguments stand from an index on. */
  private enterCall(kind: UnitKind, { rows, closers, tagClosers, next }: Opener, end: number): boolean {
    const { questions } = this
    const { dialect, name, form, quotes } = kind
    const from = end - this.index
    const watch = this.sink.open({ dialect, name, start: this.base + this.index })
    const whole = { raw: '', start: 0, bodyStart: 0, isClosed: true, isBroken: false, isLast: false }
    const reads = (body: string): boolean => questions.canRead({ ...kind, ...whole, body })
    const own = rows.find((row) => row.name === dialect)?.close ?? closers.texts
    const json = { closers, reads, watch, quotes, isEndOptional: own.length === 0 }
    const bodies = {
      json: () => new JsonBody(from, json),
      'name-json': () => new JsonBody(from, json),
      python: () => new PythonBody(from, closers),
      tags: () =>
        new TagBody(from, own, {
          ...{ names: questions.parametersOf(name), watch, next },
          closers: [...tagClosers, `</${name}>`],
        }),
    }
    return this.enter(kind, bodies[form](), from)
  }

  private enter(kind: UnitKind, body: Body, length: number): boolean {
    this.unit = new Unit(kind, body, this.base + this.index)
    this.take(this.unit, length)
    return this.become(this.inside)
  }

  private take(unit: Unit, length: number): void {
    if (length <= 0) return
    const piece = this.window.slice(this.index, this.index + length)
    if (unit.isText) this.sink.text(piece)
    unit.take(piece)
    this.index += length
  }

  private inside(): boolean {
    const { unit } = this
    if (!unit) return this.become(this.prose)
    const window = this.index === 0 ? this.window : this.window.slice(this.index)
    const end = unit.read(window, this.isEnd)
    const length = end ? end.end : unit.taken + window.length
    if (unit.isText === undefined && length > LONGEST_HOLD) {
      unit.isText = unit.kind.name === '' && !this.questions.mayBeCall((unit.text + window).slice(0, LONGEST_HOLD))
      if (unit.isText && unit.taken > 0) this.sink.text(unit.text)
    }
    if (end) return this.leave(unit, end)
    this.take(unit, unit.settled)
    return false
  }

  private leave(unit: Unit, ended: UnitEnd): boolean {
    const { taken, start, isText } = unit
    const { end, form } = ended
    this.unit = undefined
    const whole = unit.text + this.window.slice(this.index, Math.max(this.index, this.index + end - taken))
    if (end >= taken) this.index += end - taken
    else {
      // What was taken already, and does not belong to it after all, comes again.
      this.window = whole.slice(end) + this.window.slice(this.index)
      this.base = start + end
      this.index = 0
    }
    if (isText) this.sink.text(whole.slice(taken))
    else if (form === 'text') this.sink.text(whole.slice(0, end))
    else this.sink.frame(unit.frame(whole, ended, this.isEnd))
    return this.become(this.prose)
  }
}

const bare = { isMarked: false, oddities: [] } as const
const marked = { isMarked: true, oddities: [] } as const
/** So long may the line be that opens a fence. */
const LONGEST_FENCE = 40
const dialectOfBare = { json: 'json', 'name-json': 'named', tags: 'named-tags', python: 'pythonic' } as const

/** The dialect of a call: of those with its opener, the one that is written so. Else families are mixed. */
function kindOf({ rows, marks }: Opener, { name, form }: Head): UnitKind {
  const fitting = rows.find((row) => row.form === form)
  const row = fitting ?? rows[0]
  const oddities = fitting ? [] : [{ code: 'form-mixed', text: marks.close[0] ?? '' } as const]
  const quotes = row?.quotes ? { quotes: row.quotes } : {}
  return { isMarked: true, form, name, dialect: row?.name ?? '', oddities, ...quotes }
}

/** The tool that a message is for. */
function recipientIn(header: string, toolNames: readonly string[]): string | undefined {
  for (const mark of channels.recipient) {
    const at = header.indexOf(mark)
    if (at < 0) continue
    const rest = header.slice(at + mark.length)
    const known = toolNames.find((name) => name.includes(' ') && rest.startsWith(name))
    const [name] = known === undefined ? (/^[\w.-]+/.exec(rest) ?? []) : [known]
    if (name !== undefined) return name
  }
  return undefined
}
