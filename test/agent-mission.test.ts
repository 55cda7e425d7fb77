/** Every row of "What ReactAgent Has" of mission/002 and of its lifecycle, by its name, in every mode. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, call, callWith, modes, ofKind, ranWith, toldIn, unreadable } from './agent-fixtures.ts'

for (const mode of modes) {
  describe(`what ReactAgent has, in the mode ${mode}`, () => {
    test('JSON parsing: LLM outputs structured JSON as text', async () => {
      const { result, ran } = await ranWith([call(mode, 'search', { query: 'tides' }), answer(mode, 'At noon.')], {
        mode,
      })
      assert.deepEqual(ran, [['search', { query: 'tides' }]])
      assert.equal(result.kind, 'answered')
      assert.equal(result.answer, 'At noon.')
      assert.equal(result.steps, 2)
    })

    test('Scratchpad: thinking is logged, spends a step, and does not raise the temperature', async () => {
      const thought = mode === 'react' ? 'Thought: where to look' : '{"scratchpad": "where to look"}'
      const reply = mode === 'native' ? { thought: 'where to look' } : thought
      const { result, events } = await ranWith([reply, answer(mode, 'Here.')], { mode })
      assert.equal(result.kind, 'answered')
      assert.equal(result.steps, 2)
      assert.equal(ofKind(events, 'feedback')[0]?.thought, 'where to look')
      assert.deepEqual(
        ofKind(events, 'step-start').map(({ temperature }) => temperature),
        [0.7, 0.7],
      )
    })

    test('Temperature ramping: rises by 0.2 for each reply that cannot be read, and returns after a good one', async () => {
      const script = [unreadable(mode), unreadable(mode), call(mode, 'now'), answer(mode, 'Noon.')]
      const { result, events } = await ranWith(script, { mode })
      assert.equal(result.kind, 'answered')
      assert.deepEqual(
        ofKind(events, 'step-start').map(({ temperature }) => temperature),
        [0.7, 0.9, 1.1, 0.7],
      )
    })

    test('Temperature ramping stops at 1.5', async () => {
      const script = [unreadable(mode), unreadable(mode), answer(mode, 'Done.')]
      const { events, model } = await ranWith(script, { mode, temperature: 1.2 })
      assert.deepEqual(
        ofKind(events, 'step-start').map(({ temperature }) => temperature),
        [1.2, 1.4, 1.5],
      )
      assert.deepEqual(
        model.requests.map(({ temperature }) => temperature),
        [1.2, 1.4, 1.5],
      )
    })

    test('Observation truncation: the model sees head and tail, the record has the whole', async () => {
      const long = `${'a'.repeat(3_000)}MIDDLE${'z'.repeat(3_000)}`
      const script = [call(mode, 'search', { query: long }), answer(mode, 'Done.')]
      const { events, model } = await ranWith(script, { mode })
      const [end] = ofKind(events, 'tool-end')
      assert.equal(end?.result, `found ${long}`)
      assert.ok((end?.observation.length ?? 0) < 2_200)
      assert.match(
        end?.observation ?? '',
        /^found aaa.*4012 of 6012 characters left out here\. Call search for a smaller part.*zzz$/s,
      )
      assert.ok(toldIn(model).includes('4012 of 6012 characters left out'))
    })

    test('Final attempt: last chance for an answer at the step limit, without tools, at temperature 0, marked as such', async () => {
      const script = [call(mode, 'search', { query: '1' }), call(mode, 'search', { query: '2' }), 'About noon.']
      const { result, events, model, ran } = await ranWith(script, { mode, limits: { steps: 2 } })
      assert.equal(result.kind, 'answered-at-limit')
      assert.equal(result.answer, 'About noon.')
      assert.equal(ran.length, 2)
      const last = model.requests.at(-1)
      assert.deepEqual([last?.tools, last?.temperature], [undefined, 0])
      assert.match(toldIn(model), /Give the final answer now/)
      assert.equal(ofKind(events, 'answer-forced').length, 1)
    })

    test('Verbose logging: the whole exchange is told, requests and replies', async () => {
      const script = [call(mode, 'search', { query: 'tides' }), answer(mode, 'At noon.')]
      const { events, model } = await ranWith(script, { mode })
      assert.deepEqual(
        ofKind(events, 'request').map(({ request }) => request.prompt),
        model.requests.map(({ prompt }) => prompt),
      )
      assert.equal(ofKind(events, 'reply').length, 2)
    })
  })

  describe(`the lifecycle of ReactAgent, in the mode ${mode}`, () => {
    test('1. Construct messages: system prompt with the tools, then the task', async () => {
      const { model } = await ranWith([answer(mode, 'Done.')], { mode, instructions: 'You are terse.' })
      const [request] = model.requests
      assert.deepEqual(
        request?.prompt.map(({ role }) => role),
        ['system', 'user'],
      )
      assert.match(toldIn(model), /You are terse\..*Do it\./)
      const tools = request?.tools
        ? JSON.stringify(request.tools)
        : JSON.stringify([request?.prompt, request?.responseFormat])
      for (const name of ['search', 'write_file', 'register']) assert.ok(tools.includes(name), name)
    })

    test('2. LLM turn: the temperature that is sent rises on parse failures', async () => {
      const { model } = await ranWith([unreadable(mode), answer(mode, 'Done.')], { mode })
      assert.deepEqual(
        model.requests.map(({ temperature }) => temperature),
        [0.7, 0.9],
      )
    })

    test('4. Dispatch: a scratchpad goes on, a tool runs, an answer ends the run', async () => {
      const thought = mode === 'native' ? { thought: 'hm' } : mode === 'react' ? 'Thought: hm' : '{"scratchpad": "hm"}'
      const script = [thought, call(mode, 'now'), answer(mode, 'Noon.'), answer(mode, 'never asked for')]
      const { result, ran, model } = await ranWith(script, { mode })
      assert.deepEqual(ran, [['now', {}]])
      assert.equal(result.answer, 'Noon.')
      assert.equal(model.requests.length, 3)
    })

    test('3. Malformed replies trigger a retry with feedback, and are never shown to the model again', async () => {
      const { events, model } = await ranWith([unreadable(mode, 'SPOILT'), answer(mode, 'Done.')], { mode })
      const [feedback] = ofKind(events, 'feedback')
      assert.equal(feedback?.reason, 'unreadable')
      assert.match(feedback?.text ?? '', /^Send the whole/)
      assert.ok(toldIn(model).includes('About your last reply: Send the whole'))
      assert.ok(!toldIn(model).includes('SPOILT'))
    })

    test('5. Tool execution: validates the arguments, calls the function, catches errors', async () => {
      const script = [call(mode, 'search', {}), call(mode, 'broken'), answer(mode, 'It failed.')]
      const { result, ran, events, model } = await ranWith(script, { mode })
      assert.equal(result.kind, 'answered')
      assert.deepEqual(ran, [['broken', {}]])
      assert.match(ofKind(events, 'feedback')[0]?.text ?? '', /^Send search again with "query"\./)
      assert.match(toldIn(model), /broken failed: the disk is full/)
    })

    test('6. Observation: the result stands in the next request, behind the call in canonical JSON', async () => {
      const script = [callWith(mode, 'search', `{'query': "it's", 'limit': 3}`), answer(mode, 'Done.')]
      const { model, ran } = await ranWith(script, { mode })
      assert.deepEqual(ran, [['search', { query: "it's", limit: 3 }]])
      const told = toldIn(model)
      assert.ok(told.includes("found it's"))
      assert.ok(!told.includes("'limit'"), 'no repr of another language')
    })

    test('7. Step limit: without an answer in the final attempt either, the run ends as out of budget', async () => {
      const script = [call(mode, 'now'), { text: '' }]
      const { result } = await ranWith(script, { mode, limits: { steps: 1 } })
      assert.equal(result.kind, 'out-of-budget')
      assert.match(result.message, /limit of 1 steps .* no answer/)
      assert.match(result.next, /Raise the limit/)
    })

    test('After three unreadable replies in a row the run ends as unreadable, and says what to do', async () => {
      const { result } = await ranWith([unreadable(mode), unreadable(mode), unreadable(mode)], { mode })
      assert.equal(result.kind, 'unreadable')
      assert.match(result.message, /3 replies in a row could not be read/)
      assert.match(result.next, /another mode/)
    })
  })
}
