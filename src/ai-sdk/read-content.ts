import type { LanguageModelV4Content, LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { finishOf } from '../models/finish.ts'
import { nativeCalls } from './native-call.ts'
import type { Reply } from './reply.ts'
import { TextBlock } from './text-block.ts'

/** Reads a reply that came whole. */
export function readResult(result: LanguageModelV4GenerateResult, reply: Reply): LanguageModelV4GenerateResult {
  const { content, finishReason, providerMetadata } = result
  const last = content.findLastIndex(({ type }) => isWritten(type))
  const read = content.flatMap((part, index) => {
    const finish = index === last ? finishOf(finishReason) : 'unknown'
    if (part.type === 'tool-call') return nativeCalls(part, reply, finish) ?? []
    if (part.type !== 'text') return [part]
    const { text, type, ...notes } = part
    const block = new TextBlock(String(index), reply)
    return asContent([...block.push(text), ...block.end(finish, notes)])
  })
  return {
    ...result,
    content: read,
    finishReason: reply.finishReason(finishReason),
    ...reply.metadata(providerMetadata),
  }
}

/** Whether a part is what the model itself wrote: only the last of these can have been cut off. */
const isWritten = (type: LanguageModelV4Content['type']): boolean =>
  type === 'text' || type === 'reasoning' || type === 'tool-call'

/** The parts of a stream, put together. */
function asContent(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4Content[] {
  const content: LanguageModelV4Content[] = []
  const texts = new Map<string, LanguageModelV4Content & { type: 'text' | 'reasoning' }>()
  for (const part of parts) {
    if (part.type === 'tool-call') content.push(part)
    else if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const text = { type: part.type === 'text-start' ? ('text' as const) : ('reasoning' as const), text: '' }
      texts.set(part.id, text)
      content.push(text)
    } else if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      const text = texts.get(part.id)
      if (text) text.text += part.delta
    }
    if ('id' in part && part.type.startsWith('text-')) Object.assign(texts.get(part.id) ?? {}, notesOf(part))
  }
  return content
}

function notesOf(part: LanguageModelV4StreamPart): object {
  const { providerMetadata, citations } = { providerMetadata: undefined, citations: undefined, ...part }
  return { ...(providerMetadata ? { providerMetadata } : {}), ...(citations ? { citations } : {}) }
}
