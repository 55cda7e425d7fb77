/** What a client gets of a stream, part by part. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { streamText, wrapLanguageModel } from 'ai'
import { convertArrayToReadableStream, convertReadableStreamToArray, MockLanguageModelV4 } from 'ai/test'
import fc from 'fast-check'
import { runs } from '../../test/texts.ts'
import { dialects, thoughts } from '../read/index.ts'
import { type CallwrightOptions, callwright } from './index.ts'
import {
  byCharacter,
  callOf,
  generated,
  hermes,
  offered,
  partsOf,
  prompt,
  streamed,
  type Turn,
  textOf,
  tides,
  tools,
  wrapped,
} from './scripted.test.ts'

describe('a stream', () => {
  const parts = async (turn: Turn, options: CallwrightOptions = {}, cut = byCharacter) => {
    const { stream } = await wrapped([turn], options, cut).doStream({ prompt: [], tools: offered })
    return convertReadableStreamToArray(stream)
  }

  test('is well-formed: ids open and close once, and no part holds a scrap of a marker', async () => {
    const all = await parts(`Now.\n${tides}\nAnd <think>so</think> then: ${tides} done.`)
    const open = new Set<string>()
    const closed = new Set<string>()
    for (const part of all) {
      if (!('id' in part) || part.id === undefined) continue
      const [, kind, step] = /^(.*)-(start|delta|end)$/.exec(part.type) ?? []
      const key = `${kind} ${part.id}`
      if (step === 'start') {
        assert.ok(!open.has(key) && !closed.has(key), key)
        open.add(key)
      } else assert.ok(open.has(key), `${step} of ${key}`)
      if (step === 'end') {
        open.delete(key)
        closed.add(key)
      }
    }
    assert.deepEqual([...open], [])
    const texts = all.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))
    assert.equal(texts.join(''), 'Now.\n\nAnd  then:  done.')
  })

  test('flows: the input of a call comes in deltas before the call ends', async () => {
    const all = await parts(hermes('write_file', { path: 'a.md', content: 'one\ntwo' }))
    const deltas = all.flatMap((part) => (part.type === 'tool-input-delta' ? [part.delta] : []))
    assert.ok(deltas.length > 5, String(deltas.length))
    assert.deepEqual(JSON.parse(deltas.join('')), { path: 'a.md', content: 'one\ntwo' })
    const [start] = all.filter(({ type }) => type === 'tool-input-start')
    assert.deepEqual(start, { type: 'tool-input-start', id: 'id0', toolName: 'write_file' })
    assert.equal(
      all.findLastIndex(({ type }) => type === 'tool-input-end') + 1,
      all.findIndex(({ type }) => type === 'tool-call'),
    )
  })

  test('closes the input of a call that is refused, and makes no call of it', async () => {
    const all = await parts({
      content: [textOf('<tool_call>{"name": "search", "arguments": {"query": "ti')],
      finish: 'length',
    })
    const kinds = all.map(({ type }) => type).filter((type) => type !== 'tool-input-delta')
    assert.deepEqual(kinds, ['stream-start', 'tool-input-start', 'tool-input-end', 'finish'])
  })

  for (const [what, content, left] of [
    ['the text that is left, and in no call', textOf('So: {"name": "now", "arguments": {}}'), 'So: '],
    ['a native call as it came', callOf('search', '{"query": "a"'), '{"query": "a"'],
  ] as const) {
    test(`without a finish ends in ${what}`, async () => {
      const broken = partsOf({ content: [content], finishReason: { unified: 'stop', raw: 'stop' } }, byCharacter)
      const model = new MockLanguageModelV4({
        doStream: async () => ({ stream: convertArrayToReadableStream(broken.slice(0, -1)) }),
      })
      const middleware = callwright()
      const { stream } = await wrapLanguageModel({ model, middleware }).doStream({ prompt: [], tools: offered })
      const all = await convertReadableStreamToArray(stream)
      const texts = all.map((part) => {
        if (part.type === 'tool-call') return part.input
        return part.type === 'text-delta' ? part.delta : ''
      })
      assert.equal(texts.join(''), left)
    })
  }

  test('passes errors, sources and the rest as they are', async () => {
    const others: LanguageModelV4StreamPart[] = [
      { type: 'response-metadata', id: 'r', modelId: 'm' },
      { type: 'source', sourceType: 'url', id: 's', url: 'https://example.org/' },
      { type: 'raw', rawValue: 1 },
      { type: 'error', error: new Error('overloaded') },
    ]
    const model = new MockLanguageModelV4({
      doStream: async () => ({
        stream: convertArrayToReadableStream<LanguageModelV4StreamPart>([
          { type: 'text-start', id: '0' },
          { type: 'text-delta', id: '0', delta: 'So {"name": "now", "arguments": {}}' },
          ...others,
        ]),
      }),
    })
    const { stream } = await wrapLanguageModel({ model, middleware: callwright() }).doStream({
      prompt: [],
      tools: offered,
    })
    const all = await convertReadableStreamToArray(stream)
    assert.deepEqual(
      all.filter(({ type }) => others.some((other) => other.type === type)),
      others,
    )
    assert.deepEqual(
      all.filter(({ type }) => type === 'tool-call'),
      [],
    )
  })

  test('that is aborted ends, and tells the model so', async () => {
    const controller = new AbortController()
    let isCancelled = false
    const model = new MockLanguageModelV4({
      doStream: async ({ abortSignal }) => ({
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          start(stream) {
            stream.enqueue({ type: 'text-start', id: '0' })
            stream.enqueue({ type: 'text-delta', id: '0', delta: 'The tide is' })
            abortSignal?.addEventListener('abort', () => {
              isCancelled = true
              stream.error(abortSignal.reason)
            })
          },
        }),
      }),
    })
    const kinds: string[] = []
    const { stream } = streamText({
      model: wrapLanguageModel({ model, middleware: callwright() }),
      tools,
      prompt,
      abortSignal: controller.signal,
    })
    for await (const part of stream) {
      kinds.push(part.type)
      if (part.type === 'text-delta') controller.abort()
    }
    assert.equal(kinds.at(-1), 'abort')
    assert.ok(isCancelled)
  })

  test('for any chunks is what the whole reply is', async () => {
    const pieces = [
      ...dialects.flatMap(({ open, close }) => [...open, ...close]),
      ...thoughts.flatMap(({ open, close }) => [open, close]),
      tides,
      hermes('now', {}),
      '[search(query="tides")]',
      '<think>so</think>',
      'Then. ',
      '\n',
      '`now()` ',
      '{"a": 1} ',
      hermes('fly', {}),
      '<tool_call>{"name": "se',
      'é🌊',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...pieces), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('stop' as const, 'length' as const),
        async (said, sizes, finish) => {
          const turn = { content: [textOf(said.join(''))], finish }
          const cut = (text: string): string[] => {
            const chunks: string[] = []
            for (let at = 0, turn = 0; at < text.length; turn++) {
              const size = sizes[turn % sizes.length] ?? 1
              chunks.push(text.slice(at, at + size))
              at += size
            }
            return chunks
          }
          assert.deepEqual(await streamed(turn, {}, cut), await generated(turn))
        },
      ),
      runs(100),
    )
  })
})
