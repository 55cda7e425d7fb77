/** The hook for calls that the SDK does not take, called by the SDK itself. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generateText, streamText, ToolLoopAgent } from 'ai'
import { type RepairOptions, repairToolCall } from './index.ts'
import { callOf, prompt, scripted, shown, type Turn, tools } from './scripted.test.ts'

const turnOf = (name: string, input: string): Turn => ({ content: [callOf(name, input)], finish: 'tool-calls' })

// biome-ignore format: a table is read by the line
const cases: readonly (readonly [what: string, name: string, input: string, expected: readonly [string, unknown], options?: RepairOptions])[] = [
  ['a Python dict', 'search', `{'query': 'tides', 'limit': None}`, ['search', { query: 'tides' }]],
  ['a number as text', 'search', '{"query": "tides", "limit": "3"}', ['search', { query: 'tides', limit: 3 }]],
  ['a name with a prefix', 'functions.search', '{"query": "tides"}', ['search', { query: 'tides' }]],
  ['a name with a prefix, and broken JSON', 'functions.search', '{"query": "tides",}', ['search', { query: 'tides' }]],
  ['an unknown name', 'find', '{"query": "tides"}', ['invalid find', { query: 'tides' }]],
  ['a name that would be a guess', 'search_file', '{}', ['invalid search_file', {}]],
  ['a text cut in half', 'search', '{"query": "ti', ['invalid search', '{"query": "ti']],
  ['a value that nobody gave', 'write_file', '{"path": "a.md"', ['invalid write_file', '{"path": "a.md"']],
  ['two calls in one', 'search', '{"query": "ebb"}{"query": "flood"}', ['invalid search', '{"query": "ebb"}{"query": "flood"}']],
  ['anything when strict', 'search', '{"query": "tides",}', ['invalid search', '{"query": "tides",}'], { strict: true }],
]

describe('the hook mends what can mean one thing, and leaves the rest to the SDK', () => {
  for (const [what, name, input, expected, options] of cases) {
    test(what, async () => {
      const settings = { tools, repairToolCall: repairToolCall(options) }
      const whole = await generateText({ ...settings, model: scripted([turnOf(name, input)]), prompt })
      assert.deepEqual(shown(whole.content), [expected], 'generateText')
      const stream = streamText({ ...settings, model: scripted([turnOf(name, input)]), prompt })
      assert.deepEqual(shown(await stream.content), [expected], 'streamText')
      const agent = new ToolLoopAgent({ ...settings, model: scripted([turnOf(name, input)]) })
      assert.deepEqual(shown((await agent.generate({ prompt })).steps[0]?.content ?? []), [expected], 'ToolLoopAgent')
    })
  }
})

test('the hook tells what it did and what it would not do', async () => {
  const told: string[] = []
  const hook = repairToolCall({
    onRepair: ({ repairs }) => told.push(...repairs.map(({ code }) => code)),
    onRefused: ({ problems }) => told.push(...problems.map(({ code }) => code)),
  })
  for (const input of [`{'query': 'tides'}`, '{"query": "ti', '{"query": "tides"}']) {
    await hook({
      toolCall: { type: 'tool-call', toolCallId: '1', toolName: 'search', input },
      tools,
      inputSchema: async () => ({ type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }),
    })
  }
  assert.deepEqual(told, ['python-literal', 'truncated'])
})
