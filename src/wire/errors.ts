import { APICallError } from '@ai-sdk/provider'
import { fieldsOf, parsed, textOf } from './json.ts'

/** A request and what is known of the answer, for the errors that tell of it. */
export interface Exchange {
  /** Where the request went, without credentials. */
  readonly url: string
  /** The body that was sent. */
  readonly request: unknown
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Texts that no error may hold. */
  readonly secrets?: readonly string[]
}

/** What a server says went wrong. */
export interface ToldError {
  readonly message: string
  /** A status, where it names one. */
  readonly code?: number
  readonly value: unknown
}

/** So many characters of a body an error quotes. */
const QUOTED = 200

/** What to do about a status, in the words of an error. */
const remedies: Readonly<Record<number, string>> = {
  401: ' Give an API key that it accepts.',
  403: ' Give an API key that is allowed to do this.',
  404: ' Look whether the base URL is right and the server has this model.',
  408: ' Try again.',
  413: ' Send less.',
  429: ' Wait, then try again.',
}

/** The error in a body or an event, whatever the status was. */
export function toldError(value: unknown): ToldError | undefined {
  const fields = fieldsOf(value)
  const { error } = fields
  if (error !== undefined && error !== null && error !== false) return toldBy(error)
  // vLLM's old form: the body is the error itself.
  return fields['object'] === 'error' || fields['type'] === 'error' ? toldBy(fields) : undefined
}

function toldBy(error: unknown): ToldError {
  const { message, code, status } = fieldsOf(error)
  const said = textOf(error) ?? textOf(message) ?? JSON.stringify(error)
  const number = [code, status].map(Number).find((number) => number >= 400 && number < 600)
  return { message: said, value: error, ...(number === undefined ? {} : { code: number }) }
}

/** The error of a reply that tells of one, though its status was fine. */
export function replyError(exchange: Exchange, told: ToldError, body: string): APICallError {
  const message = `The server at ${exchange.url} could not finish its reply. It said: ${told.message}`
  return callError(exchange, { message, body, data: told.value, isRetryable: isRetryable(told.code) })
}

/** The error of an answer whose status is no success. The server's own words stand last, for whoever reads on in them. */
export function statusError(exchange: Exchange, body: string): APICallError {
  const { url, status = 0, headers = {} } = exchange
  const value = parsed(body)
  const said = toldError(value)?.message ?? textOf(fieldsOf(value)['message']) ?? textOf(fieldsOf(value)['detail'])
  const target = headers['location']
  const remedy =
    status < 400 && target !== undefined
      ? ` It sends you to ${target}: give that as base URL.`
      : (remedies[status] ?? (status >= 500 ? ' Try again, or look into the log of the server.' : ''))
  const words = said ?? (body.trim() === '' ? 'nothing' : quoted(body))
  const message = `The server at ${url} answered with status ${status}.${remedy} It said: ${words}`
  return callError(exchange, { message, body, data: value, isRetryable: isRetryable(status) })
}

/** The error of an answer that is no reply at all. */
export function notAReply(exchange: Exchange, body: string): APICallError {
  const sent = body.trim() === '' ? 'It ended without a word.' : `It sent ${quoted(body)}`
  const message = `What the server at ${exchange.url} sent is no chat completion. Look whether the base URL is right. ${sent}`
  return callError(exchange, { message, body, isRetryable: false })
}

export interface Failure {
  readonly message: string
  readonly isRetryable: boolean
  readonly body?: string
  readonly data?: unknown
  readonly cause?: unknown
}

/** An error of the AI SDK, in which no secret stands. */
export function callError(exchange: Exchange, failure: Failure): APICallError {
  const { url, request, status, headers, secrets = [] } = exchange
  const { body, data, cause } = failure
  const hidden = (text: string): string => secrets.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), text)
  const shown = headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hidden(value)]))
  const isClean = data === undefined || hidden(JSON.stringify(data)) === JSON.stringify(data)
  return new APICallError({
    message: hidden(failure.message),
    url,
    requestBodyValues: request,
    isRetryable: failure.isRetryable,
    ...(status === undefined ? {} : { statusCode: status }),
    ...(shown ? { responseHeaders: shown } : {}),
    ...(body === undefined ? {} : { responseBody: hidden(body) }),
    ...(data !== undefined && isClean ? { data } : {}),
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Whether a request that failed with this status may go well the next time. */
const isRetryable = (status: number | undefined): boolean =>
  status !== undefined && (status === 408 || status === 409 || status === 429 || status >= 500)

/** The start of a text, on one line. */
function quoted(text: string): string {
  const line = text
    .slice(0, QUOTED * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > QUOTED ? `"${line.slice(0, QUOTED)}…"` : `"${line}"`
}
