import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { valueProblems } from './problems.ts'
import { readValue } from './read-value.ts'
import { type ValueRepairCode, type ValueRepairRow, valueRepairs } from './repairs.ts'

const rows = Object.entries(valueRepairs) as [ValueRepairCode, ValueRepairRow][]

describe('every repair of the catalogue', () => {
  for (const [code, { example, twin, class: repairClass }] of rows) {
    test(`${code}: reads its example, and names itself with a place`, () => {
      const [text, value] = example
      const reading = readValue(text)
      assert.deepEqual(reading.problems, [])
      assert.deepEqual(reading.value, value)
      const repair = reading.repairs.find((other) => other.code === code)
      assert.ok(repair, `repairs: ${reading.repairs.map((other) => other.code)}`)
      assert.ok(repair.path)
      assert.ok(repair.span || code === 'encoding-doubled')
      assert.ok('before' in repair && 'after' in repair)
    })

    test(`${code}: leaves its near-twin alone`, () => {
      const [text, outcome] = twin
      const reading = readValue(text)
      if (outcome === 'refused') assert.notDeepEqual(reading.problems, [])
      else {
        assert.deepEqual(reading.problems, [])
        assert.ok(reading.repairs.every((repair) => repair.code !== code))
        if (outcome === 'unchanged')
          assert.deepEqual(reading, { value: JSON.parse(text), repairs: [], problems: [], complete: true })
        else assert.deepEqual(reading.value, outcome.reads)
      }
    })

    test(`${code}: can be switched off`, () => {
      const { value, problems } = readValue(example[0], { policy: { [code]: 'deny' } })
      // Python read another way may still be readable: then it was read without this repair.
      if (code === 'python-literal') assert.deepEqual(value, example[1])
      else {
        assert.equal(value, undefined)
        assert.ok(problems.some((problem) => problem.code === 'repair-denied' && problem.message.includes(code)))
      }
    })

    test(`${code}: is not made under strict`, () => {
      const { value, problems } = readValue(example[0], { strict: true })
      if (code === 'integer-large') assert.deepEqual(problems, [])
      else {
        assert.equal(value, undefined)
        assert.ok(problems.length > 0)
      }
    })

    if (repairClass === 'interpretive') {
      test(`${code}: being interpretive, has a twin that is not read so`, () => {
        assert.ok(twin[1] === 'refused' || twin[1] === 'unchanged')
      })
    }
  }
})

describe('every problem of the catalogue', () => {
  for (const [code, { example }] of Object.entries(valueProblems)) {
    if (example === '') continue
    test(`${code}: refuses its example, remedy first, with the place`, () => {
      const { problems, repairs } = readValue(example)
      const problem = problems.find((other) => other.code === code)
      assert.ok(
        problem,
        `problems: ${problems.map((other) => other.code)}, repairs: ${repairs.map((other) => other.code)}`,
      )
      assert.match(problem.message, /^(Send|Give|Write|Use|Nest) /)
      if (code !== 'no-value') assert.match(problem.message, /line \d+, column \d+/)
    })
  }
})
