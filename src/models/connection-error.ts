import type { APICallError } from '@ai-sdk/provider'
import { callError, type Exchange } from '../wire/errors.ts'

/** No connection came about in time. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout'
  readonly code = 'CONNECT_TIMEOUT'
}

/** What an error of the network means for people, by its code. */
const meanings: Readonly<Record<string, (origin: string) => string>> = {
  ECONNREFUSED: (origin) => `Nothing answers at ${origin}: start the server, or give another base URL.`,
  ENOTFOUND: (origin) => `There is no host for ${origin}: look whether the base URL is right.`,
  EAI_AGAIN: (origin) => `The host of ${origin} cannot be looked up now: look whether the network is up.`,
  EHOSTUNREACH: (origin) => `There is no way to ${origin}: look whether the network is up and the base URL is right.`,
  ENETUNREACH: (origin) => `There is no way to ${origin}: look whether the network is up and the base URL is right.`,
  EPROTO: (origin) => `The server at ${origin} does not speak this protocol: try http:// in place of https://.`,
  ERR_SSL_WRONG_VERSION_NUMBER: (origin) =>
    `The server at ${origin} does not speak https: give the base URL with http://.`,
  ECONNRESET: (origin) => `The connection to ${origin} broke before the reply had ended. Try again.`,
  EPIPE: (origin) => `The connection to ${origin} broke before the request was sent. Try again.`,
}

/** The error of a request whose connection failed, before or amid the answer. It may go well the next time. */
export function connectionError(exchange: Exchange, cause: unknown): APICallError {
  const { origin } = new URL(exchange.url)
  const meaning = meanings[codeOf(cause)]
  const said = cause instanceof Error ? cause.message : String(cause)
  const message =
    cause instanceof ConnectTimeout ? cause.message : (meaning?.(origin) ?? `The request to ${origin} failed: ${said}`)
  return callError(exchange, { message, isRetryable: true, cause })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
