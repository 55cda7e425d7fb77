import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4ToolCall,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { isSchemaObject } from '../fit/schema.ts'
import type { ReadOptions } from '../read/read.ts'
import { offeredTools, ToolNames } from '../read/tools.ts'
import type { Call, McpTool, RefusedCall } from '../types.ts'
import { validator } from '../validate/validator.ts'
import { newCallId } from '../wire/call-id.ts'
import type { CallwrightOptions } from './options.ts'
import { textsOfResults } from './results.ts'

/** What the client is told of a call that must not run. */
export type Refusal = {
  readonly name?: string
  readonly problems: { readonly code: string; readonly message: string }[]
}

/** The tools of a request that the client runs. With the choice `none` there are none. */
export function toolsOf({ tools = [], toolChoice }: LanguageModelV4CallOptions): McpTool[] {
  if (toolChoice?.type === 'none') return []
  return tools.flatMap((tool) => {
    if (tool.type !== 'function') return []
    const { name, inputSchema } = tool
    return [{ name, inputSchema: isSchemaObject(inputSchema) ? inputSchema : {} }]
  })
}

/** One reply of a model while it is read: what it is read with, and what became of its calls. */
export class Reply {
  readonly reading: ReadOptions
  /** An object was asked for, so that one with an answer in it is the answer itself. */
  readonly isJson: boolean
  private readonly tools: ReadonlyMap<string, McpTool>
  private readonly names: ToolNames
  private readonly options: CallwrightOptions
  private readonly refusals: Refusal[] = []
  private hasCall = false

  constructor(tools: readonly McpTool[], request: LanguageModelV4CallOptions, options: CallwrightOptions) {
    const { prompted, onRepair, onRefused, generateId, seen = [], ...rules } = options
    const given = [...(typeof seen === 'string' ? [seen] : seen), ...textsOfResults(request.prompt)]
    this.reading = { validator, ...rules, tools, seen: given }
    this.isJson = request.responseFormat?.type === 'json'
    this.tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.names = new ToolNames(offeredTools(tools))
    this.options = options
  }

  newId(): string {
    return (this.options.generateId ?? newCallId)()
  }

  /** The offered tool of this name, as models write it. */
  toolOf(name: string): McpTool | undefined {
    return this.tools.get(this.names.find(name)?.name ?? '')
  }

  /** A call that may run, as a part of the reply. One that the provider found keeps what else it said of it. */
  called(id: string, call: Call, origin?: LanguageModelV4ToolCall): LanguageModelV4ToolCall {
    this.hasCall = true
    if (call.repairs.length > 0) this.options.onRepair?.(call)
    const { name, dialect, repairs } = call
    const note = { dialect, repairs: repairs.map(({ code }) => code) }
    return {
      ...origin,
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: JSON.stringify(call.arguments),
      providerMetadata: { ...origin?.providerMetadata, callwright: note },
    }
  }

  /** A call that goes to the client as the provider gave it. */
  passed(part: LanguageModelV4ToolCall): LanguageModelV4ToolCall {
    if (!part.providerExecuted) this.hasCall = true
    return part
  }

  /** A call of the text that must not run. */
  refused(call: RefusedCall): void {
    const problems = call.problems.map(({ code, message }) => ({ code, message }))
    this.refusals.push({ ...(call.name === undefined ? {} : { name: call.name }), problems })
    this.tellRefused(call)
  }

  /** A call of the provider that must not run: the client sees it for itself, and says so to the model. */
  tellRefused(call: RefusedCall): void {
    this.options.onRefused?.(call)
  }

  /** A reply that ended well and holds a call ended for it. One that was cut stays so: the SDK then runs nothing. */
  finishReason(given: LanguageModelV4FinishReason): LanguageModelV4FinishReason {
    const isWell = given.unified === 'stop' || given.unified === 'other'
    return this.hasCall && isWell ? { ...given, unified: 'tool-calls' } : given
  }

  /** What the provider said of the reply, and which calls were refused. */
  metadata(given: SharedV4ProviderMetadata | undefined): { providerMetadata?: SharedV4ProviderMetadata } {
    if (this.refusals.length > 0) return { providerMetadata: { ...given, callwright: { refused: this.refusals } } }
    return given ? { providerMetadata: given } : {}
  }
}

/**
 * The calls that were refused in a step, out of its `providerMetadata`.
 *
 * @example
 * const { providerMetadata } = await generateText({ model, tools, prompt })
 * refusedCalls(providerMetadata) // [{ name: 'search', problems: [{ code: 'truncated', message: '…' }] }]
 */
export function refusedCalls(metadata: SharedV4ProviderMetadata | undefined): Refusal[] {
  const refused = metadata?.['callwright']?.['refused']
  return Array.isArray(refused) ? refused.filter(isRefusal) : []
}

const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'problems' in value && Array.isArray(value.problems)
