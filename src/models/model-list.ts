import { askJSON } from './ask-json.ts'

/** A model as a server lists it, with what the server tells of it. */
export interface ListedModel {
  readonly name: string
  /** Tokens that the model itself can take. */
  readonly context?: number
  /** Tokens that it takes as it is served now, which can be far fewer: what is longer is cut or refused. */
  readonly contextNow?: number
  /** The model's own settings say `contextNow`: a setting of the server does not change it. */
  readonly contextFixed?: true
  /** Whether the server says that it can call tools. */
  readonly tools?: boolean
}

/** What a base URL answers when it is asked for its models. */
export type ModelList =
  | { readonly kind: 'listed'; readonly models: readonly ListedModel[] }
  | { readonly kind: 'locked'; readonly status: number }
  | { readonly kind: 'no list'; readonly status: number }
  | { readonly kind: 'silent'; readonly reason: string }

type Path = readonly string[]

/** Where servers write how many tokens a model can take: LM Studio, llama.cpp, OpenRouter. */
const contextPlaces: readonly Path[] = [['max_context_length'], ['meta', 'n_ctx_train'], ['context_length']]
/** Where they write how many it takes as it is served: LM Studio, vLLM, llama.cpp. */
const contextNowPlaces: readonly Path[] = [['loaded_context_length'], ['max_model_len'], ['meta', 'n_ctx']]
/** Where they list what a model can do, and their word for tools: LM Studio, OpenRouter. */
const toolPlaces: readonly (readonly [place: Path, word: string])[] = [
  [['capabilities'], 'tool_use'],
  [['supported_parameters'], 'tools'],
]

/** Asks an OpenAI-compatible base URL which models it has. */
export async function listModels(
  baseURL: string,
  { apiKey, timeout = 5000 }: { readonly apiKey?: string; readonly timeout?: number } = {},
): Promise<ModelList> {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const answer = await askJSON(urlUnder(baseURL, 'models'), { timeout, headers })
  if (answer.kind === 'silent') return answer
  const { status, body } = answer
  if (status === 401 || status === 403) return { kind: 'locked', status }
  const models = status === 200 ? readModelList(body) : undefined
  return models === undefined ? { kind: 'no list', status } : { kind: 'listed', models }
}

/** A URL one step below another, before its query. */
export function urlUnder(baseURL: string, step: string): string {
  const url = new URL(baseURL)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${step}`
  return url.href
}

/** The models of a list as OpenAI and its relatives write it, or undefined where it is none. */
export function readModelList(body: unknown): readonly ListedModel[] | undefined {
  const entries = valueAt(body, ['data'])
  if (!Array.isArray(entries)) return undefined
  return entries.flatMap((entry: unknown) => {
    const name = valueAt(entry, ['id'])
    if (typeof name !== 'string' || name === '' || valueAt(entry, ['type']) === 'embeddings') return []
    return [
      listedModel(name, {
        context: firstTokens(entry, contextPlaces),
        contextNow: firstTokens(entry, contextNowPlaces),
        tools: toolPlaces
          .map(([place, word]) => includes(valueAt(entry, place), word))
          .find((said) => said !== undefined),
      }),
    ]
  })
}

/** A model with the facts that are known, and without the others. */
export function listedModel(
  name: string,
  facts: {
    readonly context?: number | undefined
    readonly contextNow?: number | undefined
    readonly contextFixed?: boolean
    readonly tools?: boolean | undefined
  },
): ListedModel {
  return {
    name,
    ...(facts.context === undefined ? {} : { context: facts.context }),
    ...(facts.contextNow === undefined ? {} : { contextNow: facts.contextNow }),
    ...(facts.contextFixed ? { contextFixed: true } : {}),
    ...(facts.tools === undefined ? {} : { tools: facts.tools }),
  }
}

/** What stands at a path of names in a server's answer, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  let here: unknown = value
  for (const name of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined
    here = Reflect.get(here, name)
  }
  return here
}

/** A count of tokens, or undefined: servers write 0 or null for what they do not know. */
export const tokensOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined

/** Whether a list holds a word, or undefined where it is no list. */
export const includes = (list: unknown, word: string): boolean | undefined =>
  Array.isArray(list) ? list.includes(word) : undefined

const firstTokens = (entry: unknown, places: readonly Path[]): number | undefined =>
  places.map((place) => tokensOf(valueAt(entry, place))).find((tokens) => tokens !== undefined)
