import { includes, type ListedModel, listedModel, readModelList, tokensOf, valueAt } from './model-list.ts'

/** What a server's answers say of it. */
export interface ServerFacts {
  readonly version?: string
  /** It is still loading its model, or it wants a key before it lists its models. */
  readonly state?: 'loading' | 'locked'
  /** The models that can chat. */
  readonly models: readonly ListedModel[]
}

/** A server that was asked, path by path. */
export interface Probed {
  /** The JSON that a path answered with status 200. */
  readonly at: (path: string) => unknown
  readonly status: (path: string) => number | undefined
  /** The body of any answer, errors included. */
  readonly said: (path: string) => unknown
  readonly ask: (path: string, body: unknown) => Promise<unknown>
}

/** So many models of one server are asked about themselves at once. */
const ASKED_AT_ONCE = 8

const versionOf = (value: unknown): Pick<ServerFacts, 'version'> =>
  typeof value === 'string' && value !== '' ? { version: value } : {}

/** Ollama's models, each asked for its own context, which is often larger than what it gets. */
export async function readOllama({ at, ask }: Probed): Promise<ServerFacts | undefined> {
  const tags = valueAt(at('/api/tags'), ['models'])
  if (!Array.isArray(tags)) return undefined
  const names = tags.flatMap((tag: unknown) => {
    const name = valueAt(tag, ['name'])
    return typeof name === 'string' ? [{ name, isRemote: typeof valueAt(tag, ['remote_host']) === 'string' }] : []
  })
  const running = valueAt(at('/api/ps'), ['models'])
  const loaded = (name: string): number | undefined => {
    const entry = Array.isArray(running) ? running.find((model) => valueAt(model, ['name']) === name) : undefined
    return tokensOf(valueAt(entry, ['context_length']))
  }
  const models: ListedModel[] = []
  for (let start = 0; start < names.length; start += ASKED_AT_ONCE) {
    const shown = names.slice(start, start + ASKED_AT_ONCE).map(async ({ name, isRemote }) => {
      const model = ollamaModel(name, await ask('/api/show', { model: name }), loaded(name), isRemote)
      return model ? [model] : []
    })
    models.push(...(await Promise.all(shown)).flat())
  }
  return { ...versionOf(valueAt(at('/api/version'), ['version'])), models }
}

function ollamaModel(
  name: string,
  shown: unknown,
  loaded: number | undefined,
  isRemote: boolean,
): ListedModel | undefined {
  const capabilities = valueAt(shown, ['capabilities'])
  if (includes(capabilities, 'completion') === false) return undefined
  const architecture = String(valueAt(shown, ['model_info', 'general.architecture']))
  const context = tokensOf(valueAt(shown, ['model_info', `${architecture}.context_length`]))
  const wanted = contextParameter(valueAt(shown, ['parameters']))
  // Ollama gives no model more than it was made for, whatever num_ctx says, and models in its cloud all of it.
  const given = wanted !== undefined && context !== undefined ? Math.min(wanted, context) : wanted
  return listedModel(name, {
    context,
    contextNow: loaded ?? given ?? (isRemote ? context : undefined),
    contextFixed: given !== undefined && (loaded ?? given) === given,
    tools: includes(capabilities, 'tools'),
  })
}

/** num_ctx in the lines of `name value` that Ollama shows. */
function contextParameter(parameters: unknown): number | undefined {
  if (typeof parameters !== 'string') return undefined
  for (const line of parameters.split('\n')) {
    const [name, value] = line.split(' ').filter((word) => word !== '')
    if (name === 'num_ctx') return tokensOf(Number(value))
  }
  return undefined
}

/** LM Studio's models, loaded or not. */
export async function readLMStudio({ at, status }: Probed): Promise<ServerFacts | undefined> {
  if (status('/api/v0/models') === 401) return { state: 'locked', models: [] }
  const models = readModelList(at('/api/v0/models'))
  return models && { models }
}

/** llama.cpp's model, with the context of one of its slots. */
export async function readLlamaCpp({ at, said, status }: Probed): Promise<ServerFacts | undefined> {
  const isLoading = valueAt(said('/health'), ['error', 'message']) === 'Loading model'
  const properties = at('/props')
  const settings = valueAt(properties, ['default_generation_settings'])
  if (!isLoading && settings === undefined) return undefined
  const listed = readModelList(at('/v1/models')) ?? []
  const contextNow = tokensOf(valueAt(settings, ['n_ctx']))
  const canCall = valueAt(properties, ['chat_template_caps', 'supports_tool_calls'])
  const tools = typeof canCall === 'boolean' ? canCall : undefined
  // As a router it serves several models, and its properties are those of none of them.
  const models =
    listed.length === 1
      ? listed.map((model) => ({ ...model, ...listedModel(model.name, { contextNow, tools }) }))
      : listed
  return {
    ...versionOf(valueAt(properties, ['build_info'])),
    ...(isLoading ? { state: 'loading' } : status('/v1/models') === 401 ? { state: 'locked' } : {}),
    models: isLoading ? [] : models,
  }
}

/** vLLM's models, with the length that it was started for. */
export async function readVLLM({ at, status }: Probed): Promise<ServerFacts | undefined> {
  const list = at('/v1/models')
  const version = versionOf(valueAt(at('/version'), ['version']))
  if (status('/v1/models') === 401 && version.version !== undefined) return { ...version, state: 'locked', models: [] }
  const entries = valueAt(list, ['data'])
  const isOurs = Array.isArray(entries) && entries.some((entry) => valueAt(entry, ['owned_by']) === 'vllm')
  return isOurs ? { ...version, models: readModelList(list) ?? [] } : undefined
}
