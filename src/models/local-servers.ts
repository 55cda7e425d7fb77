import { type Answer, askJSON } from './ask-json.ts'
import { readModelList } from './model-list.ts'
import { ollamaAddress } from './ollama-address.ts'
import { type Probed, readLlamaCpp, readLMStudio, readOllama, readVLLM, type ServerFacts } from './server-facts.ts'

/** A model server on this machine, or where OLLAMA_HOST says. */
export interface LocalServer extends ServerFacts {
  /** `other`: a server that lists models as OpenAI does, and is none of those we know. */
  readonly kind: LocalServerKind | 'other'
  /** As people call it. */
  readonly name: string
  /** The base URL for Chat Completions; it ends in /v1. */
  readonly url: string
}

export type LocalServerKind = 'ollama' | 'lm-studio' | 'llama-cpp' | 'vllm'

export interface LocalServerOptions {
  /** Which servers are looked for, at which ports. Default: all of `localServers`, at their own ports. */
  readonly ports?: { readonly [Kind in LocalServerKind]?: number }
  /** Where OLLAMA_HOST is looked up. Default: the environment of the process. */
  readonly environment?: { readonly [name: string]: string | undefined }
  /** Milliseconds for each question. Default 500. */
  readonly timeout?: number
}

interface ServerRow {
  readonly kind: LocalServerKind
  readonly name: string
  readonly port: number
  /** What is asked, all at once. */
  readonly paths: readonly string[]
  /** Reads the answers, or returns undefined where something else answered. */
  readonly read: (server: Probed) => Promise<ServerFacts | undefined>
}

/** The servers that are looked for. */
export const localServers: readonly ServerRow[] = [
  { kind: 'ollama', name: 'Ollama', port: 11434, paths: ['/api/version', '/api/tags', '/api/ps'], read: readOllama },
  { kind: 'lm-studio', name: 'LM Studio', port: 1234, paths: ['/api/v0/models', '/v1/models'], read: readLMStudio },
  { kind: 'llama-cpp', name: 'llama.cpp', port: 8080, paths: ['/health', '/props', '/v1/models'], read: readLlamaCpp },
  { kind: 'vllm', name: 'vLLM', port: 8000, paths: ['/version', '/v1/models'], read: readVLLM },
]

/** Asking many models of one server about themselves takes at most so many timeouts. */
const MOST_ROUNDS = 4

/** Finds the model servers that run on this machine, and their models. */
export async function findLocalServers(options: LocalServerOptions = {}): Promise<readonly LocalServer[]> {
  const { environment = process.env, timeout = 500 } = options
  const ports = options.ports ?? Object.fromEntries(localServers.map(({ kind, port }) => [kind, port]))
  const found = await Promise.all(
    localServers.map((row) => {
      const port = ports[row.kind]
      if (port === undefined) return undefined
      const named = row.kind === 'ollama' ? ollamaAddress(environment['OLLAMA_HOST']) : undefined
      return probe(row, named ?? `http://127.0.0.1:${port}`, timeout)
    }),
  )
  const servers = found.filter((server) => server !== undefined)
  return servers.filter(({ url }, index) => servers.findIndex((other) => other.url === url) === index)
}

async function probe(row: ServerRow, address: string, timeout: number): Promise<LocalServer | undefined> {
  const answers = new Map<string, Answer>()
  await Promise.all(row.paths.map(async (path) => answers.set(path, await askJSON(address + path, { timeout }))))
  const said = (path: string): unknown => {
    const answer = answers.get(path)
    return answer?.kind === 'answered' ? answer.body : undefined
  }
  const status = (path: string): number | undefined => {
    const answer = answers.get(path)
    return answer?.kind === 'answered' ? answer.status : undefined
  }
  const at = (path: string): unknown => (status(path) === 200 ? said(path) : undefined)
  const deadline = Date.now() + MOST_ROUNDS * timeout
  const ask = async (path: string, body: unknown): Promise<unknown> => {
    const left = Math.min(timeout, deadline - Date.now())
    const answer = left > 0 ? await askJSON(address + path, { timeout: left, body }) : undefined
    return answer?.kind === 'answered' && answer.status === 200 ? answer.body : undefined
  }
  const url = `${address}/v1`
  const facts = await row.read({ at, status, said, ask })
  if (facts) return { kind: row.kind, name: row.name, url, ...facts }
  const models = readModelList(at('/v1/models'))
  return models && { kind: 'other', name: 'A server', url, models }
}
