import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { APICallError, type LanguageModelV4CallOptions, type LanguageModelV4Message } from '@ai-sdk/provider'
import { type Script, scriptedModel } from '../test/index.ts'
import { wholeReply } from '../wire/whole-reply.ts'
import { replayedReplies, savedReplies } from './index.ts'
import { call, listOf, thrownBy } from './odd-server.test.ts'

const folder = mkdtempSync(join(tmpdir(), 'callwright-recording-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = (): string => join(folder, 'deep', `${files++}.jsonl`)

/** A recording of a model that was asked these things, whole or in a stream. */
async function recorded(script: Script, calls: readonly LanguageModelV4CallOptions[], stream = false): Promise<string> {
  const file = newFile()
  const model = savedReplies(scriptedModel(script), file)
  for (const call of calls) {
    if (stream) await listOf((await model.doStream(call)).stream)
    else await model.doGenerate(call)
  }
  return file
}

const said = (text: string): LanguageModelV4CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
})

describe('a recording', () => {
  const reply = {
    thought: 'Hm.',
    text: 'I add.',
    calls: [{ name: 'add', arguments: '{"a":1' }],
    finish: 'length',
    usage: { input: 3, output: 2 },
  }
  for (const stream of [false, true]) {
    test(`made ${stream ? 'of streams' : 'of whole replies'} gives the same replies, whole and in streams`, async () => {
      const script = [reply, 'Done.']
      const direct = scriptedModel(script)
      const wanted = [await direct.doGenerate(said('a')), await direct.doGenerate(said('b'))].map(
        ({ content, finishReason, usage }) => ({ content, finishReason, usage }),
      )
      const file = await recorded(script, [said('a'), said('b')], stream)
      const whole = replayedReplies(file)
      const streaming = replayedReplies(file)
      for (const [index, options] of [said('a'), said('b')].entries()) {
        const { content, finishReason, usage } = await whole.doGenerate(options)
        assert.deepEqual({ content, finishReason, usage }, wanted[index])
        const parts = await listOf((await streaming.doStream(options)).stream)
        assert.deepEqual(wholeReply(parts), wanted[index])
      }
    })
  }

  test('holds no headers and no keys', async () => {
    const options = { headers: { authorization: 'Bearer canary' }, providerOptions: { acme: { apiKey: 'canary' } } }
    const file = await recorded(['Hi'], [{ ...call, ...options }])
    assert.doesNotMatch(readFileSync(file, 'utf8'), /canary/)
    assert.match(readFileSync(file, 'utf8'), /"text":"Hi"/)
  })

  test('keeps an error, with what decides how to go on', async () => {
    const error = { status: 429, body: '{"error":{"message":"Slow down."}}', headers: { 'x-key': 'canary' } }
    for (const stream of [false, true]) {
      const file = newFile()
      const model = savedReplies(scriptedModel([{ error }]), file)
      const first = await thrownBy(stream ? model.doStream(call) : model.doGenerate(call))
      const again = replayedReplies(file)
      const second = await thrownBy(stream ? again.doStream(call) : again.doGenerate(call))
      assert.ok(APICallError.isInstance(first) && APICallError.isInstance(second))
      assert.deepEqual(
        [second.message, second.statusCode, second.responseBody, second.isRetryable],
        [first.message, 429, error.body, true],
      )
      assert.doesNotMatch(readFileSync(file, 'utf8'), /canary/)
    }
  })

  test('keeps an error of another kind', async () => {
    const file = newFile()
    const failing = (): never => {
      throw new RangeError('Too much.')
    }
    await thrownBy(savedReplies(scriptedModel(failing), file).doGenerate(call))
    const error = await thrownBy(replayedReplies(file).doGenerate(call))
    assert.ok(error instanceof Error)
    assert.deepEqual([error.name, error.message], ['RangeError', 'Too much.'])
  })

  test('keeps what came of a stream that broke', async () => {
    const file = await recorded([{ text: 'Hello, all of you out there.', breakAfter: 2 }], [call], true)
    const { content, failure, finishReason } = wholeReply(
      await listOf((await replayedReplies(file).doStream(call)).stream),
    )
    assert.deepEqual([content, finishReason.unified], [[{ type: 'text', text: 'Hello, all of you out th' }], 'error'])
    assert.ok(APICallError.isInstance(failure?.error) && failure.error.isRetryable)
    assert.match(String(await thrownBy(replayedReplies(file).doGenerate(call))), /broke before the reply had ended/)
  })

  test('keeps what came of a stream that was cancelled or aborted', async () => {
    const file = newFile()
    const controller = new AbortController()
    const model = savedReplies(
      scriptedModel(() => ({ text: 'abc' }), { chunk: 1 }),
      file,
    )
    for (const options of [call, { ...call, abortSignal: controller.signal }]) {
      const reader = (await model.doStream(options)).stream.getReader()
      for (let type = ''; type !== 'text-delta'; ) type = (await reader.read()).value?.type ?? 'text-delta'
      if (options === call) await reader.cancel()
      else controller.abort()
      while (options !== call && (await reader.read().catch(() => ({ done: true }))).done === false);
    }
    const again = replayedReplies(file)
    assert.deepEqual(wholeReply(await listOf((await again.doStream(call)).stream)).content, [
      { type: 'text', text: 'a' },
    ])
    const { failure } = wholeReply(await listOf((await again.doStream(call)).stream))
    assert.ok(failure?.error instanceof Error)
    assert.equal(failure.error.name, 'AbortError')
  })

  const tool = (name: string) => ({ type: 'function' as const, name, inputSchema: { type: 'object' as const } })
  const withCall = (toolCallId: string, value: string, resultId = toolCallId): LanguageModelV4Message[] => [
    ...call.prompt,
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'add', input: { a: 1 } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: resultId, toolName: 'add', output: { type: 'text', value } }],
    },
  ]
  const long = 'x'.repeat(300)
  const requests: readonly (readonly [
    name: string,
    before: LanguageModelV4CallOptions,
    now: LanguageModelV4CallOptions,
    difference: string | undefined,
  ])[] = [
    ['the same', said('a'), said('a'), undefined],
    ['other settings', { ...said('a'), temperature: 0 }, { ...said('a'), temperature: 1 }, undefined],
    ['ids that were made up anew', { prompt: withCall('x', '3') }, { prompt: withCall('y', '3') }, undefined],
    [
      "a provider's options",
      said('a'),
      { prompt: said('a').prompt.map((message) => ({ ...message, providerOptions: { acme: { cached: true } } })) },
      undefined,
    ],
    ['another text', said('a'), said('b'), 'messages[0].content[0].text was "a" and is now "b"'],
    [
      'a text that differs late',
      said(`${long}a${long}`),
      said(`${long}b${long}`),
      `messages[0].content[0].text was …"${'x'.repeat(20)}a${'x'.repeat(39)}"… and is now …"${'x'.repeat(20)}b${'x'.repeat(39)}"…`,
    ],
    [
      'another result',
      { prompt: withCall('x', '3') },
      { prompt: withCall('x', '4') },
      'messages[2].content[0].output.value was "3" and is now "4"',
    ],
    [
      'a result of another call',
      { prompt: withCall('x', '3') },
      { prompt: withCall('x', '3', 'z') },
      'messages[2].content[0].toolCallId was "call 1" and is now "call 2"',
    ],
    [
      'one message more',
      said('a'),
      { prompt: [...said('a').prompt, { role: 'system', content: 'b' }] },
      'messages[1] was not there and is now {"role":"system","content":"b"}',
    ],
    [
      'another tool',
      { ...call, tools: [tool('a')] },
      { ...call, tools: [tool('b')] },
      'tools[0] was "a" and is now "b"',
    ],
    ['one tool less', { ...call, tools: [tool('a')] }, call, 'tools[0] was "a" and is now not there'],
  ]
  for (const [name, before, now, difference] of requests) {
    test(`and a request with ${name}`, async () => {
      const file = await recorded(['Hi'], [before])
      const asked = replayedReplies(file).doGenerate(now)
      if (difference === undefined) assert.equal((await asked).content.length, 1)
      else {
        const remedy = 'Record it anew, or give { check: false }.'
        const message = `Request 1 is not the one in the recording ${file}: ${difference}. ${remedy}`
        assert.equal(String(await thrownBy(asked)), `Error: ${message}`)
        assert.equal((await replayedReplies(file, { check: false }).doGenerate(now)).content.length, 1)
      }
    })
  }

  test('compares images by their bytes', async () => {
    const image = (...bytes: number[]): LanguageModelV4CallOptions => ({
      prompt: [
        {
          role: 'user',
          content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: Buffer.from(bytes) } }],
        },
      ],
    })
    const file = await recorded(['Hi'], [image(1, 2, 3)])
    assert.equal((await replayedReplies(file).doGenerate(image(1, 2, 3))).content.length, 1)
    assert.match(String(await thrownBy(replayedReplies(file).doGenerate(image(1, 2, 4)))), /"AQID" and is now "AQIE"/)
  })

  test('that has no reply left says so', async () => {
    const model = replayedReplies(await recorded(['Hi'], [call]))
    await model.doGenerate(call)
    assert.match(String(await thrownBy(model.doGenerate(call))), /has 1 reply, and this is request 2. Record it anew\./)
  })

  test('that is not there, or holds something else, says so', async () => {
    assert.throws(() => replayedReplies(join(folder, 'none.jsonl')), /no recording at .*none\.jsonl. Make one with/)
    const file = await recorded(['Hi'], [call])
    appendFileSync(file, '\n{"reply":{}}\n')
    assert.throws(() => replayedReplies(file), /Line 3 of .* is no recorded reply/)
  })
})
