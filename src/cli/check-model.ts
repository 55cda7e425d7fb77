import type { LocalServer } from '../models/local-servers.ts'
import { type ListedModel, listModels, type ModelList, urlUnder } from '../models/model-list.ts'
import { nearestName } from '../tools/nearest-name.ts'
import { isSamePort, isSameServer, shownURL } from './base-url.ts'
import type { Config } from './config.ts'
import { contextFinding, type Finding } from './context-advice.ts'
import { lineFor } from './model-advice.ts'
import { type Environment, isSameModel, type ModelChoice } from './model-choice.ts'
import { settingLine, shellWord } from './shell-line.ts'
import { visible } from './terminal.ts'

type Chosen = ModelChoice & { readonly kind: 'found' }

interface Surroundings {
  readonly servers: readonly LocalServer[]
  readonly environment: Environment
  readonly timeout: number
  readonly mode: Config['mode'] | undefined
}

const MOST_NAMES = 8

/** Asks the server of a choice whether it is there, takes the key and has the model; says what is wrong. */
export async function checkModel(choice: Chosen, around: Surroundings): Promise<readonly Finding[]> {
  const { baseURL, model } = choice
  const key = choice.apiKey === undefined ? {} : { apiKey: choice.apiKey }
  const list = await listModels(baseURL, { ...key, timeout: around.timeout })
  const server = around.servers.find(({ url }) => isSameServer(url, baseURL) || isSamePort(url, baseURL))
  if (list.kind !== 'listed') return [await unlistedFinding(choice, list, around)]
  const listed = list.models.find(({ name }) => isSameModel(name, model))
  const known = server?.models.find(({ name }) => isSameModel(name, model)) ?? listed
  if (listed === undefined) return [absentFinding(choice, list.models, server, around.servers)]
  const findings: Finding[] = []
  if (known?.tools === false && around.mode === 'native') {
    const message = `The server says that ${visible(model)} cannot call tools, and the file says mode: native. Write mode: auto.`
    findings.push({ kind: 'warning', message })
  }
  const context = known && contextFinding(known, server?.kind ?? 'other', true)
  return context ? [...findings, context] : findings
}

async function unlistedFinding(
  { baseURL, apiKey, keyFrom }: Chosen,
  list: Exclude<ModelList, { readonly kind: 'listed' }>,
  { environment, timeout }: Surroundings,
): Promise<Finding> {
  const url = shownURL(baseURL)
  if (list.kind === 'silent') {
    const message = `${url} does not answer: ${list.reason}. Start the server, or check the base URL.`
    return { kind: 'problem', message }
  }
  if (list.kind === 'locked') {
    if (keyFrom !== undefined) {
      const message = `${url} refuses the key in ${keyFrom} (HTTP ${list.status}): check that it is the right one.`
      return { kind: 'problem', message }
    }
    const other = environment['OPENAI_API_KEY']?.trim()
      ? ' OPENAI_API_KEY is not sent there: it is not for this server.'
      : ''
    const message = `${url} wants a key (HTTP ${list.status}).${other} Set one:`
    return { kind: 'problem', message, type: [settingLine({ CALLWRIGHT_API_KEY: 'KEY' })] }
  }
  const longer = urlUnder(baseURL, 'v1')
  const there = await listModels(longer, { ...(apiKey === undefined ? {} : { apiKey }), timeout })
  if (there.kind === 'listed') {
    return {
      kind: 'problem',
      message: `${url} lists no models, but ${shownURL(longer)} does: add /v1 to the base URL.`,
    }
  }
  if (list.status === 404 || list.status === 405 || list.status === 501) {
    const message = `${url} answers, but does not list its models (HTTP ${list.status}): whether it has this one is not known.`
    return { kind: 'warning', message }
  }
  const message = `${url} answers, but not as a model server does (HTTP ${list.status}): check the base URL.`
  return { kind: 'problem', message }
}

function absentFinding(
  { baseURL, model }: Chosen,
  models: readonly ListedModel[],
  server: LocalServer | undefined,
  servers: readonly LocalServer[],
): Finding {
  const names = models.map(({ name }) => name)
  const rest = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  const has = names.length === 0 ? 'it has none' : `it has ${names.slice(0, MOST_NAMES).map(visible).join(', ')}${rest}`
  const near = nearestName(model, names)
  const elsewhere = servers.flatMap(({ url, models: others }) =>
    others.filter(({ name }) => isSameModel(name, model)).map(({ name }) => ({ url, name })),
  )
  const offers = [...(near === undefined ? [] : [{ url: baseURL, name: near }]), ...elsewhere]
  const type = [
    ...offers.map((offer) => lineFor(offer, 'callwright run')),
    ...(server?.kind === 'ollama' ? [`ollama pull ${shellWord(model)}`] : []),
  ]
  const message = `${shownURL(baseURL)} has no model ${visible(model)}: ${has}.${type.length > 0 ? ' Type one of these:' : ''}`
  return { kind: 'problem', message, ...(type.length > 0 ? { type } : {}) }
}
