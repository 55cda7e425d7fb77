/** Cases that were made by `callwright report`: each is read as its sender meant it. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type JsonObject, read, type ToolLike } from '../src/index.ts'

interface Report {
  readonly text: string
  readonly tools: readonly ToolLike[]
  readonly expect: readonly { readonly name: string; readonly arguments: JsonObject }[]
}

const folder = new URL('reports/', import.meta.url)

describe('reports', () => {
  for (const file of readdirSync(folder)) {
    test(file, () => {
      const { text, tools, expect }: Report = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
      const found = read(text, { tools }).calls.map(({ name, arguments: given }) => ({ name, arguments: given }))
      assert.deepEqual(found, expect)
    })
  }
})
