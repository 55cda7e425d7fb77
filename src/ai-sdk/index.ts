/**
 * Callwright for the AI SDK: a middleware that makes the tool calling of every model tolerant, and a repair hook.
 *
 * @module
 */
export { callwright } from './middleware.ts'
export type { CallwrightOptions } from './options.ts'
export { type FailedToolCall, type RepairOptions, repairToolCall } from './repair-tool-call.ts'
export { type Refusal, refusedCalls } from './reply.ts'
