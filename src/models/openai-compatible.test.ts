import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { startTestServer } from '../test/index.ts'
import { eventsOf } from '../wire/reply.ts'
import { encodeEvent } from '../wire/sse.ts'
import { wholeReply } from '../wire/whole-reply.ts'
import { call, key, modelAt, oddServer, reply, replyOf, sse, streamed } from './odd-server.test.ts'
import { openAICompatible } from './openai-compatible.ts'

const content = [
  { type: 'text', text: 'Grüße 😀' },
  { type: 'tool-call', toolCallId: 'x', toolName: 'add', input: '{"a":"é"}' },
]

describe('a model behind a server', () => {
  test('answers whole and in a stream alike', async () => {
    await using server = await startTestServer(() => ({ ...reply, thought: 'Hm.', usage: { input: 3, output: 2 } }))
    const result = await modelAt(server.url).doGenerate(call)
    const streamedReply = await replyOf(server.url)
    assert.deepEqual(result.content, [
      { type: 'reasoning', text: 'Hm.' },
      { ...content[0] },
      { ...content[1], toolCallId: 'x' },
    ])
    assert.deepEqual(streamedReply.content, result.content)
    assert.deepEqual(streamedReply.usage, result.usage)
    assert.deepEqual([result.usage.inputTokens.total, result.finishReason.unified], [3, 'tool-calls'])
    assert.equal(result.request?.url, `${server.url}/chat/completions`)
    assert.deepEqual([server.requests[0]?.stream, server.requests[1]?.stream], [undefined, true])
  })

  test('is sent the key, the headers and the extra fields', async () => {
    await using server = await startTestServer(['Hi'])
    const model = openAICompatible({
      baseURL: server.url,
      model: 'test',
      apiKey: `${key}\n`,
      headers: { 'X-One': '1' },
      extraBody: { temperature: 1, options: { num_ctx: 8192 } },
    })
    await model.doGenerate({ ...call, temperature: 0, headers: { 'x-two': '2', 'x-none': undefined } })
    const [request] = server.requests
    assert.deepEqual(
      ['authorization', 'x-one', 'x-two', 'x-none', 'content-type'].map((name) => request?.headers[name]),
      [`Bearer ${key}`, '1', '2', undefined, 'application/json'],
    )
    assert.deepEqual(
      [request?.temperature, new Map(Object.entries(request ?? {})).get('options')],
      [1, { num_ctx: 8192 }],
    )
  })

  test('keeps its connection for the next request, after a stream too', async () => {
    await using server = await oddServer((outgoing) => {
      outgoing.writeHead(200, sse)
      outgoing.write([...eventsOf(reply)].join(''))
      setTimeout(() => outgoing.end(), 1)
    })
    for (let count = 0; count < 9; count++) {
      await replyOf(server.url)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.ok(server.connections() <= 4, `${server.connections()} connections`)
  })

  test('says what it cannot send', async () => {
    await using server = await startTestServer(() => 'Hi')
    const { warnings } = await modelAt(server.url).doGenerate({ ...call, topK: 5 })
    assert.deepEqual(
      warnings.map((warning) => 'feature' in warning && warning.feature),
      ['topK'],
    )
    assert.deepEqual((await streamed(server.url, { topK: 5 }))[0], { type: 'stream-start', warnings })
  })

  const bases: readonly (readonly [given: (port: string) => string, path: string])[] = [
    [(port) => `http://127.0.0.1:${port}`, '/v1/chat/completions'],
    [(port) => `http://127.0.0.1:${port}/`, '/v1/chat/completions'],
    [(port) => `http://127.0.0.1:${port}/v1`, '/v1/chat/completions'],
    [(port) => `http://127.0.0.1:${port}/v1/`, '/v1/chat/completions'],
    [(port) => `http://127.0.0.1:${port}/api/openai`, '/api/openai/chat/completions'],
    [(port) => `http://127.0.0.1:${port}/v1/chat/completions`, '/v1/chat/completions'],
    [(port) => `http://127.0.0.1:${port}/v1?version=2#x`, '/v1/chat/completions?version=2'],
  ]
  for (const [given, path] of bases) {
    test(`at ${given('1')} is asked at ${path}`, async () => {
      const paths: (string | undefined)[] = []
      await using server = await oddServer((outgoing, incoming) => {
        paths.push(incoming.url)
        outgoing.end('{"choices":[{"message":{"content":"Hi"}}]}')
      })
      await modelAt(given(new URL(server.url).port)).doGenerate(call)
      assert.deepEqual(paths, [path])
    })
  }

  const wrong: readonly (readonly [options: Parameters<typeof openAICompatible>[0], message: RegExp])[] = [
    [{ baseURL: 'localhost:8080', model: 'm' }, /"localhost:8080" is no http or https URL. Write it like http:/],
    [{ baseURL: '', model: 'm' }, /"" is no http/],
    [{ baseURL: 'ftp://user:canary@host', model: 'm' }, /"ftp:\/\/host" is no http/],
    [{ baseURL: 'http://h', model: '' }, /name of the model/],
    [{ baseURL: 'http://h', model: 'm', connectTimeout: 0 }, /connectTimeout 0/],
    [{ baseURL: 'http://h', model: 'm', connectTimeout: Number.NaN }, /connectTimeout NaN/],
    [{ baseURL: 'http://h', model: 'm', apiKey: 'can\nary' }, /header authorization has a character/],
  ]
  for (const [options, message] of wrong) {
    test(`with ${inspect(options)} is a TypeError at once`, () => {
      assert.throws(
        () => openAICompatible(options),
        (error) => error instanceof TypeError && message.test(error.message) && !/canary/.test(inspect(error)),
      )
    })
  }
})

describe('a stream over a connection', () => {
  const input = JSON.stringify(JSON.stringify({ a: 'é' }))
  const text = [
    '{"choices":[{"delta":{"content":"Grüße 😀"}}]}',
    `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"add","arguments":${input}}}]}}]}`,
    '{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}',
    '[DONE]',
  ]
    .map(encodeEvent)
    .join('')
  const bytes = Buffer.from(text)

  test('reads the same when it is cut at any byte', async () => {
    await using server = await oddServer(async (outgoing, { headers }) => {
      outgoing.writeHead(200, sse)
      const at = Number(headers['x-cut'])
      await new Promise<void>((resolve) => outgoing.write(bytes.subarray(0, at), () => resolve()))
      setImmediate(() => outgoing.end(bytes.subarray(at)))
    })
    for (let from = 1; from < bytes.length; from += 50) {
      const cuts = Array.from({ length: Math.min(50, bytes.length - from) }, (_, index) => from + index)
      const read = cuts.map((cut) => streamed(server.url, { headers: { 'x-cut': String(cut) } }))
      for (const [index, parts] of (await Promise.all(read)).entries()) {
        assert.deepEqual(wholeReply(parts).content, content, `cut at ${from + index}`)
      }
    }
  })

  const done = 'data: [DONE]\n\n'
  const forms: readonly (readonly [name: string, type: string, body: string])[] = [
    ['CRLF', 'text/event-stream; charset=utf-8', text.replaceAll('\n', '\r\n')],
    ['no [DONE]', 'text/event-stream', text.replace(done, '')],
    ['comments', 'text/event-stream', `: ping\n\n${text.replaceAll('\n\n', '\n\n: ping\n\n')}`],
    ['no type', '', text],
    ['a wrong type', 'application/json', text],
    ['a byte order mark', 'text/event-stream', `\ufeff${text}`],
  ]
  for (const [name, type, body] of forms) {
    test(`with ${name} reads the same`, async () => {
      await using server = await oddServer((outgoing) => {
        if (type !== '') outgoing.setHeader('content-type', type)
        outgoing.end(body)
      })
      assert.deepEqual((await replyOf(server.url)).content, content)
      const { content: whole } = await modelAt(server.url).doGenerate(call)
      assert.deepEqual(whole, content, 'though no stream was asked for')
    })
  }

  test('that never ends after [DONE] is read to its end', async () => {
    await using server = await oddServer((outgoing) => {
      outgoing.writeHead(200, sse)
      outgoing.write(text)
    })
    assert.deepEqual((await replyOf(server.url)).content, content)
  })

  test('may come as a whole completion', async () => {
    await using server = await oddServer((outgoing) => {
      outgoing.setHeader('content-type', 'application/json')
      outgoing.end('{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}')
    })
    const parts = await streamed(server.url)
    assert.deepEqual(
      parts.map(({ type }) => type),
      ['stream-start', 'text-start', 'text-delta', 'text-end', 'finish'],
    )
  })

  test('is given as it comes', async () => {
    let next = (): void => assert.fail('nothing came')
    await using server = await oddServer(async (outgoing) => {
      outgoing.writeHead(200, sse)
      for (const event of eventsOf({ ...reply, text: 'ab', calls: [], finish: 'stop' }, { length: 1 })) {
        outgoing.write(event)
        if (event.includes('"content":"a"'))
          await new Promise<void>((resolve) => {
            next = resolve
          })
      }
      outgoing.end()
    })
    const { stream } = await modelAt(server.url).doStream(call)
    const deltas: string[] = []
    for await (const part of stream) {
      if (part.type !== 'text-delta') continue
      deltas.push(part.delta)
      next()
      next = () => undefined
    }
    assert.deepEqual(deltas, ['a', 'b'])
  })
})
