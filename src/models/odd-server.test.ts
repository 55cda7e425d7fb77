/** Servers written by hand for the tests, which do what no good server does. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type WholeReply, wholeReply } from '../wire/whole-reply.ts'
import { openAICompatible } from './openai-compatible.ts'

export interface OddServer extends AsyncDisposable {
  readonly url: string
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>
  /** How many connections there were. */
  connections(): number
}

/** Answers each request as it is told. */
export async function oddServer(
  answer: (outgoing: ServerResponse, incoming: IncomingMessage) => void | Promise<void>,
): Promise<OddServer> {
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    incoming.resume()
    incoming.once('end', () => answer(outgoing, incoming))
  })
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const port = await listening(server)
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}/v1`, sockets, connections: () => connections, [Symbol.asyncDispose]: close }
}

/** Takes connections and never says a word on them. */
export async function silentServer(
  taken: () => void = () => undefined,
): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.resume()
    taken()
  })
  const port = await listening(server)
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  return { port, [Symbol.asyncDispose]: close }
}

interface Listener {
  listen(port: number, host: string, listening: () => void): unknown
  address(): AddressInfo | string | null
}

/** The port on which a server listens. */
async function listening(server: Listener): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

export const call: LanguageModelV4CallOptions = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] }

export const key = 'sk-canary-1234567890'
export const sse = { 'content-type': 'text/event-stream' }
export const reply = {
  id: 'c',
  model: 'm',
  created: 60,
  text: 'Grüße 😀',
  calls: [{ id: 'x', name: 'add', arguments: '{"a":"é"}' }],
  finish: 'tool_calls',
}

export const modelAt = (baseURL: string) => openAICompatible({ baseURL, model: 'test', apiKey: key })

/** The parts of a stream, read to its end. */
export async function streamed(
  baseURL: string,
  options: Partial<LanguageModelV4CallOptions> = {},
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await modelAt(baseURL).doStream({ ...call, ...options })
  return listOf(stream)
}

export async function listOf<Item>(stream: ReadableStream<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of stream) list.push(item)
  return list
}

/** What a stream came to. */
export const replyOf = async (baseURL: string): Promise<WholeReply> => wholeReply(await streamed(baseURL))

/** What a promise was rejected with. */
export async function thrownBy(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}
