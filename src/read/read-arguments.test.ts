/** The text of a tool's arguments, case by case. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod'
import { type ArgumentRepairRow, argumentRepairs, type JsonSchema, readArguments, type ToolLike } from '../index.ts'

const text = { type: 'string' } as const
const object = (properties: { readonly [key: string]: JsonSchema }, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
})
const tool = (schema: JsonSchema): ToolLike => ({ name: 'example', input: schema })
const bash = tool(object({ command: text, timeout: { type: 'integer' } }, 'command'))
const write = tool(object({ path: text, content: text }, 'path', 'content'))

describe('each form of its own: its example, its near-twin, the switch', () => {
  for (const [code, row] of Object.entries<ArgumentRepairRow>(argumentRepairs)) {
    test(code, () => {
      const [written, calls] = row.example
      const reading = readArguments(written, tool(row.schema))
      assert.deepEqual(reading.refused, [])
      assert.deepEqual(
        reading.calls.map((call) => call.arguments),
        calls,
      )
      assert.ok(reading.calls.every(({ repairs }) => repairs.some((repair) => repair.code === code)))
      assert.deepEqual(readArguments(row.twin, tool(row.schema)).calls, [])
      const denied = readArguments(written, tool(row.schema), { policy: { [code]: 'deny' } })
      assert.deepEqual(denied.calls, [])
    })
  }
})

type Case = readonly [what: string, tool: ToolLike, text: string, ...calls: unknown[]]

/** No calls: refused. */
// biome-ignore format: a table is read by the line
const cases: readonly Case[] = [
  ['JSON as it should be', bash, `{"command": "ls"}`, { command: 'ls' }],
  ['a stray bracket', bash, `{"command": "ls"],"timeout": 60}`, { command: 'ls', timeout: 60 }],
  ['a text in quotes too many', bash, `"{\\"command\\": \\"ls\\"}"`, { command: 'ls' }],
  ['null for nothing', tool(object({ path: text })), 'null', {}],
  ['nothing where something is needed', bash, ''],
  ['space alone', tool(object({})), ' \n', {}],
  ['a bare line', bash, 'ls -R | head', { command: 'ls -R | head' }],
  ['a bare line with its quotes and braces', bash, `awk '/x/ {print $1}' a.txt`, { command: `awk '/x/ {print $1}' a.txt` }],
  ['a question for a tool that is asked', tool(object({ query: text }, 'query')), 'What is ebb?', { query: 'What is ebb?' }],
  ['a sentence for a tool that is not', bash, 'List all files.'],
  ['a promise', bash, 'Let me check the files first'],
  ['what was made up', bash, 'ls -la\nObservation: a.py b.py'],
  ['a fence', bash, '```bash\nls -la\n```'],
  ['a label of another name', bash, 'Action Input: ls'],
  ['the rest of an object', bash, 'ls -la", "timeout": 60'],
  ['another language', bash, 'Ich kann das nicht tun.'],
  ['a quoted line', bash, '"ls -R"', { command: 'ls -R' }],
  ['a bare line for two parameters', write, 'notes'],
  ['a call that was cut is no bare line', bash, '{"command": "rm -rf build'],
  ['words before a call that was cut are none either', bash, 'Running it now: {"command": "rm -rf build'],
  ['markup is no bare line', bash, '<function=run>ls</function>'],
  ['the same object twice', bash, '{"command": "ls"}{"command": "ls"}', { command: 'ls' }],
  ['three different', bash, '1. {"command": "a"}\n2. {"command": "b"}, {"command": "c"}', { command: 'a' }, { command: 'b' }, { command: 'c' }],
  ['a repeat among different ones', bash, '{"command": "down"}{"command": "enter"}{"command": "down"}'],
  ['a change of mind', bash, '{"command": "rm a"} No wait, {"command": "rm b"}'],
  ['one rather than the other', bash, 'Instead of {"command": "rm a"} I will use {"command": "rm b"}'],
  ['a key that slid into an open object', tool(object({ table: text, filter: { type: 'object' }, dry_run: { type: 'boolean' } }, 'table')), '{"table": "t", "filter": {"status": "open", "dry_run": true}'],
  ['an open object at the end', tool(object({ table: text, filter: { type: 'object' } }, 'table')), '{"table": "t", "filter": {"status": "open"}', { table: 't', filter: { status: 'open' } }],
  ['an open list', tool(object({ paths: { type: 'array', items: text } })), '{"paths": ["a", "b"'],
  ['a correction', bash, '{"command": "rm a"}{"command": "rm a", "timeout": 10}'],
  ['a question before it', bash, 'Please confirm: {"command": "ls"}'],
  ['words behind it', bash, '{"command": "ls"}\nActually, cancel that.'],
  ['a story', bash, 'I ran {"command": "ls"} earlier and it failed.'],
  ['an empty list for no arguments', tool(object({ path: text })), '[]', {}],
  ['an empty text in quotes for no arguments', tool(object({ path: text })), '""', {}],
  ['words around one', bash, 'Here you are: {"command": "ls"}', { command: 'ls' }],
  ['words against it', bash, 'Do not run {"command": "rm -rf /"}'],
  ['words against it behind it', bash, '{"command": "rm -rf /"} is what I would have run.'],
  ['an example', bash, 'For example: {"command": "ls"}'],
  ['an earlier cannot', bash, 'I cannot see the files, so let me look: {"command": "ls"}', { command: 'ls' }],
  ['the pieces of one call', write, '{"path": "a"}{"content": "x"}'],
  ['two objects that share nothing', tool(object({ a: text, b: text })), '{"a": "1"}{"b": "2"}'],
  ['two calls, one of which does not fit', bash, '{"command": "a"}{"timeout": 3}'],
  ['an integer of many digits where a text is wanted', tool(object({ id: text }, 'id')), '{"id": 12345678901234567890}', { id: '12345678901234567890' }],
  ['an integer that cannot be held', tool(object({ id: { type: 'integer' } }, 'id')), '{"id": 9007199254740993}'],
  ['a large integer that can be held', tool(object({ id: { type: 'integer' } }, 'id')), '{"id": 9007199254740994}', { id: 9007199254740994 }],
  ['the digits of a version', tool(object({ version: text })), '{"version": 3.10}', { version: '3.10' }],
  ['the digits of a version in a Python dict', tool(object({ version: text })), `{'version': 1.0}`, { version: '1.0' }],
  ['the digits in a text that was opened', tool(object({ o: object({ v: text }) })), `{"o": "{\\"v\\": 2.50}"}`, { o: { v: '2.50' } }],
  ['the digits of one item', tool(object({ ids: { type: 'array', items: text } })), '{"ids": 12345678901234567890}', { ids: ['12345678901234567890'] }],
  ['the digits of a text in quotes too many', tool(object({ id: text })), '"{\\"id\\": 12345678901234567890}"', { id: '12345678901234567890' }],
  ['the digits of the last of two keys', tool(object({ v: text })), '{"v": 3.10, "v": 3.1}', { v: '3.1' }],
  ['an integer that cannot be held in an opened text', tool(object({ l: { type: 'array', items: { type: 'integer' } } })), '{"l": "[12345678901234567891]"}'],
  ['assignments by line', write, `path = "a.md"\ncontent = """one\ntwo"""`, { path: 'a.md', content: 'one\ntwo' }],
  ['an assignment that is none', bash, 'timeout = 3 is enough'],
  ['a label of something else', bash, 'shell command: ls'],
  ['a call as code', bash, 'example(command="ls")'],
  ['an option', bash, '--command ls'],
  ['the end of an object', bash, 'ls"}'],
  ['a token glued on', bash, 'ls<|im_end|>'],
  ['a closing tag glued on', bash, 'ls</parameter>'],
  ['nothing in a word', bash, 'N/A'],
  ['a reply', bash, 'Sorry, I cannot do that.'],
  ['a comparison is no assignment', write, 'path == "a.md"'],
  ['tags with the name as an attribute', write, `<parameter name="path">a.md</parameter><parameter name='content'>\nx\n</parameter>`, { path: 'a.md', content: 'x' }],
  ['a line break on one side is the text\'s own', write, '<parameter name="path">a.md</parameter><parameter name="content">x\n</parameter>', { path: 'a.md', content: 'x\n' }],
  ['line breaks of Windows', bash, '<parameter=command>\r\nls\r\n</parameter>', { command: 'ls' }],
  ['markup of the same kind in a text', write, '<parameter=path>a</parameter><parameter=content>x</parameter>\n<parameter=y>z</parameter> end</parameter>'],
  ['an invented parameter in a tag', bash, '<parameter=command>ls</parameter><parameter=shell>zsh</parameter>', { command: 'ls' }],
  ['a closing tag in the middle of a text', write, '<parameter=path>a.xml</parameter><parameter=content><a></parameter> b</a></parameter>', { path: 'a.xml', content: '<a></parameter> b</a>' }],
  ['numbers in tags', bash, '<parameter=command>ls</parameter>\n<parameter=timeout>60</parameter>', { command: 'ls', timeout: 60 }],
  ['a tag that was not closed', bash, '<parameter=command>ls\n<parameter=timeout>60</parameter>'],
  ['closers that were left over', bash, '<parameter=command>ls</parameter>\n</function>\n</tool_call>', { command: 'ls' }],
  ['one tag twice', bash, '<parameter=command>ls</parameter><parameter=command>pwd</parameter>'],
  ['a call in the arguments', bash, `{"name": "example", "arguments": "{\\"command\\": \\"ls\\"}"}`, { command: 'ls' }],
  ['a call by its own name', bash, '{"example": {"command": "ls"}}', { command: 'ls' }],
  ['a call of another tool', bash, '{"name": "other", "arguments": {"command": "ls"}}'],
  ['a tool that takes anything', tool({}), '{"x": [1], "y": {}}', { x: [1], y: {} }],
  ['a list for a tool that takes anything', tool({}), '[1, 2]'],
]

describe('cases', () => {
  for (const [what, offered, written, ...expected] of cases) {
    test(what, () => {
      const { calls, refused, parts } = readArguments(written, offered)
      assert.deepEqual(
        calls.map((call) => call.arguments),
        expected,
      )
      assert.equal(refused.length, expected.length === 0 ? 1 : 0)
      assert.equal(parts.map(({ raw }) => raw).join(''), written)
      for (const { span, raw, name, dialect } of [...calls, ...refused]) {
        assert.equal(written.slice(...span), raw)
        assert.deepEqual([name, dialect], ['example', 'arguments'])
      }
    })
  }
})

test('after a length limit nothing is closed, and half a line is no command', () => {
  assert.deepEqual(readArguments('rm -rf /tmp/x', bash, { finish: 'length' }).calls, [])
  assert.equal(readArguments('{"command": "ls"', bash).calls.length, 1)
  const { refused, complete } = readArguments('{"command": "ls"', bash, { finish: 'length' })
  assert.equal(refused[0]?.problems[0]?.code, 'truncated')
  assert.equal(complete, false)
})

describe('tools in every form that people have', () => {
  const schema = object({ n: { type: 'integer' } }, 'n')
  const forms: readonly (readonly [form: string, tool: ToolLike])[] = [
    ['ours', { name: 'example', input: schema }],
    ["OpenAI's", { type: 'function', function: { name: 'example', parameters: schema } }],
    ['with parameters', { name: 'example', parameters: schema }],
    ["Anthropic's", { name: 'example', input_schema: schema }],
    ["MCP's", { name: 'example', inputSchema: schema }],
    ['without a type', { name: 'example', input: { properties: { n: { type: 'integer' } } } }],
    [
      "Gemini's types",
      { name: 'example', parameters: { type: 'OBJECT', properties: { n: { type: 'INTEGER', nullable: true } } } },
    ],
    ["Python's types", { name: 'example', parameters: { type: 'dict', properties: { n: { type: 'int' } } } }],
    ['of zod', { name: 'example', input: z.object({ n: z.int() }) }],
  ]
  for (const [form, offered] of forms) {
    test(form, () => assert.deepEqual(readArguments('{"n": "3"}', offered).calls[0]?.arguments, { n: 3 }))
  }

  test('what is no tool is said so', () => {
    const wrong: readonly (readonly [tool: unknown, complaint: RegExp])[] = [
      [undefined, /A tool is an object with a name and a schema/],
      [{ input: {} }, /A tool needs a name; this one has input/],
      [{ name: 'x', input: 'string' }, /The schema of x is "string": it must be a JSON Schema/],
      [{ name: 'x', input: { '~standard': { vendor: 'old' } } }, /cannot give its JSON Schema: take a newer old/],
    ]
    for (const [offered, message] of wrong) {
      assert.throws(() => readArguments('{}', offered as ToolLike), { name: 'TypeError', message })
    }
  })
})

describe('a schema of a library is judged by that library', () => {
  const offered = {
    name: 'example',
    input: z.object({ even: z.int().refine((n) => n % 2 === 0, 'is odd'), on: z.boolean().default(false) }),
  }

  test('fitted by its JSON Schema, refused by its own checks', () => {
    const [call] = readArguments('{"even": "4"}', offered).calls
    assert.deepEqual(call?.arguments, { even: 4 })
    const typed: number | undefined = call?.arguments.even
    assert.equal(typed, 4)
    const [refused] = readArguments('{"even": 3}', offered).refused
    assert.deepEqual(
      refused?.problems.map(({ code, path }) => [code, path]),
      [['value-refused', ['even']]],
    )
    assert.match(refused?.problems[0]?.message ?? '', /is odd/)
  })

  test('one that has no JSON Schema is said so', () => {
    const dated = { name: 'example', input: z.object({ at: z.date() }) }
    assert.throws(() => readArguments('{}', dated), /The schema of example cannot be told as JSON Schema/)
  })

  test('one that cannot answer at once is a mistake of the programmer', () => {
    const slow = { name: 'example', input: z.object({ a: z.string().refine(async () => true) }) }
    assert.throws(() => readArguments('{"a": "x"}', slow), /asynchronous/i)
  })
})

describe('policy', () => {
  const lax = `{'cmd': 'ls'}`

  test('for one tool, over that of the reading', () => {
    const policy = { 'key-renamed': 'deny' } as const
    assert.equal(readArguments(lax, bash, { policy }).refused[0]?.problems[0]?.code, 'repair-denied')
    assert.equal(
      readArguments(lax, { ...bash, policy: { 'key-renamed': 'allow' } } as ToolLike, { policy }).calls.length,
      1,
    )
    const nothing = { ...bash, policy: { '*': 'deny' } } as ToolLike
    assert.equal(
      readArguments(lax, nothing, { policy: { 'key-renamed': 'allow', 'python-literal': 'allow' } }).calls.length,
      0,
    )
    assert.equal(readArguments('{"command": "ls"}', nothing).calls.length, 1)
  })

  test('what waits for a yes is there to be seen', () => {
    const [call] = readArguments('{"cmd": "ls"}', bash, { policy: { 'key-renamed': 'ask' } }).refused
    assert.equal(call?.problems[0]?.code, 'repair-asks')
    assert.deepEqual(call?.arguments, { command: 'ls' })
  })

  test('a misspelt code or verdict is a mistake that would switch nothing off', () => {
    const wrong = [{ 'key-rename': 'deny' }, { 'key-renamed': 'never' }, { 'renamed-key': 'deny' }]
    const complaints = [
      /"key-rename", which is no repair: did you mean key-renamed\?/,
      /must be allow, deny or ask/,
      /key-/,
    ]
    for (const [index, policy] of wrong.entries()) {
      const read = () => readArguments('{}', bash, { policy: policy as never })
      assert.throws(read, { name: 'TypeError', message: complaints[index] as RegExp })
    }
  })

  test('digits may be lost where somebody says so', () => {
    const offered = tool(object({ id: { type: 'integer' } }, 'id'))
    const policy = { 'integer-large': 'allow' } as const
    assert.equal(readArguments('{"id": 9007199254740993}', offered, { policy }).calls.length, 1)
  })
})
