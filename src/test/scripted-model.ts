import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { connectionError } from '../models/connection-error.ts'
import { type Exchange, statusError } from '../wire/errors.ts'
import { type ChatReply, chunksOf, completionOf } from '../wire/reply.ts'
import { ReplyReader } from '../wire/reply-reader.ts'
import { chatRequestOf, warningsOf } from '../wire/request.ts'
import { readEvents } from '../wire/response.ts'
import { readableOf } from '../wire/stream.ts'
import { wholeReply } from '../wire/whole-reply.ts'
import { pauseFor } from './pause.ts'
import { chatReplyOf, errorBodyOf, type Script, type ScriptedReply, ScriptPlayer } from './script.ts'

/** No request goes there; errors name it. */
const ADDRESS = 'http://scripted.invalid/v1/chat/completions'

export interface ScriptedModelOptions {
  /** Default `scripted`. */
  readonly modelId?: string
  /** Characters in one delta of a stream. Default 24. */
  readonly chunk?: number
}

/** A model that says what its script says. */
export type ScriptedModel = LanguageModelV4 & {
  /** The calls as they came, for assertions. */
  readonly requests: LanguageModelV4CallOptions[]
}

/**
 * A model for tests, without a network: it answers what the script says, and keeps what it was asked. Replies go
 * through the same reading as those of a server.
 *
 * @example
 * const model = scriptedModel([{ calls: [{ name: 'search', arguments: { query: 'tides' } }] }, 'At noon.'])
 * const { text } = await generateText({ model, tools, prompt, stopWhen: isStepCount(3) })
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const { modelId = 'scripted', chunk = 24 } = options
  const player = new ScriptPlayer(script)
  const requests: LanguageModelV4CallOptions[] = []

  const play = async (call: LanguageModelV4CallOptions, stream: boolean): Promise<Played> => {
    requests.push({ ...call, prompt: [...call.prompt] })
    const { reply, index } = await player.next(() => chatRequestOf(call, modelId, { stream }))
    if (reply.delay) await pauseFor(reply.delay, call.abortSignal)
    call.abortSignal?.throwIfAborted()
    const exchange: Exchange = { url: ADDRESS, request: { model: modelId, stream }, status: 200 }
    const { error } = reply
    if (error) {
      const headers = { ...error.headers }
      throw statusError({ ...exchange, status: error.status, headers }, errorBodyOf(error))
    }
    return { reply, exchange, answer: chatReplyOf(reply, modelId, index) }
  }

  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    requests,
    async doGenerate(call) {
      const { reply, exchange, answer } = await play(call, false)
      if (reply.breakAfter !== undefined) throw connectionError(exchange, new Broken())
      const reader = new ReplyReader(exchange)
      const { failure, ...whole } = wholeReply([...reader.push(completionOf(answer)), ...reader.end()])
      return { ...whole, warnings: warningsOf(call) }
    },
    async doStream(call) {
      const played = await play(call, true)
      const parts = readEvents(eventsIn(played, chunk, call.abortSignal), played.exchange, {
        warnings: warningsOf(call),
        includeRawChunks: call.includeRawChunks ?? false,
      })
      return { stream: readableOf(parts) }
    },
  }
}

interface Played {
  readonly reply: ScriptedReply
  readonly exchange: Exchange
  readonly answer: ChatReply
}

class Broken extends Error {
  readonly code = 'ECONNRESET'
}

async function* eventsIn(
  { reply, exchange, answer }: Played,
  length: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, boolean, undefined> {
  let count = 0
  for (const chunk of chunksOf(answer, { length, includeUsage: true })) {
    if (count === reply.breakAfter) throw connectionError(exchange, new Broken())
    count += 1
    signal?.throwIfAborted()
    yield JSON.stringify(chunk)
    if (reply.pause) await pauseFor(reply.pause, signal)
  }
  return true
}
