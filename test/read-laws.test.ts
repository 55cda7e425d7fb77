/** The laws of reading, for replies that nobody thought of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  channels,
  createReader,
  dialects,
  lineDialects,
  type ReadOptions,
  read,
  thoughts,
  writeCall,
} from '../src/index.ts'
import type { FrameSink } from '../src/read/frame.ts'
import { Framer } from '../src/read/framer.ts'
import { FrameReader } from '../src/read/read-frame.ts'
import { offeredTools } from '../src/read/tools.ts'
import type { Finish, ReadEvent, Reading } from '../src/types.ts'
import { anyText, nastyText, runs } from './texts.ts'

const string = { type: 'string' }
const tools = [
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: { path: string, content: string, lines: { type: 'integer' }, meta: { type: 'object' } },
      required: ['path', 'content'],
    },
  },
  { name: 'now', parameters: { type: 'object', properties: {} } },
  { name: 'search', parameters: { type: 'object', properties: { query: string }, required: ['query'] } },
]
const names = tools.map(({ name }) => name)

/** Every literal that the table knows. */
const markers = [
  ...new Set([
    ...dialects.flatMap(({ open, close, section = [], nameEnd = '', around = [], quotes = [] }) => [
      ...[...open, ...close, ...section.flat(), nameEnd, ...around, ...quotes],
    ]),
    ...dialects.flatMap(({ parameter = '' }) =>
      ['path', 'content'].flatMap((key) =>
        parameter
          .replaceAll('KEY', key)
          .split('VALUE')
          .map((tag) => tag.trim()),
      ),
    ),
    ...thoughts.flatMap(({ open, close }) => [open, close]),
    ...[...channels.open, ...channels.close, ...channels.recipient, channels.message],
  ]),
].filter((marker) => marker !== '')
/** What counts at the start of a line. */
const lineStarts = lineDialects.flatMap(({ open }) => open)
const labels = ['Thought:', 'Action:', 'Action Input:', 'Observation:', 'Final Answer:', '**Action:**', '**Thought**:']
const now = '{"name": "now", "arguments": {}}'
const write = '{"name": "write_file", "arguments": {"path": "a.md", "content": "</tool_call> \\"x\\"\\n"}}'
const calls = [
  ...[now, write, `[${now}, ${write}]`, '{"now": {}}', `\`\`\`json\n${now}\n\`\`\``, '{"answer": "yes"}'],
  ...[`<tool_call>\n${write}\n</tool_call>`, `<tool_call>${now}</tool_call>`, `<tool_call>{'name': 'now'}</tool_call>`],
  '<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nb </parameter> c\n</parameter>\n</function>',
  ...['<function=now>\n</function>', '<function=now>{}</function>', '<invoke name="now"></invoke>'],
  '<invoke name="search">\n<parameter name="query">tides</parameter>\n</invoke>',
  ...['[TOOL_CALLS]now[ARGS]{}', `[TOOL_CALLS][${now}]`, '<｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜>'],
  ...['<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜>'],
  '<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"query": "<|end|>"}<|call|>',
  '<|channel|>analysis<|message|>I think.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>',
  ...dialects.flatMap((dialect) => [
    writeCall(dialect, { name: 'now', arguments: {} }),
    writeCall(dialect, { name: 'write_file', arguments: { path: 'a', content: 'b [c] "d"', lines: 3 } }),
  ]),
  ...['[now(), search(query="x")]', "search(query='tides')", 'now{}', '\nnow()\n', '<search><query>x</query></search>'],
  ...['\ntool: search\nquery: x\n\n', 'tool: now\n```\n', 'tool: write_file\narguments:\n  path: a\n  content: b\n'],
  ...['\nAction: now\nAction Input: {}\n', '\nAction: search\nAction Input: tides\n', `\nAction: ${now}\n`],
]
const words = [
  ...[
    'I will call it: ',
    'Do not ',
    'For example, ',
    'I cannot, so let me ',
    'Sure.',
    '\n\n',
    '\n',
    ' ',
    ', ',
    '1. ',
    '"',
  ],
  ...[
    '`',
    '``',
    '```',
    '```json\n',
    '{',
    '[',
    '}',
    ']',
    '<',
    '</',
    '<|',
    '\ud83d\ude00',
    '\ud83d',
    '\ude00',
    'é',
    '// ',
  ],
  ...[
    '{"',
    '": "',
    '{"name": "',
    '"arguments": ',
    '{"name": "unknown", "arguments": {}}',
    '[1, 2]',
    '{"a": 1}',
    "it's",
  ],
]
const piece = fc.oneof(
  fc.constantFrom(...markers),
  fc.constantFrom(...labels.flatMap((label) => [label, `\n${label} `])),
  fc.constantFrom(...names),
  fc.constantFrom(...calls),
  fc.constantFrom(...words),
  nastyText,
  // Halves of calls and of markers.
  fc.tuple(fc.constantFrom(...calls, ...markers), fc.nat(60)).map(([call, length]) => call.slice(0, length)),
  fc.tuple(fc.constantFrom(...calls, ...markers), fc.nat(60)).map(([call, length]) => call.slice(-length)),
  // Long space and long words, around the lengths at which the reader gives up.
  fc
    .tuple(fc.constantFrom(' ', 'x', '\n', 'ab '), fc.constantFrom(16, 60, 64, 200, 256, 290, 300, 310))
    .map(([unit, length]) => unit.repeat(length)),
)
const reply = fc.oneof(
  { weight: 12, arbitrary: fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: anyText },
)
const finish = fc.constantFrom<Finish | undefined>(undefined, 'stop', 'length')

interface Streamed {
  /** What each piece told, and at last the end. */
  readonly told: readonly (readonly ReadEvent[])[]
  readonly events: readonly ReadEvent[]
  readonly reading: Reading
}

function stream(pieces: readonly string[], finish?: Finish, options: Partial<ReadOptions> = {}): Streamed {
  const reader = createReader({ tools, ...options })
  const told = pieces.map((piece) => reader.push(piece))
  const { events, reading } = reader.end(finish === undefined ? {} : { finish })
  return { told: [...told, events], events: [...told.flat(), ...events], reading }
}

/** Cuts a text at places given as fractions, surrogate pairs and markers not spared. */
function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [...new Set(places.map((place) => Math.floor(place * text.length)))].sort((one, other) => one - other)
  return [0, ...cuts].map((start, index) => text.slice(start, cuts[index] ?? text.length))
}
const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })

test('a stream reads as the whole, however it is cut', () => {
  fc.assert(
    fc.property(reply, places, finish, fc.constantFrom(undefined, 0, 30), (text, places, finish, patience) => {
      const options = patience === undefined ? {} : { patience }
      const whole = read(text, { tools, ...options, ...(finish ? { finish } : {}) })
      assert.deepEqual(stream(text.split(''), finish, options).reading, whole)
      assert.deepEqual(stream(cutAt(text, places), finish, options).reading, whole)
    }),
    runs(3000),
  )
})

test('no byte is lost, and every part and call says where it stands', () => {
  let found = 0
  fc.assert(
    fc.property(reply, finish, (text, finish) => {
      const { parts, calls, refused, ...reading } = read(text, { tools, ...(finish ? { finish } : {}) })
      assert.equal(parts.map(({ raw }) => raw).join(''), text)
      let at = 0
      for (const { raw, span } of parts) {
        assert.equal(span[0], at)
        assert.equal(raw, text.slice(...span))
        at = span[1]
      }
      assert.equal(at, text.length)
      for (const { raw, span } of [...calls, ...refused]) assert.equal(raw, text.slice(...span))
      for (const { repairs, problems, raw } of [...calls, ...refused]) {
        for (const { span } of [...repairs, ...problems]) assert.ok(!span || span[1] <= text.length, raw)
      }
      assert.equal(reading.text, parts.flatMap(({ kind, raw }) => (kind === 'text' ? raw : [])).join(''))
      for (const call of calls) {
        found++
        assert.deepEqual(call.problems, [])
        assert.ok(names.includes(call.name))
      }
      for (const { problems } of refused) assert.ok(problems.length > 0 && problems.every(({ message }) => message))
    }),
    runs(4000),
  )
  assert.ok(found > 500, `only ${found} calls`)
})

const join = (events: readonly ReadEvent[], kind: 'text-delta' | 'thought-delta'): string =>
  events.map((event) => (event.kind === kind ? event.text : '')).join('')

test('events say what the reading says, in order, and none is taken back', () => {
  fc.assert(
    fc.property(reply, places, finish, (text, places, finish) => {
      for (const pieces of [[text], text.split(''), cutAt(text, places)]) {
        const { events, reading } = stream(pieces, finish)
        assert.equal(join(events, 'text-delta'), reading.text)
        assert.equal(join(events, 'thought-delta'), reading.thought ?? '')
        const started = new Map<number, string>()
        const ended = new Set<number>()
        const deltas = new Map<number, string>()
        for (const event of events) {
          if (event.kind === 'call-start') {
            assert.ok(!started.has(event.index) && !ended.has(event.index))
            assert.ok(names.includes(event.name))
            started.set(event.index, event.name)
          } else if (event.kind === 'arguments-delta') {
            assert.ok(started.has(event.index) && !ended.has(event.index))
            deltas.set(event.index, (deltas.get(event.index) ?? '') + event.delta)
          } else if (event.kind === 'call-end') {
            assert.ok(!ended.has(event.index))
            ended.add(event.index)
            assert.equal(started.get(event.index), event.call.name)
            assert.deepEqual(JSON.parse(deltas.get(event.index) ?? ''), event.call.arguments)
          } else if (event.kind === 'call-refused') {
            assert.ok(!ended.has(event.index))
            ended.add(event.index)
          }
        }
        for (const index of started.keys()) assert.ok(ended.has(index), `call ${index} has no end`)
        const callEnds = events.flatMap((event) => (event.kind === 'call-end' ? [event.call] : []))
        const refusals = events.flatMap((event) => (event.kind === 'call-refused' ? [event.call] : []))
        assert.deepEqual(callEnds, reading.calls)
        assert.deepEqual(refusals, reading.refused)
        const answers = events.flatMap((event) => (event.kind === 'answer' ? [event.text] : []))
        assert.deepEqual(answers, reading.answer === undefined ? [] : [reading.answer])
      }
    }),
    runs(1500),
  )
})

/** Of prose without any sign that could begin something, only what may be a label or the name of a tool waits. */
test('prose flows as it comes', () => {
  const word = fc.constantFrom(
    ...['The', 'Action', 'to', 'a > b', 'now', 'write_file', '日本', '\ud83d', '.', '"', ' ', '}', ']', '\n', '= '],
  )
  const starts = [...labels, ...lineStarts, ...names, 'print(default_api.write_file', ']<]minimax[>[']
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (pieces) => {
      const { told } = stream(pieces)
      let pushed = ''
      let emitted = ''
      for (const [index, piece] of pieces.entries()) {
        pushed += piece
        emitted += join(told[index] ?? [], 'text-delta')
        const held = pushed.slice(emitted.length)
        const behindName = held.trim().replace(/^(?:now|write_file|search)\s*/, '')
        const mayBegin = [held.trim(), behindName].some((rest) => starts.some((start) => start.startsWith(rest)))
        assert.ok(pushed.startsWith(emitted) && mayBegin, JSON.stringify([pushed, held]))
        const [before = ''] = emitted.slice(-1)
        assert.ok(
          held === '' || emitted === '' || held.endsWith(']') || '\n ='.includes(before),
          JSON.stringify([pushed, held]),
        )
      }
    }),
    runs(500),
  )
})

/**
 * With markers around but no arguments behind them, and brackets that name no tool: what is not told yet is a marker with
 * its head (300 characters), or brackets that may still name a tool (256), behind markers that wait for a call beside them.
 */
test('with no candidate open, little is held', () => {
  const longest = Math.max(...markers.map(({ length }) => length))
  const plain = fc.oneof(
    fc.constantFrom(...markers.filter((marker) => !marker.includes('<parameter'))),
    fc.constantFrom(
      'word ',
      'two words. ',
      '\n',
      '\n\n',
      'The ',
      '{',
      '[',
      '{"a": ',
      '[1] ',
      '`',
      "it's ",
      'x'.repeat(320),
    ),
  )
  const waiting = new RegExp(`(?:\\s|${markers.map((marker) => marker.replace(/[[\]|]/g, '\\$&')).join('|')})*`, 'y')
  let most = 0
  fc.assert(
    fc.property(fc.array(plain, { minLength: 1, maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      const reader = createReader({ tools })
      let told = 0
      const { parts } = read(text, { tools })
      // Markup and calls are not told as text; up to the first of them, all that is not told is held.
      const end = parts.find(({ kind }) => kind !== 'text' && kind !== 'thought')?.span[0] ?? text.length
      for (let index = 0; index < end; index++) {
        const events = reader.push(text.charAt(index))
        told += join(events, 'text-delta').length + join(events, 'thought-delta').length
        waiting.lastIndex = told
        const wait = waiting.exec(text)?.[0].length ?? 0
        const held = Math.max(0, index + 1 - told - wait)
        most = Math.max(most, held)
        assert.ok(held <= 300 + longest, `${held} held of ${JSON.stringify(text.slice(told, index + 1))}`)
      }
    }),
    runs(400),
  )
  assert.ok(most > 100)
})

const isWhole = (text: string): void => {
  const whole = read(text, { tools })
  assert.equal(whole.parts.map(({ raw }) => raw).join(''), text)
  assert.deepEqual(stream(text.split('')).reading, whole)
}

test('around the lengths at which the reader gives up, a stream reads as the whole', async (context) => {
  const rows: readonly (readonly [string, (length: number) => string])[] = [
    ['name', (length) => `[TOOL_CALLS]now${' '.repeat(length)}[ARGS]{}`],
    ['opener', (length) => `<tool_call>${' '.repeat(length)}${now}</tool_call>`],
    ['brackets', (length) => `{"a": "${'x'.repeat(length)}", "now": 1} ${now}`],
    ['name end', (length) => `<function=now>${' '.repeat(length)}</function>`],
    ['long name', (length) => `<invoke name="${'x'.repeat(length)}"></invoke>`],
    ['header', (length) => `<|channel|>commentary to=now${' '.repeat(length)}<|message|>{}<|call|>`],
    ['tail', (length) => `<tool_call>${now}${' '.repeat(length)}</tool_call>`],
    ['parameter', (length) => `<function=now><parameter=${'x'.repeat(length)}>y</parameter></function>`],
  ]
  for (const [name, write] of rows) {
    await context.test(name, () => {
      for (const limit of [64, 200, 256, 300]) for (let by = -40; by < 10; by++) isWhole(write(limit + by))
    })
  }
})

test('what once was read otherwise in pieces', () => {
  isWhole(`1. ${now}\n2. ${now}\n\nI will not run these.`)
  isWhole(`${now}\n</tool_call>\n${now}\n</tool_call>`)
  isWhole('Action: now\n```json\nNothing more.')
  isWhole(`{"answer": "yes"}${' '.repeat(300)}`)
  for (const text of [
    '<invoke name="now" id="x"></invoke>',
    '<function=now id="1"></function>',
    '            now()',
    '1.          now()',
    '[TOOL_CALLS]"now',
    '<tool_call>*now',
    `<tool_call>"\\{"x`,
    '<|channel|>commentary to=functions.now json{}',
    'functions.now:10<|tool_call_argument_begin|>{}',
  ]) {
    isWhole(text)
  }
  const text = `${now}    I will call it.`
  assert.deepEqual(stream(text.split(''), undefined, { patience: 2 }).reading, read(text, { tools, patience: 2 }))
})

/** What is repeated, and how often. */
const repeated: readonly (readonly [readonly string[], number])[] = [
  [[...new Set(markers), ...[...labels, ...lineStarts].map((label) => `\n${label}`)], 10_000],
  [[...new Set(markers)].flatMap((marker) => [`${marker} x `, `{${marker}`, `<function=now>${marker}`]), 400],
  [['{', '[', '`', '```', '```json\n', '{"', "['", '{"name":"now"', '{}', '\n\n', 'do not ', '</', '\\'], 10_000],
  [['<function=now><parameter=path>', '</parameter><parameter=path', '<invoke name="now"></function>'], 10_000],
  [[now, `<tool_call>${now}</tool_call>`, `<tool_call>${now}`, '<|channel|>to=now<|message|>{}'], 10_000],
  [calls, 500],
]

/** A framer that tells how much of the text it has to look at again when more comes. */
class CountingFramer extends Framer {
  get unsettled(): number {
    return this.window.length - this.index
  }
}

const nobody: FrameSink = {
  text: () => undefined,
  thought: () => undefined,
  answer: () => undefined,
  marker: () => undefined,
  markup: () => undefined,
  thoughtEnd: () => undefined,
  frame: () => undefined,
  open: () => 'text',
}

test('whatever comes, little of it is looked at again', () => {
  const offered = new FrameReader(offeredTools(tools), {})
  const longest = Math.max(...markers.map(({ length }) => length))
  let most = 0
  const starts = [
    '',
    '{',
    '[',
    '`',
    'Action: ',
    'Action: now\nAction Input: ',
    '<function=now>',
    '<tool_call>',
    'tool: now\n',
  ]
  const units = [
    ...markers,
    ' ',
    '\n',
    'x',
    '"',
    "'",
    '{',
    '[',
    '</parameter> ',
    ', "a": ',
    '- ',
    'now',
    'now ',
    '=',
    ': ',
  ]
  for (const start of starts) {
    for (const unit of units) {
      const framer = new CountingFramer(nobody, offered, false)
      for (const character of start + unit.repeat(Math.ceil(1500 / unit.length))) {
        framer.push(character)
        most = Math.max(most, framer.unsettled)
        assert.ok(framer.unsettled <= 300 + longest, JSON.stringify([start, unit, framer.unsettled]))
      }
    }
  }
  assert.ok(most > 100)
})

test('floods are read in bounded work', () => {
  for (const [units, count] of repeated) {
    for (const unit of units) {
      const text = unit.repeat(count)
      const { parts, calls } = read(text, { tools })
      assert.ok(calls.length <= 256 && parts.at(-1)?.span[1] === text.length)
    }
  }
  for (const first of new Set(markers.map((marker) => marker.charAt(0)))) {
    assert.equal(read(first.repeat(1_000_000), { tools }).calls.length, 0)
  }
})

test('floods in pieces are read in bounded work', () => {
  const starts = [
    '',
    '<tool_call>',
    `<tool_call>${now}`,
    '<function=write_file><parameter=path>',
    '[TOOL_CALLS]',
    '<|channel|>',
  ]
  const units = [
    '{"',
    '<',
    '</',
    ' ',
    '\n',
    '`',
    '[',
    'x',
    '</parameter>',
    '<parameter=',
    '"',
    '\\',
    '</tool_call>',
    '<|',
  ]
  // Each of these once took time that grew with the square of its length, or worse.
  for (const text of [
    `${now} ${'```11.'.repeat(2000)}x ${now}`,
    '{"answer":"x"}</think>a'.repeat(5000),
    `<|tool_call>call:now(x:<|"|>${'x'.repeat(200_000)}`,
    `Action: search\nAction Input: a\n${'x'.repeat(200_000)}`,
    `Action: ${' '.repeat(200_000)}`,
    `<function=search><parameter=query>x</parameter>${' '.repeat(200_000)}`,
    `<function=search><parameter=query>x${'</parameter> '.repeat(20_000)}`,
    `]<]minimax[>[<invoke name="search">${Array.from({ length: 5000 }, (_, index) => `]<]minimax[>[<a${index}>x]<]minimax[>[</a${index}>`).join('')}`,
  ]) {
    assert.equal(stream(text.match(/.{1,4}/gs) ?? []).reading.parts.at(-1)?.span[1], text.length)
  }
  for (const start of [...starts, 'Action: now\nAction Input: {"', '<think>', now, '{', '`']) {
    for (const unit of units) {
      const text = start + unit.repeat(Math.ceil(4000 / unit.length))
      assert.deepEqual(stream(text.split('')).reading, read(text, { tools }), JSON.stringify([start, unit]))
    }
  }
  const nested = '<function=now><parameter=path>'.repeat(500) + '</function></parameter>'.repeat(500)
  for (const text of [nested, '<invoke name="now"></function>'.repeat(300)]) isWhole(text)
})
