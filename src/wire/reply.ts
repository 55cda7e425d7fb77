/** The other direction: a reply as servers send it. */
import type { ChatChunk, ChatCompletion, ChatDelta, ChatUsage } from './chat.ts'
import { END_EVENT, encodeEvent } from './sse.ts'

/** What a server answers. */
export interface ChatReply {
  readonly id: string
  readonly model: string
  /** When it was made, in seconds since 1970. */
  readonly created: number
  readonly thought?: string
  readonly text?: string
  readonly calls?: readonly ChatReplyCall[]
  /** `null` leaves out why it ended. */
  readonly finish: string | null
  readonly usage?: { readonly input: number; readonly output: number }
}

export interface ChatReplyCall {
  readonly id: string
  readonly name: string
  /** JSON text, or whatever a model wrote in its place. */
  readonly arguments: string
}

export interface ChunkOptions {
  /** Characters in one delta. Default 24. */
  readonly length?: number
  /** Whether the client asked for the count of tokens. */
  readonly includeUsage?: boolean
}

/** A reply as the body of a completion. */
export function completionOf(reply: ChatReply): ChatCompletion {
  const { id, created, model, thought, text, calls = [], finish, usage } = reply
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? (calls.length > 0 ? null : ''),
          ...(thought === undefined ? {} : { reasoning_content: thought }),
          ...(calls.length === 0
            ? {}
            : { tool_calls: calls.map(({ id, ...made }) => ({ id, type: 'function' as const, function: made })) }),
        },
        finish_reason: finish,
      },
    ],
    ...(usage ? { usage: usageOf(usage) } : {}),
  }
}

/**
 * A reply in chunks, in the form that all clients read: the role, thoughts, text, each call with a head and then its
 * arguments, one reason for the end, and the count of tokens if it was asked for.
 */
export function* chunksOf(reply: ChatReply, options: ChunkOptions = {}): Generator<ChatChunk, void, undefined> {
  const { id, created, model, thought = '', text = '', calls = [], finish, usage } = reply
  const { length = 24, includeUsage = false } = options
  const head = { id, object: 'chat.completion.chunk' as const, created, model }
  const chunk = (delta: ChatDelta, finish: string | null = null): ChatChunk => {
    return { ...head, choices: [{ index: 0, delta, finish_reason: finish }] }
  }
  yield chunk({ role: 'assistant', content: '' })
  for (const piece of pieces(thought, length)) yield chunk({ reasoning_content: piece })
  for (const piece of pieces(text, length)) yield chunk({ content: piece })
  for (const [index, call] of calls.entries()) {
    const opening = { index, id: call.id, type: 'function' as const, function: { name: call.name, arguments: '' } }
    yield chunk({ tool_calls: [opening] })
    for (const piece of pieces(call.arguments, length)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  if (finish !== null) yield chunk({}, finish)
  if (includeUsage && usage) yield { ...head, choices: [], usage: usageOf(usage) }
}

/** A reply as events, ready to be sent, with the one that ends the stream. */
export function* eventsOf(reply: ChatReply, options: ChunkOptions = {}): Generator<string, void, undefined> {
  for (const chunk of chunksOf(reply, options)) yield encodeEvent(JSON.stringify(chunk))
  yield END_EVENT
}

const usageOf = ({ input, output }: { readonly input: number; readonly output: number }): ChatUsage => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

/** Text cut into pieces of a length. A character of two units is never cut. */
function* pieces(text: string, length: number): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    let end = start + Math.max(1, length)
    const last = text.charCodeAt(end - 1)
    if (last >= 0xd800 && last < 0xdc00) end += 1
    yield text.slice(start, end)
    start = end
  }
}
