import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rescue } from '../index.ts'

const text = { type: 'string' }
const tool = (name: string, properties: object, ...required: string[]) => ({
  name,
  parameters: { type: 'object', properties, required },
})
const tools = [
  tool('write_file', { path: text, content: text }, 'path', 'content'),
  tool('read_file', { path: text, lines: { type: 'integer' } }, 'path'),
  tool('delete_file', { path: text }, 'path'),
  tool('search', { query: text }, 'query'),
]
const ollama = (raw: string): string =>
  `error parsing tool call: raw='${raw}', err=invalid character ']' after top-level value`
const llama = (raw: string): string => `Failed to parse input at pos 12: ${raw}`
const write = '{"path":"a.js","content":"it\'s {x}"}'

test('what was sent is not looked at: the history may quote such an error', () => {
  const history = { messages: [{ role: 'tool', content: ollama('{"path": "a.js"}') }] }
  const error = Object.assign(new Error('overloaded'), {
    requestBodyValues: history,
    request: history,
    statusCode: 503,
  })
  assert.equal(rescue(error, { tools }), undefined)
})

describe('a call out of an error', () => {
  // biome-ignore format: a table is read by the line
  const cases: readonly (readonly [what: string, error: unknown, name: string | undefined, given?: object])[] = [
    ['a message', ollama(`${write}]`), 'write_file', { path: 'a.js', content: "it's {x}" }],
    ['an error object', new Error(ollama('{"query": "tides"}}')), 'search', { query: 'tides' }],
    ['the cause of one', new Error('request failed', { cause: new Error(ollama('{"query": "x"]}')) }), 'search', { query: 'x' }],
    ['a body', JSON.stringify({ error: ollama(`${write}]`) }), 'write_file', { path: 'a.js', content: "it's {x}" }],
    ['a body in a field', Object.assign(new Error('Internal Server Error'), { responseBody: JSON.stringify({ error: { message: ollama(`${write}]`) } }) }), 'write_file', { path: 'a.js', content: "it's {x}" }],
    ['an event of a stream', `data: ${JSON.stringify({ error: { message: ollama(`${write}]`) } })}\n\n`, 'write_file', { path: 'a.js', content: "it's {x}" }],
    ['a line of NDJSON', `{"message":{}}\n${JSON.stringify({ error: ollama('{"query": "x"]}') })}\n`, 'search', { query: 'x' }],
    ['an envelope with its name', ollama('{"name": "delete_file", "arguments": {"path": "x"}}]'), 'delete_file', { path: 'x' }],
    ['llama.cpp, tags', llama('<tool_call>\n<function=read_file>\n<parameter=path>\na.md\n</parameter>\n</function>\n</tool_call>'), 'read_file', { path: 'a.md' }],
    ['llama.cpp, Python', { error: { code: 500, message: llama("<|tool_call_start|>[search(query='x')]<|tool_call_end|>") } }, 'search', { query: 'x' }],
    ['keys that two tools take', ollama('{"path": "x"]}'), undefined],
    ['keys that no tool takes', ollama('{"file": "x"}]'), undefined],
    ['a call that was cut', ollama('{"path":"a.js","content":"half'), undefined],
    ['words', ollama('ls -R\n'), undefined],
  ]
  for (const [what, error, name, given] of cases) {
    test(what, () => {
      const reading = rescue(error, { tools })
      assert.ok(reading)
      const calls = reading.calls.map((call) => [call.name, call.arguments])
      assert.deepEqual(calls, name === undefined ? [] : [[name, given]])
    })
  }

  test('what cannot be told is refused with words for the model', () => {
    const reading = rescue(ollama('{"path": "x"]}'), { tools })
    assert.equal(reading?.refused[0]?.problems[0]?.code, 'name-missing')
    const cut = rescue(ollama('{"path":"a.js","content":"half'), { tools })
    assert.deepEqual([cut?.refused[0]?.problems[0]?.code, cut?.text, cut?.complete], ['truncated', '', false])
  })

  test('any other error is none of this', () => {
    const ring: { self?: unknown } = {}
    ring.self = ring
    for (const error of [undefined, null, 42, 'timeout', new Error('fetch failed'), { error: 'model not found' }, ring])
      assert.equal(rescue(error, { tools }), undefined)
  })
})
