/** What is a call and what only speaks of one, by the tables of test/mention-cases.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReader, read } from '../src/index.ts'
import { cues } from '../src/read/cues.ts'
import type { Reading } from '../src/types.ts'
import { negatives, positives, type Row, several, tools } from './mention-cases.ts'

function readBoth([, reply, { options = {} } = {}]: Row): Reading {
  const reading = read(reply, { tools, ...options })
  const reader = createReader({ tools, ...options })
  for (const unit of reply.split('')) reader.push(unit)
  assert.deepEqual(reader.end().reading, reading)
  assert.equal(reading.parts.map(({ raw }) => raw).join(''), reply)
  return reading
}

const tables = { 'no call': [negatives, 0], 'a call': [positives, 1], 'two calls': [several, 2] } as const
for (const [expected, [rows, count]] of Object.entries(tables)) {
  test(expected, async (context) => {
    for (const row of rows) {
      await context.test(row[0], row[2]?.todo === undefined ? {} : { todo: row[2].todo }, () => {
        const { calls } = readBoth(row)
        assert.equal(calls.length, count, `${row[1]} gave ${JSON.stringify(calls)}`)
        for (const { name, arguments: given } of calls) {
          if (name === 'run_bash') assert.deepEqual(given, { command: 'rm -rf build' })
        }
      })
    }
  })
}

test('there are enough of them', () => {
  assert.ok(negatives.filter(([, , more]) => !more?.todo).length >= 50)
  assert.ok(positives.length + several.length >= 20)
})

test('few words decide: no more than sixty of them', () => {
  const { announcing, vetoing, denying, telling, labels, retracting } = cues
  const all = [announcing, vetoing, denying, telling, labels, retracting].flat()
  assert.ok(all.length <= 60 && new Set(all).size === all.length, `${all.length}`)
})
