import * as http from 'node:http'
import * as https from 'node:https'
import { callError, type Exchange } from '../wire/errors.ts'
import { ConnectTimeout, connectionError } from './connection-error.ts'

/** What is sent, and how long to wait for a connection. */
export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds. */
  readonly connectTimeout: number
  readonly signal: AbortSignal | undefined
}

/** An answer whose body has yet to come. */
export interface Answer {
  readonly exchange: Exchange
  readonly status: number
  readonly headers: Record<string, string>
  /** The body as it comes. Throws an `APICallError` when the connection breaks, and the signal's reason on an abort. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** The whole body. */
  text(): Promise<string>
  /** Ends the connection. */
  close(): void
}

/** Idle connections end before those servers close them that wait for five seconds. */
const IDLE = 4000
const agents = {
  http: new http.Agent({ keepAlive: true, timeout: IDLE }),
  https: new https.Agent({ keepAlive: true, timeout: IDLE }),
}
/** So many bytes a body may have that is read as a whole. */
const MOST_BYTES = 67_108_864
/** So long a server may take to end its answer after the last event; then the connection ends. */
const DRAIN = 1000

/** Sends a request and waits for the head of the answer. An abort destroys the connection at any moment. */
export async function post(request: Post, exchange: Exchange): Promise<Answer> {
  const { signal } = request
  signal?.throwIfAborted()
  try {
    return answerOf(await headOf(request), signal, exchange)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof TypeError) throw error
    throw connectionError(exchange, error)
  }
}

function headOf({ url, headers, body, connectTimeout, signal }: Post): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const options = { method: 'POST', headers, agent: isSecure ? agents.https : agents.http }
    const request = isSecure ? https.request(url, options) : http.request(url, options)
    const abort = (): void => {
      request.destroy()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
    request.on('close', () => signal?.removeEventListener('abort', abort))
    request.on('error', reject)
    request.on('response', resolve)
    request.on('socket', (socket) => {
      if (!socket.connecting) return
      const late = `No connection to ${url.origin} within ${connectTimeout} ms: look whether the server is up, or give another base URL.`
      const timer = setTimeout(() => request.destroy(new ConnectTimeout(late)), connectTimeout)
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer))
      socket.once('close', () => clearTimeout(timer))
    })
    request.end(body)
  })
}

function answerOf(response: http.IncomingMessage, signal: AbortSignal | undefined, given: Exchange): Answer {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) if (value) headers[name] = String(value)
  const status = response.statusCode ?? 0
  const exchange = { ...given, status, headers }
  const bytes = bytesOf(response, signal, exchange)
  return { exchange, status, headers, bytes, text: () => textOf(bytes, exchange), close: () => response.destroy() }
}

async function* bytesOf(
  response: http.IncomingMessage,
  signal: AbortSignal | undefined,
  exchange: Exchange,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of response.iterator({ destroyOnReturn: false }))
      if (piece instanceof Uint8Array) yield piece
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw connectionError(exchange, error)
  } finally {
    drain(response)
  }
}

/** Reads the end of an answer that says no more, so that the connection can serve again. */
function drain(response: http.IncomingMessage): void {
  if (response.readableEnded || response.destroyed) return
  const timer = setTimeout(() => response.destroy(), DRAIN).unref()
  response.once('close', () => clearTimeout(timer))
  response.resume()
}

async function textOf(bytes: AsyncIterable<Uint8Array>, exchange: Exchange): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    pieces.push(piece)
    length += piece.length
    if (length > MOST_BYTES) {
      const message = `The answer of ${exchange.url} is longer than ${MOST_BYTES} bytes.`
      throw callError(exchange, { message, isRetryable: false })
    }
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}
