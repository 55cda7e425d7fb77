import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { call, choice, exchange, listed, oneByOne, partsOf, type Shown, shown } from './completion.test.ts'
import { readEvents } from './response.ts'
import { wholeReply } from './whole-reply.ts'

describe('a stream', () => {
  const start = (index: number | undefined, id: string | undefined, name: string | undefined, input = ''): object =>
    call(name, input, { ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }) })
  const more = (index: number | undefined, input: string, others: object = {}): object =>
    call(undefined, input, { ...(index === undefined ? {} : { index }), ...others })
  const calls = (...pieces: object[]): object => choice({ delta: { tool_calls: pieces } })
  const one = [['x', 'add', '{"a":1}']]
  const two = [
    ['x', 'add', '{"a":1}'],
    ['y', 'sub', '{"b":2}'],
  ]
  const unnamed = two.map(([, ...rest]) => ['?', ...rest])

  const cases: readonly (readonly [name: string, chunks: readonly unknown[], content: readonly Shown[]])[] = [
    ['of text', [choice({ delta: { content: 'He' } }), choice({ delta: { content: 'y' } })], ['Hey']],
    [
      'of a thought and text',
      [
        choice({ delta: { reasoning: 'Hm' } }),
        choice({ delta: { reasoning: '.' } }),
        choice({ delta: { content: 'a' } }),
      ],
      [['thought', 'Hm.'], 'a'],
    ],
    [
      'of text around a call',
      [
        choice({ delta: { content: 'a' } }),
        calls(start(0, 'x', 'add', '{"a":1}')),
        choice({ delta: { content: 'b' } }),
      ],
      ['a', 'b', ...one],
    ],
    ['of one call', [calls(start(0, 'x', 'add')), calls(more(0, '{"a"')), calls(more(0, ':1}'))], one],
    ['of a call in one piece', [calls(start(0, 'x', 'add', '{"a":1}'))], one],
    ['whose index starts at 1', [calls(start(1, 'x', 'add')), calls(more(1, '{"a":1}'))], one],
    [
      'of two calls by turns',
      [calls(start(0, 'x', 'add'), start(1, 'y', 'sub')), calls(more(1, '{"b":2}')), calls(more(0, '{"a":1}'))],
      two,
    ],
    [
      'without index',
      [
        calls(start(undefined, 'x', 'add')),
        calls(more(undefined, '{"a":1}')),
        calls(start(undefined, 'y', 'sub')),
        calls(more(undefined, '{"b":2}')),
      ],
      two,
    ],
    [
      'without index and id',
      [calls(start(undefined, undefined, 'add', '{"a":1}')), calls(start(undefined, undefined, 'sub', '{"b":2}'))],
      unnamed,
    ],
    [
      'without index and id, in one piece',
      [calls(start(undefined, undefined, 'add', '{"a":1}'), start(undefined, undefined, 'sub', '{"b":2}'))],
      unnamed,
    ],
    [
      'with one index for two ids',
      [calls(start(0, 'x', 'add')), calls(more(0, '{"a":1}')), calls(start(0, 'y', 'sub')), calls(more(0, '{"b":2}'))],
      two,
    ],
    [
      'with one index and one id for two whole calls',
      [calls(start(0, 'x', 'add', '{"a":1}')), calls(start(0, 'x', 'add', '{"b":2}'))],
      [
        ['x', 'add', '{"a":1}'],
        ['?', 'add', '{"b":2}'],
      ],
    ],
    [
      'with one index and no ids for two tools',
      [calls(start(0, undefined, 'add', '{"a"')), calls(more(0, ':1}')), calls(start(0, undefined, 'sub', '{"b":2}'))],
      unnamed,
    ],
    [
      'without index, ids and arguments',
      [calls(start(undefined, undefined, 'now')), calls(start(undefined, undefined, 'then'))],
      [
        ['?', 'now', ''],
        ['?', 'then', ''],
      ],
    ],
    [
      'with one index and no ids after broken arguments',
      [calls(start(0, undefined, 'add', "{'a'")), calls(start(0, undefined, 'sub', '{"b":2}'))],
      [
        ['?', 'add', "{'a'"],
        ['?', 'sub', '{"b":2}'],
      ],
    ],
    [
      'with the same name and index in one event',
      [calls(start(0, undefined, 'now'), start(0, undefined, 'now'))],
      [
        ['?', 'now', ''],
        ['?', 'now', ''],
      ],
    ],
    [
      'that repeats id and name',
      [calls(start(0, 'x', 'add')), calls(start(0, 'x', 'add', '{"a"')), calls(start(0, 'x', 'add', ':1}'))],
      one,
    ],
    ['with a new id for each piece', [calls(start(0, 'x', 'add')), calls(more(0, '{"a":1}', { id: 'z' }))], one],
    ['whose id is an empty text later', [calls(start(0, 'x', 'add')), calls(more(0, '{"a":1}', { id: '' }))], one],
    ['whose name comes late', [calls(more(0, '{"a"', { id: 'x' })), calls(start(0, undefined, 'add', ':1}'))], one],
    [
      'whose name comes in pieces',
      [calls(start(0, 'x', 'a')), calls(start(0, undefined, 'dd')), calls(more(0, '{"a":1}'))],
      one,
    ],
    ['whose name grows', [calls(start(0, 'x', 'a')), calls(start(0, 'x', 'add')), calls(more(0, '{"a":1}'))], one],
    ['whose first piece alone has no index', [calls(start(undefined, 'x', 'add')), calls(more(0, '{"a":1}'))], one],
    ['whose first piece alone has an index', [calls(start(0, 'x', 'add')), calls(more(undefined, '{"a":1}'))], one],
    ['with arguments as an object', [calls(call('add', { a: 1 }, { index: 0, id: 'x' }))], one],
    ['with null for arguments', [calls(call('add', null, { index: 0, id: 'x' })), calls(more(0, '{"a":1}'))], one],
    ['of a call without arguments', [calls(start(0, 'x', 'now'))], [['x', 'now', '']]],
    [
      'with events that say nothing',
      [{}, { choices: [] }, choice({ delta: { content: 'a' } }), { usage: null }],
      ['a'],
    ],
    [
      'of another choice too',
      [{ choices: [{ index: 1, delta: { content: 'b' } }] }, choice({ delta: { content: 'a' } })],
      ['a'],
    ],
    [
      'that repeats all of it at the end',
      [choice({ delta: { content: 'a' } }), choice({ message: { content: 'a' } }, 'stop')],
      ['a'],
    ],
  ]
  for (const [name, chunks, content] of cases) {
    test(name, async () => {
      const parts = await partsOf([...chunks, choice({ delta: {} }, 'stop')])
      assert.deepEqual(shown(wholeReply(parts)), content)
      assertWellFormed(parts)
    })
  }

  test('tells of everything in its order', async () => {
    const chunks = [
      { ...choice({ delta: { role: 'assistant', content: '' } }), id: 'c', model: 'm' },
      choice({ delta: { reasoning_content: 'Hm.' } }),
      choice({ delta: { content: 'I add.' } }),
      calls(start(0, 'x', 'add')),
      calls(more(0, '{"a"')),
      calls(more(0, ':1}')),
      choice({ delta: {} }, 'tool_calls'),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
    ]
    const parts = await partsOf(chunks)
    assert.deepEqual(parts.slice(0, -1), [
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: 'c', modelId: 'm' },
      { type: 'reasoning-start', id: 'reasoning-0' },
      { type: 'reasoning-delta', id: 'reasoning-0', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'reasoning-0' },
      { type: 'text-start', id: 'text-1' },
      { type: 'text-delta', id: 'text-1', delta: 'I add.' },
      { type: 'text-end', id: 'text-1' },
      { type: 'tool-input-start', id: 'x', toolName: 'add' },
      { type: 'tool-input-delta', id: 'x', delta: '{"a"' },
      { type: 'tool-input-delta', id: 'x', delta: ':1}' },
      { type: 'tool-input-end', id: 'x' },
      { type: 'tool-call', toolCallId: 'x', toolName: 'add', input: '{"a":1}' },
    ])
    const last = parts.at(-1)
    assert.ok(last?.type === 'finish')
    assert.deepEqual(last.finishReason, { unified: 'tool-calls', raw: 'tool_calls' })
    assert.deepEqual([last.usage.inputTokens.total, last.usage.outputTokens.total], [3, 2])
  })

  test('gives each chunk as it came, when asked to', async () => {
    const chunk = choice({ delta: { content: 'a' } })
    const parts = await listed(readEvents(oneByOne([chunk]), exchange, { includeRawChunks: true }))
    assert.deepEqual(parts[1], { type: 'raw', rawValue: chunk })
  })

  test('that ends without a reason ended for another', async () => {
    const { finishReason, failure } = wholeReply(await partsOf([choice({ delta: { content: 'a' } })]))
    assert.deepEqual([finishReason, failure], [{ unified: 'other', raw: undefined }, undefined])
  })

  const failures: readonly (readonly [name: string, chunks: readonly unknown[], message: RegExp])[] = [
    [
      'with an error in it',
      [calls(start(0, 'x', 'add', '{"a"')), { error: { message: 'Gone.', code: 500 } }],
      /It said: Gone\.$/,
    ],
    ['with an event that is no JSON', [calls(start(0, 'x', 'add', '{"a"')), '{"choices'], /It sent "\{"choices"/],
    ['with an event that is no object', ['"hello"'], /It sent ""hello""/],
    ['with nothing in it', [], /ended without a word/],
    ['with no reply in it', [{ usage: { prompt_tokens: 1 } }], /ended without a word/],
  ]
  for (const [name, chunks, message] of failures) {
    test(`${name} breaks off, and makes no call`, async () => {
      const parts = await partsOf(chunks)
      const { content, failure, finishReason } = wholeReply(parts)
      assert.ok(APICallError.isInstance(failure?.error))
      assert.match(failure.error.message, message)
      assert.deepEqual([content, finishReason.unified], [[], 'error'])
      assertWellFormed(parts)
    })
  }

  test('keeps the text that came before an error', async () => {
    const { content } = wholeReply(await partsOf([choice({ delta: { content: 'a' } }), { error: 'Gone.' }]))
    assert.deepEqual(content, [{ type: 'text', text: 'a' }])
  })

  test('ends with what is thrown on the way, unless that is an error of the call', async () => {
    const abort = new Error('Aborted.')
    async function* broken(): AsyncGenerator<string> {
      yield JSON.stringify(choice({ delta: { content: 'a' } }))
      throw abort
    }
    await assert.rejects(listed(readEvents(broken(), exchange)), abort)
  })

  test('that breaks after its end is whole', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield JSON.stringify(choice({ delta: { content: 'a' } }, 'stop'))
      throw new Error('Gone.')
    }
    const { content, finishReason } = wholeReply(await listed(readEvents(broken(), exchange)))
    assert.deepEqual([content, finishReason.unified], [[{ type: 'text', text: 'a' }], 'stop'])
  })

  /** Every start has its end, deltas stand between them, and the deltas of a call are its input. */
  function assertWellFormed(parts: readonly LanguageModelV4StreamPart[]): void {
    const open = new Map<string, string>()
    const ended = new Map<string, string>()
    for (const part of parts) {
      if (part.type === 'tool-call') assert.equal(ended.get(part.toolCallId), part.input)
      if (!('id' in part) || part.id === undefined) continue
      if (part.type.endsWith('-start')) {
        assert.ok(!open.has(part.id) && !ended.has(part.id))
        open.set(part.id, '')
      }
      if ('delta' in part) open.set(part.id, `${open.get(part.id) ?? assert.fail('not open')}${part.delta}`)
      if (part.type.endsWith('-end')) {
        ended.set(part.id, open.get(part.id) ?? assert.fail('not open'))
        open.delete(part.id)
      }
    }
    assert.equal(open.size, 0)
    assert.equal(parts.at(-1)?.type, 'finish')
  }
})
