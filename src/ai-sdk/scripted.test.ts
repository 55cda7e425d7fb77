/** A model that says what the tests want, whole or in pieces, and what a client sees of it. */
import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { generateText, jsonSchema, streamText, wrapLanguageModel } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { z } from 'zod'
import { type CallwrightOptions, callwright, refusedCalls } from './index.ts'

export type Turn = string | { readonly content: LanguageModelV4Content[]; readonly finish?: Unified }
type Unified = LanguageModelV4FinishReason['unified']
type Cut = (text: string) => readonly string[]

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

export const byCharacter: Cut = (text) => [...text]

/** Says these turns one after the other. */
export function scripted(turns: readonly Turn[], cut: Cut = byCharacter): MockLanguageModelV4 {
  let said = 0
  const next = (): LanguageModelV4GenerateResult => resultOf(turns[said++] ?? 'Done.')
  return new MockLanguageModelV4({
    doGenerate: async () => next(),
    doStream: async () => ({ stream: convertArrayToReadableStream(partsOf(next(), cut)) }),
  })
}

function resultOf(turn: Turn): LanguageModelV4GenerateResult {
  const { content, finish = 'stop' } = typeof turn === 'string' ? { content: [textOf(turn)] } : turn
  return { content, finishReason: { unified: finish, raw: finish }, usage, warnings: [] }
}

export const textOf = (text: string): LanguageModelV4Content => ({ type: 'text', text })

export const callOf = (toolName: string, input: string): LanguageModelV4Content => ({
  type: 'tool-call',
  toolCallId: 'native',
  toolName,
  input,
})

/** The parts in which a provider would stream a reply. */
export function partsOf(
  { content, finishReason }: Pick<LanguageModelV4GenerateResult, 'content' | 'finishReason'>,
  cut: Cut,
): LanguageModelV4StreamPart[] {
  const parts = content.flatMap((part, index): LanguageModelV4StreamPart[] => {
    const id = String(index)
    if (part.type === 'text' || part.type === 'reasoning') {
      const { type, text, providerMetadata } = part
      const deltas = cut(text).map((delta) => ({ type: `${type}-delta` as const, id, delta }))
      return [
        { type: `${type}-start`, id, ...(providerMetadata ? { providerMetadata } : {}) },
        ...deltas,
        { type: `${type}-end`, id },
      ]
    }
    if (part.type !== 'tool-call') return [part]
    const { toolCallId, toolName, input } = part
    return [
      { type: 'tool-input-start', id: toolCallId, toolName },
      ...cut(input).map((delta) => ({ type: 'tool-input-delta' as const, id: toolCallId, delta })),
      { type: 'tool-input-end', id: toolCallId },
      part,
    ]
  })
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }]
}

export const tools = {
  search: {
    description: 'Searches.',
    inputSchema: z.object({ query: z.string(), limit: z.number().int().optional() }),
  },
  write_file: {
    inputSchema: jsonSchema<{ path: string; content: string }>({
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    }),
  },
  now: { inputSchema: z.object({}) },
}
export const prompt = 'What is the tide?'

export function wrapped(turns: readonly Turn[], options: CallwrightOptions = {}, cut = byCharacter) {
  let count = 0
  const generateId = (): string => `id${count++}`
  return wrapLanguageModel({ model: scripted(turns, cut), middleware: callwright({ generateId, ...options }) })
}

export type Shown = string | readonly [string, unknown]
interface SeenPart {
  readonly type: string
  readonly text?: unknown
  readonly toolName?: unknown
  readonly input?: unknown
  readonly invalid?: unknown
}

/** Content as the tables write it: texts, and calls or thoughts as pairs. */
export const shown = (content: readonly SeenPart[]): Shown[] =>
  content
    .filter(({ type }) => ['text', 'reasoning', 'tool-call'].includes(type))
    .map((part) => {
      if (part.type === 'text') return String(part.text)
      if (part.type === 'reasoning') return ['thought', part.text]
      return [`${part.invalid ? 'invalid ' : ''}${part.toolName}`, part.input]
    })

export async function generated(turn: Turn, options?: CallwrightOptions) {
  const result = await generateText({ model: wrapped([turn], options), tools, prompt })
  const { finishReason, providerMetadata } = result.finalStep
  return [shown(result.content), finishReason, refusedCalls(providerMetadata).map(codesOf)] as const
}

export async function streamed(turn: Turn, options?: CallwrightOptions, cut = byCharacter) {
  const result = streamText({ model: wrapped([turn], options, cut), tools, prompt })
  const content = shown(await result.content)
  const metadata = (await result.finalStep).providerMetadata
  return [content, await result.finishReason, refusedCalls(metadata).map(codesOf)] as const
}

export const codesOf = ({ name, problems }: { name?: string; problems: readonly { code: string }[] }) =>
  [name ?? '?', ...problems.map(({ code }) => code)].join(' ')

export const hermes = (name: string, given: unknown): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`
export const tides = hermes('search', { query: 'tides' })
export const found = ['search', { query: 'tides' }] as const

export const offered = [
  {
    type: 'function' as const,
    name: 'search',
    inputSchema: { type: 'object' as const, properties: { query: { type: 'string' as const } }, required: ['query'] },
  },
  {
    type: 'function' as const,
    name: 'write_file',
    inputSchema: {
      type: 'object' as const,
      properties: { path: { type: 'string' as const }, content: { type: 'string' as const } },
    },
  },
  { type: 'function' as const, name: 'now', inputSchema: { type: 'object' as const, properties: {} } },
]
