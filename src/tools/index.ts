/** What a model may call, and how it is defined. */
export { AgentError, CallwrightError, messageOf, ToolDefinitionError, ToolRetry } from './errors.ts'
export type { InputOf } from './infer.ts'
export { memoryRecorder, type Recorder, RunBusy } from './recorder.ts'
export {
  Content,
  type ContentPart,
  content,
  type RunnableTool,
  type ToolContext,
  type ToolDefinition,
  type ToolKind,
  tool,
} from './tool.ts'
