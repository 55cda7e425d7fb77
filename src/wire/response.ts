import { APICallError, type LanguageModelV4StreamPart, type SharedV4Warning } from '@ai-sdk/provider'
import { type Exchange, notAReply } from './errors.ts'
import { isFields, parsed } from './json.ts'
import { ReplyReader } from './reply-reader.ts'
import { type WholeReply, wholeReply } from './whole-reply.ts'

/**
 * Reads the body of a completion that came whole. Throws an `APICallError` when it is none, or tells of an error.
 *
 * @example
 * const { content, finishReason } = readCompletion(body, { url, request })
 */
export function readCompletion(body: string, exchange: Exchange): WholeReply {
  return wholeReply(completionParts(body, exchange))
}

/** The parts of a completion that came whole though a stream was asked for. */
export function completionParts(body: string, exchange: Exchange): LanguageModelV4StreamPart[] {
  const reader = new ReplyReader(exchange)
  const value = parsed(body)
  const parts = isFields(value) ? reader.push(value) : []
  if (!reader.hasReply) throw notAReply(exchange, body)
  return [...parts, ...reader.end()]
}

export interface StreamOptions {
  readonly warnings?: SharedV4Warning[]
  /** Whether each chunk is also told as it came. */
  readonly includeRawChunks?: boolean
}

/**
 * Reads the events of a completion that is streamed. An `APICallError` on the way becomes a part `error`, and the calls
 * that were begun are dropped; anything else that is thrown, such as an abort, ends the stream.
 *
 * @example
 * for await (const part of readEvents(decodeEvents(response), { url, request })) console.log(part.type)
 */
export async function* readEvents(
  events: AsyncIterable<string, boolean>,
  exchange: Exchange,
  { warnings = [], includeRawChunks = false }: StreamOptions = {},
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  const reader = new ReplyReader(exchange)
  yield { type: 'stream-start', warnings }
  try {
    const source = untilEnough(events, reader)
    let next = await source.next()
    for (; !next.done; next = await source.next()) {
      const event = next.value
      const chunk = parsed(event)
      if (chunk === undefined) throw notAReply(exchange, event)
      if (includeRawChunks) yield { type: 'raw', rawValue: chunk }
      for (const part of reader.push(chunk)) yield part
    }
    for (const part of reader.end({ isWhole: next.value })) yield part
  } catch (error) {
    if (!APICallError.isInstance(error)) throw error
    for (const part of reader.fail(error)) yield part
  }
}

/** Events as they come. A connection that breaks after the reply has ended takes nothing away from it. */
async function* untilEnough(
  events: AsyncIterable<string, boolean>,
  reader: ReplyReader,
): AsyncGenerator<string, boolean, undefined> {
  try {
    return yield* events
  } catch (error) {
    if (!reader.isFinished) throw error
    return true
  }
}
