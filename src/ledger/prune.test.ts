import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thisProcess } from '../tools/process-name.ts'
import { type PruneWish, runsToPrune } from './prune.ts'
import { interruptedRuns, runStateOf } from './run-state.ts'
import type { RunRow } from './store.ts'

const gone = JSON.stringify({ pid: 2 ** 22 + 1, since: '' })
const row = (run: string, updatedAt: number, bytes: number, others: Partial<RunRow> = {}): RunRow => ({
  ...{ run, createdAt: updatedAt, updatedAt, bytes, events: 1, task: '', model: '' },
  ...{ owner: undefined, end: 'answered', settings: undefined, ...others },
})
const rows = [
  row('new', 900, 100),
  row('killed', 800, 100, { end: undefined, owner: gone }),
  row('live', 100, 100, { end: undefined, owner: thisProcess() }),
  row('old', 50, 100),
]

test('the state of a run is its end, or whether somebody works on it', () => {
  assert.deepEqual(rows.map(runStateOf), ['answered', 'interrupted', 'running', 'answered'])
  const begun = [...rows, row('never begun', 1, 0, { end: undefined, events: 0 })]
  assert.deepEqual(
    interruptedRuns(begun).map(({ run }) => run),
    ['killed'],
  )
})

const cases: readonly (readonly [wish: PruneWish, size: number, gone: readonly string[]])[] = [
  [{ olderThan: 500 }, 400, ['old']],
  [{ olderThan: 0 }, 400, ['old', 'killed', 'new']],
  [{ olderThan: 5_000 }, 400, []],
  [{ keepSize: 400 }, 400, []],
  [{ keepSize: 300 }, 400, ['old']],
  // On the disk each takes twice as much as its texts.
  [{ keepSize: 500 }, 800, ['old', 'killed']],
  [{ keepSize: 0 }, 400, ['old', 'killed', 'new']],
  [{ keepSize: 350, olderThan: 150 }, 400, ['old', 'killed']],
]
for (const [wish, size, removed] of cases) {
  test(`${JSON.stringify(wish)} of ${size} removes ${removed.join(', ') || 'nothing'}`, () => {
    const now = 1_000
    assert.deepEqual(
      runsToPrune(rows, size, wish, now).map(({ run }) => run),
      removed,
    )
  })
}
