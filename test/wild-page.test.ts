/** The page of what goes wrong: its examples are read as it says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { wildClasses } from '../scripts/docs/wild-classes.ts'
import { createReader, read } from '../src/index.ts'

const text = { type: 'string' }
const tool = (name: string, properties: object, ...required: string[]) => ({
  name,
  input: { type: 'object', properties, required },
})
const tools = [
  tool('search', { query: text, limit: { type: 'integer' } }, 'query'),
  tool('write_file', { path: text, content: text }, 'path', 'content'),
  tool('now', {}),
]
const page = readFileSync(new URL('../docs/wild.md', import.meta.url), 'utf8')

describe('what goes wrong in the wild', () => {
  for (const [name, { example, calls, says }] of Object.entries(wildClasses)) {
    test(name, () => {
      const reading = read(example, { tools })
      assert.deepEqual(
        reading.calls.map((call) => [call.name, call.arguments]),
        calls,
      )
      const reader = createReader({ tools })
      for (const unit of example.split('')) reader.push(unit)
      assert.deepEqual(reader.end().reading, reading)
      assert.ok(page.includes(example) && page.includes(says.slice(1)), 'run scripts/wild.ts')
    })
  }
})
