/** What a reply means in every mode: which texts are answers, which calls are meant, and what is neither. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { createAgent, type RunEvent, tool } from '../src/index.ts'
import { type Reply, scriptedModel } from '../src/test/index.ts'
import { answer, call, modes, ofKind, ranWith, toolbox } from './agent-fixtures.ts'

const write = '{"tool": "write_file", "arguments": {"path": "a", "content": "b"}}'
const LATER = 'said later'

/** Replies that end the run, with what they answer; `undefined` where they must not. */
const replies: readonly (readonly [what: string, reply: Reply, answer: string | undefined])[] = [
  ['an answer that mentions a tool', '{"answer": "I did a search, and then now."}', 'I did a search, and then now.'],
  ['an answer that is an object', '{"answer": {"a": 1}}', '{"a":1}'],
  ['an answer under another name', '{"final_answer": "Hi"}', 'Hi'],
  ['an answer inside of a step', '{"thought": "t", "function": {"answer": "Hi"}}', 'Hi'],
  ['the tool of ReAct that ends', '{"action": "Final Answer", "action_input": "42"}', '42'],
  ['the same on two lines', 'Action: Final Answer\nAction Input: 42', '42'],
  ['an answer behind thoughts', '<think>hm</think>{"answer": "Hi"}', 'Hi'],
  ['an answer behind thoughts whose opener the template wrote', 'hm\n</think>{"answer": "Hi"}', 'Hi'],
  ['nothing as an answer', '{"answer": null}', undefined],
  ['a thought that mentions a tool', '{"scratchpad": "I should search next."}', undefined],
  ['a thought in Python', `{'scratchpad': 'hm'}`, undefined],
  ['half an answer', '{"answer": "The result is', undefined],
  [
    'half an answer by a tool',
    { calls: [{ name: 'final_answer', arguments: '{"answer": "The result is' }] },
    undefined,
  ],
  ['an unknown tool', '{"tool": "rm", "arguments": {"path": "/"}}', undefined],
  ['an answer and a call in one object', `{"answer": "x", ${write.slice(1)}`, undefined],
  ['a reply that was cut off', { text: 'The result is', finish: 'length' }, undefined],
]

/** Calls that must not run. */
const noCalls: readonly (readonly [what: string, reply: Reply])[] = [
  ['one behind a final answer', `Thought: x\nFinal Answer: Done.\nAction: ${write.replace('arguments', 'tool_input')}`],
  ['one behind an answer in JSON', `{"answer": "A"}\n${write}`],
  [
    'one of the provider behind the tool that ends',
    {
      calls: [
        { name: 'final_answer', arguments: '{"answer": "4"}' },
        { name: 'write_file', arguments: '{"path": "a", "content": "b"}' },
      ],
    },
  ],
  ['one in thoughts whose opener the template wrote', `Maybe:\nAction: ${write}\nNo.\n</think>\nThe answer.`],
  ['one that was cut off before its arguments', { calls: [{ name: 'now', arguments: '' }], finish: 'length' }],
  ['one of which nobody knows whether it was cut off', { calls: [{ name: 'now', arguments: '' }], finish: null }],
]

for (const mode of modes) {
  describe(`replies in the mode ${mode}`, () => {
    for (const [what, reply, wanted] of replies) {
      test(`${what} is ${wanted === undefined ? 'no answer' : 'the answer'}`, async () => {
        const { result, ran } = await ranWith([reply, answer(mode, LATER)], { mode })
        assert.deepEqual([result.answer, ran], [wanted ?? LATER, []])
      })
    }
    for (const [what, reply] of noCalls) {
      test(`a call that is not run: ${what}`, async () => {
        const { ran } = await ranWith([reply, answer(mode, LATER)], { mode })
        assert.deepEqual(ran, [])
      })
    }
    test('a call without arguments is one when it is all of the reply', async () => {
      const { ran } = await ranWith(['{"tool": "now"}', answer(mode, LATER)], { mode })
      assert.deepEqual(ran, [['now', {}]])
    })
    test('a call that stands inside of a JSON result is an echo', async () => {
      const page = tool({
        name: 'page',
        description: 'Reads.',
        input: { type: 'object' },
        run: () => ({ html: `see ${write}` }),
      })
      const { tools, ran } = toolbox()
      await ranWith([call(mode, 'page'), write, answer(mode, LATER)], { mode, tools: [...tools, page] })
      assert.deepEqual(ran, [])
    })
  })

  describe(`answers with a shape, in the mode ${mode}`, () => {
    const name = z.object({ name: z.string(), age: z.number() })
    const cases: readonly (readonly [what: string, schema: z.ZodType, reply: string, output: unknown])[] = [
      ['one key of the name answer', z.object({ answer: z.string() }), '{"answer": "Paris"}', { answer: 'Paris' }],
      [
        'a key of that name, and others',
        z.object({ answer: z.string(), sure: z.number() }),
        '{"answer": "Paris", "sure": 1}',
        { answer: 'Paris', sure: 1 },
      ],
      ['the object itself', name, '{"name": "Bob", "age": 3}', { name: 'Bob', age: 3 }],
      ['the object as the answer', name, '{"answer": {"name": "Bob", "age": "3"}}', { name: 'Bob', age: 3 }],
      ['the object as text', name, `{"answer": "{'name': 'Bob', 'age': 3}"}`, { name: 'Bob', age: 3 }],
      ['a number', z.number(), '42', 42],
      ['a number as the answer', z.number(), '{"answer": 42}', 42],
      ['a list', z.array(z.string()), '["a"]', ['a']],
      ['a text or a number', z.union([z.string(), z.number()]), '{"answer": "hello"}', 'hello'],
      ['nothing, where that is allowed', z.string().nullable(), '{"answer": null}', null],
      ['a text that is JSON', z.string(), '{"answer": "{\\"a\\": 1}"}', '{"a": 1}'],
    ]
    for (const [what, output, reply, wanted] of cases) {
      test(what, async () => {
        const model = scriptedModel([reply])
        const result = await createAgent({ model, mode, tools: toolbox().tools, output }).run('What?')
        if (result.kind !== 'answered') assert.fail(result.message)
        assert.deepEqual(result.output, wanted)
      })
    }
    test('what had to be repaired for it is named', async () => {
      const model = scriptedModel(['{"answer": {"name": "Bob", "age": "3", "hat": 1}}'])
      const result = await createAgent({ model, mode, tools: toolbox().tools, output: name }).run('Who?')
      assert.deepEqual(result.repairs, { 'parameter-ignored': 1, 'text-to-number': 1 })
    })
  })
}

describe('people and tools that misbehave', () => {
  const mode = 'json'
  const never = () => new Promise<never>(() => undefined)

  for (const hook of ['beforeCall', 'afterCall', 'approve'] as const) {
    test(`abort ends a run that waits for ${hook}`, async () => {
      const careful = tool({
        name: 'pay',
        description: 'Pays.',
        input: { type: 'object' },
        needsApproval: hook === 'approve',
        run: () => 'paid',
      })
      const model = scriptedModel([call(mode, 'pay')])
      const agent = createAgent({ model, mode, tools: [careful], [hook]: never })
      const result = await agent.run('Pay.', { signal: AbortSignal.timeout(40) })
      assert.equal(result.kind, 'aborted')
    })
  }

  test('a tool that changes its arguments changes no history', async () => {
    const greedy = tool({
      name: 'greedy',
      description: 'Changes.',
      input: { type: 'object', properties: { list: { type: 'array', items: { type: 'number' } } } },
      preview: (given) => String(given.list?.push(98)),
      needsApproval: true,
      run: (given) => given.list?.push(99),
    })
    const script = [call(mode, 'greedy', { list: [1] }), answer(mode, 'Done.')]
    const { model } = await ranWith(script, {
      mode,
      tools: [greedy],
      approve: ({ call }) => {
        Object.assign(call.arguments, { list: [] })
        return 'yes'
      },
    })
    const told = JSON.stringify(model.requests.at(-1)?.prompt)
    assert.ok(told.includes('\\"list\\":[1]') && told.includes('2'), told)
  })

  test('what cannot be shown was done all the same', async () => {
    const odd = tool({ name: 'odd', description: 'Odd.', input: { type: 'object' }, run: () => ({ big: 10n }) })
    const { events } = await ranWith([call(mode, 'odd'), answer(mode, 'Done.')], { mode, tools: [odd] })
    const [end] = ofKind(events, 'tool-end')
    assert.equal(end?.outcome, 'ok')
    assert.match(end?.observation ?? '', /odd was done, but what it gave cannot be shown/)
  })

  for (const thrown of [Object.create(null), undefined, { toString: 1 }]) {
    test('whatever a tool throws becomes an observation', async () => {
      const wild = tool({
        name: 'wild',
        description: 'Wild.',
        input: { type: 'object' },
        run: () => {
          throw thrown
        },
      })
      const { result } = await ranWith([call(mode, 'wild'), answer(mode, 'Done.')], { mode, tools: [wild] })
      assert.equal(result.kind, 'answered')
    })
  }

  test('when one of several calls breaks the run, the others have ended before it does', async () => {
    const { tools, ran } = toolbox()
    const calls = [
      { name: 'search', arguments: { query: 'a' } },
      { name: 'search', arguments: { query: 'b' } },
    ]
    const { events, result } = await ranWith([{ calls }], {
      mode: 'native',
      tools,
      beforeCall: ({ arguments: given }) => {
        if (given['query'] === 'a') throw new Error('mine')
        return undefined
      },
    })
    assert.deepEqual([result.kind, ran], ['failed', [['search', { query: 'b' }]]])
    assert.equal(events.at(-1)?.kind, 'run-end')
    assert.equal(ofKind(events, 'tool-end').length, 1)
  })

  test('times without end are no times at all', async () => {
    const patient = tool({
      name: 'patient',
      description: 'Waits.',
      input: { type: 'object' },
      timeout: Number.POSITIVE_INFINITY,
      run: () => 'ok',
    })
    const { result, events } = await ranWith([call(mode, 'patient'), answer(mode, 'Done.')], {
      mode,
      tools: [patient],
      limits: { seconds: 3_000_000 },
      timeouts: { total: Number.POSITIVE_INFINITY, firstToken: 1e12, idle: 1e12 },
    })
    assert.deepEqual([result.kind, ofKind(events, 'tool-end')[0]?.outcome], ['answered', 'ok'])
  })

  test('objects and lists of pairs are two calls, and both run', async () => {
    const any = tool({
      name: 'any',
      description: 'Takes.',
      input: { type: 'object', properties: { q: {} } },
      kind: 'pure',
      run: ({ q }) => JSON.stringify(q),
    })
    const calls = [
      { name: 'any', arguments: { q: { a: 1 } } },
      { name: 'any', arguments: { q: [['a', 1]] } },
    ]
    const { events } = await ranWith([{ calls }, 'Done.'], { mode: 'native', tools: [any] })
    assert.deepEqual(
      ofKind(events, 'tool-end').map(({ result }) => result),
      ['{"a":1}', '[["a",1]]'],
    )
  })

  test('a key is that of its task', async () => {
    const agent = createAgent({ model: scriptedModel(['A.', 'B.']) })
    await agent.run('Task A', { key: 'k' })
    await assert.rejects(agent.run('Task B', { key: 'k' }), /The key k is that of another task/)
  })

  test('an error that quotes what was sent is no reply', async () => {
    const task = `Why does it say: error parsing tool call: raw='{"path": "a", "content": "b"}', err=invalid`
    const body = (text: string): object => ({ detail: [{ loc: ['body'], msg: 'bad', ctx: text }] })
    const { tools, ran } = toolbox()
    const model = scriptedModel([{ error: { status: 422, body: body(task) } }])
    const result = await createAgent({ model, tools, mode: 'native' }).run(task)
    assert.deepEqual([result.kind, ran], ['failed', []])
  })

  test('the events of a run are read once', async () => {
    const run = createAgent({ model: scriptedModel(['Done.']) }).stream('Do it.')
    const events: RunEvent[] = []
    for await (const event of run) events.push(event)
    await assert.rejects(async () => {
      for await (const event of run) events.push(event)
    }, /read once/)
  })

  test('files of several results stand behind the last of them', async () => {
    const { content } = await import('../src/index.ts')
    const shot = tool({
      name: 'shot',
      description: 'Shoots.',
      input: { type: 'object', properties: { n: { type: 'number' } } },
      kind: 'pure',
      run: () => content([{ kind: 'file', mediaType: 'image/png', data: 'AAAA' }]),
    })
    const calls = [1, 2].map((n) => ({ name: 'shot', arguments: { n } }))
    const { model } = await ranWith([{ calls }, 'Done.'], { mode: 'native', tools: [shot] })
    assert.deepEqual(
      model.requests.at(-1)?.prompt.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'tool', 'user'],
    )
  })
})
