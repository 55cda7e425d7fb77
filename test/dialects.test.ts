/** The page of dialects: what it shows is read so. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shown } from '../scripts/docs/dialects.ts'
import { type Dialect, dialects, lineDialects, type MarkupRepairRow, markupRepairs, read } from '../src/index.ts'

const text = { type: 'string' }
const tool = (name: string, properties: object, ...required: string[]) => ({
  name,
  input: { type: 'object', properties, required },
})
const tools = [tool('search', { query: text, limit: { type: 'integer' } }, 'query')]
const write = [tool('write', { path: text, content: text }, 'path', 'content')]

describe('every dialect that is shown', () => {
  for (const { name, example } of shown) {
    test(name, () => {
      const { calls, refused, text } = read(example, { tools })
      assert.deepEqual([calls.map(({ arguments: given }) => given), refused], [[{ query: 'tides', limit: 3 }], []])
      assert.equal(text.trim(), '')
      const odd = calls.flatMap(({ repairs }) => repairs).filter(({ code }) => code !== 'text-to-number')
      assert.deepEqual(odd, [])
    })
  }
})

test('rows are plain data, and their names are their own', () => {
  const rows: readonly Dialect[] = [...dialects, ...lineDialects]
  assert.deepEqual(JSON.parse(JSON.stringify(rows)), rows)
  assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
})

test('every row is found by its name: no other row takes its calls', () => {
  for (const { name } of [...dialects, ...lineDialects]) {
    const { example = '' } = shown.find((other) => other.name === name) ?? {}
    assert.equal(read(example, { tools }).calls[0]?.dialect, name)
  }
})

describe('every repair of markers', () => {
  for (const [code, row] of Object.entries<MarkupRepairRow>(markupRepairs)) {
    test(code, () => {
      const { calls } = read(row.example, { tools: write })
      assert.deepEqual(calls[0]?.arguments, { path: 'a.md', content: 'x' })
      assert.ok(
        calls[0]?.repairs.some((repair) => repair.code === code),
        JSON.stringify(calls[0]?.repairs),
      )
      assert.deepEqual(read(row.twin, { tools: write }).calls, [])
      assert.deepEqual(read(row.example, { tools: write, policy: { [code]: 'deny' } }).calls, [])
    })
  }
})
