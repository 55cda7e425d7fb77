/** Argument strings that models really sent, from public issue threads; the corpus is not part of this repository. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type JsonSchema, readArguments } from '../src/index.ts'

const file = new URL('../../shared/corpus/wild.jsonl', import.meta.url)

interface Expected {
  readonly calls?: readonly { readonly arguments: unknown }[]
}
interface Row {
  readonly id: string
  readonly raw: string
  readonly raw_kind: string
  readonly tool: string
  readonly tools: readonly { readonly name: string; readonly parameters: JsonSchema }[]
  readonly expect: Expected
  readonly expect_alt?: readonly Expected[]
}

test('reads real argument strings as they were meant, and none as another call', (context) => {
  if (!existsSync(file)) {
    context.diagnostic(`SKIPPED: no corpus at ${file.pathname}`)
    return context.skip('the corpus is not there')
  }
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Row => JSON.parse(line))
    .filter(({ raw_kind }) => raw_kind === 'arguments')
  let right = 0
  for (const { id, raw, tool, tools, expect, expect_alt = [] } of rows) {
    const offered = tools.find(({ name }) => name === tool) ?? { name: tool, parameters: {} }
    const got = readArguments(raw, offered).calls.map((call) => call.arguments)
    const isRight = [expect, ...expect_alt].some(({ calls = [] }) =>
      isDeepStrictEqual(
        got,
        calls.map((call) => call.arguments),
      ),
    )
    if (isRight) right++
    else assert.deepEqual(got, [], `${id}: a wrong call`)
  }
  context.diagnostic(`${right} of ${rows.length} right, none wrong`)
  assert.ok(right / rows.length >= 0.95)
})
