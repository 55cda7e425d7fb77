import { validateHeaderValue } from 'node:http'
import type { JsonObject } from '../types.ts'

/** Where a model is, and how to ask it. */
export interface OpenAICompatibleOptions {
  /** Where the server is: `http://127.0.0.1:11434/v1`. Without a path, `/v1` is meant. */
  readonly baseURL: string
  /** The server's name for the model. */
  readonly model: string
  /** Sent as `Authorization: Bearer …`; stands in no error. */
  readonly apiKey?: string
  /** More headers for each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds to wait for a connection. Default 10,000. */
  readonly connectTimeout?: number
  /** More fields for the body of each request; they win over those made from the call. */
  readonly extraBody?: JsonObject
}

/** A server, checked. */
export interface Endpoint {
  readonly url: URL
  /** The URL as it may be shown: without credentials and query. */
  readonly shownURL: string
  readonly model: string
  readonly connectTimeout: number
  readonly extraBody: JsonObject
  headersFor(more: Readonly<Record<string, string | undefined>>): Headers
}

interface Headers {
  readonly headers: Record<string, string>
  /** What of them no error may hold. */
  readonly secrets: string[]
}

const EXAMPLE = 'http://127.0.0.1:11434/v1'
/** What is shorter is no key but a word such as `none`, that may well stand in an error. */
const SHORTEST_SECRET = 8
const secretName = /auth|key|token|secret|cookie|password/i

/** Checks the options, and says what is wrong with them. */
export function checkedEndpoint(options: OpenAICompatibleOptions): Endpoint {
  const { baseURL, model, connectTimeout = 10_000, extraBody = {} } = options
  if (typeof model !== 'string' || model === '') throw new TypeError('Give the name of the model as model.')
  if (!(connectTimeout > 0 && connectTimeout < 2 ** 31)) {
    throw new TypeError(`The connectTimeout ${connectTimeout} is no number of milliseconds above 0.`)
  }
  const url = chatURL(baseURL)
  const key = options.apiKey?.trim()
  const given: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'callwright',
    ...(url.username === '' ? {} : { authorization: basic(url) }),
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...lowered(options.headers ?? {}),
  }
  for (const [name, value] of Object.entries(given)) checkHeader(name, value)
  const password = decodeURIComponent(url.password)
  const parameters = [...url.searchParams].filter(([name]) => secretName.test(name)).map(([, value]) => value)
  url.username = ''
  url.password = ''
  return {
    url,
    shownURL: `${url.origin}${url.pathname}`,
    model,
    connectTimeout,
    extraBody,
    headersFor(more) {
      const headers = { ...given, ...lowered(more) }
      const values = Object.entries(headers).flatMap(([name, value]) => (secretName.test(name) ? [value] : []))
      const secrets = [...values, ...values.map(withoutScheme), ...(key ? [key] : []), password, ...parameters]
      return { headers, secrets: secrets.filter(({ length }) => length >= SHORTEST_SECRET) }
    },
  }
}

/** Where completions are asked for. A URL may be given with or without a path, a slash at its end, or all of it. */
function chatURL(baseURL: string): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    const shown = JSON.stringify(String(baseURL).replace(/\/\/[^/@]*@/, '//'))
    throw new TypeError(`The baseURL ${shown} is no http or https URL. Write it like ${EXAMPLE}.`)
  }
  const path = url.pathname.replace(/\/$/, '')
  if (!path.endsWith('/chat/completions')) url.pathname = `${path === '' ? '/v1' : path}/chat/completions`
  url.hash = ''
  return url
}

function lowered(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), value] as const],
  )
  return Object.fromEntries(entries)
}

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderValue(name, value)
  } catch (error) {
    // The value may be a key: it is not told.
    throw new TypeError(`The header ${name} has a character that no header can hold, such as a line break.`, {
      cause: error,
    })
  }
}

const basic = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`

/** A credential without the word before it, such as `Bearer`. */
const withoutScheme = (value: string): string => value.slice(value.indexOf(' ') + 1)
