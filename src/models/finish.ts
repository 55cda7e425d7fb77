import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'
import type { Finish } from '../types.ts'

/** How a reply ended, as the reader knows it. Whatever broke it off, nothing that it left open is closed. */
export function finishOf({ unified }: LanguageModelV4FinishReason): Finish {
  if (unified === 'stop' || unified === 'tool-calls') return 'stop'
  return unified === 'other' ? 'unknown' : 'length'
}
