import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Reasoning,
  LanguageModelV4ResponseMetadata,
  LanguageModelV4StreamPart,
  LanguageModelV4Text,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { usageOf } from './usage.ts'

/** A reply of a model that has ended. */
export interface WholeReply {
  content: LanguageModelV4Content[]
  finishReason: LanguageModelV4FinishReason
  usage: LanguageModelV4Usage
  providerMetadata?: SharedV4ProviderMetadata
  response?: LanguageModelV4ResponseMetadata
  /** What broke it off. */
  failure?: { readonly error: unknown }
}

/** Puts a reply together out of the parts of a stream, one after the other. */
export class ReplyCollector {
  readonly reply: WholeReply = {
    content: [],
    finishReason: { unified: 'other', raw: undefined },
    usage: usageOf(undefined),
  }
  private readonly blocks = new Map<string, LanguageModelV4Text | LanguageModelV4Reasoning>()

  push(part: LanguageModelV4StreamPart): void {
    const { reply, blocks } = this
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const block = { type: part.type === 'text-start' ? ('text' as const) : ('reasoning' as const), text: '' }
        blocks.set(part.id, block)
        reply.content.push(block)
        this.note(part)
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const block = blocks.get(part.id)
        if (block) block.text += part.delta
        this.note(part)
        break
      }
      case 'text-end':
      case 'reasoning-end':
        this.note(part)
        break
      case 'response-metadata': {
        const { type, ...response } = part
        reply.response = response
        break
      }
      case 'finish':
        reply.finishReason = part.finishReason
        reply.usage = part.usage
        if (part.providerMetadata) reply.providerMetadata = part.providerMetadata
        break
      case 'error':
        reply.failure ??= { error: part.error }
        break
      case 'stream-start':
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'raw':
      case 'ping':
        break
      default:
        reply.content.push(part)
    }
  }

  private note({ id, providerMetadata }: { id: string; providerMetadata?: SharedV4ProviderMetadata }): void {
    const block = this.blocks.get(id)
    if (block && providerMetadata) block.providerMetadata = { ...block.providerMetadata, ...providerMetadata }
  }
}

/** The reply that these parts are. */
export function wholeReply(parts: Iterable<LanguageModelV4StreamPart>): WholeReply {
  const collector = new ReplyCollector()
  for (const part of parts) collector.push(part)
  return collector.reply
}

/** The parts in which a whole reply streams, each text in one piece. */
export function partsOf(reply: WholeReply): LanguageModelV4StreamPart[] {
  const { content, finishReason, usage, providerMetadata, response, failure } = reply
  return [
    { type: 'stream-start', warnings: [] },
    ...(response ? [{ type: 'response-metadata' as const, ...response }] : []),
    ...content.flatMap(partsOfContent),
    ...(failure ? [{ type: 'error' as const, error: failure.error }] : []),
    { type: 'finish', finishReason, usage, ...(providerMetadata ? { providerMetadata } : {}) },
  ]
}

function partsOfContent(part: LanguageModelV4Content, index: number): LanguageModelV4StreamPart[] {
  if (part.type === 'text' || part.type === 'reasoning') {
    const { type, text, providerMetadata } = part
    const id = `${type}-${index}`
    return [
      { type: `${type}-start`, id, ...(providerMetadata ? { providerMetadata } : {}) },
      ...(text === '' ? [] : [{ type: `${type}-delta` as const, id, delta: text }]),
      { type: `${type}-end`, id },
    ]
  }
  if (part.type !== 'tool-call') return [part]
  const { toolCallId: id, toolName, input } = part
  return [
    { type: 'tool-input-start', id, toolName },
    ...(input === '' ? [] : [{ type: 'tool-input-delta' as const, id, delta: input }]),
    { type: 'tool-input-end', id },
    part,
  ]
}
