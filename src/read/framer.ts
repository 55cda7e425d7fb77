import { ActionBody, type Label, labels } from './bodies/action-body.ts'
import { BareBody } from './bodies/bare-body.ts'
import { JsonBody } from './bodies/json-body.ts'
import { LinedBody } from './bodies/lined-body.ts'
import { PythonBody } from './bodies/python-body.ts'
import { TagBody } from './bodies/tag-body.ts'
import { channels } from './dialects/table.ts'
import type { FrameQuestions, FrameSink } from './frame.ts'
import { type Head, headAt } from './head.ts'
import { type Literal, Literals, partialOf } from './literals.ts'
import {
  bareMarks,
  barriers,
  channelOpener,
  lineOpeners,
  type Meaning,
  messageEnds,
  namedOpener,
  nameMarks,
  type Opener,
  proseLiterals,
  thoughtEnds,
  toolKeys,
} from './openers.ts'
import type { UnitKind } from './unit.ts'
import { type Progress, type Step, TextWindow } from './window.ts'

// Each of these bounds how much text may wait for what follows it. Real ones are a fraction as long.
/** The space and the number before the first word of a line. */
const LONGEST_LEAD = 12
/** A run of backticks; a longer one is several. */
const MOST_TICKS = 16
/** The words behind the backticks of a fence. */
const LONGEST_FENCE = 40
/** The name of a tool on its line. */
const LONGEST_NAME = 100
/** The header of a message in a channel. */
const LONGEST_HEADER = 300

const leadSigns = /^[ \t]*(?:(?:[-*•]|\d{1,3}[.)])[ \t]+)?/
const openLead = /^[ \t]*(?:[-*•]|\d{1,3}[.)]?)?[ \t]*$/
/** What may stand before the name of a tool in code. */
const codePrefixes = ['print(', 'default_api.', 'print(default_api.', 'functions.', 'tools.', 'await ']
/** What ends the header of a message, or shows that it is none. */
const headerEnd = new RegExp(
  `${channels.message.replaceAll('|', '\\|')}|[\\n{]|<tool_call>|<\\|(?:end|call|return)\\|>`,
)

/** A thought or an answer behind its label. */
type Said = 'thought' | 'answer'

/**
 * Finds where calls begin and end in a text that comes in pieces. It decides by characters that it has seen, and waits
 * where more are needed, so that the pieces cannot matter. Every character goes to the sink once.
 *
 * It is a machine of steps, each of which does something with the text at hand or waits for more:
 *
 * - `line`, `lead`, `name`: the start of a line: a label of ReAct, then space and numbers, then the name of a tool
 * - `prose`: up to a character at which something may begin; `begin` looks what
 * - `until`, `untilLabel`, `message`, `invention`: text of one kind, up to what ends it
 * - `inside` (of TextWindow): a call, or what may be one, up to its end
 */
export class Framer extends TextWindow {
  protected step: Step
  /** Names of tools, alone and as tags. */
  private readonly names: Literals<string>
  private readonly nameTags: Literals<string>
  /** How many backticks opened the inline code that is open. */
  private ticksOpen = 0
  private hasActed = false

  /** With `thinking` the text begins in a thought. */
  constructor(sink: FrameSink, questions: FrameQuestions, thinking: boolean) {
    super(sink, questions)
    const { toolNames } = questions
    const alone = toolNames.map((name) => ({ text: name, means: name }))
    const inCode = codePrefixes.flatMap((prefix) => toolNames.map((name) => ({ text: prefix + name, means: name })))
    this.names = new Literals([...alone, ...inCode])
    this.nameTags = new Literals(toolNames.map((name) => ({ text: `<${name}>`, means: name })))
    this.step = thinking ? () => this.until(thoughtEnds, sink.thought) : () => this.line()
  }

  protected behindUnit(): Progress {
    return this.prose()
  }

  /** The start of a line, where labels and the words of some dialects stand. */
  private line(): Progress {
    const { window, index, isEnd } = this
    if (index >= window.length) return 'wait'
    const label = labels.at(window, index, isEnd)
    if (label === 'more') return 'wait'
    if (label) return this.labelled(label)
    const key = toolKeys.at(window, index, isEnd)
    if (key === 'more') return 'wait'
    const lined = key && this.openLined(key.text.length)
    if (lined) return lined
    const opener = lineOpeners.at(window, index, isEnd)
    if (opener === 'more') return 'wait'
    return opener ? this.openMarked(opener.means, opener.text) : this.become(this.lead)
  }

  /** Lines of `key: value` that begin with the name of a tool, `undefined` when it is none. */
  private openLined(length: number): Progress | undefined {
    const line = this.window.slice(this.index + length, this.index + length + LONGEST_NAME)
    const end = line.indexOf('\n')
    if (end < 0 && line.length < LONGEST_NAME && !this.isEnd) return 'wait'
    const name = line
      .slice(0, Math.max(0, end))
      .trim()
      .replace(/^["']|["']$/g, '')
    if (end < 0 || !this.questions.isOffered(name)) return undefined
    const kind = { isMarked: false, oddities: [], form: 'json', name, dialect: 'lined' } as const
    return this.enter(kind, new LinedBody())
  }

  /** Space and the number of a list. */
  private lead(): Progress {
    const start = this.window.slice(this.index, this.index + LONGEST_LEAD)
    if (!this.isEnd && start.length < LONGEST_LEAD && openLead.test(start)) return 'wait'
    this.giveText(leadSigns.exec(start)?.[0].length ?? 0)
    return this.become(this.name)
  }

  /** Where the name of a tool may begin a call. */
  private name(): Progress {
    const { window, index, isEnd } = this
    if (index >= window.length && !isEnd) return 'wait'
    const name = this.names.at(window, index, isEnd)
    if (name === 'more') return 'wait'
    return (name && this.openNamed(name)) ?? this.become(this.prose)
  }

  /** A call that its tool's name or tag begins, `undefined` when it is only a name. */
  private openNamed({ means: name, text }: Literal<string>): Progress | undefined {
    const { window, index, isEnd, questions } = this
    const from = index + text.length
    const closers = [`</${name}>`]
    const head = headAt(window, from, { close: closers, around: bareMarks }, isEnd, questions, name)
    if (head === 'more') return 'wait'
    // A name at the very end has no arguments, and a space before brackets is no call in code.
    if (!head || head.end >= window.length) return undefined
    const { form, end } = head
    if (form === 'python' && window.charAt(from) !== '(') return undefined
    const kind = { isMarked: false, oddities: [], form, name, dialect: dialectOfBare[form] }
    if (nameMarks.some((mark) => window.slice(from, end).includes(mark))) {
      return this.enterMarked({ ...kind, isMarked: true }, namedOpener, end)
    }
    if (form !== 'tags')
      return this.enter(kind, new BareBody(form === 'python' ? 0 : end - index, barriers, form === 'python'))
    const options = { names: questions.parametersOf(name), closers, next: questions.toolNames }
    return this.enter(kind, new TagBody(end - index, closers, options))
  }

  private labelled({ means: label, text }: Literal<Label>): Progress {
    if (label === 'action') {
      this.hasActed = true
      const isMention = this.sink.open({ dialect: 'react', name: '' }) === 'text'
      const kind = { isMarked: true, oddities: [], dialect: 'react', form: 'name-json', name: '' } as const
      return this.enter(kind, new ActionBody(text.length), isMention)
    }
    // What a tool is said to have answered was made up, and so is all that follows from it.
    if (label === 'observation' && this.hasActed) return this.become(this.invention)
    if (label === 'input' || label === 'observation') return this.become(this.prose)
    this.give(this.sink.markup, this.index + text.length)
    return this.become(() => this.untilLabel(label))
  }

  /** To the end of the reply. */
  private invention(): Progress {
    this.give(this.sink.markup, this.window.length)
    return 'wait'
  }

  /** A labelled thought or answer, up to the next label at the start of a line. */
  private untilLabel(said: Said): Progress {
    const { window, index } = this
    const line = window.indexOf('\n', index)
    this.give(said === 'thought' ? this.sink.thought : this.sink.answer, line < 0 ? window.length : line + 1)
    return line < 0 ? 'wait' : this.become(() => this.lineUntilLabel(said))
  }

  private lineUntilLabel(said: Said): Progress {
    const { window, index, isEnd } = this
    if (index >= window.length) return 'wait'
    const label = labels.at(window, index, isEnd)
    // A thought is over where a line begins with a call, or a fence around one; an answer may show calls.
    const opener = said === 'thought' ? proseLiterals.at(window, index, isEnd) : undefined
    if (label === 'more' || (!label && opener === 'more')) return 'wait'
    const isCall = opener !== undefined && opener !== 'more' && opener.means.kind !== 'thought'
    const isBracket = said === 'thought' && '{[`'.includes(window.charAt(index))
    return this.become(label || isCall || isBracket ? this.line : () => this.untilLabel(said))
  }

  /** Text up to the next place where something may begin. */
  private prose(): Progress {
    const { window, index } = this
    if (index >= window.length) return 'wait'
    const found = proseLiterals.next(window, index)
    this.give(this.sink.text, found)
    return found < window.length ? this.begin() : 'wait'
  }

  /** Something may begin here. */
  private begin(): Progress {
    const { window, index, isEnd } = this
    const character = window.charAt(index)
    if (character === '\n') {
      this.ticksOpen = 0
      this.giveText(1)
      return this.become(this.line)
    }
    if (this.ticksOpen > 0) return character === '`' ? this.ticks() : this.giveText(1)
    if (character === ':' || character === '=') return this.giveText(1) && this.become(this.lead)
    const literal = proseLiterals.at(window, index, isEnd)
    if (literal) return literal === 'more' ? 'wait' : this.beginLiteral(literal)
    const tag = this.nameTags.at(window, index, isEnd)
    if (tag) return tag === 'more' ? 'wait' : (this.openNamed(tag) ?? this.giveText(tag.text.length))
    if (character === '`') return this.ticks()
    return character === '{' || character === '[' ? this.brackets() : this.giveText(1)
  }

  private beginLiteral({ means, text }: Literal<Meaning>): Progress {
    const end = this.index + text.length
    switch (means.kind) {
      case 'call':
        return this.openMarked(means.opener, text)
      case 'channel':
        return this.channel(text)
      case 'marker':
        return this.give(this.sink.marker, end)
      case 'thought-end':
        return this.give(this.sink.thoughtEnd, end)
      case 'thought':
        this.give(this.sink.markup, end)
        return this.become(() => this.until([means.close], this.sink.thought))
      case 'invention':
        this.give(this.sink.markup, end)
        return this.become(() => this.until([means.close], this.sink.markup))
    }
  }

  /** Brackets that nothing announces: JSON, or a list of calls as in Python. */
  private brackets(): Progress {
    const head = headAt(this.window, this.index, { close: [], around: [] }, this.isEnd, this.questions)
    if (head === 'more') return 'wait'
    const form = head?.form === 'python' ? 'python' : 'json'
    const kind = { isMarked: false, oddities: [], form, name: '', dialect: dialectOfBare[form] } as const
    return this.enter(kind, new BareBody(0, barriers, form === 'python'))
  }

  /** Backticks open inline code, and as many of them close it; a line break ends it too. Three or more are a fence. */
  private ticks(): Progress {
    const { window, index, isEnd } = this
    let end = index
    while (window.charAt(end) === '`' && end - index < MOST_TICKS) end++
    const count = end - index
    if (end >= window.length && !isEnd && count < MOST_TICKS) return 'wait'
    if (count >= 3) return this.fence(count)
    if (this.ticksOpen === 0) this.ticksOpen = count
    else if (this.ticksOpen === count) this.ticksOpen = 0
    return this.giveText(count)
  }

  /** The line that opens or closes a fence, which is a marker beside a call. */
  private fence(count: number): Progress {
    const { window, index, isEnd } = this
    const after = window.slice(index + count, index + count + LONGEST_FENCE)
    if (!isEnd && after.length < LONGEST_FENCE && !/[\n`{[]/.test(after)) return 'wait'
    const [info = ''] = /^[^\n`{[]*\n/.exec(after) ?? /^[\w-]*[ \t]*/.exec(after) ?? []
    this.ticksOpen = 0
    this.give(this.sink.marker, index + count + info.length)
    return this.become(info.endsWith('\n') ? this.line : this.prose)
  }

  /** What stands up to a closer, all of one kind. */
  private until(closers: readonly string[], say: (raw: string) => void): Progress {
    const { window, index, isEnd } = this
    const found = closers.map((close) => ({ close, at: window.indexOf(close, index) })).filter(({ at }) => at >= 0)
    const [first] = found.sort((one, other) => one.at - other.at)
    this.give(say, first ? first.at : window.length - (isEnd ? 0 : partialOf(window, closers)))
    if (!first) return 'wait'
    this.give(this.sink.markup, first.at + first.close.length)
    return this.become(this.prose)
  }

  /** A message with a header: a call, a thought, the answer, or words. */
  private channel(opener: string): Progress {
    const { window, index, isEnd } = this
    const ahead = window.slice(index, index + LONGEST_HEADER)
    const [stop = '', at = -1] = ((found) => [found?.[0], found?.index] as const)(headerEnd.exec(ahead))
    if (at < 0 && !isEnd && ahead.length < LONGEST_HEADER) return 'wait'
    const header = ahead.slice(0, Math.max(0, at))
    const name = stop === channels.message || stop === '{' ? this.recipientIn(header) : undefined
    // The token before the arguments may be missing; what stands before all else may not.
    const end = index + at + (stop === channels.message ? stop.length : 0)
    if (name !== undefined) {
      const kind = { isMarked: true, oddities: [], form: 'name-json', name, dialect: channels.name } as const
      return this.enterMarked(kind, channelOpener, end)
    }
    if (stop !== channels.message) {
      this.give(this.sink.marker, index + opener.length)
      return this.become(this.prose)
    }
    this.give(this.sink.markup, end)
    const has = (words: readonly string[]): boolean => words.some((word) => header.includes(word))
    const say = has(channels.thought) ? this.sink.thought : has(channels.answer) ? this.sink.answer : this.sink.text
    return this.become(() => this.message(say))
  }

  /** The tool that a message is for. */
  private recipientIn(header: string): string | undefined {
    for (const mark of channels.recipient) {
      const at = header.indexOf(mark)
      if (at < 0) continue
      const rest = header.slice(at + mark.length)
      const known = this.questions.toolNames.filter((name) => rest.startsWith(name))
      const [longest = ''] = known.sort((one, other) => other.length - one.length)
      const [name = ''] = /^[\p{L}\p{N}_.:/-]+/u.exec(rest) ?? []
      if (name !== '' || longest !== '') return longest.length > name.length ? longest : name
    }
    return undefined
  }

  /** The text of a message, up to what ends it. */
  private message(say: (raw: string) => void): Progress {
    const { window, index, isEnd } = this
    let at = messageEnds.next(window, index)
    let end = messageEnds.at(window, at, isEnd)
    while (!end && at < window.length) {
      at = messageEnds.next(window, at + 1)
      end = messageEnds.at(window, at, isEnd)
    }
    this.give(say, at)
    if (end === undefined || end === 'more') return 'wait'
    if (channels.close.includes(end.text)) this.give(this.sink.markup, at + end.text.length)
    return this.become(this.prose)
  }

  /** Behind an opener: a name, the arguments, or neither, and then it was a word about calls. */
  private openMarked(opener: Opener, text: string): Progress {
    const head = headAt(this.window, this.index + text.length, opener.marks, this.isEnd, this.questions)
    if (head === 'more') return 'wait'
    if (head) return this.enterMarked(kindOf(opener, head), opener, head.end)
    this.give(/^[\w ]/.test(text) ? this.sink.text : this.sink.marker, this.index + text.length)
    return this.become(this.prose)
  }

  /** A marked call begins at the index, and its arguments at another. */
  private enterMarked(kind: UnitKind, { rows, closers, tagClosers, next }: Opener, argumentsAt: number): Progress {
    const { questions } = this
    const { dialect, name, form, quotes } = kind
    const from = argumentsAt - this.index
    const told = this.sink.open({ dialect, name })
    const isMention = told === 'text'
    const watch = isMention ? undefined : told
    if (form === 'python') return this.enter(kind, new PythonBody(from, closers), isMention)
    const own = rows.find((row) => row.name === dialect)?.close ?? closers.texts
    if (form === 'tags') {
      const options = { names: questions.parametersOf(name), watch, next, closers: [...tagClosers, `</${name}>`] }
      return this.enter(kind, new TagBody(from, own, options), isMention)
    }
    const whole = { raw: '', start: 0, bodyStart: 0, isClosed: true, isBroken: false, isLast: false }
    const reads = (body: string): boolean => questions.canRead({ ...kind, ...whole, body })
    const options = { closers, reads, watch, quotes, isEndOptional: own.length === 0 }
    return this.enter(kind, new JsonBody(from, options), isMention)
  }
}

/** The dialects of calls without a marker. */
export const dialectOfBare = { json: 'json', 'name-json': 'named', tags: 'named-tags', python: 'pythonic' } as const

/** The dialect of a call: of those with its opener, the one that is written so. Else families are mixed. */
function kindOf({ rows, marks }: Opener, { name, form }: Head): UnitKind {
  const fitting = rows.find((row) => row.form === form)
  const row = fitting ?? rows[0]
  const oddities = fitting ? [] : [{ code: 'form-mixed', text: marks.close[0] ?? '' } as const]
  const quotes = row?.quotes ? { quotes: row.quotes } : {}
  return { isMarked: true, form, name, dialect: row?.name ?? '', oddities, ...quotes }
}
