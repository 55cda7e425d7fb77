import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ChatError, ChatRequest } from '../wire/chat.ts'
import { parsed } from '../wire/json.ts'
import { completionOf, eventsOf } from '../wire/reply.ts'
import { checkRequest } from './check-request.ts'
import { pauseFor } from './pause.ts'
import { chatReplyOf, errorBodyOf, type Script, type ScriptedReply, ScriptPlayer } from './script.ts'

export interface TestServerOptions {
  /** Characters in one delta of a stream. Default 24. */
  readonly chunk?: number
  /** Default 0: any that is free. */
  readonly port?: number
  /** The models that the server has. Without it, it takes any name. */
  readonly models?: readonly string[]
}

/** A request that the server took. */
export interface ReceivedRequest extends ChatRequest {
  readonly headers: Readonly<Record<string, string>>
}

/** A server for tests, which runs until it is closed. */
export interface TestServer extends AsyncDisposable {
  /** The base URL for clients: `http://127.0.0.1:…/v1`. */
  readonly url: string
  /** What it was asked, for assertions. Requests that were refused are not here. */
  readonly requests: ReceivedRequest[]
  /** Ends the server and all its connections. */
  close(): Promise<void>
}

/**
 * Starts a server on this machine that speaks Chat Completions and answers what the script says. Requests that a
 * strict server would refuse, it refuses with status 400.
 *
 * @example
 * await using server = await startTestServer(['Hello.'])
 * const model = openAICompatible({ baseURL: server.url, model: 'test' })
 */
export async function startTestServer(script: Script, options: TestServerOptions = {}): Promise<TestServer> {
  const { chunk = 24, port = 0, models } = options
  if (!(chunk >= 1)) throw new TypeError(`The chunk ${chunk} is no number of characters above 0.`)
  const player = new ScriptPlayer(script)
  const requests: ReceivedRequest[] = []

  const complete = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const checked = checkRequest(parsed(await bodyOf(incoming)))
    if (checked.kind === 'refused') return refuse(outgoing, 400, checked.problem)
    const { request } = checked
    const isKnown = models?.includes(request.model) ?? true
    if (!isKnown) return refuse(outgoing, 404, `There is no model ${request.model}; known are ${models?.join(', ')}.`)
    requests.push({ ...request, headers: headersOf(incoming) })
    const { reply, index } = await player.next(() => request)
    await answer(outgoing, { reply, request, index, chunk })
  }

  const server = createServer((incoming, outgoing) => {
    const path = incoming.url?.split('?')[0]
    const route = `${incoming.method} ${path}`
    if (route === 'POST /v1/chat/completions') {
      complete(incoming, outgoing).catch((error: unknown) => {
        if (outgoing.headersSent) outgoing.destroy()
        else refuse(outgoing, 500, error instanceof Error ? error.message : String(error))
      })
    } else if (route === 'GET /v1/models') {
      const data = (models ?? ['test']).map((id) => ({ id, object: 'model', owned_by: 'callwright' }))
      send(outgoing, 200, JSON.stringify({ object: 'list', data }))
    } else {
      refuse(outgoing, 404, `There is nothing at ${route}; there are POST /v1/chat/completions and GET /v1/models.`)
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' && address ? address.port : port
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${taken}/v1`, requests, close, [Symbol.asyncDispose]: close }
}

interface Turn {
  readonly reply: ScriptedReply
  readonly request: ChatRequest
  readonly index: number
  readonly chunk: number
}

async function answer(outgoing: ServerResponse, { reply, request, index, chunk }: Turn): Promise<void> {
  const { error, breakAfter, delay = 0, pause = 0 } = reply
  const gone = delay + pause > 0 ? goneSignal(outgoing) : undefined
  if (delay > 0) await pauseFor(delay, gone)
  if (error) return send(outgoing, error.status, errorBodyOf(error), error.headers)
  const answered = chatReplyOf(reply, request.model, index)
  if (!request.stream) {
    const body = JSON.stringify(completionOf(answered))
    return breakAfter === undefined ? send(outgoing, 200, body) : breakOff(outgoing, body.slice(0, breakAfter))
  }
  const includeUsage = request.stream_options?.include_usage ?? false
  const events = [...eventsOf(answered, { length: chunk, includeUsage })].slice(0, breakAfter)
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const event of pause > 0 ? events.splice(0) : []) {
    outgoing.write(event)
    await pauseFor(pause, gone)
  }
  if (breakAfter === undefined) outgoing.end(events.join(''))
  else breakOff(outgoing, events.join(''))
}

/** Is aborted when the client is gone, so that nothing waits for it. */
function goneSignal(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  outgoing.once('close', () => controller.abort())
  return controller.signal
}

/** Sends what there is, and then destroys the connection without an end to the answer. */
function breakOff(outgoing: ServerResponse, rest: string): void {
  if (!outgoing.headersSent) outgoing.writeHead(200, { 'content-type': 'application/json' })
  outgoing.flushHeaders()
  outgoing.write(rest === '' ? ' ' : rest, () => outgoing.destroy())
}

function send(
  outgoing: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  outgoing.end(body)
}

function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const body: ChatError = { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error' } }
  send(outgoing, status, JSON.stringify(body))
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of incoming) if (piece instanceof Uint8Array) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  return Object.fromEntries(entries)
}
