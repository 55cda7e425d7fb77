/** The lines of a recording: what stands in them, and how they are written and read. */
import { APICallError } from '@ai-sdk/provider'
import { type Fields, fieldsOf, isFields, numberOf, parsed, textOf } from '../wire/json.ts'
import type { WholeReply } from '../wire/whole-reply.ts'
import type { RecordedRequest } from './recorded-request.ts'

/** One request and what came of it. */
export interface RecordingLine {
  /** The model that answered. */
  readonly model: string
  readonly request: RecordedRequest
  readonly reply: RecordedReply
}

/** A reply, one that broke off, or none. */
export type RecordedReply =
  | ({ readonly kind: 'reply' } & SavedReply)
  | ({ readonly kind: 'broken'; readonly error: SavedError } & SavedReply)
  | { readonly kind: 'error'; readonly error: SavedError }

export type SavedReply = Pick<WholeReply, 'content' | 'finishReason' | 'usage' | 'providerMetadata'>

/** What of an error decides how the one who asked goes on. */
export interface SavedError {
  readonly name: string
  readonly message: string
  readonly url?: string
  readonly statusCode?: number
  readonly responseBody?: string
  readonly isRetryable?: boolean
}

export const writtenLine = (line: RecordingLine): string => `${JSON.stringify(line)}\n`

/** What of a reply is saved. */
export function savedReply({ content, finishReason, usage, providerMetadata }: SavedReply): SavedReply {
  return { content, finishReason, usage, ...(providerMetadata ? { providerMetadata } : {}) }
}

export function savedError(error: unknown): SavedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message } = error
  if (!APICallError.isInstance(error)) return { name, message }
  const { url, statusCode, responseBody, isRetryable } = error
  return {
    name,
    message,
    url,
    isRetryable,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(responseBody === undefined ? {} : { responseBody }),
  }
}

export function restoredError({ name, message, url, isRetryable, statusCode, responseBody }: SavedError): Error {
  if (url === undefined) return Object.assign(new Error(message), { name })
  return new APICallError({
    message,
    url,
    requestBodyValues: {},
    ...(isRetryable === undefined ? {} : { isRetryable }),
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(responseBody === undefined ? {} : { responseBody }),
  })
}

/** The lines of a recording. Throws at the first that is none. */
export function linesOf(text: string, file: string): RecordingLine[] {
  return text.split('\n').flatMap((written, index) => {
    if (written.trim() === '') return []
    const line = parsed(written)
    if (isLine(line)) return [{ ...line, reply: restoredReply(line.reply) }]
    throw new Error(`Line ${index + 1} of ${file} is no recorded reply. Record it anew.`)
  })
}

function isLine(value: unknown): value is RecordingLine {
  const { model, request, reply } = fieldsOf(value)
  return typeof model === 'string' && isFields(request) && isReply(reply)
}

function isReply(value: unknown): value is RecordedReply {
  const { kind, error, content, finishReason, usage } = fieldsOf(value)
  const isError = typeof fieldsOf(error)['message'] === 'string'
  if (kind === 'error') return isError
  const isWhole = Array.isArray(content) && textOf(fieldsOf(finishReason)['unified']) !== undefined && isFields(usage)
  return isWhole && (kind === 'reply' || (kind === 'broken' && isError))
}

/** JSON leaves out what is not known; a reply says it. */
function restoredReply(reply: RecordedReply): RecordedReply {
  if (reply.kind === 'error') return reply
  const { usage, finishReason } = reply
  const input: Fields = fieldsOf(usage.inputTokens)
  const output: Fields = fieldsOf(usage.outputTokens)
  return {
    ...reply,
    finishReason: { unified: finishReason.unified, raw: finishReason.raw },
    usage: {
      ...usage,
      inputTokens: {
        total: numberOf(input['total']),
        noCache: numberOf(input['noCache']),
        cacheRead: numberOf(input['cacheRead']),
        cacheWrite: numberOf(input['cacheWrite']),
      },
      outputTokens: {
        total: numberOf(output['total']),
        text: numberOf(output['text']),
        reasoning: numberOf(output['reasoning']),
      },
    },
  }
}
