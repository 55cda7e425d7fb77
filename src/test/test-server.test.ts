import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { call, modelAt } from '../models/odd-server.test.ts'
import { startTestServer } from './index.ts'

const user = { role: 'user', content: 'Hi' }
const system = { role: 'system', content: 'Be brief.' }
const called = (...ids: string[]): object => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'add', arguments: '{}' } })),
})
const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: '3' })

async function answered(url: string, body: unknown): Promise<{ status: number; message: unknown }> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  const error = typeof answer === 'object' && answer && 'error' in answer ? answer.error : undefined
  return { status: response.status, message: typeof error === 'object' && error && 'message' in error && error.message }
}

describe('a test server', () => {
  const good: readonly (readonly [name: string, messages: readonly object[]])[] = [
    ['a user', [user]],
    ['systems first', [system, { ...system, role: 'developer' }, user]],
    ['results in any order', [user, called('a', 'b'), result('b'), result('a'), user]],
    ['an id that is used again', [user, called('a'), result('a'), called('a'), result('a')]],
    ['parts', [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]],
    ['an answer', [user, { role: 'assistant', content: 'Hi' }, user]],
  ]
  for (const [name, messages] of good) {
    test(`takes ${name}`, async () => {
      await using server = await startTestServer(['Hi'])
      assert.equal((await answered(server.url, { model: 'm', messages })).status, 200)
      assert.deepEqual(server.requests[0]?.messages, messages)
    })
  }

  const bad: readonly (readonly [name: string, body: unknown, message: RegExp])[] = [
    ['no JSON', '{', /The body is no JSON object/],
    ['a list', [], /The body is no JSON object/],
    ['no model', { messages: [user] }, /model is missing/],
    ['no messages', { model: 'm', messages: [] }, /messages is no list with a message/],
    ['no stream', { model: 'm', messages: [user], stream: 'yes' }, /stream is no boolean/],
    ['no tools', { model: 'm', messages: [user], tools: {} }, /tools is no list/],
    [
      'a tool without a name',
      { model: 'm', messages: [user], tools: [{ type: 'function' }] },
      /tools\[0\] is no function/,
    ],
    ['an unknown role', [{ role: 'robot', content: 'Hi' }], /messages\[0\] has the role "robot"; known are system,/],
    ['no role', [{ content: 'Hi' }], /messages\[0\] has the role undefined/],
    ['a late system', [user, system], /messages\[1\] is a system message, but those come first/],
    ['a result of no call', [user, result('a')], /messages\[1\] is the result of a, but no call/],
    ['a result of another call', [user, called('a'), result('b')], /messages\[2\] is the result of b, but no call/],
    ['two results of a call', [user, called('a'), result('a'), result('a')], /messages\[3\] is the result of a/],
    [
      'a result without id',
      [user, called('a'), { role: 'tool', content: '3' }],
      /messages\[2\].*tool_call_id is missing/,
    ],
    [
      'a missing result',
      [user, called('a', 'b'), result('a'), user],
      /messages\[3\] comes before the results of the calls b/,
    ],
    ['a missing result at the end', [user, called('a')], /The results of the calls a are missing/],
    ['no content', [{ role: 'user' }], /messages\[0\]\.content is no text/],
    ['null content without calls', [{ role: 'assistant', content: null }], /messages\[0\]\.content is no text/],
    ['a part without type', [{ role: 'user', content: [{ text: 'Hi' }] }], /messages\[0\]\.content\[0\] has no type/],
    [
      'a result that is no text',
      [called('a'), { ...result('a'), content: { a: 1 } }],
      /messages\[1\]\.content is no text/,
    ],
    ['two calls of one id', [called('a', 'a')], /messages\[0\]\.tool_calls\[1\] has the id a, which another/],
    ['a call without id', [{ role: 'assistant', tool_calls: [{ type: 'function' }] }], /tool_calls\[0\] has no id/],
    [
      'a call without name',
      [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'function' }] }],
      /is no function with a name/,
    ],
    [
      'arguments as an object',
      [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'add', arguments: {} } }] }],
      /arguments is no text/,
    ],
  ]
  for (const [name, given, message] of bad) {
    test(`refuses ${name}, and says why`, async () => {
      await using server = await startTestServer(['Hi'])
      const body = Array.isArray(given) && given.length > 0 ? { model: 'm', messages: given } : given
      const answer = await answered(server.url, body)
      assert.equal(answer.status, 400)
      assert.match(String(answer.message), message)
      assert.deepEqual(server.requests, [])
    })
  }

  test('tells which models it has, and has no others', async () => {
    await using server = await startTestServer(['Hi'], { models: ['small', 'large'] })
    const list: unknown = await (await fetch(`${server.url}/models`)).json()
    const entry = (id: string): object => ({ id, object: 'model', owned_by: 'callwright' })
    assert.deepEqual(list, { object: 'list', data: [entry('small'), entry('large')] })
    const answer = await answered(server.url, { model: 'huge', messages: [user] })
    assert.deepEqual(answer, { status: 404, message: 'There is no model huge; known are small, large.' })
    assert.equal((await answered(server.url, { model: 'small', messages: [user] })).status, 200)
  })

  test('says where it answers', async () => {
    await using server = await startTestServer(['Hi'])
    const response = await fetch(`${server.url}/completions`)
    assert.equal(response.status, 404)
    assert.match(await response.text(), /nothing at GET \/v1\/completions; there are POST/)
  })

  test('counts tokens in a stream only for those who ask', async () => {
    await using server = await startTestServer(() => ({ text: 'Hi', usage: { input: 1, output: 2 } }))
    const texts = [false, true].map(async (include) => {
      const body = { model: 'm', messages: [user], stream: true, stream_options: { include_usage: include } }
      const options = { method: 'POST', body: JSON.stringify(body) }
      return (await fetch(`${server.url}/chat/completions`, options)).text()
    })
    assert.deepEqual(
      (await Promise.all(texts)).map((text) => text.includes('"prompt_tokens":1')),
      [false, true],
    )
  })

  test('listens where it is told, and no longer when it is closed', async () => {
    const first = await startTestServer(['Hi'])
    const port = Number(new URL(first.url).port)
    await assert.rejects(startTestServer(['Hi'], { port }), /EADDRINUSE/)
    await first.close()
    await using again = await startTestServer(['Hi'], { port })
    assert.equal(again.url, first.url)
  })

  test('closes though a reply is still to come', async () => {
    const server = await startTestServer([{ delay: 60_000 }])
    const asked = assert.rejects(Promise.resolve(modelAt(server.url).doGenerate(call)), /broke before the reply/)
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await server.close()
    await asked
  })

  test('takes no chunk of nothing', async () => {
    await assert.rejects(startTestServer(['Hi'], { chunk: 0 }), /The chunk 0 is no number of characters above 0/)
  })
})
