import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { APICallError } from '@ai-sdk/provider'
import { startTestServer } from '../test/index.ts'
import { wholeReply } from '../wire/whole-reply.ts'
import {
  call,
  key,
  listOf,
  modelAt,
  oddServer,
  reply,
  replyOf,
  silentServer,
  sse,
  thrownBy,
} from './odd-server.test.ts'
import { openAICompatible } from './openai-compatible.ts'

describe('an answer that is none', () => {
  const page = '<!doctype html><html><head><title>502 Bad Gateway</title></head></html>'
  const answers: readonly (readonly [
    name: string,
    status: number,
    headers: Record<string, string>,
    body: string,
    message: RegExp,
    isRetryable: boolean,
  ])[] = [
    [
      'a limit',
      429,
      { 'retry-after': '7' },
      '{"error":{"message":"Slow down."}}',
      /status 429. Wait, then .* It said: Slow down\.$/,
      true,
    ],
    [
      'a web page',
      502,
      { 'content-type': 'text/html' },
      page,
      /status 502. Try again.* It said: "<!doctype html>.*502 Bad Gateway/,
      true,
    ],
    ['a busy server', 503, {}, '', /status 503.* It said: nothing$/, true],
    ['a conflict', 409, {}, '{}', /status 409/, true],
    ['a timeout', 408, {}, '', /status 408. Try again/, true],
    ['a bad request', 400, {}, '{"error":"no such field"}', /status 400. It said: no such field$/, false],
    ['another form', 422, {}, '{"detail":"no such field"}', /status 422. It said: no such field$/, false],
    [
      'a wrong key',
      401,
      {},
      `{"error":{"message":"The key ${key} is wrong."}}`,
      /status 401. Give an API key .* The key \[hidden\] is wrong\.$/,
      false,
    ],
    [
      'a wrong path',
      404,
      {},
      '404 page not found',
      /status 404. Look whether the base URL .* "404 page not found"$/,
      false,
    ],
    [
      'a redirect',
      301,
      { location: 'https://example.com/v1' },
      '',
      /sends you to https:\/\/example\.com\/v1: give that as base URL/,
      false,
    ],
    [
      'a web page that is fine',
      200,
      { 'content-type': 'text/html' },
      page,
      /no chat completion. Look whether the base URL is right. It sent "<!doctype/,
      false,
    ],
    [
      'an error that is fine',
      200,
      {},
      `{"error":{"message":"Key ${key} is used up."}}`,
      /It said: Key \[hidden\] is used up\.$/,
      false,
    ],
  ]
  for (const [name, status, headers, body, message, isRetryable] of answers) {
    test(`${name} is an error that says what to do, and holds no key`, async () => {
      await using server = await oddServer((outgoing) => {
        outgoing.writeHead(status, { ...headers, 'x-echo': key })
        outgoing.end(body)
      })
      for (const error of [
        await thrownBy(modelAt(server.url).doGenerate(call)),
        await thrownBy(modelAt(server.url).doStream(call)),
      ]) {
        assert.ok(APICallError.isInstance(error), inspect(error))
        assert.match(error.message, message)
        assert.deepEqual([error.statusCode, error.isRetryable], [status, isRetryable])
        assert.equal(error.url, `${server.url}/chat/completions`)
        assert.equal(error.responseBody, body.replace(key, '[hidden]'))
        assert.equal(error.responseHeaders?.['x-echo'], '[hidden]')
        assert.equal(error.responseHeaders?.['retry-after'], headers['retry-after'])
        assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(key))
      }
    })
  }

  test('a key in the URL or in a header stands in no error', async () => {
    await using server = await oddServer((outgoing, { url = '', headers }) => {
      outgoing.writeHead(400)
      outgoing.end(`${url} ${headers.authorization} ${headers['x-api-key']} canary-password canary-token`)
    })
    const { port } = new URL(server.url)
    const model = openAICompatible({
      baseURL: `http://me:canary-password@127.0.0.1:${port}/v1?api_key=canary-parameter`,
      model: 'm',
      headers: { 'X-API-Key': 'canary-header', 'X-Auth': 'Token canary-token' },
    })
    const error = await thrownBy(model.doGenerate(call))
    assert.ok(APICallError.isInstance(error))
    assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes('canary'), error.message)
    assert.equal(error.responseBody, '/v1/chat/completions?api_key=[hidden] [hidden] [hidden] [hidden] [hidden]')
  })

  test('an error in a stream comes after what came before it', async () => {
    await using server = await oddServer((outgoing) => {
      outgoing.writeHead(200, sse)
      outgoing.end(
        'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"error":{"message":"Gone.","code":503}}\n\n',
      )
    })
    const { content, failure, finishReason } = await replyOf(server.url)
    assert.deepEqual([content, finishReason.unified], [[{ type: 'text', text: 'a' }], 'error'])
    assert.ok(APICallError.isInstance(failure?.error) && failure.error.isRetryable)
    assert.match(failure.error.message, /It said: Gone\.$/)
    assert.match(String(await thrownBy(modelAt(server.url).doGenerate(call))), /It said: Gone\.$/)
  })
})

describe('a connection', () => {
  test('that nobody takes is an error that says what to do', async () => {
    const { port, [Symbol.asyncDispose]: close } = await silentServer()
    await close()
    const error = await thrownBy(modelAt(`http://127.0.0.1:${port}/v1`).doStream(call))
    assert.ok(APICallError.isInstance(error))
    const message = `Nothing answers at http://127.0.0.1:${port}: start the server, or give another base URL.`
    assert.deepEqual([error.message, error.isRetryable], [message, true])
  })

  test('that cannot be asked for with such a header is a TypeError', async () => {
    await using server = await startTestServer(['Hi'])
    const error = await thrownBy(modelAt(server.url).doGenerate({ ...call, headers: { 'x-one': 'two\nlines' } }))
    assert.ok(error instanceof TypeError)
  })

  test('that breaks before the answer may be tried again', async () => {
    await using server = await oddServer((outgoing) => void outgoing.destroy())
    const error = await thrownBy(modelAt(server.url).doGenerate(call))
    assert.ok(APICallError.isInstance(error) && error.isRetryable)
    assert.match(error.message, /broke before the reply had ended. Try again\./)
  })

  test('that breaks amid a whole answer gives no answer', async () => {
    await using server = await startTestServer([{ text: 'Hello', breakAfter: 90 }])
    const error = await thrownBy(modelAt(server.url).doGenerate(call))
    assert.ok(APICallError.isInstance(error) && error.isRetryable)
  })

  test('that breaks amid a stream ends it with an error, and makes no call', async () => {
    await using server = await startTestServer([{ ...reply, breakAfter: 4 }])
    const { content, failure, finishReason } = await replyOf(server.url)
    assert.deepEqual([content, finishReason.unified], [[{ type: 'text', text: 'Grüße 😀' }], 'error'])
    assert.ok(APICallError.isInstance(failure?.error) && failure.error.isRetryable)
  })

  test('that breaks while nobody reads the stream harms nobody', async () => {
    await using server = await startTestServer([{ text: 'x'.repeat(1000), breakAfter: 3 }])
    const { stream } = await modelAt(server.url).doStream(call)
    await new Promise((resolve) => setTimeout(resolve, 30))
    const { failure } = wholeReply(await listOf(stream))
    assert.match(String(failure?.error), /broke before the reply had ended/)
  })

  test('that does not come about in time is given up', async () => {
    await using server = await silentServer()
    const model = openAICompatible({ baseURL: `https://127.0.0.1:${server.port}/v1`, model: 'm', connectTimeout: 40 })
    const error = await thrownBy(model.doGenerate(call))
    assert.ok(APICallError.isInstance(error) && error.isRetryable)
    assert.match(error.message, /No connection to https:\/\/127\.0\.0\.1:\d+ within 40 ms: look whether/)
  })

  test('has no time limit but that', async () => {
    await using server = await startTestServer([{ text: 'Hi', delay: 120 }])
    const model = openAICompatible({ baseURL: server.url, model: 'm', connectTimeout: 40 })
    assert.equal((await model.doGenerate(call)).content.length, 1)
  })
})

describe('an abort', () => {
  const reason = new Error('Enough.')
  const closed = async (server: { readonly sockets: ReadonlySet<unknown> }): Promise<void> => {
    while (server.sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }

  test('before the request sends none', async () => {
    await using server = await startTestServer(['Hi'])
    const abortSignal = AbortSignal.abort(reason)
    assert.equal(await thrownBy(modelAt(server.url).doGenerate({ ...call, abortSignal })), reason)
    assert.equal(await thrownBy(modelAt(server.url).doStream({ ...call, abortSignal })), reason)
    assert.equal(server.requests.length, 0)
  })

  test('amid connecting ends it', async () => {
    const controller = new AbortController()
    await using server = await silentServer(() => controller.abort(reason))
    const model = modelAt(`https://127.0.0.1:${server.port}/v1`)
    assert.equal(await thrownBy(model.doGenerate({ ...call, abortSignal: controller.signal })), reason)
  })

  const moments: readonly (readonly [name: string, status: number, head: string | undefined])[] = [
    ['before the head of the answer', 200, undefined],
    ['amid a body', 200, '{"choices"'],
    ['amid the body of an error', 500, '{"error"'],
  ]
  for (const [name, status, head] of moments) {
    test(`${name} ends the connection`, async () => {
      const controller = new AbortController()
      await using server = await oddServer((outgoing) => {
        if (head !== undefined) outgoing.writeHead(status, { 'content-type': 'application/json' }).write(head)
        setTimeout(() => controller.abort(reason), 10)
      })
      const thrown = await thrownBy(modelAt(server.url).doGenerate({ ...call, abortSignal: controller.signal }))
      assert.equal(thrown, reason)
      await closed(server)
    })
  }

  test('amid a stream ends it with the reason, and the connection', async () => {
    const controller = new AbortController()
    await using server = await oddServer((outgoing) => {
      outgoing.writeHead(200, sse)
      outgoing.write('data: {"choices":[{"delta":{"content":"a"}}]}\n\n')
    })
    const { stream } = await modelAt(server.url).doStream({ ...call, abortSignal: controller.signal })
    const types: string[] = []
    const read = async (): Promise<void> => {
      for await (const part of stream) {
        types.push(part.type)
        if (part.type === 'text-delta') controller.abort(reason)
      }
    }
    assert.equal(await thrownBy(read()), reason)
    assert.deepEqual(types, ['stream-start', 'text-start', 'text-delta'])
    await closed(server)
  })

  test('can no longer come when a request is over, so that nothing waits for it', async () => {
    const { signal } = new AbortController()
    await using server = await startTestServer(['Hi', 'Hi', { error: { status: 500 } }, { breakAfter: 0 }])
    const model = modelAt(server.url)
    await model.doGenerate({ ...call, abortSignal: signal })
    await listOf((await model.doStream({ ...call, abortSignal: signal })).stream)
    for (let count = 0; count < 2; count++) await thrownBy(model.doGenerate({ ...call, abortSignal: signal }))
    for (let tries = 0; tries < 1000 && getEventListeners(signal, 'abort').length > 0; tries++) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })

  test('of whoever reads a stream ends the connection, though the server is silent', async () => {
    await using server = await oddServer((outgoing) => {
      outgoing.writeHead(200, sse)
      outgoing.write(': still thinking\n\n')
    })
    const { stream } = await modelAt(server.url).doStream(call)
    const reader = stream.getReader()
    await reader.read()
    const waiting = reader.read()
    await reader.cancel()
    assert.deepEqual(await waiting, { done: true, value: undefined })
    await closed(server)
  })
})
