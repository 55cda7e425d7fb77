import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventOf } from '../agent/events.ts'
import { NAMELESS, type ReadReplyEvent, statisticsOf } from './statistics.ts'

type Call = readonly [
  tool: string,
  ...codes: readonly (string | readonly [code: string, ...path: (string | number)[]])[],
]

/** What a reply meant: calls with their repairs, refused calls with their problems, a reason. */
function reply(calls: readonly Call[], refused: readonly Call[] = [], reason?: 'unreadable' | 'cut'): ReadReplyEvent {
  const notes = (codes: Call[1][]): { code: string; path: (string | number)[]; message: string }[] =>
    codes.map((note) => {
      const [code = '', ...path] = typeof note === 'string' ? [note] : note
      return { code: String(code), path, message: 'Send it again.' }
    })
  // The event of the agent is what is counted: this does not compile when they part.
  const event: EventOf<'reply-read'> = {
    kind: 'reply-read',
    calls: calls.map(([name, ...codes]) => ({
      call: { id: 'c', name, arguments: {} },
      dialect: 'native',
      repairs: notes(codes),
    })),
    refused: refused.map(([name, ...codes]) => ({ ...(name === '' ? {} : { name }), raw: '', problems: notes(codes) })),
    signatures: [],
    ...(reason ? { advice: { reason, text: 'Send it again.' } } : {}),
  }
  return event
}

test('calls count once for each code, for their model, their tool, and all', () => {
  const { all, models, tools } = statisticsOf([
    {
      model: 'a',
      events: [
        reply([['write', 'python-literal', 'python-literal'], ['write'], ['read', 'closer-dropped']]),
        reply(
          [],
          [
            ['write', 'truncated', 'truncated'],
            ['', 'name-missing'],
          ],
        ),
        { kind: 'tool-end' },
      ],
    },
    { model: 'b', events: [reply([['read', 'python-literal']]), reply([], [], 'unreadable'), reply([], [], 'cut')] },
  ])
  assert.deepEqual(all, {
    ...{ runs: 2, replies: 5, calls: 6, repaired: 3, refused: 2, advice: { unreadable: 1, cut: 1 } },
    ...{ repairs: { 'python-literal': 2, 'closer-dropped': 1 }, refusals: { truncated: 1, 'name-missing': 1 } },
  })
  assert.deepEqual(
    models.map(({ model, runs, replies, calls, repaired, refused, advice }) => [
      ...[model, runs, replies, calls, repaired, refused, advice],
    ]),
    [
      ['a', 1, 2, 5, 2, 2, {}],
      ['b', 1, 3, 1, 1, 0, { unreadable: 1, cut: 1 }],
    ],
  )
  assert.deepEqual(
    tools.map(({ tool, calls, repaired, refused }) => [tool, calls, repaired, refused]),
    [
      ['write', 3, 1, 1],
      ['read', 2, 2, 0],
      [NAMELESS, 1, 0, 1],
    ],
  )
})

test('an ignored parameter is counted by tool and place, once a call, beside all calls of the tool', () => {
  const ignored = (...path: (string | number)[]): readonly [string, ...(string | number)[]] => [
    'parameter-ignored',
    ...path,
  ]
  const statistics = statisticsOf([
    {
      model: 'a',
      events: [reply([['write', ignored('line_end'), ignored('edits', 0, 'why'), ignored('edits', 1, 'why')]])],
    },
    {
      model: 'b',
      events: [
        reply(
          [
            ['write', ignored('line_end')],
            ['read', ignored('line_end')],
          ],
          [['write', 'truncated']],
        ),
      ],
    },
  ])
  assert.deepEqual(statistics.ignored, [
    { tool: 'write', parameter: 'line_end', calls: 2, of: 3, models: ['a', 'b'] },
    { tool: 'write', parameter: 'edits.[].why', calls: 1, of: 3, models: ['a'] },
    { tool: 'read', parameter: 'line_end', calls: 1, of: 1, models: ['b'] },
  ])
})

test('the last runs are those with calls, of all models and of each', () => {
  const old = { model: 'a', events: [reply([['read', 'python-literal']])] }
  const fresh = { model: 'a', events: [reply([['read']])] }
  const silent = { model: 'a', events: [reply([])] }
  const { all, recent, models } = statisticsOf([silent, fresh, { ...old, model: 'b' }, fresh, old], 2)
  assert.deepEqual([all.runs, all.calls, all.repairs], [5, 4, { 'python-literal': 2 }])
  assert.deepEqual([recent.runs, recent.calls, recent.repairs], [2, 2, { 'python-literal': 1 }])
  assert.deepEqual(
    models.map((tally) => [tally.model, tally.recent.runs, tally.recent.calls, tally.recent.repairs]),
    [
      ['a', 2, 2, {}],
      ['b', 1, 1, { 'python-literal': 1 }],
    ],
  )
})
