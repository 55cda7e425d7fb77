import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { RunLost } from '../ledger/errors.ts'
import type { RunStore, StoredEvent } from '../ledger/store.ts'
import { thisProcess } from '../tools/process-name.ts'
import { RunBusy } from '../tools/recorder.ts'

/** Something that every store must do. Throws where it does not. */
export interface StoreCheck {
  readonly name: string
  /** Is given an empty store, and a function that opens the same one again, as another process would. */
  readonly check: (store: RunStore, again: () => RunStore) => void
}

const event = (sequence: number, body = `{"n":${sequence}}`): StoredEvent => ({
  sequence,
  at: 1_000 + sequence,
  kind: 'k',
  body,
})

/** A process that was there, and is no more. */
const gone = (): string => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  return JSON.stringify({ pid, since: '' })
}

/**
 * What every store of runs must do, for whoever writes another one.
 *
 * @example
 * for (const { name, check } of storeChecks) test(name, () => check(open(), open))
 */
export const storeChecks: readonly StoreCheck[] = [
  {
    name: 'events come back as they were, in their order, in another process too',
    check(store, again) {
      const bodies = [
        '{}',
        '"\\ud800"',
        '{"text":"żółw 🐢 \\u0000"}',
        JSON.stringify('x'.repeat(70_000)),
        '{"a":"\\"}"}',
      ]
      const epoch = store.take('r', thisProcess())
      for (const [index, body] of bodies.entries()) store.append('r', epoch, event(index, body))
      const wanted = bodies.map((body, index) => event(index, body))
      assert.deepEqual(store.load('r'), wanted)
      assert.deepEqual(again().load('r'), wanted)
      assert.deepEqual(store.load('r', 3), wanted.slice(3))
    },
  },
  {
    name: 'a run that was never taken is not there; one that was is, without events',
    check(store) {
      assert.equal(store.load('r'), undefined)
      store.take('r', thisProcess())
      assert.deepEqual(store.load('r'), [])
    },
  },
  {
    name: 'a place is taken once',
    check(store) {
      const epoch = store.take('r', thisProcess())
      store.append('r', epoch, event(0))
      assert.throws(() => store.append('r', epoch, event(0, '{"other":1}')))
      assert.deepEqual(store.load('r'), [event(0)])
    },
  },
  {
    name: 'while a live owner has a run, nobody else takes it',
    check(store, again) {
      store.take('r', thisProcess())
      assert.throws(
        () => again().take('r', thisProcess()),
        (error) => RunBusy.isInstance(error),
      )
    },
  },
  {
    name: 'a run whose owner is gone, or has let go, is taken',
    check(store) {
      store.take('r', gone())
      const epoch = store.take('r', thisProcess())
      store.release('r', epoch)
      assert.ok(store.take('r', thisProcess()) > epoch)
    },
  },
  {
    name: 'an old owner is fenced off: it can append nothing, and let go of nothing',
    check(store, again) {
      const old = store.take('r', thisProcess())
      store.append('r', old, event(0))
      const other = again()
      const epoch = other.take('r', thisProcess(), { force: true })
      assert.throws(
        () => store.append('r', old, event(1)),
        (error) => RunLost.isInstance(error),
      )
      store.release('r', old)
      store.describe('r', old, { task: 'stolen' })
      assert.throws(
        () => store.take('r', thisProcess()),
        (error) => RunBusy.isInstance(error),
      )
      other.append('r', epoch, event(1))
      assert.deepEqual(other.load('r'), [event(0), event(1)])
      assert.equal(other.list()[0]?.task, '')
    },
  },
  {
    name: 'a list shows what was said of runs',
    check(store) {
      const epoch = store.take('r', thisProcess())
      store.append('r', epoch, event(0, '{"long":1}'), { task: 'Do it.', end: 'answered' })
      store.describe('r', epoch, { model: 'm', settings: '{}' })
      // What cannot be appended changes nothing that is shown either.
      assert.throws(() => store.append('r', epoch, event(0), { task: 'Other.' }))
      const [row] = store.list()
      assert.deepEqual(
        [row?.run, row?.task, row?.model, row?.end, row?.settings, row?.events, row?.bytes, typeof row?.owner],
        ['r', 'Do it.', 'm', 'answered', '{}', 1, 10, 'string'],
      )
      store.describe('r', epoch, { end: null })
      store.release('r', epoch)
      const [later] = store.list()
      assert.deepEqual([later?.end, later?.owner, later?.task], [undefined, undefined, 'Do it.'])
    },
  },
  {
    name: 'a run is forgotten with what only it held, and not while somebody works on it',
    check(store) {
      const large = JSON.stringify('y'.repeat(70_000))
      const first = store.take('a', thisProcess())
      const second = store.take('b', thisProcess())
      store.append('a', first, event(0, large))
      store.append('b', second, event(0, large))
      assert.throws(
        () => store.forget('a'),
        (error) => RunBusy.isInstance(error),
      )
      store.release('a', first)
      store.forget('a')
      assert.equal(store.load('a'), undefined)
      assert.deepEqual(store.load('b'), [event(0, large)])
    },
  },
]
