import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { RunnableTool } from '../../tools/tool.ts'
import type { JsonSchema } from '../../types.ts'
import type { Entry } from '../transcript.ts'
import type { ModeName } from './names.ts'

/** All that a request is made from. */
export interface Conversation {
  readonly instructions: string
  readonly tools: readonly RunnableTool[]
  readonly entries: readonly Entry[]
  /** What the final answer must be, when it is more than text. */
  readonly output: JsonSchema | undefined
  /** The structured mode also asks for where things stand and for a plan. */
  readonly nextStep: boolean
}

/** What a mode says of a request; the rest is the same in all modes. */
export type ModeRequest = Pick<
  LanguageModelV4CallOptions,
  'prompt' | 'tools' | 'toolChoice' | 'stopSequences' | 'responseFormat'
>

/** One way of telling a model of tools, and of showing it what was done. What it writes is read the same in all. */
export interface Mode {
  readonly name: ModeName
  /** What plain text without a call is: the answer, or a reply that does not keep to the protocol. */
  readonly plainText: 'answer' | 'unreadable'
  request(conversation: Conversation): ModeRequest
  /** How to reply, in words for a model that did not. */
  reminder(conversation: Pick<Conversation, 'tools' | 'nextStep'>): string
}
