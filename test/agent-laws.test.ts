/** What holds of every run, whatever a model writes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stateOf } from '../src/agent/state.ts'
import { createAgent, ends, type ModeName, memoryRecorder, type RunEvent } from '../src/index.ts'
import { type Reply, type ScriptedModel, scriptedModel } from '../src/test/index.ts'
import { answer, call, callWith, modes, toolbox, unreadable } from './agent-fixtures.ts'

const rounds = Number(process.env['CALLWRIGHT_LONG'] ?? 1)
/** Stands in every reply that must not come back to the model. */
const MARK = 'SPOILT'

type Turn = (mode: ModeName) => Reply

const turns: fc.Arbitrary<Turn> = fc.oneof(
  fc.nat(3).map((n) => (mode: ModeName) => call(mode, 'search', { query: `q${n}` }, n > 1 ? 'hm' : '')),
  fc.nat(2).map((n) => (mode: ModeName) => call(mode, 'write_file', { path: `p${n}`, content: `{"x": ${n}}` })),
  fc.constant((mode: ModeName) => call(mode, 'now')),
  fc.nat(9).map((n) => (mode: ModeName) => call(mode, 'broken', { part: String(n) })),
  fc.nat(3).map((n) => (mode: ModeName) => callWith(mode, 'search', `{'query': 'r${n}', 'made_up': '${MARK}'}`)),
  fc.constant((mode: ModeName) => call(mode, 'search', { limit: 1, [MARK]: 1 })),
  fc.constant((mode: ModeName) => call(mode, 'serch', { query: MARK })),
  fc.constant((mode: ModeName) => unreadable(mode, MARK)),
  fc.constant(() => ({ text: `half an answer ${MARK}`, finish: 'length' })),
  fc.constant(() => ({ text: '' })),
  fc.constant(() => ({ error: { status: 503 } })),
  fc.constant(() => ({ error: { status: 500, body: `error parsing tool call: raw='{"query": "e"]}', err=invalid` } })),
  fc.string().map((text) => () => `{"tool": ${JSON.stringify(text)} ${MARK}`),
)

const runs = fc.record({
  mode: fc.constantFrom(...modes),
  script: fc.array(turns, { maxLength: 14 }),
  steps: fc.integer({ min: 1, max: 12 }),
})

test('a run always ends with an answer or a typed end, and its record adds up to its state', async () => {
  await fc.assert(
    fc.asyncProperty(runs, async ({ mode, script, steps }) => {
      const { tools, ran } = toolbox()
      const model = scriptedModel([...script.map((turn) => turn(mode)), answer(mode, 'Done.'), answer(mode, 'Done.')])
      const recorder = memoryRecorder<RunEvent>()
      const agent = createAgent({ model, tools, mode, recorder, retryDelay: 0, limits: { steps } })
      const result = await agent.run('Do it.')
      assert.ok(result.kind in ends)
      assert.ok(result.message.length > 0 && result.next.length > 0)
      assert.ok(result.steps <= steps + 1, 'the final attempt is one more')

      const events = (await recorder.load(result.run)) ?? []
      const started = events.filter(({ kind }) => kind === 'tool-start').length
      assert.equal(started, ran.length, 'what ran was said before')
      assertHistories(model)

      const state = stateOf(JSON.parse(JSON.stringify(events)))
      assert.deepEqual(
        [
          state.turns,
          state.usage,
          Object.fromEntries(state.repairs),
          Object.fromEntries(state.refusals),
          state.end?.kind,
        ],
        [result.steps, result.usage, result.repairs, result.refusals, result.kind],
      )
    }),
    { numRuns: 150 * rounds },
  )
})

/** The history that a model is sent holds what ran, in order, and nothing of what could not be read. */
function assertHistories({ requests }: ScriptedModel): void {
  for (const { prompt } of requests) {
    const told = JSON.stringify(prompt).replaceAll(/\[note: ignored made_up, which search does not take[^\]]*\]/g, '')
    assert.ok(!told.includes(`'${MARK}`) && !told.includes(`half an answer ${MARK}`) && !told.includes(`": "${MARK}`))
    const roles = prompt.map(({ role }) => role)
    assert.equal(roles[0], 'system')
    assert.equal(roles[1], 'user')
    assert.ok(roles.every((role, index) => role !== 'user' || roles[index - 1] !== 'user'))
    const open = new Set<string>()
    for (const { role, content } of prompt) {
      if (role !== 'assistant' && role !== 'tool') {
        assert.equal(open.size, 0, 'every call has its result')
        continue
      }
      for (const part of content) {
        if (part.type === 'tool-call') open.add(part.toolCallId)
        if (part.type === 'tool-result') assert.ok(open.delete(part.toolCallId), 'a result of no call')
      }
    }
  }
}

test('a run that is gone on with from its record asks what it would have asked', async () => {
  await fc.assert(
    fc.asyncProperty(runs, async ({ mode, script }) => {
      const { tools } = toolbox()
      const replies = script.map((turn) => turn(mode))
      const recorder = memoryRecorder<RunEvent>()
      const first = scriptedModel([...replies, answer(mode, 'Done.'), answer(mode, 'Again.')])
      const agent = createAgent({ model: first, tools, mode, recorder, retryDelay: 0 })
      const { run } = await agent.run('Do it.')
      const events = JSON.parse(JSON.stringify(await recorder.load(run)))
      const copy = memoryRecorder<RunEvent>()
      for (const event of events) copy.append(run, event)
      const second = scriptedModel([answer(mode, 'Again.'), answer(mode, 'Again.')])
      const other = createAgent({ model: second, tools: toolbox().tools, mode, recorder: copy, retryDelay: 0 })
      const asked = first.requests.length
      await agent.continue(run, 'And?')
      await other.continue(run, 'And?')
      assert.deepEqual(second.requests[0]?.prompt, first.requests[asked]?.prompt)
    }),
    { numRuns: 60 * rounds },
  )
})

const goodTurns: fc.Arbitrary<Turn> = fc.oneof(
  fc.nat(5).map((n) => (mode: ModeName) => call(mode, 'search', { query: `q${n}` }, n > 2 ? 'hm' : '')),
  fc.nat(3).map((n) => (mode: ModeName) => callWith(mode, 'search', `{'query': 'r${n}', 'made_up': 1}`)),
  fc.constant((mode: ModeName) => call(mode, 'now')),
)

test('a run that is cut off behind any of its events goes on to the same end', async () => {
  const cut = fc.record({
    mode: fc.constantFrom(...modes),
    script: fc.array(goodTurns, { maxLength: 6 }),
    place: fc.nat(1_000),
    steps: fc.integer({ min: 2, max: 7 }),
  })
  await fc.assert(
    fc.asyncProperty(cut, async ({ mode, script, place, steps }) => {
      const replies = [...script.map((turn) => turn(mode)), answer(mode, 'Done.'), answer(mode, 'Done.')]
      const options = { mode, limits: { steps }, tools: toolbox().tools }
      const whole = memoryRecorder<RunEvent>()
      const result = await createAgent({ ...options, model: scriptedModel(replies), recorder: whole }).run('Do it.', {
        key: 'r',
      })
      // A run without an answer is given another chance when it is gone on with.
      if (result.answer === undefined) return
      const events = (await whole.load('r')) ?? []
      const kept = events.slice(0, 1 + (place % events.length))
      // A call that was begun is another matter: its outcome is unknown, and the model is told so.
      if (kept.at(-1)?.kind === 'tool-start') return
      const part = memoryRecorder<RunEvent>()
      for (const event of kept) part.append('r', event)
      const heard = kept.filter(({ kind }) => kind === 'reply').length
      const model = scriptedModel(replies.slice(heard))
      const again = await createAgent({ ...options, model, recorder: part }).resume('r')
      assert.deepEqual([again.kind, again.answer, again.repairs], [result.kind, result.answer, result.repairs])
      assert.equal(heard + model.requests.length, result.steps)
    }),
    { numRuns: 120 * rounds },
  )
})
