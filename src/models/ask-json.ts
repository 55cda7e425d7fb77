import { type IncomingMessage, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'

/** What came back: a status with the JSON of the body (undefined where it is none), or why nothing came. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'silent'; readonly reason: string }

export interface Question {
  /** Milliseconds for the whole answer, its last byte included. */
  readonly timeout: number
  readonly headers?: { readonly [name: string]: string }
  /** Sent as JSON, by POST. */
  readonly body?: unknown
}

/** A list of models is far smaller; what is larger is no answer to a question of ours. */
const MOST_BYTES = 16_777_216

const reasons = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ECONNRESET', 'the connection was cut'],
  ['ENOTFOUND', 'the name of the host leads nowhere'],
  ['EAI_AGAIN', 'the name of the host leads nowhere'],
  ['ERR_INVALID_CHAR', 'the key holds a character that cannot be sent'],
  ['HPE_INVALID_CONSTANT', 'what listens there does not speak HTTP'],
  ['EPROTO', 'what listens there does not speak HTTPS'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'what listens there does not speak HTTPS'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'what listens there does not speak HTTPS'],
])

/** Asks a server for JSON. Never throws for what a server does: refusing, hanging and nonsense are answers too. */
export async function askJSON(url: string, question: Question): Promise<Answer> {
  const signal = AbortSignal.timeout(question.timeout)
  try {
    const response = await send(url, question, signal)
    return { kind: 'answered', status: response.statusCode ?? 0, body: parsed(await textOf(response)) }
  } catch (error) {
    const reason = signal.aborted ? `no answer within ${question.timeout / 1000} s` : reasonOf(error)
    return { kind: 'silent', reason }
  }
}

function send(url: string, { headers, body }: Question, signal: AbortSignal): Promise<IncomingMessage> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? requestByHttps : requestByHttp)(url, {
      method: text === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...(text ? { 'content-type': 'application/json' } : {}), ...headers },
      // A connection of its own, so that none is left open behind the answer.
      agent: false,
      signal,
    })
    request.on('response', resolve)
    request.on('error', reject)
    request.end(text)
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk
    if (text.length > MOST_BYTES) throw new Error('the answer is too long')
  }
  return text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return reasons.get(code) ?? (code || error.message)
}
