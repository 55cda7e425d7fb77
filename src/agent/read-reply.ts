import { isObject } from '../fit/judge.ts'
import { cues } from '../read/cues.ts'
import { argumentKeys } from '../read/envelope.ts'
import { readProblem } from '../read/problems.ts'
import { type ReadOptions, read } from '../read/read.ts'
import { readArguments } from '../read/read-arguments.ts'
import { readRescued } from '../read/rescue.ts'
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
export type ReadingRules = Pick<ReadOptions, 'policy' | 'strict' | 'unknown' | 'callsInThought'>

/** What a reply is read with. */
export interface ReplyContext {
  readonly tools: readonly RunnableTool[]
  readonly mode: Mode
  readonly step: number
  readonly seen: readonly string[]
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
    if (part.kind === 'call') reader.native(part, part === last ? finish : 'unknown')
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
  private readonly refused: RefusedCall[] = []
  private reading: Reading | undefined
  private answer: string | undefined
  private isPlain = false
  private thought: string | undefined

  constructor(context: ReplyContext) {
    this.context = context
  }

  /** A call of the provider. */
  native(part: Extract<ReplyPart, { kind: 'call' }>, finish: Finish): void {
    const tool = this.toolOf(part.name)
    if (!tool) {
      const problem = this.unknownTool(part.name)
      const { value } = readValue(part.arguments, { container: true })
      const given = value === undefined ? {} : { arguments: value }
      this.refuse({ ...refusal(part.arguments, [problem]), name: part.name, ...given })
      return
    }
    const { rules } = this.context
    const { calls, refused } = readArguments(part.arguments, tool, { validator, ...rules, finish })
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
    const { tools, seen, rules, mode } = this.context
    const reading = read(text, { validator, ...rules, tools, seen, finish })
    this.reading = reading
    for (const call of reading.calls) this.call(call, call.dialect)
    for (const call of reading.refused) this.refuse(call)
    this.thought = reading.thought
    if (this.calls.length + this.refused.length > 0 || this.answer !== undefined) return
    this.answer = reading.answer
    if (this.answer !== undefined) return
    if (mode.plainText === 'unreadable') this.protocol(reading)
    else if (reading.text.trim() !== '') {
      this.answer = reading.text.trim()
      this.isPlain = true
    }
  }

  /** What a JSON object means that is no call of an offered tool. */
  private protocol(reading: Reading): void {
    const { value, problems } = readValue(reading.text, { container: true })
    if (problems.length > 0 && reading.text.trimStart().startsWith('{')) this.refuse(refusal(reading.text, problems))
    if (problems.length > 0 || !isObject(value)) return
    const inner = isObject(value['function']) ? value['function'] : value
    const answer = inner['answer'] ?? inner['final_answer']
    const name = inner['tool'] ?? inner['name']
    if (answer !== undefined) this.answer = textOf(answer)
    else if (typeof name === 'string') {
      const given = inner['arguments']
      const problem = this.unknownTool(name)
      this.refuse({ ...refusal(reading.text, [problem]), name, ...(given === undefined ? {} : { arguments: given }) })
    } else if (typeof value['scratchpad'] === 'string') this.thought = value['scratchpad']
  }

  end(parts: readonly ReplyPart[], finish: Finish): ReplyReading {
    const thoughts = parts.filter((part) => part.kind === 'thought')
    const signed = thoughts.flatMap(({ text, metadata }) => (metadata ? [{ text, metadata }] : []))
    const state = this.reading ? currentState(this.reading, this.calls.length) : undefined
    const thought = [...thoughts.map(({ text }) => text), this.thought ?? state ?? ''].join('\n').trim()
    return {
      calls: this.calls,
      refused: this.refused,
      ...(this.answer === undefined ? {} : { answer: this.answer }),
      isMarkedAnswer: this.answer !== undefined && !this.isPlain,
      ...(thought === '' ? {} : { thought }),
      ...(signed.length > 0 ? { signed } : {}),
      text: textBefore(this.reading),
      isCut: finish === 'length' || this.reading?.complete === false,
    }
  }

  private call(call: Call, dialect: string, part?: Extract<ReplyPart, { kind: 'call' }>): void {
    const { name, arguments: given, repairs } = call
    // The same call twice in one reply is one: models stutter.
    if (this.calls.some((other) => signatureOf(other) === signatureOf(call))) return
    const id = idOf(this.context.step, this.calls.length)
    const metadata = part?.metadata ? { metadata: part.metadata } : {}
    this.calls.push({ id, name, arguments: given, repairs, dialect, ...metadata })
  }

  private refuse(call: RefusedCall): void {
    const isAnswer = finalAnswer.test(call.name ?? '') && call.problems.every(({ code }) => code === 'tool-unknown')
    if (isAnswer) this.answer = answerIn(call.arguments ?? argumentsIn(call.raw))
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

/** ReAct's way to end: a tool of that name. */
const finalAnswer = /^final[ _-]?answer$/i

/** The arguments of a call as it was written. */
function argumentsIn(raw: string): JsonValue {
  const { value } = readValue(raw, { container: true })
  const key = isObject(value) ? argumentKeys.find((key) => Object.hasOwn(value, key)) : undefined
  return isObject(value) && key !== undefined ? (value[key] ?? '') : (value ?? raw)
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
