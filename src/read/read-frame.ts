import { refusalFor } from '../fit/fit.ts'
import type { Call, JsonValue, Problem, RefusedCall, Repair } from '../types.ts'
import { readValue } from '../value/read-value.ts'
import { taggedArguments } from './argument-forms.ts'
import { dialects } from './dialects/table.ts'
import { callsIn, type WrittenCall } from './envelope.ts'
import type { Frame, FrameOpening } from './framer.ts'
import { nameIn } from './head.ts'
import type { ArgumentOptions } from './read-arguments.ts'
import { namesOf, readFitted, readOffered } from './read-arguments.ts'
import type { OfferedTool } from './tools.ts'

/** What a frame was read as. The place is added by whoever framed it. */
export interface ReadFrame {
  readonly calls: readonly Omit<Call, 'dialect' | 'span' | 'raw'>[]
  readonly refused: readonly Omit<RefusedCall, 'dialect' | 'span' | 'raw'>[]
}

/** Reads frames as calls of the tools that were offered. */
export class FrameReader {
  private readonly tools: ReadonlyMap<string, OfferedTool>
  private readonly options: ArgumentOptions

  private readonly names: RegExp

  constructor(tools: readonly OfferedTool[], options: ArgumentOptions) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.options = options
    const names = tools.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    this.names = new RegExp(names.length > 0 ? names.join('|') : '(?!)')
  }

  /** Whether the name of a tool stands in a text. */
  readonly namesTool = (text: string): boolean => this.names.test(text)

  /** Whether a frame can be read without a problem. */
  readonly canRead = (frame: Frame): boolean => {
    const { calls, refused } = this.read(frame)
    return calls.length > 0 && refused.length === 0
  }

  /** The offered tool whose name stands in the head of a call. */
  nameOf({ dialect, head }: FrameOpening): string | undefined {
    return head.trim() === '' ? undefined : this.offered(this.headName(dialect, head))?.name
  }

  read(frame: Frame): ReadFrame {
    if (frame.kind === 'envelope') return this.envelope(frame)
    const name = this.headName(frame.dialect, frame.head)
    const tool = this.offered(name)
    if (!tool) return frame.isMarked ? this.unknown(name) : nothing
    if (frame.kind === 'arguments') return this.fitText(tool, frame.body)
    const tagged = taggedArguments(frame.raw, frame.parameters ?? [], namesOf(tool))
    if (!tagged || !frame.isClosed) {
      const problems = refusalFor('tags-unreadable', null, tool.schema, tool.name)
      return { calls: [], refused: [{ name: tool.name, repairs: [], problems }] }
    }
    return this.fit(tool, tagged.value, tagged.repairs.slice(1))
  }

  private headName(dialect: string, head: string): string {
    const nameEnd = dialects.find(({ name }) => name === dialect)?.nameEnd ?? []
    const name = nameIn(head, nameEnd) ?? head.trim()
    return name.replace(/^["'`*]+|["'`*]+$/g, '')
  }

  private envelope(frame: Frame): ReadFrame {
    if (!frame.isMarked && !this.namesTool(frame.body)) return nothing
    const { value, repairs, problems } = readValue(frame.body, { ...this.options, container: true })
    const [problem] = problems
    if (problem || value === undefined) {
      return frame.isMarked ? { calls: [], refused: [{ repairs, problems }] } : nothing
    }
    const written = callsIn(value, (name) => this.offered(name) !== undefined)
    if (!written)
      return frame.isMarked
        ? this.refuse(undefined, 'name-missing', 'Send the call again with its name and arguments.')
        : nothing
    const read = written.map((call) => this.written(call, repairs, frame))
    if (!frame.isMarked && read.some(({ calls }) => calls.length === 0)) return nothing
    return { calls: read.flatMap(({ calls }) => calls), refused: read.flatMap(({ refused }) => refused) }
  }

  private written({ name, arguments: given }: WrittenCall, repairs: readonly Repair[], frame: Frame): ReadFrame {
    const tool = name === undefined ? undefined : this.offered(name)
    if (!tool) return frame.isMarked ? this.unknown(name ?? '') : nothing
    return this.fit(tool, given, repairs)
  }

  private offered(name: string): OfferedTool | undefined {
    return this.tools.get(name) ?? this.tools.get(name.replace(/^functions\./, '').replace(/:\d+$/, ''))
  }

  private fit(tool: OfferedTool, value: JsonValue, repairs: readonly Repair[]): ReadFrame {
    return asRead(tool.name, readFitted(tool, value, repairs, this.options))
  }

  private fitText(tool: OfferedTool, text: string): ReadFrame {
    const { calls, refused } = readOffered(text.trim(), tool, this.options)
    return { calls, refused }
  }

  private unknown(name: string): ReadFrame {
    const names = [...this.tools.keys()].slice(0, 12).join(', ')
    return this.refuse(name, 'tool-unknown', `Call one of ${names}: there is no tool ${JSON.stringify(name)}.`)
  }

  private refuse(name: string | undefined, code: string, message: string): ReadFrame {
    return {
      calls: [],
      refused: [{ ...(name === undefined ? {} : { name }), repairs: [], problems: [{ code, message }] }],
    }
  }
}

const nothing: ReadFrame = { calls: [], refused: [] }

function asRead(
  name: string,
  { value, repairs, problems }: { value: JsonValue; repairs: readonly Repair[]; problems: readonly Problem[] },
): ReadFrame {
  if (problems.length > 0) return { calls: [], refused: [{ name, arguments: value, repairs, problems }] }
  return { calls: [{ name, arguments: value as Call['arguments'], repairs, problems }], refused: [] }
}
