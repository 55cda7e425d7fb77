import { refusalFor } from '../fit/fit.ts'
import { isObject } from '../fit/judge.ts'
import type { Call, Finish, JsonObject, JsonValue, Problem, RefusedCall, Repair, Span } from '../types.ts'
import { problem } from '../value/problems.ts'
import { readValue } from '../value/read-value.ts'
import { taggedArguments } from './argument-forms.ts'
import { dialects } from './dialects/table.ts'
import {
  argumentKeys,
  callsIn,
  isEnvelopeStart,
  isNothing,
  type WrittenCall,
  withNameAsKey,
  withoutArrows,
} from './envelope.ts'
import type { Frame, FrameOpening, FrameQuestions, Oddity } from './frame.ts'
import { linedObject } from './lined.ts'
import { type ReadProblemCode, readProblem } from './problems.ts'
import { type PythonCall, pythonCalls } from './pythonic.ts'
import { type ArgumentOptions, namesOf, readFitted, readOffered } from './read-arguments.ts'
import { type OfferedTool, ToolNames } from './tools.ts'

/** What a frame was read as. The place is added by whoever framed it. */
export interface ReadFrame {
  readonly calls: readonly Omit<Call, 'dialect' | 'span' | 'raw'>[]
  readonly refused: readonly Omit<RefusedCall, 'dialect' | 'span' | 'raw'>[]
  /** The answer of an object that is no call, `{"answer": …}`, and the thought of one with or without a call: `{"scratchpad": …}`. */
  readonly answer?: string
  readonly thought?: string
}

/** Reads frames as calls of the tools that were offered. */
export class FrameReader implements FrameQuestions {
  /** Why the model stopped, as far as it is known. */
  finish: Finish
  readonly toolNames: readonly string[]
  private readonly names: ToolNames
  private readonly given: ArgumentOptions

  constructor(tools: readonly OfferedTool[], options: ArgumentOptions) {
    this.names = new ToolNames(tools)
    this.toolNames = tools.map(({ name }) => name)
    this.given = options
    this.finish = options.finish ?? 'unknown'
  }

  isOffered(name: string): boolean {
    return this.names.find(name) !== undefined
  }

  parametersOf(name: string): ReadonlySet<string> {
    const tool = this.names.find(name)
    return tool ? namesOf(tool) : new Set()
  }

  mayBeCall(start: string): boolean {
    return isEnvelopeStart(start) || isCodeStart(start) || /^[Tt]ool\w*:/.test(start) || this.names.areQuotedIn(start)
  }

  canRead(frame: Frame): boolean {
    const { calls, refused } = this.read(frame)
    return calls.length > 0 && refused.length === 0
  }

  /** The tool of a name, as models write it. */
  offered(name: string): OfferedTool | undefined {
    return this.names.find(name)
  }

  /** The offered tool whose name stands in the head of a call. */
  toolOf({ name }: FrameOpening): OfferedTool | undefined {
    return name === '' ? undefined : this.offered(name)
  }

  read(given: Frame): ReadFrame {
    const frame = given.dialect === 'react' ? asWritten(given) : given
    const largest = this.given.limits?.size ?? LARGEST
    if (frame.body.length > largest) return frame.isMarked ? this.tooLarge(frame, largest) : nothing
    if (frame.isBroken && frame.form !== 'tags')
      return frame.isMarked ? this.refuse('arguments-go-on', frame.name || undefined) : nothing
    if (frame.form === 'json') return this.envelope(frame)
    if (frame.form === 'python') return this.python(frame)
    if (!frame.isMarked && !isCodeStart(frame.raw)) return nothing
    const tool = this.offered(frame.name)
    if (!tool) return frame.isMarked ? this.refuse('tool-unknown', frame.name) : nothing
    const named = { ...frame, oddities: [...frame.oddities, ...adapted(frame.name, tool, frame)] }
    return frame.form === 'tags' ? this.tags(tool, named) : this.argumentText(tool, named)
  }

  /** What was left open may be closed when the call was closed, or the model was not cut off. */
  private optionsFor({ isClosed, isLast }: Frame): ArgumentOptions {
    return { ...this.given, finish: isClosed || !isLast ? 'stop' : this.finish }
  }

  private envelope(frame: Frame): ReadFrame {
    const { isMarked, bodyStart } = frame
    const body = plainQuoted(frame)
    if (!isMarked && !this.names.areIn(body)) return body.length < LONGEST_ANSWER ? protocolOf(body) : nothing
    const isLined = frame.dialect === 'lined'
    const isCut = frame.isLast && !frame.isClosed && this.finish === 'length'
    const lines = (isLined || frame.dialect === 'react') && !isCut ? linedObject(body) : undefined
    if (isLined && !lines) return nothing
    if (lines) return this.calls(callsIn(lines, this.names), markupOf(frame), frame)
    const read = readValue(body, { ...this.optionsFor(frame), container: true })
    const repairs = [...markupOf(frame), ...moved(read.repairs, bodyStart)]
    if (read.problems.length > 0 || read.value === undefined) {
      const mended = withNameAsKey(body) ?? withoutArrows(body)
      const again = mended === undefined ? undefined : readValue(mended, this.optionsFor(frame))
      if (again && again.problems.length === 0 && again.value !== undefined) {
        const code = withNameAsKey(body) === undefined ? 'envelope-arrows' : 'arguments-key-missing'
        const made = [...markupOf(frame), { code, before: body.slice(0, 60) }]
        return this.calls(callsIn(again.value, this.names), [...made, ...again.repairs.map(placeless)], frame)
      }
      if (!isMarked && !isEnvelopeStart(body)) return nothing
      const [call] = callsIn(read.value ?? null, this.names) ?? []
      const named = call?.name === undefined ? {} : { name: call.name, arguments: call.arguments }
      return {
        calls: [],
        refused: [{ ...named, repairs: moved(read.repairs, bodyStart), problems: moved(read.problems, bodyStart) }],
      }
    }
    const found = this.calls(callsIn(read.value, this.names), repairs, frame)
    if (!isMarked && found.calls.length + found.refused.length === 0 && body.length < LONGEST_ANSWER)
      return protocolOf(body)
    const thought = isObject(read.value) ? read.value['scratchpad'] : undefined
    return typeof thought === 'string' && found.calls.length > 0 ? { ...found, thought } : found
  }

  /** The calls of an envelope. */
  private calls(written: readonly WrittenCall[] | undefined, repairs: readonly Repair[], frame: Frame): ReadFrame {
    if (!written) return frame.isMarked ? this.refuse('name-missing') : nothing
    // One more than are taken, so that it shows.
    const most = (this.given.limits?.calls ?? MOST_CALLS) + 1
    const found = written.slice(0, most).map((call) => this.written(call, repairs, frame))
    if (found.some(({ calls, refused }) => calls.length + refused.length === 0)) return nothing
    return { calls: found.flatMap(({ calls }) => calls), refused: found.flatMap(({ refused }) => refused) }
  }

  private written(call: WrittenCall, repairs: readonly Repair[], frame: Frame): ReadFrame {
    const { name, arguments: given, isLoose, beside = [] } = call
    const tool = name === undefined ? undefined : this.offered(name)
    if (!tool) return frame.isMarked ? this.refuse('tool-unknown', name) : nothing
    if (name === undefined || (!frame.isMarked && this.isRecord(call, tool))) return nothing
    if (isLoose && !frame.isClosed && repairs.some(({ code }) => code === 'closer-missing'))
      return cutBefore(name, frame.body)
    const names = namesOf(tool)
    const misplaced = beside.find((key) => names.has(key) || argumentKeys.includes(key))
    if (misplaced !== undefined) return this.refuse('parameter-misplaced', name, JSON.stringify(misplaced))
    const left = beside.map((key): Repair => ({ code: 'parameter-ignored', path: [key] }))
    const made = [...noted(adapted(name, tool, frame)), ...repairs, ...left]
    return asRead(tool.name, readFitted(tool, given, made, this.optionsFor(frame)))
  }

  /** An object that has a name among other things is a record of anything; only what the tool takes makes it a call. */
  private isRecord({ arguments: given, isLoose, beside = [] }: WrittenCall, tool: OfferedTool): boolean {
    if (beside.length > 0) return true
    const keys = isObject(given) ? Object.keys(given) : []
    return isLoose === true && (keys.length === 0 || !areKnown(keys, namesOf(tool)))
  }

  private argumentText(tool: OfferedTool, frame: Frame): ReadFrame {
    const body = plainQuoted(frame)
    // Where the arguments have not come, there may be some to come; a ReAct line may go without.
    const mayBeCut = frame.dialect === 'react' ? this.finish === 'length' : true
    if (!frame.isClosed && frame.isLast && mayBeCut && body.trim() === '') return cutBefore(tool.name, body)
    if (frame.quotes) {
      const { value, repairs, problems } = readValue(body, { ...this.optionsFor(frame), container: true })
      if (problems.length > 0 || value === undefined)
        return { calls: [], refused: [{ name: tool.name, repairs, problems }] }
      const others = repairs.filter(({ code }) => code !== 'key-bare').map(placeless)
      return asRead(tool.name, readFitted(tool, value, [...markupOf(frame), ...others], this.optionsFor(frame)))
    }
    const { calls, refused } = readOffered(body.trimEnd(), tool, this.optionsFor(frame), markupOf(frame))
    const placed = <Found extends { readonly repairs: readonly Repair[]; readonly problems: readonly Problem[] }>(
      found: Found,
    ): Found => ({
      ...found,
      repairs: moved(found.repairs, frame.bodyStart),
      problems: moved(found.problems, frame.bodyStart),
    })
    return { calls: calls.map(placed), refused: refused.map(placed) }
  }

  private tags(tool: OfferedTool, frame: Frame): ReadFrame {
    if (!frame.isMarked && frame.parameters?.length === 0) return nothing
    const tagged = taggedArguments(frame.raw, frame.parameters ?? [], namesOf(tool))
    const isCut = !frame.isClosed && frame.isLast && this.finish === 'length'
    if (!tagged || frame.isBroken || isCut) {
      if (!frame.isMarked) return nothing
      const problems = refusalFor('tags-unreadable', null, tool.schema, tool.name)
      return { calls: [], refused: [{ name: tool.name, repairs: [], problems }] }
    }
    const isOwn = frame.dialect === 'named-tags'
    const odd = isOwn ? tagged.repairs.filter(({ code }) => code !== 'tag-named-otherwise') : tagged.repairs
    return asRead(tool.name, readFitted(tool, tagged.value, [...markupOf(frame), ...odd], this.given))
  }

  private python(frame: Frame): ReadFrame {
    if (!frame.isMarked && !isCodeStart(frame.body)) return nothing
    const written = pythonCalls(plainQuoted(frame))
    const isKnown = written?.every(({ name }) => this.isOffered(name))
    if (!written || !isKnown) {
      const unknown = written?.find(({ name }) => !this.isOffered(name))
      if (!frame.isMarked) return nothing
      return unknown ? this.refuse('tool-unknown', unknown.name) : this.refuse('name-missing')
    }
    const found = written.map((call) => this.pythonCall(call, frame))
    return { calls: found.flatMap(({ calls }) => calls), refused: found.flatMap(({ refused }) => refused) }
  }

  private pythonCall({ name, arguments: given, isClosed }: PythonCall, frame: Frame): ReadFrame {
    const tool = this.offered(name)
    if (!tool) return nothing
    if (!isClosed) return cutBefore(tool.name, frame.body)
    const [first] = given
    const isDict = given.length === 1 && first?.key === undefined && first?.text.startsWith('{')
    const order = [...namesOf(tool)]
    const keys = given.map(({ key }, index) => key ?? order[index])
    const isPlaced = !isDict && given.some(({ key }) => key === undefined)
    const pairs = given.map(({ text }, index) => `${JSON.stringify(keys[index])}: ${text}`)
    const { value, repairs, problems } = readValue(isDict && first ? first.text : `{${pairs.join(', ')}}`)
    // Behind the first with a name none may go without.
    const firstNamed = given.findIndex(({ key }) => key !== undefined)
    const isOrdered = firstNamed < 0 || given.slice(firstNamed).every(({ key }) => key !== undefined)
    const isWhole = isOrdered && new Set(keys).size === keys.length && keys.every((key) => key !== undefined)
    const isLiteral = problems.length === 0 && isObject(value) && !repairs.some(isGuess)
    if (!isLiteral || (!isDict && !(isWhole && Object.keys(value).length === keys.length))) {
      return this.refuse('value-not-literal', tool.name, first && given.map(({ text }) => text).join(', '))
    }
    const others = repairs.filter(({ code }) => !pythonOwn.has(code)).map(placeless)
    const placed: Repair[] = isPlaced
      ? [{ code: 'arguments-positional', before: given.map(({ text }) => text).join(', ') }]
      : []
    const made = [...markupOf(frame), ...noted(adapted(name, tool, frame)), ...placed, ...others]
    return asRead(tool.name, readFitted(tool, value, made, this.given))
  }

  private tooLarge({ name, body }: Frame, largest: number): ReadFrame {
    const problems = [problem('too-large', body, [0, 0], `${body.length} characters of ${largest}`)]
    return { calls: [], refused: [{ ...(name === '' ? {} : { name }), repairs: [], problems }] }
  }

  private refuse(code: ReadProblemCode, name?: string, detail?: string): ReadFrame {
    const found = name === undefined ? {} : { name }
    const filled = detail === undefined ? found : { ...found, detail }
    return { calls: [], refused: [{ ...found, repairs: [], problems: [readProblem(code, this.toolNames, filled)] }] }
  }
}

/** A line of ReAct that holds more than the name: `search({"query": "x"})`, `search(query="x")`. */
function asWritten(frame: Frame): Frame {
  const [, name, inside] = /^([\w.-]+)\s*\(?\s*(\{.*\})\s*\)?$/s.exec(frame.name) ?? []
  if (frame.body.trim() !== '') return frame
  if (name !== undefined && inside !== undefined) {
    const bodyStart = frame.start + frame.raw.indexOf(inside)
    return { ...frame, name, body: inside, bodyStart, form: 'name-json' }
  }
  return /^[\w.-]+\(/.test(frame.name) ? { ...frame, body: frame.name, form: 'python' } : frame
}

/** Whether a text starts as the arguments behind a name do: `search(query=`, `search{"`, `<search><query>`. */
const isCodeStart = (text: string): boolean => inCode.test(text) || inObject.test(text) || inTags.test(text)
const inCode = /^[\w.:\\[("'=\s-]*?\(\s*(?:\)|["'{[\d-]|[A-Za-z_][\w\\]*\s*[=:]|true|false|null)/i
const inObject = /^[<A-Za-z_][^\s{]*\s*\{\s*(?:["'}]|\w+\s*:)/
const inTags = /^<?[\w.:-]+>?\s*</

const nothing: ReadFrame = { calls: [], refused: [] }
/** So many calls are read in one reply. */
export const MOST_CALLS = 256
const LARGEST = 16 * 1024 * 1024
/** An answer in an object is looked for in so many characters. */
const LONGEST_ANSWER = 100_000
/** What is no repair in a call as in Python. */
const pythonOwn = new Set(['python-literal', 'quotes-single'])

/** A bare word may be the name of something, which nobody here knows the value of; an open quote, the rest of a text. */
const isGuess = ({ code, before }: Repair): boolean =>
  code === 'quote-missing' || (code === 'word-bare' && /^[\w.]+$/.test(String(before)))

const areKnown = (keys: readonly string[], names: ReadonlySet<string>): boolean => keys.every((key) => names.has(key))

/** A repair without its place, where that is one in another text than the reply. */
const placeless = ({ span: _, ...repair }: Repair): Repair => repair

/** A name that is not as it was offered, nor as the dialect writes it. */
function adapted(name: string, tool: OfferedTool, { dialect }: Frame): Oddity[] {
  const { nameAs = 'NAME' } = dialects.find((row) => row.name === dialect) ?? {}
  const own = nameAs.replace('NAME', () => tool.name)
  const isOwn = name === tool.name || name.replace(/\d+$/, '0') === own || name === `default_api.${tool.name}`
  return isOwn ? [] : [{ code: 'name-adapted', text: name }]
}

const noted = (oddities: readonly Oddity[]): Repair[] => oddities.map(({ code, text }) => ({ code, before: text }))

/** What had to be overlooked about the markers of a call. */
const markupOf = ({ oddities, isClosed, isMarked, form, dialect }: Frame): Repair[] => {
  const isOpen = isMarked && !isClosed && dialect !== 'react' && form !== 'python'
  return [...noted(oddities), ...(isOpen ? [{ code: 'end-missing' }] : [])]
}

function cutBefore(name: string, body: string): ReadFrame {
  const problems = [problem('truncated', body, [0, 0], 'before its arguments')]
  return { calls: [], refused: [{ name, repairs: [], problems }] }
}

/** The body with the dialect's own quotes as those of JSON. */
function plainQuoted({ body, quotes = [] }: Frame): string {
  const quote = quotes.find((quote) => body.includes(quote))
  if (quote === undefined) return body
  const pieces = body.split(quote)
  if (pieces.length % 2 === 0) return body
  return pieces.map((piece, index) => (index % 2 === 1 ? JSON.stringify(piece) : piece)).join('')
}

function asRead(
  name: string,
  { value, repairs, problems }: { value: JsonValue; repairs: readonly Repair[]; problems: readonly Problem[] },
): ReadFrame {
  if (problems.length > 0) return { calls: [], refused: [{ name, arguments: value, repairs, problems }] }
  return { calls: [{ name, arguments: value as JsonObject, repairs, problems }], refused: [] }
}

/** Places in a piece of the text, as places in the whole. */
function moved<Note extends { readonly span?: Span }>(notes: readonly Note[], by: number): Note[] {
  return notes.map((note) => (note.span ? { ...note, span: [note.span[0] + by, note.span[1] + by] } : note))
}

/** An object that is an answer or a thought by its keys, and nothing else. */
function protocolOf(body: string): ReadFrame {
  if (!/"(?:answer|scratchpad)"/.test(body)) return nothing
  const { value, problems } = readValue(body)
  if (problems.length > 0 || !isObject(value)) return nothing
  const { answer, scratchpad } = value
  const others = Object.entries(value).filter(([key]) => key !== 'answer' && key !== 'scratchpad')
  const isOnly = others.every(([, other]) => isNothing(other) || (isObject(other) && Object.keys(other).length === 0))
  if (!isOnly) return nothing
  return {
    ...nothing,
    ...(typeof answer === 'string' ? { answer } : {}),
    ...(typeof scratchpad === 'string' ? { thought: scratchpad } : {}),
  }
}
