import { findLocalServers, type LocalServer } from '../models/local-servers.ts'
import { listModels } from '../models/model-list.ts'
import { baseURLProblem, isSameServer, shownURL, tidyBaseURL } from './base-url.ts'
import type { Config } from './config.ts'
import { type Advice, chooseAmong, nothingFound, unlisted, withoutModel } from './model-advice.ts'
import { UsageError } from './usage-error.ts'

export type Environment = { readonly [name: string]: string | undefined }

/** Where a part of the choice was said. */
export type Source = 'flag' | 'file' | 'environment' | 'local server'

/** The model to talk to, or what a person can do to have one. */
export type ModelChoice =
  | {
      readonly kind: 'found'
      readonly baseURL: string
      readonly model: string
      readonly apiKey?: string
      /** The variable that the key is in. */
      readonly keyFrom?: string
      /** Where the base URL was said. */
      readonly from: Source
      /** Where the model was said, unless the server has only one. */
      readonly modelFrom: Source | 'only model'
      /** The server, where it was found and not named. */
      readonly server?: LocalServer
    }
  | { readonly kind: 'missing'; readonly message: string }

export interface ModelWish {
  readonly flags?: { readonly model?: string | undefined; readonly baseURL?: string | undefined }
  readonly config?: Config | undefined
  /** Default: the environment of the process. */
  readonly environment?: Environment
  /** What stands before the flags in lines to type. Default `callwright run`. */
  readonly command?: string
  /** Default: `findLocalServers`. Asked only when nobody names a server. */
  readonly findServers?: () => Promise<readonly LocalServer[]>
  /** Milliseconds for a named server to list its models. Default 5000. */
  readonly timeout?: number
}

/** Variables in the order in which they are looked at. A key goes only to the server of its own row. */
export const variables = [
  { baseURL: 'CALLWRIGHT_BASE_URL', model: 'CALLWRIGHT_MODEL', apiKey: 'CALLWRIGHT_API_KEY' },
  { baseURL: 'OPENAI_BASE_URL', apiKey: 'OPENAI_API_KEY', home: 'https://api.openai.com/v1' },
] as const

/** Decides which model to talk to: by flags, the file, the environment, and last by a local server that is found. */
export async function chooseModel(wish: ModelWish): Promise<ModelChoice> {
  const environment = wish.environment ?? process.env
  const advice: Advice = { command: wish.command ?? 'callwright run', environment }
  const model = firstNamed([
    ['flag', wish.flags?.model],
    ['file', wish.config?.model],
    ...variables.map((row) => ['environment', 'model' in row ? environment[row.model] : undefined] as const),
  ])
  const server = namedServer(wish, environment, model !== undefined)
  if (server === undefined)
    return amongLocal(await (wish.findServers ?? (() => findLocalServers({ environment })))(), model, advice)
  const wrong = baseURLProblem(server.value)
  if (wrong !== undefined) {
    if (server.from === 'flag') throw new UsageError(`--base-url ${wrong}.`)
    return { kind: 'missing', message: `The base URL in ${server.place} ${wrong}.` }
  }
  const baseURL = tidyBaseURL(server.value)
  const key = keyFor(baseURL, wish.config, environment)
  if (key.kind === 'unset') {
    return {
      kind: 'missing',
      message: `The file says apiKeyFrom: ${key.name}, and ${key.name} is not set: set it, or take the line out.`,
    }
  }
  const found = { kind: 'found', baseURL, ...key.found, from: server.from } as const
  if (model !== undefined) return { ...found, model: model.value, modelFrom: model.from }
  const list = await listModels(baseURL, { ...key.found, timeout: wish.timeout ?? 5000 })
  if (list.kind !== 'listed') return { kind: 'missing', message: unlisted(shownURL(baseURL), list) }
  const [only, other] = list.models
  if (only !== undefined && other === undefined) return { ...found, model: only.name, modelFrom: 'only model' }
  const offers = list.models.map(({ name }) => ({ url: baseURL, name }))
  return { kind: 'missing', message: only ? chooseAmong(offers, advice) : `${shownURL(baseURL)} has no model.` }
}

interface Named {
  readonly from: Source
  readonly value: string
}

function firstNamed(said: readonly (readonly [from: Source, value: string | undefined])[]): Named | undefined {
  for (const [from, value] of said) {
    const text = value?.trim()
    if (text) return { from, value: text }
  }
  return undefined
}

/** The server that somebody named; OpenAI's own is meant where its key is set and a model is named. */
function namedServer(
  { flags, config }: ModelWish,
  environment: Environment,
  hasModel: boolean,
): (Named & { readonly place: string }) | undefined {
  const said = [
    ['flag', flags?.baseURL, '--base-url'],
    ['file', config?.baseURL, 'the file'],
    ...variables.map(({ baseURL }) => ['environment', environment[baseURL], baseURL] as const),
    ...variables.map((row) => {
      const isMeant = 'home' in row && hasModel && environment[row.apiKey]?.trim()
      return ['environment', isMeant ? row.home : undefined, row.apiKey] as const
    }),
  ] as const
  for (const [from, value, place] of said) {
    const named = firstNamed([[from, value]])
    if (named) return { ...named, place }
  }
  return undefined
}

type Key =
  | { readonly kind: 'key'; readonly found: { readonly apiKey?: string; readonly keyFrom?: string } }
  | { readonly kind: 'unset'; readonly name: string }

/** The key for a server: one that belongs to another server stays where it is. */
function keyFor(baseURL: string, config: Config | undefined, environment: Environment): Key {
  const ours = variables.map((row) => ({
    name: row.apiKey,
    home: environment[row.baseURL]?.trim() || ('home' in row ? row.home : undefined),
    isNeeded: false,
  }))
  // A key that is for this very server comes before one that is for any.
  const rows = [
    { name: config?.apiKeyFrom, home: config?.baseURL, isNeeded: true },
    ...ours.filter(({ home }) => home !== undefined),
    ...ours.filter(({ home }) => home === undefined),
  ]
  for (const { name, home, isNeeded } of rows) {
    if (name === undefined || (home !== undefined && !isSameServer(home, baseURL))) continue
    const apiKey = environment[name]?.trim()
    if (apiKey) return { kind: 'key', found: { apiKey, keyFrom: name } }
    if (isNeeded) return { kind: 'unset', name }
  }
  return { kind: 'key', found: {} }
}

/** Whether a server's name for a model is the one that was asked for: Ollama adds a tag that people leave out. */
export const isSameModel = (listed: string, asked: string): boolean => listed === asked || listed === `${asked}:latest`

/** A model of the servers that were found. They get no key: nobody has named them. */
function amongLocal(servers: readonly LocalServer[], model: Named | undefined, advice: Advice): ModelChoice {
  const all = servers.flatMap((server) => server.models.map(({ name }) => ({ server, name, url: server.url })))
  const offers = model ? all.filter(({ name }) => isSameModel(name, model.value)) : all
  const [only, other] = offers
  if (only !== undefined && other === undefined) {
    const { server, name } = only
    const modelFrom = model?.from ?? 'only model'
    return { kind: 'found', baseURL: server.url, model: name, from: 'local server', modelFrom, server }
  }
  if (only !== undefined) return { kind: 'missing', message: chooseAmong(offers, advice) }
  if (model !== undefined && all.length > 0)
    return { kind: 'missing', message: withoutModel(model.value, servers, advice) }
  return { kind: 'missing', message: nothingFound(servers, model?.value, advice) }
}
