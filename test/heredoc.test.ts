/** The argument strings that a 20B model broke in the field, read as values. They stay outside of this repository. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readValue } from '../src/value/read-value.ts'

const corpus = new URL('../../shared/corpus/heredoc.jsonl', import.meta.url)

test('reads the malformed heredoc calls exactly', (t) => {
  if (!existsSync(corpus)) return t.skip('NOT CHECKED: the corpus of malformed heredoc calls is not on this machine')
  const rows = readFileSync(corpus, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  for (const { id, raw, expect } of rows) {
    const reading = readValue(raw)
    assert.deepEqual(reading.problems, [], id)
    assert.deepEqual(reading.value, expect, id)
  }
  t.diagnostic(`${rows.length} calls read`)
})
