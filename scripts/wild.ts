/**
 * Writes docs/wild.md out of a collection of real replies: `node scripts/wild.ts wild.jsonl`. Each line is a reply with
 * the tools that were offered, its class, and the calls that a careful person reads in it. The collection is no part of
 * this repository; the examples of the page are, and test/wild-page.test.ts holds them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { type Reading, read, readArguments, type ToolLike } from '../src/index.ts'
import { fenced, sentence } from './docs/common.ts'
import { wildClasses } from './docs/wild-classes.ts'

interface Expected {
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[]
}
interface Row {
  readonly class: string
  readonly raw: string
  readonly raw_kind: string
  readonly tool?: string
  readonly tools: readonly (ToolLike & { readonly name: string })[]
  readonly expect: Expected
  readonly expect_alt?: readonly Expected[]
}

function readingOf({ raw, raw_kind, tool, tools }: Row): Reading {
  if (raw_kind !== 'arguments') return read(raw, { tools })
  return readArguments(raw, tools.find(({ name }) => name === tool) ?? { name: tool ?? '' })
}

/** How a reading compares with what a careful person reads. */
function verdictOn(row: Row): 'right' | 'missed' | 'wrong' | 'false' {
  const found = readingOf(row).calls.map(({ name, arguments: given }) => ({ name, arguments: given }))
  const accepted = [row.expect, ...(row.expect_alt ?? [])].map(({ calls = [] }) => calls)
  if (accepted.some((calls) => isDeepStrictEqual(calls, found))) return 'right'
  if (found.length === 0) return 'missed'
  return accepted.every((calls) => calls.length === 0) ? 'false' : 'wrong'
}

function pageOf(rows: readonly Row[]): string {
  const verdicts = rows.map((row) => ({ class: row.class, verdict: verdictOn(row) }))
  const count = (verdict: string, name?: string): number =>
    verdicts.filter((row) => row.verdict === verdict && (name === undefined || row.class === name)).length
  const names = Object.keys(wildClasses).map((name) => ({
    name,
    rows: verdicts.filter((row) => row.class === name).length,
  }))
  const sections = names
    .sort((one, other) => other.rows - one.rows)
    .map(({ name, rows }) => {
      const { says, example } = wildClasses[name] ?? { says: '', example: '' }
      return `### ${name}\n\n${count('right', name)} of ${rows} right. ${sentence(says)}\n\n${fenced(example)}`
    })
  return `<!-- Made by "node scripts/wild.ts wild.jsonl". -->

# What goes wrong in the wild

A collection of ${rows.length} real replies from public issue threads and test suites, each with the tools that were offered and the calls that a careful person reads in it. Of them
${count('right')} are read right, ${count('missed')} are missed, ${count('wrong')} give a wrong call, and ${count('false')} give a call where there is none. The replies belong to their authors and are not in this repository; the examples
below are our own, in the same shapes, and tests.

${sections.join('\n\n')}
`
}

if (import.meta.main) {
  const [file] = process.argv.slice(2)
  if (file === undefined) {
    console.error('Name the collection: node scripts/wild.ts wild.jsonl')
    process.exitCode = 2
  } else {
    const rows: Row[] = readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    const unknown = rows.find((row) => !Object.hasOwn(wildClasses, row.class))
    if (unknown) throw new Error(`Add the class ${unknown.class} to scripts/docs/wild-classes.ts.`)
    writeFileSync(new URL('../docs/wild.md', import.meta.url), pageOf(rows))
    console.log('Written: docs/wild.md')
  }
}
