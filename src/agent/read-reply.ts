import { isObject } from '../fit/judge.ts'
import { cues } from '../read/cues.ts'
import { thoughts } from '../read/dialects/table.ts'
import { argumentKeys } from '../read/envelope.ts'
import { readProblem } from '../read/problems.ts'
import { type ReadOptions, read } from '../read/read.ts'
import { readArguments } from '../read/read-arguments.ts'
import { readRescued } from '../read/rescue.ts'
import type { SeenTexts } from '../read/seen.ts'
import { offeredTools, ToolNames } from '../read/tools.ts'
import { nearestNames } from '../tools/nearest-name.ts'
import type { RunnableTool } from '../tools/tool.ts'
import type { Call, Finish, JsonValue, Problem, Reading, RefusedCall, Repair } from '../types.ts'
import { validator } from '../validate/validator.ts'
import { readValue } from '../value/read-value.ts'
import type { ReplyPart, RunCall, SignedThought } from './events.ts'
import { signatureOf } from './loop-guard.ts'
import type { Mode } from './modes/mode.ts'

/** A call of a reply that may run. */
export interface FoundCall extends RunCall {
  readonly repairs: readonly Repair[]
  readonly dialect: string
}

/** What a reply says, the same in every mode. */
export interface ReplyReading {
  readonly calls: readonly FoundCall[]
  readonly refused: readonly RefusedCall[]
  readonly answer?: string
  /** A call stands behind the final answer: the model cannot mean both. */
  readonly isContradiction: boolean
  /** All of the text that is no thought. */
  readonly written: string
  /** The model said that this is the answer, rather than that it said nothing else. */
  readonly isMarkedAnswer: boolean
  readonly thought?: string
  readonly signed?: readonly SignedThought[]
  /** What stands beside the calls. */
  readonly text: string
  /** The text was cut off before its end. */
  readonly isCut: boolean
}

/** The rules by which the calls of an agent are read. */
export type ReadingRules = Pick<ReadOptions, 'policy' | 'strict' | 'unknown' | 'callsInThought' | 'thinking'>

/** What a reply is read with. */
export interface ReplyContext {
  readonly tools: readonly RunnableTool[]
  readonly mode: Mode
  readonly step: number
  readonly seen: SeenTexts
  readonly rules: ReadingRules
}

/**
 * Reads a reply of a model: the calls of the provider, whose argument strings are read as all others, the calls in its
 * text, the answer, the thought.
 */
export function readReply(parts: readonly ReplyPart[], finish: Finish, context: ReplyContext): ReplyReading {
  const reader = new ReplyReader(context)
  const last = parts.at(-1)
  const texts = parts.filter((part) => part.kind === 'text').map(({ text }) => text)
  for (const part of parts) {
    if (part.kind === 'call') reader.native(part, part === last ? finish : undefined)
    else if (part.kind === 'rescued') reader.rescued(part.text)
  }
  const isTextLast = last?.kind === 'text' || last === undefined
  const written = texts.join('')
  if (written !== '') reader.written(written, isTextLast ? finish : 'unknown')
  return reader.end(parts, finish)
}

class ReplyReader {
  private readonly context: ReplyContext
  private readonly calls: FoundCall[] = []
  private readonly signatures = new Set<string>()
  private readonly refused: RefusedCall[] = []
  private reading: Reading | undefined
  private answer: string | undefined
  private isPlain = false
  private isContradiction = false
  private isBlank = false
  private thought: string | undefined

  constructor(context: ReplyContext) {
    this.context = context
  }

  /** A call of the provider. Only the last of a reply can have been cut off: of it, `finish` says how the reply ended. */
  native(part: Extract<ReplyPart, { kind: 'call' }>, finish: Finish | undefined): void {
    const tool = this.toolOf(part.name)
    if (!tool) {
      const { value, problems } = readValue(part.arguments, { container: true })
      const isAnswer = finalAnswer.test(part.name)
      const given = value === undefined || problems.length > 0 ? {} : { arguments: value }
      const reasons = isAnswer && problems.length > 0 ? problems : [this.unknownTool(part.name)]
      this.refuse({ ...refusal(part.arguments, reasons), name: part.name, ...given })
      return
    }
    if (part.arguments.trim() === '' && finish !== undefined && finish !== 'stop') {
      const message = `Send the whole call of ${tool.name} again: it was cut off before its arguments.`
      this.refuse({ ...refusal(part.arguments, [{ code: 'truncated', message }]), name: tool.name })
      return
    }
    const { rules } = this.context
    const { calls, refused } = readArguments(part.arguments, tool, { validator, ...rules, finish: finish ?? 'unknown' })
    for (const call of calls) this.call(call, 'native', part)
    for (const call of refused) this.refuse({ ...call, name: tool.name })
  }

  /** What a server could not read. It was meant to be a call, and is never the answer. */
  rescued(text: string): void {
    const { tools, seen, rules } = this.context
    const { calls, refused } = readRescued(text, { validator, ...rules, tools, seen })
    for (const call of calls) this.call(call, call.dialect)
    for (const call of refused) this.refuse(call)
  }

  /** The text of the reply: calls in any dialect, the answer, thoughts. */
  written(text: string, finish: Finish): void {
    const { tools, seen, rules } = this.context
    const options = { thinking: beginsInThought(text), validator, ...rules, tools, seen }
    const reading = read(text, { ...options, finish })
    this.reading = reading
    const [first] = reading.calls
    const before = first ? text.slice(0, first.span[0]) : ''
    if (/answer/i.test(before)) this.isContradiction ||= read(before, options).answer !== undefined
    for (const call of reading.calls) this.call(call, call.dialect)
    for (const call of reading.refused) this.refuse(call)
    this.thought = reading.thought
    if (this.calls.length + this.refused.length > 0 || this.answer !== undefined) return
    this.answer = reading.answer
    if (this.answer === undefined) this.said(reading.text.trim())
  }

  /** What a text means that is no call and no marked answer. */
  private said(text: string): void {
    const isProtocol = protocolStart.test(text)
    if (isProtocol || this.context.mode.plainText === 'unreadable') this.protocol(text)
    else if (text !== '') {
      this.answer = text
      this.isPlain = true
    }
  }

  /** What an object of the JSON protocol means that the reader took for no call. */
  private protocol(text: string): void {
    const { value, problems } = readValue(text, { container: true })
    if (problems.length > 0 && text.startsWith('{')) this.refuse(refusal(text, problems))
    if (problems.length > 0 || !isObject(value)) return
    const inner = isObject(value['function']) ? value['function'] : value
    const answer = inner['answer'] ?? inner['final_answer']
    const key = argumentKeys.find((name) => Object.hasOwn(inner, name))
    const name = inner['tool'] ?? inner['action'] ?? (key === undefined ? undefined : inner['name'])
    const isAnswered = answer !== undefined && answer !== null
    if (isAnswered && typeof name === 'string') this.isContradiction = true
    else if (isAnswered) this.answer = textOf(answer)
    else if (typeof name === 'string') this.named(name, key === undefined ? {} : (inner[key] ?? {}), text)
    else if (typeof value['scratchpad'] === 'string') {
      this.thought = value['scratchpad']
      this.isBlank = true
    }
  }

  /** A call that stands in an object by its name. Of an offered tool it is one only when it is all of the reply. */
  private named(name: string, given: JsonValue, raw: string): void {
    const tool = this.toolOf(name)
    if (!tool) {
      this.refuse({ ...refusal(raw, [this.unknownTool(name)]), name, arguments: given })
      return
    }
    if (!protocolStart.test(raw) || !raw.endsWith('}')) return
    const { calls, refused } = readArguments(JSON.stringify(given), tool, { validator, ...this.context.rules })
    for (const call of calls) this.call(call, 'json')
    for (const call of refused) this.refuse({ ...call, name: tool.name })
  }

  end(parts: readonly ReplyPart[], finish: Finish): ReplyReading {
    const thoughts = parts.filter((part) => part.kind === 'thought')
    const signed = thoughts.flatMap(({ text, metadata }) => (metadata ? [{ text, metadata }] : []))
    const state = this.reading ? currentState(this.reading, this.calls.length) : undefined
    const thought = [...thoughts.map(({ text }) => text), this.thought ?? state ?? ''].join('\n').trim()
    return {
      calls: this.isContradiction ? [] : this.calls,
      refused: this.refused,
      ...(this.answer === undefined ? {} : { answer: this.answer }),
      isContradiction: this.isContradiction,
      written: writtenIn(this.reading),
      isMarkedAnswer: this.answer !== undefined && !this.isPlain,
      ...(thought === '' ? {} : { thought }),
      ...(signed.length > 0 ? { signed } : {}),
      text: this.isBlank ? '' : textBefore(this.reading),
      isCut: finish === 'length' || this.reading?.complete === false,
    }
  }

  private call(call: Call, dialect: string, part?: Extract<ReplyPart, { kind: 'call' }>): void {
    const { name, arguments: given, repairs } = call
    const signature = signatureOf(call)
    // The same call twice in one reply is one: models stutter.
    if (this.signatures.has(signature)) return
    this.signatures.add(signature)
    if (this.answer !== undefined) this.isContradiction = true
    const id = idOf(this.context.step, this.calls.length)
    const metadata = part?.metadata ? { metadata: part.metadata } : {}
    this.calls.push({ id, name, arguments: given, repairs, dialect, ...metadata })
  }

  private refuse(call: RefusedCall): void {
    const isAnswer = finalAnswer.test(call.name ?? '') && call.problems.every(({ code }) => code === 'tool-unknown')
    const given = isAnswer ? (call.arguments ?? argumentsIn(call.raw)) : undefined
    if (given !== undefined) this.answer = answerIn(given)
    else this.refused.push(withNearest(call, this.context.tools))
  }

  private toolOf(name: string): RunnableTool | undefined {
    const { tools } = this.context
    const named = (wanted: string | undefined) => tools.find((tool) => tool.name === wanted)
    return named(name) ?? named(new ToolNames(offeredTools(tools)).find(name)?.name)
  }

  private unknownTool(name: string): Problem {
    return readProblem(
      'tool-unknown',
      this.context.tools.map((tool) => tool.name),
      { name },
    )
  }
}

/** How an object begins that keeps to the JSON protocol, or is meant to. */
const protocolStart = /^\{\s*["'](?:tool|answer|final_answer|scratchpad|function|action|thought|current_state)["']\s*:/

/** Whether a reply begins in a thought, because the template of the model has written its opener. */
const beginsInThought = (text: string): boolean =>
  thoughts.some(({ open, close }) => {
    const end = text.indexOf(close)
    const start = text.indexOf(open)
    return end >= 0 && (start < 0 || start > end)
  })

/** ReAct's way to end: a tool of that name. */
const finalAnswer = /^final[ _-]?answer$/i

/** The arguments of a call as it was written; nothing where they cannot be read. */
function argumentsIn(raw: string): JsonValue | undefined {
  const [, lined] = /^Action Input:[ \t]*(.*)$/ms.exec(raw) ?? []
  const { value, problems } = readValue(lined ?? raw, { container: true })
  if (problems.length > 0 || value === undefined) return lined?.trim()
  const key = isObject(value) ? argumentKeys.find((name) => Object.hasOwn(value, name)) : undefined
  return isObject(value) && key !== undefined && lined === undefined ? value[key] : value
}

function answerIn(given: JsonValue): string {
  if (!isObject(given)) return textOf(given)
  const [only, ...others] = Object.values(given)
  return textOf(given['answer'] ?? given['text'] ?? (only !== undefined && others.length === 0 ? only : given))
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

const refusal = (raw: string, problems: readonly Problem[]): RefusedCall => ({
  repairs: [],
  problems,
  dialect: 'native',
  span: [0, raw.length],
  raw,
})

/** Says of an unknown tool which offered ones are named most like it. */
function withNearest(call: RefusedCall, tools: readonly RunnableTool[]): RefusedCall {
  const { name } = call
  if (name === undefined || call.problems[0]?.code !== 'tool-unknown') return call
  const near = nearestNames(
    name,
    tools.map((tool) => tool.name),
  )
  if (near.length === 0) return call
  const [problem, ...others] = call.problems
  return {
    ...call,
    problems: [{ ...problem, message: `Did you mean ${near.join(' or ')}? ${problem.message}` }, ...others],
  }
}

/** The ids of calls are the same whenever a reply is read, and of the only form that every provider takes. */
const idOf = (step: number, index: number): string =>
  `call${String(step % 1_000).padStart(3, '0')}${String(index % 100).padStart(2, '0')}`

/** Where things stand, as the schema of the structured mode asks for it beside a call. */
function currentState({ parts }: Reading, calls: number): string | undefined {
  if (calls === 0) return undefined
  const text = parts.map(({ raw }) => raw).join('')
  if (!/"(?:current_state|thought)"/.test(text)) return undefined
  const { value } = readValue(text, { container: true })
  const state = isObject(value) ? (value['current_state'] ?? value['thought']) : undefined
  return typeof state === 'string' ? state : undefined
}

/** The text of a reply without its thoughts. */
const writtenIn = (reading: Reading | undefined): string =>
  (reading?.parts ?? [])
    .flatMap(({ kind, raw }) => (kind === 'thought' ? [] : [raw]))
    .join('')
    .trim()

/** The text before the first call: what follows one may be a result of the model's own making. */
function textBefore(reading: Reading | undefined): string {
  if (!reading) return ''
  const first = reading.parts.findIndex(({ kind }) => kind === 'call' || kind === 'refused')
  if (first < 0) return reading.text.trim()
  const texts = reading.parts.slice(0, first).flatMap(({ kind, raw }) => (kind === 'text' ? [raw] : []))
  return texts.join('').trim()
}

/** A longer text than this says more than what is about to be done. */
const ANNOUNCEMENT = 600

/** Whether a text only says what the model is about to do. */
export function isAnnouncement(text: string): boolean {
  if (text.length > ANNOUNCEMENT) return false
  const sentences = text.trim().split(/(?<=[.!?:])\s+/)
  const last = (sentences.at(-1) ?? '').toLowerCase().replaceAll('’', "'")
  const start = last.replace(/^(?:now|next|first|then|okay|ok|sure|so|great|alright)[,!.]?\s+/, '')
  return !last.endsWith('?') && cues.announcing.some((cue) => start.startsWith(`${cue} `))
}
