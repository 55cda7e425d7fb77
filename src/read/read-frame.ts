import { refusalFor } from '../fit/fit.ts'
import { isObject } from '../fit/judge.ts'
import type { Call, Finish, JsonValue, Problem, RefusedCall, Repair, Span } from '../types.ts'
import { problem } from '../value/problems.ts'
import { readValue } from '../value/read-value.ts'
import { taggedArguments } from './argument-forms.ts'
import { dialects } from './dialects/table.ts'
import { callsIn, isEnvelopeStart, type WrittenCall } from './envelope.ts'
import type { Frame, FrameOpening } from './frame.ts'
import { nameIn } from './head.ts'
import { type ReadProblemCode, readProblem } from './problems.ts'
import { type ArgumentOptions, namesOf, readFitted, readOffered } from './read-arguments.ts'
import type { OfferedTool } from './tools.ts'

/** What a frame was read as. The place is added by whoever framed it. */
export interface ReadFrame {
  readonly calls: readonly Omit<Call, 'dialect' | 'span' | 'raw'>[]
  readonly refused: readonly Omit<RefusedCall, 'dialect' | 'span' | 'raw'>[]
  /** The answer and the thought of an object that is no call: `{"answer": …}`, `{"scratchpad": …}`. */
  readonly answer?: string
  readonly thought?: string
}

/** Reads frames as calls of the tools that were offered. */
export class FrameReader {
  /** Why the model stopped, as far as it is known. */
  finish: Finish
  private readonly tools: ReadonlyMap<string, OfferedTool>
  private readonly given: ArgumentOptions
  private readonly names: RegExp

  constructor(tools: readonly OfferedTool[], options: ArgumentOptions) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.given = options
    this.finish = options.finish ?? 'unknown'
    const names = tools.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    this.names = new RegExp(names.length > 0 ? names.join('|') : '(?!)')
  }

  get toolNames(): readonly string[] {
    return [...this.tools.keys()]
  }

  /** Whether the name of a tool stands in a text. */
  namesTool(text: string): boolean {
    return this.names.test(text)
  }

  /** Whether a frame can be read without a problem. */
  canRead(frame: Frame): boolean {
    const { calls, refused } = this.read(frame)
    return calls.length > 0 && refused.length === 0
  }

  /** The offered tool whose name stands in the head of a call. */
  toolOf({ dialect, head }: FrameOpening): OfferedTool | undefined {
    return head.trim() === '' ? undefined : this.offered(this.headName(dialect, head))
  }

  read(frame: Frame): ReadFrame {
    if (frame.kind === 'envelope') return this.envelope(frame)
    const name = this.headName(frame.dialect, frame.head)
    const tool = this.offered(name)
    if (!tool) return frame.isMarked ? this.refuse('tool-unknown', name) : nothing
    if (frame.kind === 'arguments') return this.argumentText(tool, frame)
    return this.tags(tool, frame)
  }

  private headName(dialect: string, head: string): string {
    const nameEnd = dialects.find(({ name }) => name === dialect)?.nameEnd ?? []
    const name = nameIn(head, nameEnd) ?? head.trim()
    return name.replace(/^["'`*]+|["'`*]+$/g, '')
  }

  /** What was left open may be closed when the call was closed, or the model was not cut off. */
  private optionsFor({ isClosed, isLast }: Frame): ArgumentOptions {
    return { ...this.given, finish: isClosed || !isLast ? 'stop' : this.finish }
  }

  private envelope(frame: Frame): ReadFrame {
    const { isMarked, body, bodyStart } = frame
    if (!isMarked && !this.namesTool(body)) return body.length < LONGEST_ANSWER ? protocolOf(body) : nothing
    const read = readValue(body, { ...this.optionsFor(frame), container: true })
    const repairs = moved(read.repairs, bodyStart)
    if (read.problems.length > 0 || read.value === undefined) {
      if (!isMarked && !isEnvelopeStart(body)) return nothing
      const [call] = callsIn(read.value ?? null, (name) => this.offered(name) !== undefined) ?? []
      const named = call?.name === undefined ? {} : { name: call.name, arguments: call.arguments }
      return { calls: [], refused: [{ ...named, repairs, problems: moved(read.problems, bodyStart) }] }
    }
    const written = callsIn(read.value, (name) => this.offered(name) !== undefined)
    if (!written) return isMarked ? this.refuse('name-missing') : nothing
    const found = written.map((call) => this.written(call, repairs, frame))
    if (found.some(({ calls, refused }) => calls.length + refused.length === 0)) return nothing
    return { calls: found.flatMap(({ calls }) => calls), refused: found.flatMap(({ refused }) => refused) }
  }

  private written({ name, arguments: given }: WrittenCall, repairs: readonly Repair[], frame: Frame): ReadFrame {
    const tool = name === undefined ? undefined : this.offered(name)
    if (!tool) return frame.isMarked ? this.refuse('tool-unknown', name) : nothing
    return asRead(tool.name, readFitted(tool, given, repairs, this.optionsFor(frame)))
  }

  /** The tool of a name, as models write it. */
  offered(name: string): OfferedTool | undefined {
    return this.tools.get(name) ?? this.tools.get(name.replace(/^functions\./, '').replace(/:\d+$/, ''))
  }

  private argumentText(tool: OfferedTool, frame: Frame): ReadFrame {
    // Where the arguments have not come, there may be some to come; a ReAct line may go without.
    const mayBeCut = frame.dialect === 'react' ? this.finish === 'length' : true
    if (!frame.isClosed && frame.isLast && mayBeCut && frame.body.trim() === '') {
      const problems = [problem('truncated', frame.body, [0, 0], 'before its arguments')]
      return { calls: [], refused: [{ name: tool.name, repairs: [], problems }] }
    }
    const { calls, refused } = readOffered(frame.body.trimEnd(), tool, this.optionsFor(frame))
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
    const tagged = taggedArguments(frame.raw, frame.parameters ?? [], namesOf(tool))
    const isCut = !frame.isClosed && frame.isLast && this.finish === 'length'
    if (!tagged || frame.isBroken || isCut) {
      const problems = refusalFor('tags-unreadable', null, tool.schema, tool.name)
      return { calls: [], refused: [{ name: tool.name, repairs: [], problems }] }
    }
    // In this form tags are no repair.
    return asRead(tool.name, readFitted(tool, tagged.value, tagged.repairs.slice(1), this.given))
  }

  private refuse(code: ReadProblemCode, name?: string): ReadFrame {
    const found = name === undefined ? {} : { name }
    return { calls: [], refused: [{ ...found, repairs: [], problems: [readProblem(code, this.toolNames, found)] }] }
  }
}

const nothing: ReadFrame = { calls: [], refused: [] }
/** An answer in an object is looked for in so many characters. */
const LONGEST_ANSWER = 100_000

function asRead(
  name: string,
  { value, repairs, problems }: { value: JsonValue; repairs: readonly Repair[]; problems: readonly Problem[] },
): ReadFrame {
  if (problems.length > 0) return { calls: [], refused: [{ name, arguments: value, repairs, problems }] }
  return { calls: [{ name, arguments: value as Call['arguments'], repairs, problems }], refused: [] }
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
  const isOnly = Object.keys(value).every((key) => key === 'answer' || key === 'scratchpad')
  if (!isOnly) return nothing
  return {
    ...nothing,
    ...(typeof answer === 'string' ? { answer } : {}),
    ...(typeof scratchpad === 'string' ? { thought: scratchpad } : {}),
  }
}
