/** Calls that once came out otherwise than they were written, or ran although they were cut: each row once failed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createReader, type Finish, type JsonObject, read, readStream } from '../src/index.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const tool = (name: string, properties: object, ...required: string[]) => ({
  name,
  parameters: { type: 'object', properties, required },
})
const tools = [
  tool('run', { command: text, dry_run: { type: 'boolean' }, timeout: integer }, 'command'),
  tool('render', { html: text }, 'html'),
  tool('send_email', { to: text, body: text }, 'to', 'body'),
  tool('write_file', { path: text, content: text }, 'path', 'content'),
  tool('pay', { to: text, amount: integer, currency: text }, 'to', 'amount'),
  tool('list', { path: text }),
  tool('now', {}),
]

type Row = readonly [
  what: string,
  reply: string,
  call?: readonly [name: string, given: JsonObject] | undefined,
  finish?: Finish,
]
const page = '<html><body>Hi</body></html>'

// biome-ignore format: a table is read by the line
const rows: readonly Row[] = [
  ['a text that ends with a tag of its parameter', `<function=render>\n<parameter=html>\n${page}\n</parameter>\n</function>`, ['render', { html: page }]],
  ['the same as an attribute', `<invoke name="send_email"><parameter name="to">a</parameter><parameter name="body"><body>Hi</body></parameter></invoke>`, ['send_email', { to: 'a', body: '<body>Hi</body>' }]],
  ['the same in a tag by its name', `<render>\n<html>\n${page}\n</html>\n</render>`, ['render', { html: page }]],
  ['indented text in a tag by its name', '<write_file>\n<path>a</path>\n<content>    x</content>\n</write_file>', ['write_file', { path: 'a', content: '    x' }]],
  ['breaks of a text between marks of its own', '```tool\nTOOL_NAME: write_file\nBEGIN_ARG: path\na\nEND_ARG\nBEGIN_ARG: content\n\nx\n\nEND_ARG\n```', ['write_file', { path: 'a', content: '\nx\n' }]],
  ['a parameter beside the arguments', '<tool_call>{"name":"run","arguments":{"command":"x"},"dry_run":true}</tool_call>'],
  ['arguments twice', '<tool_call>{"name":"run","input":{"command":"x"},"args":{"command":"y"}}</tool_call>'],
  ['a bracket closed too early', '<tool_call>{"name":"run","arguments":{"command":"x"}},"dry_run":true}</tool_call>'],
  ['the same without an end marker', '[TOOL_CALLS]run[ARGS]{"command":"x"}, "dry_run":true}'],
  ['the same in ReAct', 'Action: run\nAction Input: {"command":"x"}, "dry_run":true}'],
  ['the same without a marker', 'run{"command":"x"}, "dry_run":true}'],
  ['a broken tag of the next parameter', '<function=run>\n<parameter=command>\nx\n</parameter>\n<parameter dry_run>\ntrue\n</parameter>\n</function>'],
  ['a key without its end', '<tool_call>run<arg_key>command</arg_key><arg_value>x</arg_value><arg_key>dry_run<arg_value>true</arg_value></tool_call>'],
  ['two calls with a broken tag between', '<run>\n<command>ls</command>\n60</timeout>\n</run>\nThen:\n<run>\n<command>make</command>\n</run>'],
  ['a tag that is not ended', '<invoke name="run"><parameter name="command"echo a > b.txt; rm x</parameter></invoke>'],
  ['a stray closer in the middle', '<function=run>\n<parameter=command>\nx\n</parameter>\n</invoke>\n<parameter=dry_run>\ntrue\n</parameter>\n</function>'],
  ['half of the mark of a value', '<tool_call>run\n<arg_key>command</arg_key>\narg_value>x</arg_value>\n</tool_call>'],
  ['no mark of a value', '<tool_call>run\n<arg_key>command</arg_key>\nx</arg_value>\n</tool_call>', ['run', { command: 'x' }]],
  ['a missing colon', `<tool_call>{'name': 'run', 'arguments': {'command' 'x'}}</tool_call>`],
  ['a place behind a name', '[pay(to="bob", amount=1,000)]'],
  ['an open text in an assignment', 'Action: run\nAction Input: command="rm -rf /'],
  ['the same when the model stopped', 'Action: run\nAction Input: command="rm -rf /', undefined, 'stop'],
  ['half a number in an assignment', 'Action: run\nAction Input: command="x", timeout=6', undefined, 'length'],
  ['cut behind the name', '<tool_call>{"name":"list"'],
  ['cut behind the name, without a marker', '{"name":"list"'],
]

describe('what an attack found', () => {
  for (const [what, reply, call, finish] of rows) {
    test(what, () => {
      const reading = read(reply, { tools, ...(finish ? { finish } : {}) })
      assert.deepEqual(
        reading.calls.map(({ name, arguments: given }) => [name, given]),
        call ? [call] : [],
      )
      const reader = createReader({ tools })
      for (const unit of reply.split('')) reader.push(unit)
      assert.deepEqual(reader.end(finish ? { finish } : {}).reading, reading)
      assert.equal(reading.parts.map(({ raw }) => raw).join(''), reply)
    })
  }

  test('no byte is lost when markers fill the patience of a call', () => {
    const now = '{"name": "now", "arguments": {}}'
    for (const [reply, patience] of [
      [`<list><path>a</path></list><tool_calls><list><path>b</path></list>`, 0],
      [`${now}\n${'</tool_call>'.repeat(200)}{"name": "list", "arguments": {}}`, 2000],
    ] as const) {
      assert.equal(
        read(reply, { tools, patience })
          .parts.map(({ raw }) => raw)
          .join(''),
        reply,
      )
    }
  })

  test('a stream can tell at its end that it was cut', async () => {
    const reply = '<tool_call>{"name": "run", "arguments": {"command": "x"'
    async function* pieces() {
      yield reply
    }
    for (const [finish, count] of [
      ['length', 0],
      ['stop', 1],
    ] as const) {
      const events = []
      for await (const event of readStream(pieces(), { tools, finish: () => finish })) events.push(event)
      assert.equal(events.filter(({ kind }) => kind === 'call-end').length, count)
    }
  })

  test('wrong use is told as such', () => {
    assert.throws(() => read('x', { tools, patience: Number.NaN }), /patience is a number/)
    const reader = createReader({ tools })
    reader.end()
    assert.throws(() => reader.push('x'), /has ended/)
  })

  test('texts in tags have a limit too', () => {
    const reply = `<function=run>\n<parameter=command>\n${'x'.repeat(2000)}\n</parameter>\n</function>`
    const { refused } = read(reply, { tools, limits: { size: 1000 } })
    assert.equal(refused[0]?.problems[0]?.code, 'too-large')
  })
})
