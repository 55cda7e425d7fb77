/**
 * What the words are worth that tell a mention from a call: leaves out one group of them after the other, and counts
 * false and missed calls in the tables of the tests and, when named, in a collection of replies.
 *
 *   node scripts/cues.ts [wild.jsonl] [--words]
 */
import { readFileSync } from 'node:fs'
import { read, type ToolLike } from '../src/index.ts'
import { cues } from '../src/read/cues.ts'
import { negatives, positives, several, tools } from '../test/mention-cases.ts'

interface Case {
  readonly text: string
  readonly tools: readonly ToolLike[]
  readonly options?: object
  readonly count: number
}
interface WildRow {
  readonly raw: string
  readonly raw_kind: string
  readonly tools: readonly ToolLike[]
  readonly expect: { readonly calls?: readonly unknown[] }
}

const words = process.argv.slice(2)
const file = words.find((word) => !word.startsWith('--'))
const tables = [
  [negatives, 0],
  [positives, 1],
  [several, 2],
] as const
const cases: Case[] = tables.flatMap(([rows, count]) =>
  rows.map(([, text, more]) => ({ text, tools, options: more?.options ?? {}, count })),
)
const wild: Case[] = (file === undefined ? [] : readFileSync(file, 'utf8').split('\n').filter(Boolean))
  .map((line): WildRow => JSON.parse(line))
  .filter(({ raw_kind }) => raw_kind !== 'arguments')
  .map(({ raw, tools, expect }) => ({ text: raw, tools, count: expect.calls?.length ?? 0 }))

const count = (): string => {
  const all = [...cases, ...wild].map(({ text, tools, options, count }) => ({
    found: read(text, { ...options, tools }).calls.length,
    count,
  }))
  const wrong = all.filter(({ found, count }) => found > count).length
  const missed = all.filter(({ found, count }) => found < count).length
  return `${String(wrong).padStart(3)} too many ${String(missed).padStart(3)} too few`
}

console.log(`${cases.length + wild.length} replies`)
console.log(`${count()}  with all words`)
for (const [group, list] of Object.entries(cues)) {
  const all = list.splice(0)
  console.log(`${count()}  without ${group} (${all.length})`)
  if (words.includes('--words')) {
    for (const word of all) {
      list.splice(0, list.length, ...all.filter((other) => other !== word))
      console.log(`${count()}    without "${word}"`)
    }
  }
  list.splice(0, list.length, ...all)
}
