import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { finishOf } from '../models/finish.ts'
import type { Finish } from '../types.ts'
import { nativeCalls } from './native-call.ts'
import type { Reply } from './reply.ts'
import { TextBlock } from './text-block.ts'

type StreamPart = LanguageModelV4StreamPart

/** What has ended, but may have been cut off: what comes next tells. */
interface Waiting {
  end(finish: Finish): StreamPart[]
  /** Nothing comes next. */
  abandon(): StreamPart[]
}

/** Reads a reply that comes as a stream. */
export function readParts(reply: Reply): TransformStream<StreamPart, StreamPart> {
  const reading = new StreamReading(reply)
  return new TransformStream({
    transform(part, controller) {
      for (const read of reading.push(part)) controller.enqueue(read)
    },
    flush(controller) {
      for (const read of reading.abandon()) controller.enqueue(read)
    },
  })
}

class StreamReading {
  private readonly reply: Reply
  private readonly blocks = new Map<string, TextBlock>()
  private waiting: Waiting[] = []

  constructor(reply: Reply) {
    this.reply = reply
  }

  push(part: StreamPart): StreamPart[] {
    const { reply } = this
    if (part.type === 'text-start') {
      const before = this.goesOn()
      this.blocks.set(part.id, new TextBlock(part.id, reply, part.providerMetadata))
      return before
    }
    if (part.type === 'text-delta') return this.block(part.id).push(part.delta, part.providerMetadata)
    if (part.type === 'text-end') {
      const block = this.block(part.id)
      this.blocks.delete(part.id)
      const { type, id, ...notes } = part
      this.waiting.push({ end: (finish) => block.end(finish, notes), abandon: () => block.abandon() })
      return []
    }
    if (part.type === 'tool-call') return [...this.goesOn(), ...this.toolCall(part)]
    if (part.type === 'reasoning-start') return [...this.goesOn(), part]
    if (part.type === 'tool-input-start') {
      const name = part.providerExecuted ? undefined : reply.toolOf(part.toolName)?.name
      return [...this.goesOn(), name === undefined || name === part.toolName ? part : { ...part, toolName: name }]
    }
    if (part.type !== 'finish') return [part]
    const rest = this.finished(finishOf(part.finishReason))
    const finishReason = reply.finishReason(part.finishReason)
    return [...rest, { ...part, finishReason, ...reply.metadata(part.providerMetadata) }]
  }

  /** The stream is over. Without a finish it broke off: the client gets the text that is left, and no call. */
  abandon(): StreamPart[] {
    return [...this.waiting, ...this.blocks.values()].flatMap((left) => left.abandon())
  }

  private block(id: string): TextBlock {
    let block = this.blocks.get(id)
    if (!block) {
      block = new TextBlock(id, this.reply)
      this.blocks.set(id, block)
    }
    return block
  }

  private toolCall(part: LanguageModelV4ToolCall): StreamPart[] {
    const calls = nativeCalls(part, this.reply)
    if (calls) return calls
    const end = (finish: Finish): StreamPart[] => nativeCalls(part, this.reply, finish) ?? []
    this.waiting.push({ end, abandon: () => [part] })
    return []
  }

  /** The model has written more, so what waits was not cut off. */
  private goesOn(): StreamPart[] {
    const { waiting } = this
    this.waiting = []
    return waiting.flatMap((ended) => ended.end('unknown'))
  }

  private finished(finish: Finish): StreamPart[] {
    const { waiting } = this
    const open = [...this.blocks.values()]
    this.waiting = []
    this.blocks.clear()
    return [...waiting, ...open].flatMap((ended) => ended.end(finish))
  }
}
