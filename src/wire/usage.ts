import { isJSONObject, type LanguageModelV4FinishReason, type LanguageModelV4Usage } from '@ai-sdk/provider'
import { fieldsOf, numberOf } from './json.ts'

type Unified = LanguageModelV4FinishReason['unified']

/** What servers say when a reply ends. What stands nowhere here is `other`. */
const finishes: ReadonlyMap<string, Unified> = new Map([
  ...(['stop', 'eos', 'eos_token', 'stop_sequence', 'end_turn'] as const).map((raw) => [raw, 'stop'] as const),
  ...(['length', 'max_tokens', 'model_length'] as const).map((raw) => [raw, 'length'] as const),
  ...(['tool_calls', 'function_call', 'tool_use'] as const).map((raw) => [raw, 'tool-calls'] as const),
  ['content_filter', 'content-filter'] as const,
  ['error', 'error'] as const,
])

/** Why a reply ended. One that ended well with calls ended for them, whatever the server calls it. */
export function finishReasonOf(raw: string | undefined, hasCalls: boolean): LanguageModelV4FinishReason {
  const unified = raw === undefined ? 'other' : (finishes.get(raw) ?? 'other')
  return { unified: unified === 'stop' && hasCalls ? 'tool-calls' : unified, raw }
}

/** The tokens that a server counted; `undefined` is what it did not say. */
export function usageOf(value: unknown): LanguageModelV4Usage {
  const fields = fieldsOf(value)
  const input = numberOf(fields['prompt_tokens'])
  const output = numberOf(fields['completion_tokens'])
  const cached = numberOf(fieldsOf(fields['prompt_tokens_details'])['cached_tokens'])
  const reasoning = numberOf(fieldsOf(fields['completion_tokens_details'])['reasoning_tokens'])
  return {
    inputTokens: { total: input, noCache: without(input, cached), cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: output, text: without(output, reasoning), reasoning },
    ...(isJSONObject(value) ? { raw: value } : {}),
  }
}

const without = (total: number | undefined, part: number | undefined): number | undefined =>
  total === undefined || part === undefined ? undefined : total - part
