/** Tools for models that have none: what the model is sent, and what comes of its replies. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LanguageModelV4CallOptions, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { generateText, isStepCount, streamText, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'
import { writtenMessages } from './history.ts'
import { callwright } from './index.ts'
import { prompted } from './prompted.ts'
import { offered, scripted, type Turn, tides, tools } from './scripted.test.ts'

const request = (given: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Tide?' }] }],
  tools: offered.slice(0, 1),
  ...given,
})
const systemOf = ({ prompt: [first] }: LanguageModelV4CallOptions): string =>
  first?.role === 'system' ? first.content : ''

const instructions = `To call a tool, write this with its name and its arguments as JSON, and nothing after it:
<tool_call>{"name":"search","arguments":{"query":"…"}}</tool_call>
For several calls, write several. Each result comes in <tool_response>; never write one yourself.
When you need no tool, answer without a call.
The tools, with the JSON Schema of their arguments:
<tools>
{"name":"search","parameters":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}}
</tools>`

describe('a request', () => {
  test('has its tools in a system prompt, and nowhere else', () => {
    const { prompt, ...rest } = prompted(request({ toolChoice: { type: 'auto' }, temperature: 0 })).sent
    assert.deepEqual(rest, { temperature: 0, stopSequences: ['<tool_response>'] })
    assert.deepEqual(prompt, [{ role: 'system', content: instructions }, ...request().prompt])
  })

  test('keeps its own system prompt first', () => {
    const prompt = [{ role: 'system' as const, content: 'Be brief.' }, ...request().prompt]
    assert.equal(systemOf(prompted(request({ prompt })).sent), `Be brief.\n\n${instructions}`)
  })

  for (const [what, toolChoice, start] of [
    ['any tool', { type: 'required' }, 'Call a tool now. To call'],
    ['one tool', { type: 'tool', toolName: 'now' }, 'Call the tool "now" now. To call'],
  ] as const) {
    test(`that wants ${what} says so first`, () => {
      const system = systemOf(prompted(request({ toolChoice, tools: [...offered] })).sent)
      assert.ok(system.startsWith(start), system)
      assert.ok(!system.includes('When you need no tool'))
      assert.equal(system.includes('{"name":"now","arguments":{}}'), toolChoice.type === 'tool')
    })
  }

  test('that wants none has none', () => {
    assert.deepEqual(prompted(request({ toolChoice: { type: 'none' } })).sent, { prompt: request().prompt })
  })

  test('keeps the tools of the provider, and the stop sequences of the caller', () => {
    const own = { type: 'provider' as const, id: 'some.web' as const, name: 'web', args: {} }
    const { sent } = prompted(request({ tools: [own, ...offered], stopSequences: ['END'] }))
    assert.deepEqual([sent.tools, sent.stopSequences], [[own], ['END', '<tool_response>']])
  })

  test('shows the example of the author, where there is one', () => {
    const [search] = offered
    const given = {
      ...search,
      type: 'function' as const,
      name: 'search',
      inputSchema: {},
      inputExamples: [{ input: { query: 'ebb' } }],
    }
    assert.equal(
      prompted(request({ tools: [given] })).example,
      '<tool_call>{"name":"search","arguments":{"query":"ebb"}}</tool_call>',
    )
  })
})

describe('the history is text', () => {
  const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'search', input: { query: 'tides' } }
  test('calls stand behind what was said, in canonical JSON', () => {
    const written = writtenMessages([
      {
        role: 'assistant',
        content: [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'I look.' }, call, call],
      },
    ])
    const line = '<tool_call>{"name":"search","arguments":{"query":"tides"}}</tool_call>'
    assert.deepEqual(written, [
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: `I look.\n${line}\n${line}` },
        ],
      },
    ])
  })

  // biome-ignore format: a table is read by the line
  const outputs: readonly (readonly [string, LanguageModelV4ToolResultOutput, string])[] = [
    ['text', { type: 'text', value: 'a "b"' }, '"content":"a \\"b\\""'],
    ['JSON', { type: 'json', value: { high: 12 } }, '"content":{"high":12}'],
    ['an error', { type: 'error-text', value: 'gone' }, '"error":"gone"'],
    ['an error as JSON', { type: 'error-json', value: [1] }, '"error":[1]'],
    ['a denial', { type: 'execution-denied', reason: 'not now' }, '"error":"not now"'],
    ['several texts', { type: 'content', value: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }] }, '"content":"a\\nb"'],
  ]
  for (const [what, output, written] of outputs) {
    test(`a result with ${what}`, () => {
      const messages = writtenMessages([
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'search', output }] },
      ])
      const text = `<tool_response>{"name":"search",${written}}</tool_response>`
      assert.deepEqual(messages, [{ role: 'user', content: [{ type: 'text', text }] }])
    })
  }

  test('a file of a result goes along with it, an approval stays', () => {
    const file = { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: 'AA==' } }
    const approval = { type: 'tool-approval-response' as const, approvalId: '1', approved: true }
    const result = {
      type: 'tool-result' as const,
      toolCallId: '1',
      toolName: 'now',
      output: { type: 'content' as const, value: [file] },
    }
    assert.deepEqual(writtenMessages([{ role: 'tool', content: [result, approval] }]), [
      {
        role: 'user',
        content: [{ type: 'text', text: '<tool_response>{"name":"now","content":""}</tool_response>' }, file],
      },
      { role: 'tool', content: [approval] },
    ])
  })
})

describe('a run', () => {
  const running = {
    ...tools,
    search: tool({ inputSchema: z.object({ query: z.string() }), execute: async () => 'High at noon.' }),
  }
  const settings = { tools: running, prompt: 'Tide?', stopWhen: isStepCount(4) }
  const wrapped = (turns: readonly Turn[]) => {
    const scriptedModel = scripted(turns)
    return {
      scriptedModel,
      model: wrapLanguageModel({ model: scriptedModel, middleware: callwright({ prompted: true }) }),
    }
  }
  const told = (sent: LanguageModelV4CallOptions | undefined): unknown[] =>
    (sent?.prompt ?? [])
      .slice(1)
      .flatMap(({ content }) =>
        typeof content === 'string' ? content : content.map((part) => part.type === 'text' && part.text),
      )
  const history = [
    'Tide?',
    'I look.\n<tool_call>{"name":"search","arguments":{"query":"tides"}}</tool_call>',
    '<tool_response>{"name":"search","content":"High at noon."}</tool_response>',
  ]

  test('goes from text to text, whole', async () => {
    const { model, scriptedModel } = wrapped([`I look.\n${tides}`, 'At noon.'])
    const { text, steps } = await generateText({ ...settings, model })
    assert.deepEqual([text, steps.length], ['At noon.', 2])
    assert.deepEqual(told(scriptedModel.doGenerateCalls[1]), history)
    assert.ok(scriptedModel.doGenerateCalls.every(({ tools, toolChoice }) => !tools && !toolChoice))
  })

  test('goes from text to text, as a stream', async () => {
    const { model, scriptedModel } = wrapped([`I look.\n${tides}`, 'At noon.'])
    const result = streamText({ ...settings, model })
    assert.equal(await result.text, 'At noon.')
    assert.deepEqual(told(scriptedModel.doStreamCalls[1]), history)
  })

  test('does not run the example of the prompt', async () => {
    const { model } = wrapped(['<tool_call>{"name":"search","arguments":{"query":"…"}}</tool_call>'])
    const { toolCalls, text } = await generateText({ ...settings, model })
    assert.deepEqual([toolCalls, text], [[], ''])
  })

  test('without tools sends the request as it is', async () => {
    const { model, scriptedModel } = wrapped([tides])
    assert.equal((await generateText({ model, prompt: 'Tide?' })).text, tides)
    assert.deepEqual(scriptedModel.doGenerateCalls[0]?.prompt.length, 1)
  })
})
