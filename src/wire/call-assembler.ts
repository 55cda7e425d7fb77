import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { newCallId } from './call-id.ts'
import { fieldsOf, isFields, numberOf, parsed, textOf } from './json.ts'

/** A piece of a call, as it comes. */
interface Piece {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly input: string
}

/** A call that is being put together. */
interface OpenCall {
  readonly index: number | undefined
  id: string | undefined
  name: string
  input: string
  /** The id under which the client knows it, once it does. */
  told: string | undefined
}

/**
 * Puts calls together out of pieces. Servers leave out the index, give all calls the same one, repeat names, send
 * names late, and new ids with every piece; what decides is written at `beginsAnother`.
 */
export class CallAssembler {
  private readonly calls: OpenCall[] = []
  private readonly byIndex = new Map<number, OpenCall>()
  private readonly ids = new Set<string>()

  get hasCalls(): boolean {
    return this.calls.length > 0
  }

  /** Takes the pieces of one event. */
  push(values: readonly unknown[]): LanguageModelV4StreamPart[] {
    const named = new Set<OpenCall>()
    return values.flatMap((value) => this.add(pieceOf(value), named))
  }

  /** Takes calls that came whole: no two of them are one. */
  pushWhole(values: readonly unknown[]): LanguageModelV4StreamPart[] {
    return values.flatMap((value, index) => this.add({ ...pieceOf(value), index }, new Set()))
  }

  /** The calls, now that no more of them comes. */
  end(): LanguageModelV4StreamPart[] {
    return this.calls.flatMap((call): LanguageModelV4StreamPart[] => {
      const start = call.told === undefined ? this.start(call) : []
      const id = call.told ?? ''
      return [
        ...start,
        { type: 'tool-input-end', id },
        { type: 'tool-call', toolCallId: id, toolName: call.name, input: call.input },
      ]
    })
  }

  /** The reply broke off: what was begun is no call. */
  abandon(): LanguageModelV4StreamPart[] {
    return this.calls.flatMap(({ told }) => (told === undefined ? [] : [{ type: 'tool-input-end', id: told }]))
  }

  private add(piece: Piece, named: Set<OpenCall>): LanguageModelV4StreamPart[] {
    const found = this.find(piece)
    const call = found && !beginsAnother(found, piece, named) ? found : this.open(piece)
    if (piece.name !== undefined) named.add(call)
    call.id ??= piece.id
    call.name = nameWith(call, piece.name)
    call.input += piece.input
    if (call.told !== undefined) {
      return piece.input === '' ? [] : [{ type: 'tool-input-delta', id: call.told, delta: piece.input }]
    }
    return call.name !== '' && call.input !== '' ? this.start(call) : []
  }

  /** The call that a piece goes on with, unless it begins another. */
  private find({ index, id, name }: Piece): OpenCall | undefined {
    const last = this.calls.at(-1)
    if (index === undefined)
      return (id === undefined ? undefined : this.calls.findLast((call) => call.id === id)) ?? last
    return this.byIndex.get(index) ?? (name === undefined && last?.index === undefined ? last : undefined)
  }

  private open({ index, id }: Piece): OpenCall {
    const call: OpenCall = { index, id, name: '', input: '', told: undefined }
    this.calls.push(call)
    if (index !== undefined) this.byIndex.set(index, call)
    return call
  }

  /** Tells the client of a call, with what there is of its input. */
  private start(call: OpenCall): LanguageModelV4StreamPart[] {
    const id = call.id === undefined || this.ids.has(call.id) ? newCallId() : call.id
    this.ids.add(id)
    call.told = id
    return [
      { type: 'tool-input-start', id, toolName: call.name },
      ...(call.input === '' ? [] : [{ type: 'tool-input-delta' as const, id, delta: call.input }]),
    ]
  }
}

/** Whether a piece is the first of a new call. One without a name never is: some servers make a new id for each piece. */
function beginsAnother(call: OpenCall, piece: Piece, named: ReadonlySet<OpenCall>): boolean {
  if (piece.name === undefined) return false
  if (named.has(call)) return true
  if (piece.input.trimStart().startsWith('{') && isWhole(call.input)) return true
  if (piece.id !== undefined && call.id !== undefined) return piece.id !== call.id
  if (call.name === '' || piece.name === call.name) return false
  return call.input !== '' || piece.index === undefined
}

/** The name of a call with one more piece of it: as it was, grown, or its next letters. Once told it stays. */
function nameWith({ name, told }: OpenCall, piece: string | undefined): string {
  if (piece === undefined || told !== undefined) return name
  return piece.startsWith(name) ? piece : name + piece
}

const isWhole = (input: string): boolean => input.trimEnd().endsWith('}') && isFields(parsed(input))

function pieceOf(value: unknown): Piece {
  const { index, id, function: made } = fieldsOf(value)
  const { name, arguments: input } = fieldsOf(made)
  return {
    index: numberOf(index),
    id: textOf(id),
    name: textOf(name),
    input: typeof input === 'string' ? input : input === undefined || input === null ? '' : JSON.stringify(input),
  }
}
