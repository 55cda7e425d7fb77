/**
 * Who answers: a server that speaks Chat Completions, or a recording.
 *
 * @module
 */
export type { OpenAICompatibleOptions } from './endpoint.ts'
export { openAICompatible } from './openai-compatible.ts'
export { type ReplayOptions, replayedReplies, savedReplies } from './recording.ts'
