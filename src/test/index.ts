/**
 * For tests of agents: a model that says what a script says, in process or behind a real server.
 *
 * @module
 */
export type { ChatMessage, ChatRequest, ChatTool, ChatToolCall } from '../wire/chat.ts'
export type { Reply, ReplyFunction, Script, ScriptedCall, ScriptedError, ScriptedReply } from './script.ts'
export { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from './scripted-model.ts'
export { type StoreCheck, storeChecks } from './store-checks.ts'
export { type ReceivedRequest, startTestServer, type TestServer, type TestServerOptions } from './test-server.ts'
