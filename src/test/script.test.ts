import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APICallError } from '@ai-sdk/provider'
import { call, listOf, modelAt, thrownBy } from '../models/odd-server.test.ts'
import { wholeReply } from '../wire/whole-reply.ts'
import { type Reply, type Script, scriptedModel, startTestServer } from './index.ts'

describe('a script', () => {
  const replies: readonly (readonly [name: string, reply: Reply])[] = [
    ['text', 'Hi'],
    ['nothing', {}],
    [
      'all',
      { thought: 'Hm.', text: 'Hi', calls: [{ name: 'add', arguments: { a: 1 } }], usage: { input: 3, output: 2 } },
    ],
    [
      'calls with ids and broken JSON',
      {
        calls: [
          { name: 'add', arguments: "{'a", id: 'x' },
          { name: 'now', arguments: '' },
        ],
      },
    ],
    ['length', { text: 'Hel', finish: 'length' }],
    ['no reason', { text: 'Hi', finish: null }],
    ['another reason', { text: 'Hi', finish: 'strange' }],
    ['an error', { error: { status: 418, body: { error: { message: 'Teapot.' } }, headers: { 'x-pot': 'tea' } } }],
    ['an error without words', { error: { status: 503 } }],
    ['an error of text', { error: { status: 500, body: 'No.' } }],
    ['a break at once', { text: 'Hi', breakAfter: 0 }],
    ['a break amid it', { text: 'x'.repeat(100), breakAfter: 3 }],
    ['pauses', { text: 'x'.repeat(60), delay: 1, pause: 1 }],
  ]
  for (const [name, reply] of replies) {
    test(`of ${name} plays the same in process and over a connection`, async () => {
      await using server = await startTestServer(() => reply)
      const [here, there] = [scriptedModel(() => reply), modelAt(server.url)].map(async (model) => {
        const whole = await model
          .doGenerate(call)
          .then(({ content, finishReason, usage }) => ({ content, finishReason, usage }), told)
        const streamed = await model.doStream(call).then(async ({ stream }) => {
          const { response, failure, ...rest } = wholeReply(await listOf(stream))
          return { ...rest, failure: failure && told(failure.error) }
        }, told)
        return JSON.parse(JSON.stringify({ whole, streamed }).replaceAll(/call_\d_/g, 'call_'))
      })
      assert.deepEqual(await here, await there)
    })
  }

  /** What an error says, without where. */
  const told = (error: unknown): object => {
    assert.ok(APICallError.isInstance(error), String(error))
    const { message, statusCode, responseBody, isRetryable, responseHeaders } = error
    const pot = responseHeaders?.['x-pot']
    return { message: message.replace(/http:\/\/[^/: ]*(:\d+)?/, ''), statusCode, responseBody, isRetryable, pot }
  }

  test('says its replies in their order, and makes some of them out of the request', async () => {
    const script: Script = [
      'a',
      ({ model, messages }, index) => `${model} ${messages.length} ${index}`,
      async () => 'c',
    ]
    await using server = await startTestServer(script)
    for (const model of [scriptedModel(script, { modelId: 'test' }), modelAt(server.url)]) {
      const texts: unknown[] = []
      for (let count = 0; count < 3; count++) texts.push((await model.doGenerate(call)).content)
      assert.deepEqual(
        texts,
        ['a', 'test 1 1', 'c'].map((text) => [{ type: 'text', text }]),
      )
    }
  })

  test('that has run out says so, and what was asked', async () => {
    await using server = await startTestServer(['a'])
    const message =
      /The script has 1 reply, and this is request 2, which ends with the user saying "Hi"\. Give the script/
    for (const model of [scriptedModel(['a']), modelAt(server.url)]) {
      await model.doGenerate(call)
      assert.match(String(await thrownBy(model.doStream(call))), message)
    }
    const error = await thrownBy(modelAt(server.url).doGenerate(call))
    assert.ok(APICallError.isInstance(error))
    assert.equal(error.statusCode, 500)
  })

  test('that throws is an error of the request', async () => {
    const script = (): never => assert.fail('Not this.')
    await using server = await startTestServer(script)
    for (const model of [scriptedModel(script), modelAt(server.url)]) {
      assert.match(String(await thrownBy(model.doGenerate(call))), /Not this\./)
    }
  })

  test('that is none is a TypeError', () => {
    assert.throws(() => Reflect.apply(scriptedModel, undefined, ['Hi']), /A script is a list of replies/)
  })
})

describe('a scripted model', () => {
  test('keeps what it was asked, as it was then', async () => {
    const model = scriptedModel(() => 'Hi')
    const prompt = [...call.prompt]
    await model.doGenerate({ prompt, temperature: 1 })
    prompt.push(...call.prompt)
    await listOf((await model.doStream({ prompt })).stream)
    assert.deepEqual(
      model.requests.map(({ prompt, temperature }) => [prompt.length, temperature]),
      [
        [1, 1],
        [2, undefined],
      ],
    )
  })

  test('streams in pieces of the length it is given', async () => {
    const { stream } = await scriptedModel(['abcde'], { chunk: 2 }).doStream(call)
    const deltas = (await listOf(stream)).flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))
    assert.deepEqual(deltas, ['ab', 'cd', 'e'])
  })

  test('ends with the signal of the request, before and amid its reply', async () => {
    const reason = new Error('Enough.')
    const given = AbortSignal.abort(reason)
    assert.equal(await thrownBy(scriptedModel(['a']).doGenerate({ ...call, abortSignal: given })), reason)
    const waiting = new AbortController()
    const delayed = thrownBy(scriptedModel([{ delay: 60_000 }]).doGenerate({ ...call, abortSignal: waiting.signal }))
    setImmediate(() => waiting.abort(reason))
    assert.equal(await delayed, reason)
    const amid = new AbortController()
    const { stream } = await scriptedModel([{ text: 'abc', pause: 60_000 }]).doStream({
      ...call,
      abortSignal: amid.signal,
    })
    setImmediate(() => amid.abort(reason))
    assert.equal(await thrownBy(listOf(stream)), reason)
  })
})
