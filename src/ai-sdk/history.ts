import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { dialects } from '../read/dialects/table.ts'

const hermes = dialects.find(({ name }) => name === 'hermes')
/** How calls are written for a model that takes no tools. */
export const OPEN = hermes?.open[0] ?? ''
export const CLOSE = hermes?.close[0] ?? ''

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>
type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart

/** A history without parts for calls and results: both are text, in canonical JSON. */
export function writtenMessages(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.flatMap((message) => {
    if (message.role === 'assistant') return [withoutCalls(message)]
    return message.role === 'tool' ? withoutResults(message) : [message]
  })
}

/** The calls of a message become text, one text with what the model said before them. */
function withoutCalls(message: AssistantMessage): AssistantMessage {
  const content: AssistantMessage['content'] = []
  for (const part of message.content) {
    const isOwnCall = part.type === 'tool-call' && !part.providerExecuted
    const last = content.at(-1)
    if (!isOwnCall) content.push(part)
    else {
      const call = `${OPEN}${JSON.stringify({ name: part.toolName, arguments: part.input })}${CLOSE}`
      if (last?.type !== 'text') content.push({ type: 'text', text: call })
      else content[content.length - 1] = { ...last, text: `${last.text}${last.text.endsWith('\n') ? '' : '\n'}${call}` }
    }
  }
  return { ...message, content }
}

/** Results come from the user. Answers to the provider's questions for approval stay. */
function withoutResults(message: ToolMessage): LanguageModelV4Message[] {
  const { providerOptions } = message
  const results = message.content.filter((part) => part.type === 'tool-result')
  const others = message.content.filter((part) => part.type !== 'tool-result')
  const said: UserPart[] = [
    { type: 'text', text: results.map(writtenResult).join('\n') },
    ...results.flatMap(({ output }) => filesOf(output)),
  ]
  return [
    ...(results.length > 0
      ? [{ role: 'user' as const, content: said, ...(providerOptions && { providerOptions }) }]
      : []),
    ...(others.length > 0 ? [{ ...message, content: others }] : []),
  ]
}

function writtenResult({ toolName, output }: LanguageModelV4ToolResultPart): string {
  return `<tool_response>${JSON.stringify({ name: toolName, ...resultOf(output) })}</tool_response>`
}

function resultOf(output: LanguageModelV4ToolResultOutput): object {
  if (output.type === 'text' || output.type === 'json') return { content: output.value }
  if (output.type === 'error-text' || output.type === 'error-json') return { error: output.value }
  if (output.type === 'execution-denied') return { error: output.reason ?? 'The user did not allow this call.' }
  const texts = output.value.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { content: texts.join('\n') }
}

const filesOf = (output: LanguageModelV4ToolResultOutput): UserPart[] =>
  output.type === 'content' ? output.value.filter((part) => part.type === 'file') : []
