import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { partsOf, type WholeReply, wholeReply } from './whole-reply.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const finishReason = { unified: 'stop' as const, raw: 'stop' }
const signed = { acme: { signature: 'x' } }

describe('a whole reply', () => {
  const replies: readonly (readonly [name: string, reply: WholeReply])[] = [
    ['nothing', { content: [], finishReason, usage }],
    [
      'what any provider gives',
      {
        content: [
          { type: 'reasoning', text: 'Hm.', providerMetadata: signed },
          { type: 'text', text: 'Hi' },
          { type: 'text', text: '' },
          { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
          { type: 'tool-call', toolCallId: 'x', toolName: 'add', input: '{}', providerMetadata: signed },
          { type: 'tool-call', toolCallId: 'y', toolName: 'now', input: '' },
        ],
        finishReason,
        usage,
        providerMetadata: signed,
        response: { id: 'c', modelId: 'm' },
      },
    ],
    ['a failure', { content: [{ type: 'text', text: 'H' }], finishReason, usage, failure: { error: 'Gone.' } }],
  ]
  for (const [name, reply] of replies) {
    test(`of ${name} is the same after it was streamed`, () => assert.deepEqual(wholeReply(partsOf(reply)), reply))
  }

  test('keeps what a provider says of a text, wherever it says it', () => {
    const parts: LanguageModelV4StreamPart[] = [
      { type: 'text-start', id: 'a', providerMetadata: { one: {} } },
      { type: 'text-delta', id: 'a', delta: 'Hi', providerMetadata: { two: {} } },
      { type: 'text-end', id: 'a', providerMetadata: { three: {} } },
    ]
    assert.deepEqual(wholeReply(parts).content, [
      { type: 'text', text: 'Hi', providerMetadata: { one: {}, two: {}, three: {} } },
    ])
  })

  test('that has no end did not end well', () => {
    assert.equal(wholeReply([]).finishReason.unified, 'other')
  })
})
