import type { JSONSchema7, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { isSchemaObject } from '../fit/schema.ts'
import { checkPolicy } from '../read/check-policy.ts'
import { readArguments } from '../read/read-arguments.ts'
import { offeredTools, ToolNames } from '../read/tools.ts'
import { validator } from '../validate/validator.ts'
import type { CallwrightOptions } from './options.ts'

/** How `repairToolCall` goes about it. */
export type RepairOptions = Pick<
  CallwrightOptions,
  'policy' | 'strict' | 'unknown' | 'limits' | 'validator' | 'onRepair' | 'onRefused'
>

/** What the SDK says of a call that it could not take: as much of it as is needed here. */
export interface FailedToolCall {
  readonly toolCall: LanguageModelV4ToolCall
  readonly tools: { readonly [name: string]: unknown }
  readonly inputSchema: (options: { toolName: string }) => PromiseLike<JSONSchema7>
}

/**
 * Makes the function for the SDK's hook of the same name. It mends a call whose name or input the SDK does not take,
 * and returns `null` where it would have to guess.
 *
 * @example
 * await generateText({ model, tools, prompt, repairToolCall: repairToolCall() })
 */
export function repairToolCall(
  options: RepairOptions = {},
): (failed: FailedToolCall) => Promise<LanguageModelV4ToolCall | null> {
  checkPolicy(options.policy)
  const { onRepair, onRefused, ...rules } = options
  return async ({ toolCall, tools, inputSchema }) => {
    const names = new ToolNames(offeredTools(Object.keys(tools).map((name) => ({ name, input: {} }))))
    const toolName = names.find(toolCall.toolName)?.name
    if (toolName === undefined) return null
    const schema: unknown = await inputSchema({ toolName })
    const tool = { name: toolName, input: isSchemaObject(schema) ? schema : {} }
    const { calls, refused } = readArguments(toolCall.input, tool, { validator, ...rules })
    const [call, ...others] = calls
    for (const call of refused) onRefused?.(call)
    if (!call || others.length + refused.length > 0) return null
    // What is right by the JSON Schema and was still not taken fails for a reason that nobody here can see.
    if (call.repairs.length === 0 && toolName === toolCall.toolName) return null
    if (call.repairs.length > 0) onRepair?.(call)
    return { ...toolCall, toolName, input: JSON.stringify(call.arguments) }
  }
}
