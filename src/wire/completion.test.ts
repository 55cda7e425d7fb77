/** Bodies and chunks as servers send them, and how the tables show what was read. */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { readEvents } from './response.ts'
import type { WholeReply } from './whole-reply.ts'

export const exchange = { url: 'http://127.0.0.1:1/v1/chat/completions', request: { model: 'm' } }

/** Content as the tables write it: texts, and thoughts or calls as lists. Ids that were made up are `?`. */
export type Shown = string | readonly string[]
export const shown = ({ content }: WholeReply): Shown[] =>
  content.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'reasoning') return ['thought', part.text]
    if (part.type !== 'tool-call') return part.type
    return [/^[0-9A-Za-z]{9}$/.test(part.toolCallId) ? '?' : part.toolCallId, part.toolName, part.input]
  })

export async function* oneByOne(chunks: readonly unknown[]): AsyncGenerator<string> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? chunk : JSON.stringify(chunk)
}

export async function partsOf(chunks: readonly unknown[]): Promise<LanguageModelV4StreamPart[]> {
  return listed(readEvents(oneByOne(chunks), exchange))
}

export const choice = (fields: object, finish: string | null = null): object => ({
  choices: [{ index: 0, ...fields, finish_reason: finish }],
})
export const call = (name: unknown, input: unknown, others: object = {}): object => ({
  ...others,
  type: 'function',
  function: { ...(name === undefined ? {} : { name }), ...(input === undefined ? {} : { arguments: input }) },
})

/** All that comes, as a list. */
export async function listed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
