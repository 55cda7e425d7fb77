/** Servers that answer as model servers do, on ports that the system chooses. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Reply {
  readonly status?: number
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it stands. */
  readonly text?: string
  /** Says nothing at all, or stops in the middle of the body. */
  readonly hangs?: 'before' | 'inside'
}

export interface Asked {
  readonly path: string
  readonly body: string
  readonly authorization: string | undefined
}

/** What a server answers: a reply by path, or by path and body. */
export type Routes = { readonly [path: string]: Reply | ((body: string) => Reply) }

export interface FakeServer {
  readonly port: number
  readonly address: string
  readonly asked: readonly Asked[]
}

/** Starts a server that gives these replies, and status 404 to all else. It ends with the tests of the file. */
export async function serve(routes: Routes): Promise<FakeServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const [path = ''] = (request.url ?? '').split('?')
    asked.push({ path, body, authorization: request.headers.authorization })
    const route = routes[path] ?? { status: 404, text: 'not found' }
    const reply = typeof route === 'function' ? route(body) : route
    if (reply.hangs === 'before') return
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' })
    const text = reply.text ?? JSON.stringify(reply.json)
    if (reply.hangs === 'inside') response.write(text)
    else response.end(text)
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
  return { port, address: `http://127.0.0.1:${port}`, asked }
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

interface OllamaModel {
  readonly name: string
  readonly context?: number
  readonly parameters?: string
  readonly capabilities?: readonly string[]
  readonly loaded?: number
  readonly cloud?: boolean
}

/** The replies of an Ollama with these models. */
export const ollama = (models: readonly OllamaModel[], version = '0.13.1'): Routes => ({
  '/api/version': { json: { version } },
  '/api/tags': {
    json: {
      models: models.map(({ name, cloud }) => ({
        name,
        model: name,
        size: 5_225_388_164,
        digest: 'f00d',
        details: { format: 'gguf', family: 'qwen3', parameter_size: '8.2B', quantization_level: 'Q4_K_M' },
        ...(cloud ? { remote_model: name, remote_host: 'https://ollama.example:443' } : {}),
      })),
    },
  },
  '/api/ps': {
    json: {
      models: models.flatMap(({ name, loaded }) => (loaded ? [{ name, model: name, context_length: loaded }] : [])),
    },
  },
  '/api/show': (body) => {
    const model = models.find(({ name }) => name === JSON.parse(body).model)
    if (!model) return { status: 404, json: { error: 'model not found' } }
    return {
      json: {
        ...(model.parameters === undefined ? {} : { parameters: model.parameters }),
        capabilities: model.capabilities ?? ['completion', 'tools'],
        model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': model.context ?? 40_960 },
      },
    }
  },
  '/v1/models': {
    json: { object: 'list', data: models.map(({ name }) => ({ id: name, object: 'model', owned_by: 'library' })) },
  },
})

/** The list of an OpenAI-compatible server. */
export const listOf = (
  ...entries: readonly (string | { readonly id: string; readonly [fact: string]: unknown })[]
): Reply => ({
  json: { object: 'list', data: entries.map((entry) => (typeof entry === 'string' ? { id: entry } : entry)) },
})
