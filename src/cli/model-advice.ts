/** What people are told when no model can be chosen for them. */
import type { LocalServer } from '../models/local-servers.ts'
import type { ModelList } from '../models/model-list.ts'
import { nearestName } from '../tools/nearest-name.ts'
import { shownURL } from './base-url.ts'
import { settingLine, shellWord } from './shell-line.ts'
import { visible } from './terminal.ts'

/** What the advice is made for. */
export interface Advice {
  /** What stands before the flags in lines to type. */
  readonly command: string
  readonly environment: { readonly [name: string]: string | undefined }
}

/** A model and where it is. */
export interface Offer {
  readonly url: string
  readonly name: string
}

/** A small model that calls tools well, for those who have none. */
const FIRST_MODEL = 'qwen3:8b'
const MOST_LINES = 20

/** Models to choose from, each as the line that chooses it. */
export function chooseAmong(offers: readonly Offer[], advice: Advice): string {
  const keep = 'To keep the choice, write model and baseURL into callwright.yaml.'
  return `There are ${offers.length} models. Choose one:\n\n${linesFor(offers, advice)}\n\n${keep}`
}

/** The line that chooses a model. */
export const lineFor = ({ url, name }: Offer, command: string): string =>
  `${command} --base-url ${shellWord(shownURL(url))} --model ${shellWord(name)}`

function linesFor(offers: readonly Offer[], { command }: Advice): string {
  const lines = offers.slice(0, MOST_LINES).map((offer) => `  ${lineFor(offer, command)}`)
  if (offers.length > MOST_LINES) lines.push(`  … and ${offers.length - MOST_LINES} more`)
  return lines.join('\n')
}

/** A model was named, and the servers that run have others. */
export function withoutModel(model: string, servers: readonly LocalServer[], advice: Advice): string {
  const offers = servers.flatMap(({ url, models }) => models.map(({ name }) => ({ url, name })))
  const names = offers.map(({ name }) => name)
  const near = nearestName(model, names)
  const hint = near === undefined ? '' : ` Did you mean ${visible(near)}?`
  const pull = servers.some(({ kind }) => kind === 'ollama')
    ? `\n\nOr get it:\n\n  ollama pull ${shellWord(model)}`
    : ''
  return `No local server has the model ${visible(model)}.${hint} These are there:\n\n${linesFor(offers, advice)}${pull}`
}

/** There is no model at all. */
export function nothingFound(servers: readonly LocalServer[], model: string | undefined, advice: Advice): string {
  const ollama = servers.find(({ kind }) => kind === 'ollama')
  const pull = [`ollama pull ${shellWord(model ?? FIRST_MODEL)}`, 'get a model for Ollama'] as const
  const steps: (readonly [line: string, says: string])[] = ollama
    ? [pull]
    : [['ollama serve', 'start Ollama, from https://ollama.com'], pull]
  const hasKey = Boolean(advice.environment['OPENAI_API_KEY']?.trim())
  steps.push(
    [`${advice.command} --base-url URL --model NAME`, 'take any server that speaks as OpenAI does'],
    hasKey
      ? [`${advice.command} --model NAME`, 'take a model of OpenAI: OPENAI_API_KEY is set']
      : [settingLine({ OPENAI_API_KEY: 'KEY', CALLWRIGHT_MODEL: 'NAME' }), 'take a model of OpenAI'],
    ['callwright demo', 'see what it does, without a model'],
  )
  const width = Math.max(...steps.map(([line]) => line.length))
  return `${whatIsThere(servers, model)} Do one of these:\n\n${steps.map(([line, says]) => `  ${line.padEnd(width)}   ${says}`).join('\n')}`
}

function whatIsThere(servers: readonly LocalServer[], model: string | undefined): string {
  const named = model === undefined ? 'No model is named' : 'No base URL is named'
  if (servers.length === 0) return `${named}, and no model server was found on this machine.`
  const states = servers.map(({ name, url, state }) => {
    const says = { loading: 'is still loading its model', locked: 'wants a key', none: 'has no model' }
    return `${name} at ${shownURL(url)} ${says[state ?? 'none']}.`
  })
  return states.join(' ')
}

/** A server was named and no model, and it does not say which it has. */
export function unlisted(url: string, list: Exclude<ModelList, { readonly kind: 'listed' }>): string {
  switch (list.kind) {
    case 'locked':
      return `No model is named, and ${url} lists its models only with a key (HTTP ${list.status}): set CALLWRIGHT_API_KEY, or add --model NAME.`
    case 'no list':
      return `No model is named, and ${url} does not list its models (HTTP ${list.status}): check the URL, which most often ends in /v1, or add --model NAME.`
    case 'silent':
      return `No model is named, and ${url} cannot be asked for its models: ${list.reason}. Check the URL, or add --model NAME.`
  }
}
