import { setTimeout as sleep } from 'node:timers/promises'
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { finishOf } from '../models/finish.ts'
import { CallwrightError, messageOf } from '../tools/errors.ts'
import type { Finish } from '../types.ts'
import type { Metadata, ReplyPart, Usage } from './events.ts'
import { after } from './wait.ts'

/** What a model replied. */
export interface ModelReply {
  readonly parts: readonly ReplyPart[]
  readonly finish: Finish
  readonly usage: Usage
}

/** Milliseconds that are waited for a model: for its first word, between two, and for all of them. */
export interface Timeouts {
  /** Default 120,000: a large prompt takes its time on a small machine. */
  readonly firstToken?: number
  /** Default 60,000. */
  readonly idle?: number
  /** Default 600,000. */
  readonly total?: number
}

/** Is told pieces of a reply as they come, and when there are no more. */
export interface DeltaListener {
  delta(kind: 'text' | 'thought', text: string): void
  end(): void
}

/** How a model is asked. */
export interface Asking {
  readonly signal: AbortSignal
  readonly timeouts: Required<Timeouts>
  /** So many more tries after errors that may pass. */
  readonly retries: number
  /** Milliseconds before the first of them; doubled each time, unless the server names a time. */
  readonly retryDelay: number
  readonly streaming: boolean
  /** Makes, for each try, whoever is told pieces of the reply as they come. */
  readonly listener: (() => DeltaListener) | undefined
  readonly onRetry: (reason: string, wait: number) => Promise<void>
  /** Whether an error holds what the model wrote: then nothing is gained by asking again. */
  readonly holdsReply: (error: unknown) => boolean
}

/** The model did not reply in time. */
export class ModelTimeout extends CallwrightError {
  readonly wait: keyof Timeouts
  readonly milliseconds: number

  constructor(wait: keyof Timeouts, milliseconds: number) {
    const what = {
      firstToken: 'did not begin to reply',
      idle: 'did not go on with its reply',
      total: 'did not end its reply',
    }
    super('ModelTimeout', `The model ${what[wait]} within ${milliseconds / 1_000} s (timeouts.${wait}).`)
    this.wait = wait
    this.milliseconds = milliseconds
  }

  static override isInstance(value: unknown): value is ModelTimeout {
    return CallwrightError.isInstance(value) && value.name === 'ModelTimeout'
  }
}

/** No server asks for more than this and means it. */
const LONGEST_WAIT = 60_000

/** Asks a model once, and again after errors that may pass. Throws the last of them. */
export async function ask(
  model: LanguageModelV4,
  request: LanguageModelV4CallOptions,
  asking: Asking,
): Promise<ModelReply> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await askOnce(model, request, asking)
    } catch (error) {
      asking.signal.throwIfAborted()
      if (attempt >= asking.retries || !mayPass(error) || asking.holdsReply(error)) throw error
      const wait = Math.min(waitIn(error) ?? asking.retryDelay * 2 ** attempt, LONGEST_WAIT)
      await asking.onRetry(messageOf(error), wait)
      await sleep(wait, undefined, { signal: asking.signal })
    }
  }
}

const mayPass = (error: unknown): boolean =>
  ModelTimeout.isInstance(error) ? error.wait !== 'total' : APICallError.isInstance(error) && error.isRetryable

/** Milliseconds that the server asks to wait. */
function waitIn(error: unknown): number | undefined {
  const headers = APICallError.isInstance(error) ? (error.responseHeaders ?? {}) : {}
  const exact = Number(headers['retry-after-ms'])
  if (exact > 0) return exact
  const after = headers['retry-after']
  if (after === undefined) return undefined
  const seconds = Number(after)
  const wait = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1_000
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

async function askOnce(
  model: LanguageModelV4,
  request: LanguageModelV4CallOptions,
  asking: Asking,
): Promise<ModelReply> {
  const { signal, timeouts, streaming } = asking
  const stop = new AbortController()
  const abort = (): void => stop.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', abort, { once: true })
  const late = (wait: keyof Timeouts) => (): void => stop.abort(new ModelTimeout(wait, timeouts[wait]))
  const callOff = after(timeouts.total, late('total'))
  let callOffNext = streaming ? after(timeouts.firstToken, late('firstToken')) : (): void => undefined
  try {
    const options = { ...request, abortSignal: stop.signal }
    const stopped = rejectionOf(stop.signal)
    if (!streaming) {
      const { content, finishReason, usage } = await Promise.race([model.doGenerate(options), stopped])
      return { parts: content.flatMap(partOf), finish: finishOf(finishReason), usage: usageOf(usage) }
    }
    const { stream } = await Promise.race([model.doStream(options), stopped])
    const gatherer = new Gatherer(asking.listener?.())
    const reader = stream.getReader()
    let isFirst = true
    try {
      for (;;) {
        const { done, value } = await Promise.race([reader.read(), stopped])
        if (done) return gatherer.reply()
        if (value.type === 'error') throw value.error
        gatherer.take(value)
        isFirst &&= !isWord(value)
        if (!isFirst) {
          callOffNext()
          callOffNext = after(timeouts.idle, late('idle'))
        }
      }
    } finally {
      // A stream that was left in its middle is told so; nobody waits for it.
      reader.cancel().catch(() => undefined)
    }
  } catch (error) {
    stop.signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
    callOff()
    callOffNext()
  }
}

/** Rejects when the signal is aborted: a model that does not listen to it must not hold the run. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  rejection.catch(() => undefined)
  return rejection
}

const isWord = ({ type }: LanguageModelV4StreamPart): boolean =>
  type !== 'stream-start' && type !== 'response-metadata' && type !== 'raw'

/** A text that grows. */
interface Piece {
  readonly kind: 'text' | 'thought'
  text: string
  metadata?: Metadata
}

/** Puts the pieces of a stream together. */
class Gatherer {
  private readonly texts = new Map<string, Piece>()
  private readonly parts: (Piece | Extract<ReplyPart, { kind: 'call' }>)[] = []
  private readonly listener: DeltaListener | undefined
  /** A stream that does not say that it ended was cut. */
  private finish: Finish = 'length'
  private usage: Usage = { input: 0, output: 0 }

  constructor(listener: DeltaListener | undefined) {
    this.listener = listener
  }

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const piece: Piece = { kind: part.type === 'text-start' ? 'text' : 'thought', text: '' }
        this.texts.set(part.id, piece)
        this.parts.push(piece)
        this.note(part.id, part.providerMetadata)
        return
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const piece = this.texts.get(part.id)
        if (!piece) return
        piece.text += part.delta
        this.note(part.id, part.providerMetadata)
        this.listener?.delta(piece.kind, part.delta)
        return
      }
      case 'text-end':
      case 'reasoning-end':
        this.note(part.id, part.providerMetadata)
        return
      case 'finish':
        this.finish = finishOf(part.finishReason)
        this.usage = usageOf(part.usage)
        return
      case 'tool-call':
        for (const call of partOf(part)) if (call.kind === 'call') this.parts.push(call)
    }
  }

  private note(id: string, metadata: unknown): void {
    const piece = this.texts.get(id)
    if (piece?.kind === 'thought' && metadata) piece.metadata = { ...piece.metadata, ...(metadata as Metadata) }
  }

  reply(): ModelReply {
    this.listener?.end()
    const parts = this.parts.flatMap((part): ReplyPart[] => {
      if (part.kind === 'call') return [part]
      const { kind, text, metadata } = part
      if (kind === 'text') return text === '' ? [] : [{ kind, text }]
      return text === '' && !metadata ? [] : [{ kind, text, ...(metadata ? { metadata } : {}) }]
    })
    return { parts, finish: this.finish, usage: this.usage }
  }
}

/** A piece of a reply as the record keeps it. What a provider's own tools did is no call of ours. */
function partOf(part: LanguageModelV4Content): ReplyPart[] {
  const metadata = part.providerMetadata ? { metadata: part.providerMetadata as Metadata } : {}
  if (part.type === 'text') return part.text === '' ? [] : [{ kind: 'text', text: part.text }]
  if (part.type === 'reasoning') return [{ kind: 'thought', text: part.text, ...metadata }]
  if (part.type !== 'tool-call' || part.providerExecuted) return []
  return [{ kind: 'call', name: part.toolName, arguments: part.input, ...metadata }]
}

const usageOf = ({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage => ({
  input: inputTokens.total ?? 0,
  output: outputTokens.total ?? 0,
})
