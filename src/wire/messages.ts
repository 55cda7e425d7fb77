import {
  type LanguageModelV4FilePart,
  type LanguageModelV4Message,
  type LanguageModelV4Prompt,
  type LanguageModelV4TextPart,
  type LanguageModelV4ToolCallPart,
  type LanguageModelV4ToolResultOutput,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import type { ChatAssistantMessage, ChatContentPart, ChatMessage } from './chat.ts'
import { isFields, parsed } from './json.ts'

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>
type File = Pick<LanguageModelV4FilePart, 'data' | 'mediaType'>

/** How images begin in Base64, for those of which only that they are images is said. */
const images: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** The messages of a prompt. Thoughts, and calls that a provider ran by itself, are left out. */
export function messagesOf(prompt: LanguageModelV4Prompt): ChatMessage[] {
  return prompt.flatMap((message): ChatMessage[] => {
    if (message.role === 'system') return [{ role: 'system', content: message.content }]
    if (message.role === 'user') return [{ role: 'user', content: contentOf(message.content) }]
    return message.role === 'assistant' ? [assistantMessage(message)] : toolMessages(message)
  })
}

function assistantMessage({ content }: AssistantMessage): ChatAssistantMessage {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const calls = content.filter((part) => part.type === 'tool-call').filter((call) => !call.providerExecuted)
  if (calls.length === 0) return { role: 'assistant', content: text }
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: calls.map((call) => ({
      id: call.toolCallId,
      type: 'function',
      function: { name: call.toolName, arguments: argumentsOf(call) },
    })),
  }
}

/** Arguments as servers take them back: the JSON text of an object. Anything else makes every later request fail. */
function argumentsOf({ input }: LanguageModelV4ToolCallPart): string {
  if (typeof input === 'string') return isFields(parsed(input)) ? input : '{}'
  return isFields(input) ? JSON.stringify(input) : '{}'
}

/** Results, one message each. Images in them come after all of them, from the user: a result can only be text. */
function toolMessages({ content }: ToolMessage): ChatMessage[] {
  const results = content.filter((part) => part.type === 'tool-result')
  const files = results.flatMap(({ output }) => filesOf(output))
  return [
    ...results.map(({ toolCallId, output }): ChatMessage => {
      const text = resultOf(output)
      const isOnlyFiles = text === '' && filesOf(output).length > 0
      return { role: 'tool', tool_call_id: toolCallId, content: isOnlyFiles ? 'It follows below.' : text }
    }),
    ...(files.length > 0 ? [{ role: 'user' as const, content: files.map(filePart) }] : []),
  ]
}

/** A result as text: its own, or canonical JSON. */
export function resultOf(output: LanguageModelV4ToolResultOutput): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type === 'json' || output.type === 'error-json') return JSON.stringify(output.value)
  if (output.type === 'execution-denied') return output.reason ?? 'The user did not allow this call.'
  return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

const filesOf = (output: LanguageModelV4ToolResultOutput): File[] =>
  output.type === 'content' ? output.value.filter((part) => part.type === 'file') : []

/** Texts alone are one text: not every server takes a list. */
function contentOf(parts: readonly (LanguageModelV4TextPart | LanguageModelV4FilePart)[]): string | ChatContentPart[] {
  const content = parts.map((part) => (part.type === 'text' ? textPart(part.text) : filePart(part)))
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === content.length ? texts.join('\n') : content
}

const textPart = (text: string): ChatContentPart => ({ type: 'text', text })

function filePart({ data, mediaType }: File): ChatContentPart {
  if (data.type === 'text') return textPart(data.text)
  const isImage = /^image(?:$|\/)/.test(mediaType)
  if (isImage && data.type === 'url') {
    return { type: 'image_url', image_url: { url: data.originalUrl ?? data.url.href } }
  }
  if (isImage && data.type === 'data') {
    const base64 = typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64')
    return { type: 'image_url', image_url: { url: `data:${fullType(mediaType, base64)};base64,${base64}` } }
  }
  if (mediaType.startsWith('text/') && data.type === 'data') {
    const bytes = typeof data.data === 'string' ? Buffer.from(data.data, 'base64') : data.data
    return textPart(new TextDecoder().decode(bytes))
  }
  throw new UnsupportedFunctionalityError({
    functionality: `a file of type ${mediaType}`,
    message: `A file of type ${mediaType} (${data.type}) cannot go into a chat completion. Give images or text.`,
  })
}

function fullType(mediaType: string, base64: string): string {
  if (/^image\/[^*]/.test(mediaType)) return mediaType
  return images.find(([start]) => base64.startsWith(start))?.[1] ?? 'image/png'
}
