import type { ChatRequest } from '../wire/chat.ts'
import type { ChatReply } from '../wire/reply.ts'

/** What a scripted model answers: a text, or anything that can happen to a reply. */
export type Reply = string | ScriptedReply

/** A reply in full. Everything is optional. */
export interface ScriptedReply {
  readonly text?: string
  /** What the model thinks before it answers. */
  readonly thought?: string
  readonly calls?: readonly ScriptedCall[]
  /** Why it ended. Default `tool_calls` with calls, else `stop`; `null` leaves it out. */
  readonly finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter' | (string & {}) | null
  /** Tokens. Without it, the server counts none. */
  readonly usage?: { readonly input: number; readonly output: number }
  /** Milliseconds before the first byte. */
  readonly delay?: number
  /** Milliseconds after each chunk of a stream. */
  readonly pause?: number
  /** Answers with an error in place of a reply. */
  readonly error?: ScriptedError
  /** The connection breaks after so many chunks of a stream, or bytes of a whole reply. */
  readonly breakAfter?: number
}

export interface ScriptedCall {
  readonly name: string
  /** JSON text, what a model wrote in its place, or an object that becomes JSON. */
  readonly arguments: string | object
  readonly id?: string
}

export interface ScriptedError {
  readonly status: number
  /** Text as it stands, or an object that becomes JSON. Default: an error that tells the status. */
  readonly body?: string | object
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes a reply out of the request and its number, from 0. */
export type ReplyFunction = (request: ChatRequest, index: number) => Reply | Promise<Reply>

/** The replies in their order, or a function that makes each. */
export type Script = readonly (Reply | ReplyFunction)[] | ReplyFunction

/** A script while it is played. */
export class ScriptPlayer {
  private readonly script: Script
  private played = 0

  constructor(script: Script) {
    if (typeof script !== 'function' && !Array.isArray(script)) {
      throw new TypeError('A script is a list of replies, or a function that makes them.')
    }
    this.script = script
  }

  /** The next reply. Throws when there is none left. */
  async next(request: () => ChatRequest): Promise<{ readonly reply: ScriptedReply; readonly index: number }> {
    const { script } = this
    const index = this.played++
    const entry = typeof script === 'function' ? script : script[index]
    if (entry === undefined) throw new Error(outOf(script.length, index, request()))
    const reply = typeof entry === 'function' ? await entry(request(), index) : entry
    return { reply: typeof reply === 'string' ? { text: reply } : reply, index }
  }
}

function outOf(length: number, index: number, { messages }: ChatRequest): string {
  const last = messages.at(-1)
  const said = typeof last?.content === 'string' ? last.content : JSON.stringify(last?.content ?? null)
  const words = said.length > 80 ? `${said.slice(0, 80)}…` : said
  const replies = length === 1 ? '1 reply' : `${length} replies`
  return `The script has ${replies}, and this is request ${index + 1}, which ends with the ${last?.role} saying ${JSON.stringify(words)}. Give the script more replies, or look why the model was asked again.`
}

/** A scripted reply as a server sends it. */
export function chatReplyOf(reply: ScriptedReply, model: string, index: number): ChatReply {
  const { text, thought, calls = [], usage } = reply
  const { finish = calls.length > 0 ? 'tool_calls' : 'stop' } = reply
  return {
    id: `chatcmpl-${index}`,
    model,
    created: Math.floor(Date.now() / 1000),
    ...(text === undefined ? {} : { text }),
    ...(thought === undefined ? {} : { thought }),
    calls: calls.map((call, place) => ({
      id: call.id ?? `call_${index}_${place}`,
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    })),
    finish,
    ...(usage ? { usage } : {}),
  }
}

/** The body of a scripted error. */
export function errorBodyOf({ status, body }: ScriptedError): string {
  const given = body ?? { error: { message: `The script answers with status ${status}.`, type: 'scripted' } }
  return typeof given === 'string' ? given : JSON.stringify(given)
}
