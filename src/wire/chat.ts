/**
 * Chat Completions as it goes over the wire, as we write it. What others send is read as `unknown`: servers leave fields
 * out, and add their own.
 */
import type { JsonSchema } from '../types.ts'

/** What a client sends to `/chat/completions`. Keys without a value are left out, never `undefined`. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly ChatTool[]
  readonly tool_choice?: ChatToolChoice
  readonly response_format?: ChatResponseFormat
  readonly max_tokens?: number
  readonly temperature?: number
  readonly top_p?: number
  readonly presence_penalty?: number
  readonly frequency_penalty?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  readonly reasoning_effort?: string
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
}

/** One message of the history. */
export type ChatMessage = ChatSystemMessage | ChatUserMessage | ChatAssistantMessage | ChatToolMessage

/** What the model is told before all else. */
export interface ChatSystemMessage {
  readonly role: 'system' | 'developer'
  readonly content: string | readonly ChatContentPart[]
}

/** What somebody said to the model: text, or texts and images in their order. */
export interface ChatUserMessage {
  readonly role: 'user'
  readonly content: string | readonly ChatContentPart[]
}

/** What the model said. `content` is null when it only called tools. */
export interface ChatAssistantMessage {
  readonly role: 'assistant'
  readonly content: string | readonly ChatContentPart[] | null
  readonly tool_calls?: readonly ChatToolCall[]
}

/** The result of one call; it follows the message that made the call. */
export interface ChatToolMessage {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly content: string | readonly ChatContentPart[]
}

export type ChatContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** A call, with its arguments as JSON text. */
export interface ChatToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A tool that is offered. */
export interface ChatTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    readonly parameters: JsonSchema
    readonly strict?: boolean
  }
}

export type ChatToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } }

export type ChatResponseFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly json_schema: {
        readonly name: string
        readonly description?: string
        readonly schema: JsonSchema
        readonly strict: boolean
      }
    }

/** A whole reply. */
export interface ChatCompletion {
  readonly id: string
  readonly object: 'chat.completion'
  readonly created: number
  readonly model: string
  readonly choices: readonly ChatChoice[]
  readonly usage?: ChatUsage
}

export interface ChatChoice {
  readonly index: number
  readonly message: ChatAssistantMessage & { readonly reasoning_content?: string }
  /** `null` when the server does not say why the reply ended. */
  readonly finish_reason: string | null
}

/** A piece of a reply that is streamed: one event. */
export interface ChatChunk {
  readonly id: string
  readonly object: 'chat.completion.chunk'
  readonly created: number
  readonly model: string
  /** One choice, or none in the chunk that tells the usage. */
  readonly choices: readonly ChatChunkChoice[]
  readonly usage?: ChatUsage
}

export interface ChatChunkChoice {
  readonly index: number
  readonly delta: ChatDelta
  readonly finish_reason: string | null
}

export interface ChatDelta {
  readonly role?: 'assistant'
  readonly content?: string
  readonly reasoning_content?: string
  readonly tool_calls?: readonly ChatToolCallDelta[]
}

/** A piece of a call: the first one has id and name, the others have more of the arguments. */
export interface ChatToolCallDelta {
  readonly index: number
  readonly id?: string
  readonly type?: 'function'
  readonly function: { readonly name?: string; readonly arguments: string }
}

/** How many tokens a request and its reply took. */
export interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
}

/** The body of an answer that is no reply; also an event in a stream that goes wrong. */
export interface ChatError {
  readonly error: { readonly message: string; readonly type: string; readonly code?: string | number }
}
