import type { LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { readArguments } from '../read/read-arguments.ts'
import type { Finish } from '../types.ts'
import type { Reply } from './reply.ts'

/**
 * The calls that a call of the provider stands for: itself where it is right or cannot be mended, one that was mended,
 * or several where its text holds several. `undefined` as long as only the end of the reply can say.
 */
export function nativeCalls(
  part: LanguageModelV4ToolCall,
  reply: Reply,
  finish?: Finish,
): LanguageModelV4ToolCall[] | undefined {
  const tool = part.providerExecuted ? undefined : reply.toolOf(part.toolName)
  if (!tool) return [reply.passed(part)]
  let reading = readArguments(part.input, tool, { ...reply.reading, finish: 'length' })
  if (reading.refused.length > 0) {
    if (finish === undefined) return undefined
    reading = readArguments(part.input, tool, { ...reply.reading, finish })
  }
  const { calls, refused } = reading
  const [first] = calls
  if (!first || refused.length > 0) {
    for (const call of refused) reply.tellRefused(call)
    return [reply.passed(part)]
  }
  const isRight = calls.length === 1 && first.repairs.length === 0 && tool.name === part.toolName
  if (isRight) return [reply.passed(part)]
  return calls.map((call, index) => reply.called(index === 0 ? part.toolCallId : reply.newId(), call, part))
}
