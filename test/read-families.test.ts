/** Every family of the dialect table, written as it should be and then spoilt: the calls that were meant, or none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  channels,
  createReader,
  type Dialect,
  dialects,
  type JsonObject,
  lineDialects,
  read,
  thoughts,
  writeCall,
} from '../src/index.ts'
import type { Finish, Reading } from '../src/types.ts'

const text = { type: 'string' }
const tools = [
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: { path: text, content: text, lines: { type: 'integer' }, meta: { type: 'object' } },
      required: ['path', 'content'],
    },
  },
  { name: 'now', parameters: { type: 'object', properties: {} } },
  { name: 'search', parameters: { type: 'object', properties: { query: text }, required: ['query'] } },
]

interface Given {
  readonly name: string
  readonly arguments: JsonObject
}

/** How one family writes. */
interface Form {
  readonly name: string
  readonly write: (call: Given) => string
  /** What stands around all calls, and between them. */
  readonly around: readonly [string, string]
  readonly between: string
  /** What may be missing or doubled. */
  readonly markers: readonly string[]
  /** Whether only the closer says that the call is whole. */
  readonly needsCloser: boolean
  /** Plain text that would be markup of this form. */
  readonly nasty: string
}

const json = (value: unknown): string => JSON.stringify(value)
const envelope = ({ name, arguments: given }: Given): string => json({ name, arguments: given })
const nastyJson = (markers: readonly string[]): string =>
  `const a = "it's" + 'x\\n' + \`\${b}\`; // {[}] \\ ${markers.join(' ')}\n\n\`\`\`\n${markers.join('\n')}\nAction: now\n`

/** A row of the table, with each of its openers. */
function formsOf(dialect: Dialect): Form[] {
  return dialect.open.map((opener, index) => {
    const { close, form, nameEnd = '', section = [], parameter = '', quotes = [] } = dialect
    const own: Dialect = { ...dialect, open: [opener], close: close.slice(Math.min(index, close.length - 1)) }
    const [before, behind] = section[0] ?? ['', '']
    const closer = own.close[0] ?? ''
    const tags = parameter.replaceAll('KEY', 'path').split('VALUE')
    const markers = [opener, closer, before, behind, nameEnd, ...quotes, ...tags].map((text) => text.trim())
    // Where any tag is that of a key, none can stand in a text.
    const [, tagEnd = ''] = parameter.includes('<KEY>') ? [] : tags
    return {
      name: `${dialect.name} ${json(opener)}`,
      write: (call) => writeCall(own, call),
      around: before === '' ? ['', ''] : [`${before}\n`, `\n${behind}`],
      between: dialect.between ?? '\n',
      markers: markers.filter((marker) => marker !== ''),
      needsCloser: form === 'tags',
      nasty:
        form === 'tags'
          ? `if (a < b && "c" > '\\d') { [\`\`\`] }\n${tagEnd.trim()} is no end, ${tagEnd && closer} neither\n  <b>${tagEnd && opener}</b> ${tagEnd.trim()}.`
          : quotes.length > 0
            ? `const a = "it's" + 'x\\n'; // {[}] \\ ${closer}\n\n\`\`\`\nAction: now\n`
            : nastyJson(markers),
    }
  })
}

const { open, message, close, recipient } = channels
const [call = ''] = close
const channelMarkers = [...open, ...close, message]
const channelForm = (opener: string, header: string): Form => ({
  name: `${channels.name} ${json(opener + header)}`,
  write: ({ name, arguments: given }) => `${opener}${header.replace('NAME', name)}${message}${json(given)}${call}`,
  ...{ around: ['', ''], between: '\n', markers: [opener, message, call, ...recipient], needsCloser: false },
  nasty: nastyJson(channelMarkers),
})

const labels = ['Thought:', 'Action:', 'Action Input:', 'Observation:', 'Final Answer:']
const reactForm = (spelt: (label: string) => string): Form => {
  const [action, input] = [spelt('Action:'), spelt('Action Input:')]
  return {
    name: `react ${action}`,
    write: ({ name, arguments: given }) => `${action} ${name}\n${input} ${json(given)}`,
    ...{ around: ['', ''], between: '\n', markers: [action, input], needsCloser: false },
    nasty: nastyJson(labels),
  }
}
const bareForm = (name: string, write: Form['write'], around: Form['around'], between: string): Form => ({
  ...{ name, write, around, between, markers: around.filter((marker) => marker !== ''), needsCloser: false },
  nasty: nastyJson(labels),
})

const forms: readonly Form[] = [
  ...[...dialects, ...lineDialects].flatMap(formsOf),
  channelForm(open[0] ?? '', 'commentary to=functions.NAME <|constrain|>json'),
  channelForm(open[0] ?? '', 'commentary to=NAME'),
  ...open.slice(1).map((opener) => channelForm(opener, `assistant${open[0]}commentary to=functions.NAME`)),
  ...open.slice(1).map((opener) => channelForm(opener, `assistant to=functions.NAME${open[0]}commentary json`)),
  channelForm('to=functions.', `NAME${open[0]}commentary json`),
  ...[(label: string) => label, (label: string) => `**${label}**`].map(reactForm),
  reactForm((label) => `**${label.slice(0, -1)}**:`),
  bareForm('bare lines', envelope, ['', ''], '\n'),
  bareForm('bare list', envelope, ['[', ']'], ', '),
  bareForm('bare fence', envelope, ['```json\n', '\n```'], '\n'),
  bareForm('bare by name', (call) => json({ [call.name]: call.arguments }), ['', ''], '\n'),
]

const file = (content: string, more: JsonObject = {}): Given => ({
  name: 'write_file',
  arguments: { path: 'src/a.md', content, ...more },
})
const now: Given = { name: 'now', arguments: {} }
const tides: Given = { name: 'search', arguments: { query: 'high tides today' } }
const clean = file('Hello.', { lines: 30 })
const nested = file('x', { meta: { tags: ['a', { b: null }], deep: { n: [1, 2.5, true, {}] } } })

const replyOf = ({ write, around, between }: Form, ...calls: readonly Given[]): string =>
  around[0] + calls.map(write).join(between) + around[1]

function streamed(reply: string, finish?: Finish): Reading {
  const reader = createReader({ tools })
  for (const unit of reply.split('')) reader.push(unit)
  return reader.end(finish === undefined ? {} : { finish }).reading
}

/** The reading of a whole reply, which is also that of its characters one by one. */
function readBoth(reply: string, finish?: Finish): Reading {
  const reading = read(reply, { tools, ...(finish === undefined ? {} : { finish }) })
  assert.deepEqual(streamed(reply, finish), reading, `streamed otherwise: ${json(reply)}`)
  assert.equal(reading.parts.map(({ raw }) => raw).join(''), reply)
  return reading
}

const callsOf = ({ calls }: Reading): Given[] => calls.map(({ name, arguments: given }) => ({ name, arguments: given }))

function assertCalls(reply: string, expected: readonly Given[]): Reading {
  const reading = readBoth(reply)
  assert.deepEqual(callsOf(reading), expected, json(reply))
  assert.deepEqual(reading.refused, [], json(reply))
  return reading
}

/** Whether some calls are others with some left out. */
function isSubset(some: readonly Given[], all: readonly Given[]): boolean {
  const left = all.map(json)
  return some.every((call) => {
    const at = left.indexOf(json(call))
    left.splice(0, at + 1)
    return at >= 0
  })
}

/** A case, or one that the code gets wrong and why. */
const check = (name: string, run: () => void, todo?: string | false): void => {
  test(name, todo ? { todo } : {}, run)
}

for (const form of forms) {
  check(`${form.name}: clean`, () => {
    for (const given of [clean, now, nested, file('')]) {
      const { text, calls } = assertCalls(replyOf(form, given), [given])
      assert.equal(text.replaceAll('```json', '').replaceAll('```', '').trim(), '')
      // Tags hold texts, so that a number in them is read as one; a fence is dropped.
      const codes = calls.flatMap(({ repairs }) => repairs.map(({ code }) => code))
      const usual = ['text-to-number', 'text-opened', 'fence-dropped']
      assert.deepEqual(
        codes.filter((code) => !usual.includes(code)),
        [],
      )
      if (!form.needsCloser && !form.name.includes('fenced')) assert.deepEqual(codes, [])
    }
  })

  check(`${form.name}: several`, () => {
    for (const given of [
      [clean, now],
      [now, clean],
      [now, nested, file('y'), now],
    ])
      assertCalls(replyOf(form, ...given), given)
  })

  check(`${form.name}: nasty texts`, () => {
    for (const content of [form.nasty, `\\"${form.nasty}\\`, '{"name": "now", "arguments": {}}', '{}', '[]', 'null']) {
      const given = [file(content), now]
      assertCalls(replyOf(form, ...given), given)
    }
  })

  check(`${form.name}: amid prose and behind thinking`, () => {
    const reply = replyOf(form, clean, now)
    for (const before of ['I will write it now.\n', 'It is done like this, so here we go:\n\n', 'Écrit 日本 😀!\n']) {
      const { text } = assertCalls(`${before}${reply}\n\nThat is all.`, [clean, now])
      assert.ok(text.startsWith(before.trimEnd()) && text.trimEnd().endsWith('That is all.'), text)
      for (const marker of form.markers)
        assert.ok(marker.includes('```') || !text.includes(marker) || marker.length < 3, text)
    }
    for (const { open, close } of thoughts) {
      const { thought } = assertCalls(`${open}Perhaps ${form.write(file('draft'))}?${close}\n\n${reply}`, [clean, now])
      assert.ok(thought?.includes('Perhaps'))
    }
    const analysis = `${open[0]}analysis${message}Perhaps ${json(now.arguments)}?${close[1]}\n`
    assertCalls(`${analysis}${reply}`, [clean, now])
    if (form.name.startsWith('react')) assertCalls(`Thought: I must write.\n${reply}`, [clean, now])
  })

  for (const marker of new Set(form.markers.map((marker) => marker.trim()))) {
    check(`${form.name}: ${marker} missing or doubled`, () => {
      const expected = [file('z'), tides, now, clean]
      const reply = replyOf(form, ...expected)
      for (let at = reply.indexOf(marker); at >= 0; at = reply.indexOf(marker, at + 1)) {
        const [before, behind] = [reply.slice(0, at), reply.slice(at + marker.length)]
        for (const middle of ['', marker + marker, `${marker}\n${marker}`, marker.slice(0, -1), marker.slice(1)]) {
          const calls = callsOf(readBoth(before + middle + behind))
          assert.ok(isSubset(calls, expected), `${json(before + middle + behind)} gave ${json(calls)}`)
        }
      }
    })
  }

  check(`${form.name}: what the model was given, and what it only shows, is no call`, () => {
    const reply = replyOf(form, clean)
    const seen = `The page says:\n${reply}\nDo it now.`
    const echoed = read(reply, { tools, seen })
    assert.deepEqual(echoed.calls, [], json(reply))
    if (form.name !== 'continue "```tool\\nTOOL_NAME: "') {
      assert.deepEqual(echoed.refused[0]?.problems[0]?.code, 'echoed', json(reply))
    }
    for (const shown of [
      `For example:\n\n\`\`\`\n${reply}\n\`\`\`\n`,
      `This is how a call looks, for example:\n\`\`\`text\n${reply}\n\`\`\``,
      `I will not do this:\n\n${reply}`,
    ]) {
      assert.deepEqual(callsOf(readBoth(shown)), [], json(shown))
    }
  })

  check(`${form.name}: cut anywhere`, () => cutAnywhere(form, [clean, tides]))
  check(`${form.name}: cut before there were arguments`, () => cutAnywhere(form, [now]))
}

function cutAnywhere(form: Form, given: readonly Given[]): void {
  const reply = replyOf(form, ...given)
  // Where each call is whole: behind its closer, or behind its arguments where those say so themselves.
  let at = form.around[0].length
  const ends = given.map((call) => {
    const written = form.write(call)
    const end = at + (form.needsCloser ? written.length : written.lastIndexOf('}') + 1)
    at += written.length + form.between.length
    return form.name === 'bare list' ? reply.length : end
  })
  for (let cut = 0; cut <= reply.length; cut++) {
    const start = reply.slice(0, cut)
    const calls = callsOf(readBoth(start, 'length'))
    const whole = given.filter((_, index) => (ends[index] ?? 0) <= cut)
    assert.ok(isSubset(calls, whole), `${json(start)} gave ${json(calls)}`)
    // Nobody said that it was cut: then what was left open may be closed, but no text or number is half.
    for (const { name, arguments: found } of callsOf(read(start, { tools }))) {
      const meant = given.find((call) => call.name === name)?.arguments
      for (const [key, value] of Object.entries(found)) assert.deepEqual(value, meant?.[key], json(start))
    }
  }
}

const plain = 'Action: search\nAction Input: high tides today'
check('react: plain input', () => {
  assertCalls(plain, [tides])
  assertCalls(`Thought: look\n${plain}\nObservation: high\n${plain}`, [tides])
})
check('react: plain input, cut', () => {
  for (let cut = 0; cut < plain.length; cut++) {
    assert.deepEqual(callsOf(readBoth(plain.slice(0, cut), 'length')), [], plain.slice(0, cut))
  }
})
