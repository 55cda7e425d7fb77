import type { LanguageModelV4ResponseMetadata, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { CallAssembler } from './call-assembler.ts'
import { type Exchange, notAReply, replyError, toldError } from './errors.ts'
import { type Fields, fieldsOf, isFields, listOf, numberOf, textOf } from './json.ts'
import { finishReasonOf, usageOf } from './usage.ts'

type StreamPart = LanguageModelV4StreamPart
type Kind = 'text' | 'reasoning'

/** Reads one reply, in chunks or as a whole body, into the parts of an AI SDK stream. */
export class ReplyReader {
  private readonly exchange: Exchange
  private readonly calls = new CallAssembler()
  private block: { readonly kind: Kind; readonly id: string } | undefined
  private blocks = 0
  private isKnown = false
  /** Whether anything came that is part of a reply. */
  hasReply = false
  private finish: string | undefined
  private usage: unknown

  constructor(exchange: Exchange) {
    this.exchange = exchange
  }

  /** Whether the server said why the reply ended: what comes then is only the count of tokens. */
  get isFinished(): boolean {
    return this.finish !== undefined
  }

  /** Takes a chunk, or a whole completion. Throws what the server tells of as an error. */
  push(body: unknown): StreamPart[] {
    const told = toldError(body)
    if (told) throw replyError(this.exchange, told, JSON.stringify(body))
    if (!isFields(body)) throw notAReply(this.exchange, JSON.stringify(body) ?? '')
    if (isFields(body['usage'])) this.usage = body['usage']
    const parts = this.metadata(body)
    const choice = listOf(body['choices']).map(fieldsOf).find(isFirst)
    if (!choice) return parts
    const { delta, message, finish_reason: finish } = choice
    const isNew = !this.hasReply
    this.hasReply ||= isFields(delta) || isFields(message)
    if (isFields(delta)) parts.push(...this.said(delta), ...this.calls.push(listOf(delta['tool_calls'])))
    // A last chunk may repeat the whole message.
    else if (isFields(message) && isNew) {
      parts.push(...this.said(message), ...this.calls.pushWhole(listOf(message['tool_calls'])))
    }
    this.finish = textOf(finish) ?? this.finish
    return parts
  }

  /** Nothing more comes. A stream that neither said why nor that it ended was interrupted. */
  end({ isWhole = true }: { readonly isWhole?: boolean } = {}): StreamPart[] {
    if (!this.hasReply) throw notAReply(this.exchange, '')
    const isCut = this.finish === undefined && !isWhole
    const finishReason = isCut
      ? { unified: 'interrupted' as const, raw: undefined }
      : finishReasonOf(this.finish, this.calls.hasCalls)
    return [...this.close(), ...this.calls.end(), { type: 'finish', finishReason, usage: usageOf(this.usage) }]
  }

  /** The reply broke off. Calls that were begun are none. */
  fail(error: unknown): StreamPart[] {
    const finishReason = { unified: 'error' as const, raw: this.finish }
    return [
      ...this.close(),
      ...this.calls.abandon(),
      { type: 'error', error },
      { type: 'finish', finishReason, usage: usageOf(this.usage) },
    ]
  }

  /** Who answers, told once. */
  private metadata({ id, model, created }: Fields): StreamPart[] {
    if (this.isKnown) return []
    this.isKnown = true
    const seconds = numberOf(created)
    const known: LanguageModelV4ResponseMetadata = {
      ...(typeof id === 'string' ? { id } : {}),
      ...(typeof model === 'string' ? { modelId: model } : {}),
      ...(seconds === undefined ? {} : { timestamp: new Date(seconds * 1000) }),
    }
    return Object.keys(known).length > 0 ? [{ type: 'response-metadata', ...known }] : []
  }

  /** What a message or a piece of one says, thoughts first. */
  private said({ reasoning_content, reasoning, content, refusal, tool_calls }: Fields): StreamPart[] {
    const thought = textOf(reasoning_content) ?? textOf(reasoning)
    const parts = thought === undefined ? [] : this.write('reasoning', thought)
    for (const { kind, text } of writtenIn(content ?? refusal)) parts.push(...this.write(kind, text))
    if (listOf(tool_calls).length > 0) parts.push(...this.close())
    return parts
  }

  private write(kind: Kind, delta: string): StreamPart[] {
    if (this.block?.kind === kind) return [{ type: `${kind}-delta`, id: this.block.id, delta }]
    const before = this.close()
    const id = `${kind}-${this.blocks++}`
    this.block = { kind, id }
    return [...before, { type: `${kind}-start`, id }, { type: `${kind}-delta`, id, delta }]
  }

  private close(): StreamPart[] {
    const { block } = this
    this.block = undefined
    return block ? [{ type: `${block.kind}-end`, id: block.id }] : []
  }
}

const isFirst = ({ index }: Fields): boolean => index === undefined || index === null || index === 0

interface Written {
  readonly kind: Kind
  readonly text: string
}

/** The texts of a content: itself, or those of its parts, of which some are thoughts. */
function writtenIn(content: unknown): Written[] {
  if (typeof content === 'string') return written('text', content)
  return listOf(content).flatMap((part) => {
    const { type, text, thinking } = fieldsOf(part)
    if (type !== 'thinking') return written('text', text)
    // Mistral's thoughts are a list of texts in a part.
    const thoughts =
      typeof thinking === 'string' ? [thinking] : listOf(thinking).map((inner) => fieldsOf(inner)['text'])
    return [text, ...thoughts].flatMap((thought) => written('reasoning', thought))
  })
}

const written = (kind: Kind, text: unknown): Written[] =>
  typeof text === 'string' && text !== '' ? [{ kind, text }] : []
