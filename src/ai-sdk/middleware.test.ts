/** The middleware under the real SDK: what a client sees of a reply, whole and as a stream. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generateText, Output, streamText, wrapLanguageModel } from 'ai'
import { convertReadableStreamToArray } from 'ai/test'
import { z } from 'zod'
import { callwright } from './index.ts'
import {
  callOf,
  found,
  generated,
  hermes,
  offered,
  prompt,
  type Shown,
  scripted,
  streamed,
  type Turn,
  textOf,
  tides,
  tools,
  wrapped,
} from './scripted.test.ts'

describe('a reply, whole and by single characters', () => {
  // biome-ignore format: a table is read by the line
  const cases: readonly (readonly [what: string, turn: Turn, content: readonly Shown[], finish: string, ...refused: string[]])[] = [
    ['plain text', 'High at noon.\n', ['High at noon.\n'], 'stop'],
    ['nothing but space', ' \n', [' \n'], 'stop'],
    ['Hermes', tides, [found], 'tool-calls'],
    ['Qwen tags', '<tool_call>\n<function=search>\n<parameter=query>\ntides\n</parameter>\n<parameter=limit>\n3\n</parameter>\n</function>\n</tool_call>', [['search', { query: 'tides', limit: 3 }]], 'tool-calls'],
    ['Pythonic', '[search(query="tides")]', [found], 'tool-calls'],
    ['a Python dict in tags', `<tool_call>{'name': 'search', 'arguments': {'query': 'tides', 'limit': None}}</tool_call>`, [found], 'tool-calls'],
    ['ReAct, its thought as reasoning', 'Thought: look it up\nAction: search\nAction Input: {"query": "tides"}', [['thought', ' look it up\n'], found], 'tool-calls'],
    ['bare JSON', '{"name": "search", "arguments": {"query": "tides"}}', [found], 'tool-calls'],
    ['text before', `I look it up.\n${tides}`, ['I look it up.\n', found], 'tool-calls'],
    ['text before and after', `I look it up.\n${tides}\nThen I tell you.`, ['I look it up.\n', found, '\nThen I tell you.'], 'tool-calls'],
    ['several calls, and the space between them gone', `${tides}\n${hermes('now', {})}\n`, [found, ['now', {}]], 'tool-calls'],
    ['text between calls', `First:\n${tides}\nThen:\n${hermes('now', {})}`, ['First:\n', found, '\nThen:\n', ['now', {}]], 'tool-calls'],
    ['a thought in tags', `<think>Tides? ${tides}</think>\n\nI look.\n${tides}`, [['thought', `Tides? ${tides}`], '\n\nI look.\n', found], 'tool-calls'],
    ['code in an argument, byte for byte', hermes('write_file', { path: 'a.md', content: '</tool_call> "x" \\n é 🌊\n' }), [['write_file', { path: 'a.md', content: '</tool_call> "x" \\n é 🌊\n' }]], 'tool-calls'],
    ['a mention', 'Use `<tool_call>{"name": "now", "arguments": {}}</tool_call>` for that.', ['Use `<tool_call>{"name": "now", "arguments": {}}</tool_call>` for that.'], 'stop'],
    ['a call cut in half', { content: [textOf('I look.\n<tool_call>{"name": "search", "arguments": {"query": "ti')], finish: 'length' }, ['I look.\n'], 'length', 'search truncated'],
    ['a call cut in half, said to be whole', '<tool_call>{"name": "search", "arguments": {"query": "ti', [], 'stop', 'search truncated'],
    ['only brackets missing, not cut', 'Action: search\nAction Input: {"query": "tides"', [found], 'tool-calls'],
    ['only brackets missing, cut', { content: [textOf('Action: search\nAction Input: {"query": "tides"')], finish: 'length' }, [], 'length', 'search truncated'],
    ['a whole call before the cut: the SDK runs nothing', { content: [textOf(`${tides}\nAnd th`)], finish: 'length' }, [found, '\nAnd th'], 'length'],
    ['an unknown tool', `Now.\n${hermes('fly', {})}`, ['Now.\n'], 'stop', 'fly tool-unknown'],
    ['a refused call beside a good one', `${hermes('search', {})}\n${tides}`, [found], 'tool-calls', 'search parameter-missing'],
    ['an answer as an object', '{"answer": "Noon."}', ['Noon.'], 'stop'],
    ['a final answer', 'Final Answer: Noon.', [' Noon.'], 'stop'],
    ['a native call', { content: [callOf('search', '{ "query":"tides" }')], finish: 'tool-calls' }, [found], 'tool-calls'],
    ['native, broken JSON', { content: [callOf('search', `{'query': 'tides', limit: '3',}`)], finish: 'tool-calls' }, [['search', { query: 'tides', limit: 3 }]], 'tool-calls'],
    ['native, not of the schema', { content: [callOf('search', '{"q": "tides"}')], finish: 'tool-calls' }, [found], 'tool-calls'],
    ['native, only brackets missing', { content: [callOf('search', '{"query": "tides"')], finish: 'tool-calls' }, [found], 'tool-calls'],
    ['native, only brackets missing, cut', { content: [callOf('search', '{"query": "tides"')], finish: 'length' }, [['invalid search', '{"query": "tides"']], 'length'],
    ['native, cut in a text', { content: [callOf('search', '{"query": "ti')], finish: 'tool-calls' }, [['invalid search', '{"query": "ti']], 'tool-calls'],
    ['native, under another name', { content: [callOf('functions.search', '{"query": "tides"}')], finish: 'tool-calls' }, [found], 'tool-calls'],
    ['native, an unknown tool', { content: [callOf('fly', '{}')], finish: 'tool-calls' }, [['invalid fly', {}]], 'tool-calls'],
    ['native, several objects', { content: [callOf('search', '{"query": "ebb"}{"query": "flood"}')], finish: 'tool-calls' }, [['search', { query: 'ebb' }], ['search', { query: 'flood' }]], 'tool-calls'],
    ['a call in reasoning is none', { content: [{ type: 'reasoning', text: tides }, textOf('Noon.')] }, [['thought', tides], 'Noon.'], 'stop'],
    ['a cut text that something follows was not cut', { content: [textOf('Action: search\nAction Input: {"query": "tides"'), { type: 'reasoning', text: 'hm' }], finish: 'length' }, [found, ['thought', 'hm']], 'length'],
    ['texts and a native call', { content: [textOf('Both.'), callOf('now', ''), textOf(tides)], finish: 'stop' }, ['Both.', ['now', {}], found], 'tool-calls'],
  ]
  for (const [what, turn, content, finish, ...refused] of cases) {
    test(what, async () => {
      const expected = [content, finish, refused]
      assert.deepEqual(await generated(turn), expected, 'whole')
      assert.deepEqual(await streamed(turn), expected, 'as a stream')
    })
  }
})

describe('what is not touched', () => {
  const turn: Turn = { content: [textOf(` ${tides} <think>x`), callOf('search', `{'query': 1,}`)], finish: 'stop' }
  for (const [what, settings] of [
    ['no tools', {}],
    ['an empty list of tools', { tools: [] }],
    ['the choice of none', { tools: offered, toolChoice: { type: 'none' as const } }],
    [
      'tools of the provider alone',
      { tools: [{ type: 'provider' as const, id: 'a.b' as const, name: 'search', args: {} }] },
    ],
  ] as const) {
    test(`with ${what}, nothing of a reply`, async () => {
      const given = { prompt: [], ...settings, tools: settings && 'tools' in settings ? [...settings.tools] : [] }
      assert.deepEqual(await wrapped([turn]).doGenerate(given), await scripted([turn]).doGenerate(given))
      const [ours, theirs] = [await wrapped([turn]).doStream(given), await scripted([turn]).doStream(given)]
      assert.deepEqual(
        await convertReadableStreamToArray(ours.stream),
        await convertReadableStreamToArray(theirs.stream),
      )
    })
  }

  test('without the option, the request', async () => {
    const model = scripted(['Noon.'])
    const given = { prompt: [], tools: offered }
    await wrapLanguageModel({ model, middleware: callwright() }).doGenerate(given)
    assert.equal(model.doGenerateCalls[0], given)
  })

  test('a native call that is right, to the byte; what the provider says of a text', async () => {
    const notes = { providerMetadata: { some: { id: 1 } } }
    const content = [
      { ...textOf('Noon.'), ...notes },
      { ...callOf('search', '{ "query" : "a" }'), ...notes },
    ]
    const result = await wrapped([{ content }]).doGenerate({ prompt: [], tools: offered })
    assert.deepEqual(result.content, content)
    const { stream } = await wrapped([{ content }]).doStream({ prompt: [], tools: offered })
    const start = (await convertReadableStreamToArray(stream)).find(({ type }) => type === 'text-start')
    assert.deepEqual(start, { type: 'text-start', id: '0', ...notes })
  })

  test('an object that was asked for', async () => {
    const output = Output.object({ schema: z.object({ answer: z.string(), scratchpad: z.string().optional() }) })
    for (const reply of ['{"answer": "Noon."}', '{"answer": "Noon.", "scratchpad": "easy"}']) {
      const whole = await generateText({ model: wrapped([reply]), tools, prompt, output })
      assert.deepEqual(whole.output, JSON.parse(reply))
      assert.deepEqual(await streamText({ model: wrapped([reply]), tools, prompt, output }).output, JSON.parse(reply))
    }
  })
})

describe('options', () => {
  const dict = `<tool_call>{'name': 'search', 'arguments': {'query': 'tides'}}</tool_call>`
  test('strict repairs nothing', async () => {
    assert.deepEqual((await generated(dict, { strict: true }))[0], [])
    assert.deepEqual((await streamed({ content: [callOf('search', '{"q": "a"}')] }, { strict: true }))[0], [
      ['invalid search', { q: 'a' }],
    ])
  })
  test('a policy denies a repair', async () => {
    assert.deepEqual((await generated(dict, { policy: { '*': 'deny' } }))[0], [])
  })
  test('a policy with a word that is no verdict is an error at once', () => {
    assert.throws(() => callwright({ policy: JSON.parse('{"*": "never"}') }), TypeError)
  })
  test('thinking: the reply begins in a thought', async () => {
    const turn = `Tides?</think>${tides}`
    assert.deepEqual((await generated(turn, { thinking: true }))[0], [['thought', 'Tides?'], found])
    assert.deepEqual((await streamed(turn, { thinking: true }))[0], [['thought', 'Tides?'], found])
  })
  test('seen is kept beside the results of tools', async () => {
    assert.deepEqual(await generated(tides, { seen: tides }), [[], 'stop', ['search echoed']])
  })
  test('ids are nine letters and digits unless somebody makes others', async () => {
    const model = wrapLanguageModel({ model: scripted([`${tides}${tides}`]), middleware: callwright() })
    const { toolCalls } = await generateText({ model, tools, prompt })
    assert.match(toolCalls.map(({ toolCallId }) => toolCallId).join(' '), /^[0-9A-Za-z]{9} [0-9A-Za-z]{9}$/)
  })
})
