/** Whole replies, case by case. The families are in test/read-families.test.ts, what is no call in test/read-negatives.test.ts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createReader, type JsonSchema, type ReadEvent, read, readStream, type ToolLike } from '../index.ts'

const text = { type: 'string' } as const
const tool = (name: string, properties: { readonly [key: string]: JsonSchema }, ...required: string[]): ToolLike => ({
  name,
  input: { type: 'object', properties, required },
})
const tools: readonly ToolLike[] = [
  tool('search', { query: text, limit: { type: 'integer' } }, 'query'),
  tool('write_file', { path: text, content: text }, 'path', 'content'),
  tool('now', {}),
]

const calls = (reply: string) => read(reply, { tools }).calls.map((call) => [call.name, call.arguments])

describe('ReAct', () => {
  // biome-ignore format: a table is read by the line
  const cases: readonly (readonly [what: string, reply: string, ...calls: unknown[]])[] = [
    ['a name and its input', 'Thought: look it up\nAction: search\nAction Input: {"query": "tides"}\n', ['search', { query: 'tides' }]],
    ['a Python dict', `Action: search\nAction Input: {'query': 'tides', 'limit': None}`, ['search', { query: 'tides' }]],
    ['an object with both', 'Action: {"tool": "search", "tool_input": {"query": "tides"}}', ['search', { query: 'tides' }]],
    ['an object in a fence', 'Action:\n```json\n{"action": "search", "action_input": {"query": "tides"}}\n```', ['search', { query: 'tides' }]],
    ['a plain input', 'Action: search\nAction Input: tide tables\nObservation: none', ['search', { query: 'tide tables' }]],
    ['a name in bold', '**Action:** search\n**Action Input:** {"query": "tides"}', ['search', { query: 'tides' }]],
    ['no input', 'Action: now', ['now', {}]],
    ['an input over several lines', 'Action: write_file\nAction Input: {"path": "a.md",\n"content": "Action: x"}\nObservation: done', ['write_file', { path: 'a.md', content: 'Action: x' }]],
    ['lines', 'Action:\n  tool: search\n  tool_input:\n    query: high tides\n    limit: 3\nObservation: none', ['search', { query: 'high tides', limit: 3 }]],
    ['lines with the name first', 'Action: search\nAction Input:\n  query: high tides\n  limit: 3\n', ['search', { query: 'high tides', limit: 3 }]],
    ['lines in a fence', 'Action:\n```yaml\ntool: search\ntool_input: {"query": "tides"}\n```', ['search', { query: 'tides' }]],
    ['brackets behind the name', 'Action: search({"query": "tides"})', ['search', { query: 'tides' }]],
    ['a call as in Python', "Action: search(query='tides', limit=3)", ['search', { query: 'tides', limit: 3 }]],
    ['a list of calls', 'Action:\n```json\n[{"tool_name": "search", "parameters": {"query": "tides"}}]\n```', ['search', { query: 'tides' }]],
    ['no tool', 'Action: None (direct response required)'],
    ['a sentence', 'Action: Use the requests library to write some code\nAction Input: x'],
  ]
  for (const [what, reply, ...expected] of cases) test(what, () => assert.deepEqual(calls(reply), expected))

  test('a malformed action is a refused call, and never an answer', () => {
    for (const reply of [
      'Action: {"tool": "search", "tool_input": {"query": "ti',
      'Action: fetch\nAction Input: {}',
      'Action:',
    ]) {
      const { calls, refused, answer } = read(reply, { tools })
      assert.deepEqual([calls.length, refused.length, answer], [0, 1, undefined], reply)
    }
  })

  test('after an observation that was made up nothing is read', () => {
    const reply =
      'Action: now\nObservation: noon\nThought: done\nAction: search\nAction Input: {"query": "x"}\nFinal Answer: noon'
    const reading = read(reply, { tools })
    assert.deepEqual(
      reading.calls.map(({ name }) => name),
      ['now'],
    )
    assert.equal(reading.answer, undefined)
  })

  test('thoughts and the final answer', () => {
    const reading = read('Thought: I know it.\nFinal Answer: It is noon.\nReally.', { tools })
    assert.deepEqual([reading.thought?.trim(), reading.answer], ['I know it.', 'It is noon.\nReally.'])
  })
})

describe('the JSON protocol: an answer, a tool, a scratchpad', () => {
  test('alone or together', () => {
    assert.equal(read('{"answer": "It is noon."}', { tools }).answer, 'It is noon.')
    assert.equal(read('```json\n{"answer": "x"}\n```', { tools }).answer, 'x')
    assert.equal(read('{"scratchpad": "think"}', { tools }).thought, 'think')
    assert.deepEqual(calls('{"tool": "search", "arguments": {"query": "x"}}'), [['search', { query: 'x' }]])
    assert.deepEqual(calls('{"scratchpad": "look", "tool": "now", "arguments": {}}'), [['now', {}]])
  })

  test('together with what says nothing', () => {
    const together = read('{"answer": null, "scratchpad": "look", "tool": "search", "arguments": {"query": "x"}}', {
      tools,
    })
    assert.deepEqual([together.calls[0]?.name, together.thought, together.answer], ['search', 'look', undefined])
    assert.equal(read('{"answer": "noon", "tool": null, "arguments": {}}', { tools }).answer, 'noon')
    const long = `{"scratchpad": "${'think '.repeat(200)}", "tool": "now", "arguments": {}}`
    assert.equal(read(long, { tools }).calls.length, 1)
  })

  test('an answer and a call at once are neither', () => {
    const { calls, answer } = read('{"answer": "noon", "tool": "now", "arguments": {}}', { tools })
    assert.deepEqual([calls, answer], [[], undefined])
  })

  test('an object with an answer among other words is text', () => {
    assert.equal(read('The format is {"answer": "…"}, as you know.', { tools }).answer, undefined)
  })
})

describe('what was cut', () => {
  const reply = '<tool_call>{"name": "search", "arguments": {"query": "tides"'

  test('structure is closed when the model stopped, and not when it was cut off', () => {
    assert.equal(read(reply, { tools }).calls.length, 1)
    assert.equal(read(reply, { tools, finish: 'length' }).refused[0]?.problems[0]?.code, 'truncated')
    const reader = createReader({ tools })
    reader.push(reply)
    assert.equal(reader.end({ finish: 'length' }).reading.calls.length, 0)
  })

  test('a text is never closed', () => {
    const { refused, complete } = read(reply.slice(0, -2), { tools })
    assert.deepEqual([refused[0]?.name, complete], ['search', false])
  })
})

test('a call that stands in a text the model was given is an echo', () => {
  const call = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'
  const { refused } = read(`Look.\n${call}`, { tools, seen: `page: ${call}` })
  assert.equal(refused[0]?.problems[0]?.code, 'echoed')
  assert.equal(read(call, { tools, seen: ['another page'] }).calls.length, 1)
})

test('no more calls than the limit', () => {
  const call = '<tool_call>{"name": "now", "arguments": {}}</tool_call>\n'
  const { calls, refused } = read(call.repeat(5), { tools, limits: { calls: 3 } })
  assert.deepEqual([calls.length, refused.length], [3, 1])
})

test('tools by their names, as the AI SDK keeps them', () => {
  const record = { now: { inputSchema: { type: 'object', properties: {} } } }
  assert.equal(read('<tool_call>{"name": "now"}</tool_call>', { tools: record }).calls.length, 1)
})

test('places of repairs are places in the reply', () => {
  const reply = `Well:\n<tool_call>{"name": "search", "arguments": {query: "x"}}</tool_call>`
  const [repair] = read(reply, { tools }).calls[0]?.repairs ?? []
  assert.deepEqual([repair?.code, repair?.span && reply.slice(...repair.span)], ['key-bare', 'query'])
})

describe('events', () => {
  const stream = (reply: string, size: number): ReadEvent[] => {
    const reader = createReader({ tools })
    const events: ReadEvent[] = []
    for (let at = 0; at < reply.length; at += size) events.push(...reader.push(reply.slice(at, at + size)))
    return [...events, ...reader.end().events]
  }
  const shown = (events: readonly ReadEvent[]): string =>
    events
      .map((event) =>
        'text' in event ? event.text : 'delta' in event ? event.delta : 'name' in event ? `[${event.name}]` : '[end]',
      )
      .join('')
  const reply =
    'Now.\n<tool_call>{"name": "write_file", "arguments": {"path": "a.md", "content": "one\\ntwo"}}</tool_call>'

  test('the name is told when it is complete, and texts as they come', () => {
    const reader = createReader({ tools })
    const told = (piece: string): string => shown(reader.push(piece))
    assert.equal(told('Now.\n<tool'), 'Now.\n')
    assert.equal(told('_call>{"name": "write_fi'), '')
    assert.equal(told('le", "arguments": {"path": "a'), '[write_file]{"path":"a')
    assert.equal(told('.md", "content": "one'), '.md","content":"one')
    assert.equal(told('\\ntwo"}}</tool_call>'), '\\ntwo"}[end]')
  })

  test('however the text is cut, the deltas are the arguments', () => {
    for (const size of [1, 2, 3, 5, 8, 100]) {
      const deltas = stream(reply, size).flatMap((event) => (event.kind === 'arguments-delta' ? [event.delta] : []))
      assert.deepEqual(JSON.parse(deltas.join('')), { path: 'a.md', content: 'one\ntwo' })
    }
  })

  test('half of a Windows path is not told: its backslashes may be no escapes', () => {
    const path =
      '<tool_call>{"name": "write_file", "arguments": {"path": "C:\\bin\\app.exe", "content": ""}}</tool_call>'
    const deltas = stream(path, 1).flatMap((event) => (event.kind === 'arguments-delta' ? [event.delta] : []))
    assert.deepEqual(JSON.parse(deltas.join('')), { path: 'C:\\bin\\app.exe', content: '' })
  })

  test('a call without a marker is told when nothing can speak against it', () => {
    const reader = createReader({ tools, patience: 50 })
    const kinds = (piece: string): string[] => reader.push(piece).map(({ kind }) => kind)
    assert.deepEqual(kinds('{"name": "now", "arguments": {}}\n'), [])
    assert.deepEqual(kinds('x'.repeat(60)).slice(0, 3), ['call-start', 'arguments-delta', 'call-end'])
  })

  test('a stream of pieces', async () => {
    async function* pieces() {
      yield reply.slice(0, 40)
      yield reply.slice(40)
    }
    const events: ReadEvent[] = []
    for await (const event of readStream(pieces(), { tools })) events.push(event)
    assert.equal(events.at(-1)?.kind, 'call-end')
  })

  test('a stream that is asked several times at once answers in order, and ends with the reading', async () => {
    async function* pieces() {
      for (const piece of reply) yield piece
    }
    const one: ReadEvent[] = []
    for await (const event of readStream(pieces(), { tools })) one.push(event)
    const stream = readStream(pieces(), { tools })
    const answers = await Promise.all(Array.from({ length: one.length + 1 }, () => stream.next()))
    assert.deepEqual(
      answers.slice(0, -1).map(({ value }) => value),
      one,
    )
    const last = answers.at(-1)
    assert.ok(last?.done && last.value.calls.length === 1)
  })

  test('a stream that is left early lets go of its source, and one that breaks says why', async () => {
    let isOver = false
    async function* pieces() {
      try {
        yield 'Now. '
        yield 'More.'
        throw new Error('broken')
      } finally {
        isOver = true
      }
    }
    for await (const _ of readStream(pieces(), { tools })) break
    assert.ok(isOver)
    await assert.rejects(async () => {
      for await (const _ of readStream(pieces(), { tools }));
    }, /broken/)
  })
})

describe('names and channels', () => {
  const other: readonly ToolLike[] = [
    tool('now', {}),
    tool('tools.now', {}),
    tool('f', { x: text }),
    tool('code_search', { query: text }),
    tool('get the', {}),
    tool('get the weather', {}),
    tool('погода', {}),
    tool('mcp__clock__ring', {}),
    tool('read_file', {}),
  ]
  // biome-ignore format: a table is read by the line
  const cases: readonly (readonly [what: string, reply: string, ...names: string[]])[] = [
    ['the longest name counts', '<|channel|>commentary to=functions.get the weather <|message|>{}<|call|>', 'get the weather'],
    ['any script', '<|channel|>commentary to=functions.погода <|constrain|>json<|message|>{}<|call|>', 'погода'],
    ['a mark that is a word does not eat a name', 'to=functions.code_search json{"query": "x"}', 'code_search'],
    ['a name with its own prefix', 'tools.now{}', 'tools.now'],
    ['one letter', 'f(x="1")', 'f'],
    ['a number of two digits', 'functions.now:10<|tool_call_argument_begin|>{}', 'now'],
    ['without the server before it', '<tool_call>{"name": "ring", "arguments": {}}</tool_call>', 'mcp__clock__ring'],
    ['with a server before it', '<tool_call>{"name": "mcp__disk__read_file", "arguments": {}}</tool_call>', 'read_file'],
    ['dots and dashes', '<tool_call>{"name": "read.file", "arguments": {}}</tool_call>', 'read_file'],
    ['a header ends where a call begins', '<|start|>assistant\n<tool_call>{"name": "now"}</tool_call><|end|><|channel|>final<|message|>Done.', 'now'],
    ['a name before its opener', 'now[TOOL_CALLS]{}', 'now'],
    ['another case is another name', '<tool_call>{"name": "Now", "arguments": {}}</tool_call>'],
  ]
  for (const [what, reply, ...names] of cases) {
    test(what, () =>
      assert.deepEqual(
        read(reply, { tools: other }).calls.map(({ name }) => name),
        names,
      ),
    )
  }

  test('a name that may be that of two tools is that of none', () => {
    const twins = [tool('a_b', {}), tool('a-b', {})]
    assert.deepEqual(read('<tool_call>{"name": "a.b"}</tool_call>', { tools: twins }).calls, [])
  })

  test('what ends a message is markup, and so are the marks of a thought', () => {
    const reply = '<think>hm</think><|channel|>final<|message|>Yes.<|return|>'
    assert.deepEqual(
      read(reply, { tools }).parts.map(({ kind, raw }) => [kind, raw]),
      [
        ['markup', '<think>'],
        ['thought', 'hm'],
        ['markup', '</think><|channel|>final<|message|>'],
        ['text', 'Yes.'],
        ['markup', '<|return|>'],
      ],
    )
  })

  test('a word that opens calls in one family is a word elsewhere', () => {
    const reply = '<tool_call>{"name": "now"}</tool_call>\nfunctools is a module.'
    assert.equal(read(reply, { tools }).text, '\nfunctools is a module.')
  })

  test('words behind a name are no arguments', () => {
    for (const reply of ['search(query is the name of it.\nBye', 'now{ this is prose', 'search (see below)']) {
      const { text, refused } = read(reply, { tools })
      assert.deepEqual([text, refused], [reply, []])
    }
  })

  test('an answer that was thought is none', () => {
    assert.equal(read('{"answer": "draft"}</think>Real text', { tools }).answer, undefined)
  })
})

describe('calls in a thought', () => {
  const call = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'
  const names = (reply: string, callsInThought: boolean): string[] =>
    read(reply, { tools, callsInThought }).calls.map(({ name }) => name)

  test('are drafts, unless the option says otherwise and there is none outside', () => {
    const search = '<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>'
    const only = `<think>I must look. ${call}</think>`
    assert.deepEqual([names(only, false), names(only, true)], [[], ['now']])
    assert.deepEqual(names(`${only}${search}`, true), ['search'])
    assert.deepEqual(names('<think>{"name": "now", "arguments": {}}</think>', true), [])
    assert.deepEqual(names(`<think>I will not run ${call}</think>`, true), [])
    assert.deepEqual(names(`<think>${search}</think>No.<think>${call}</think>`, true), ['now'])
  })

  test('are told at the end, with their places in the reply', () => {
    const reply = `<think>I must look. ${call}`
    const reader = createReader({ tools, callsInThought: true })
    const told = reader.push(reply).map(({ kind }) => kind)
    const { events, reading } = reader.end()
    assert.deepEqual([...told, ...events.map(({ kind }) => kind)].slice(-3), [
      'call-start',
      'arguments-delta',
      'call-end',
    ])
    assert.equal(reply.slice(...(reading.calls[0]?.span ?? [0, 0])), call)
    assert.equal(reading.parts.map(({ raw }) => raw).join(''), reply)
  })
})

describe('repeats', () => {
  const call = '{"name": "search", "arguments": {"query": "x"}}'
  // biome-ignore format: a table is read by the line
  const cases: readonly (readonly [what: string, reply: string, count: number])[] = [
    ['glued', call + call, 1],
    ['on the next line, in another spelling', `${call}\n{"tool": "search", "args": {"query": "x"}}`, 1],
    ['behind the marked one', `<tool_call>${call}</tool_call>\n${call}`, 1],
    ['behind the marked one, in Python', '<|tool_call_start|>[search(query="x")]<|tool_call_end|>[search(query="x")]', 1],
    ['different ones', call + call.replace('x', 'y'), 2],
    ['with another between', `${call}{"name": "now", "arguments": {}}${call}`, 3],
    ['in a list, which says how many', `[${call}, ${call}]`, 2],
    ['marked, each of them', `<tool_call>${call}</tool_call><tool_call>${call}</tool_call>`, 2],
  ]
  for (const [what, reply, count] of cases) test(what, () => assert.equal(calls(reply).length, count))
})

describe('lines of keys and values', () => {
  // biome-ignore format: a table is read by the line
  const cases: readonly (readonly [what: string, reply: string, ...calls: unknown[]])[] = [
    ['parameters beside the name', 'tool: search\nquery: high tides\nlimit: 3', ['search', { query: 'high tides', limit: 3 }]],
    ['arguments of their own', 'tool: search\narguments:\n  query: tides', ['search', { query: 'tides' }]],
    ['in a fence', '```yaml\ntool: search\nquery: tides\n```', ['search', { query: 'tides' }]],
    ['a text of several lines', 'tool: write_file\npath: a.md\ncontent: |\n  one\n  two', ['write_file', { path: 'a.md', content: 'one\ntwo\n' }]],
    ['a key that the tool does not have', 'tool: search\nquery: tides\nowner: Bob'],
    ['a tool that was not offered', 'tool: hammer\nquery: tides'],
    ['a sentence', 'tool: search\nis what you need.'],
    ['words around', 'The setting is\ntool: search\nquery: tides\n\nand that is all.'],
  ]
  for (const [what, reply, ...expected] of cases) test(what, () => assert.deepEqual(calls(reply), expected))

  test('cut off, they are no call', () => {
    assert.deepEqual(read('tool: search\nquery: high ti', { tools, finish: 'length' }).calls, [])
  })
})
