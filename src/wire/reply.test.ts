import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exchange, listed } from './completion.test.ts'
import { type ChatReply, chunksOf, completionOf, eventsOf } from './reply.ts'
import { readCompletion, readEvents } from './response.ts'
import { decodeEvents } from './sse.ts'
import { wholeReply } from './whole-reply.ts'

const head = { id: 'c', model: 'm', created: 60 }

describe('a reply of a server', () => {
  const replies: readonly (readonly [name: string, reply: Omit<ChatReply, keyof typeof head>])[] = [
    ['text', { text: 'Hello, world.', finish: 'stop' }],
    ['wide characters', { text: '😀é😀€😀', finish: 'stop' }],
    ['nothing', { finish: 'stop' }],
    ['no reason', { text: 'Hel', finish: null }],
    ['a cut call', { calls: [{ id: 'x', name: 'add', arguments: '{"a' }], finish: 'length' }],
    [
      'all',
      {
        thought: 'Hm, hm.',
        text: 'I add.',
        calls: [
          { id: 'x', name: 'add', arguments: '{"a":"\\n1"}' },
          { id: 'y', name: 'now', arguments: '' },
        ],
        finish: 'tool_calls',
        usage: { input: 3, output: 2 },
      },
    ],
  ]
  for (const [name, fields] of replies) {
    test(`${name} reads the same whole and in pieces of any length`, async () => {
      const reply = { ...head, ...fields }
      const whole = readCompletion(JSON.stringify(completionOf(reply)), exchange)
      assert.equal(whole.content.map((part) => (part.type === 'text' ? part.text : '')).join(''), fields.text ?? '')
      for (let length = 1; length < 16; length++) {
        const bytes = async function* () {
          yield Buffer.from([...eventsOf(reply, { length, includeUsage: true })].join(''))
        }
        const parts = await listed(readEvents(decodeEvents(bytes()), exchange))
        assert.deepEqual(wholeReply(parts), whole, `in pieces of ${length}`)
      }
    })
  }

  test('goes out in the form that all clients read', () => {
    const reply = { ...head, text: 'abc', calls: [{ id: 'x', name: 'add', arguments: '{}' }], finish: 'tool_calls' }
    const chunks = [...chunksOf({ ...reply, usage: { input: 1, output: 2 } }, { length: 2, includeUsage: true })]
    assert.deepEqual(
      chunks.map(({ choices: [choice] }) => choice?.delta),
      [
        { role: 'assistant', content: '' },
        { content: 'ab' },
        { content: 'c' },
        { tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'add', arguments: '' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
        {},
        undefined,
      ],
    )
    assert.deepEqual(
      chunks.flatMap(({ choices }) => choices.flatMap(({ finish_reason: finish }) => finish ?? [])),
      ['tool_calls'],
    )
    assert.deepEqual(chunks.at(-1)?.usage, { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 })
    assert.equal([...eventsOf(reply)].at(-1), 'data: [DONE]\n\n')
  })

  test('counts tokens in a stream only when asked', () => {
    const chunks = [...chunksOf({ ...head, text: 'a', finish: 'stop', usage: { input: 1, output: 2 } })]
    assert.ok(chunks.every((chunk) => chunk.usage === undefined))
  })

  test('never cuts a character of two units', () => {
    const texts = [...chunksOf({ ...head, text: 'a😀😀b', finish: 'stop' }, { length: 2 })].flatMap(
      ({ choices: [choice] }) => choice?.delta.content || [],
    )
    assert.deepEqual(texts, ['a😀', '😀', 'b'])
  })
})
