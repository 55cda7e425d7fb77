import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { diffLines } from './line-diff.ts'
import { unifiedDiff } from './unified-diff.ts'

const line = fc.constantFrom('a', 'b', 'c', 'd')
const lines = fc.array(line, { maxLength: 30 })

/** How many lines two lists have in common, in order; the slow and plain way. */
function common(one: readonly string[], other: readonly string[]): number {
  let row = Array<number>(other.length + 1).fill(0)
  for (const first of one) {
    const next = [0]
    for (const [index, second] of other.entries()) {
      const best = Math.max(row[index + 1] ?? 0, next[index] ?? 0)
      next.push(first === second ? (row[index] ?? 0) + 1 : best)
    }
    row = next
  }
  return row.at(-1) ?? 0
}

test('both texts come out of a diff, and it is as short as can be', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = diffLines(before, after)
      const side = (left: string): string[] => diff.flatMap(({ sign, text }) => (sign === left ? [] : [text]))
      assert.deepEqual(side('+'), before)
      assert.deepEqual(side('-'), after)
      assert.equal(diff.filter(({ sign }) => sign === ' ').length, common(before, after))
    }),
  )
})

test('texts that have little in common are one block for another, in bounded work', () => {
  const many = (word: string): string[] => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}`)
  const diff = diffLines(['same', ...many('old')], ['same', ...many('new')])
  assert.deepEqual(
    [diff.length, diff[0]?.sign, diff[1]?.sign, diff[5_001]?.sign, diff.at(-1)?.text],
    [10_001, ' ', '-', '+', 'new 4999'],
  )
})

const shown = (before: string | undefined, after: string | undefined, most?: number): string[] => {
  const bytes = (text: string | undefined): Buffer | undefined => (text === undefined ? undefined : Buffer.from(text))
  return unifiedDiff('a.txt', bytes(before), bytes(after), most ? { most } : {}).split('\n')
}

test('a unified diff shows what changes with three lines around it', () => {
  const numbers = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`)
  const changed = numbers.with(4, 'five\n').toSpliced(15, 1)
  assert.deepEqual(shown(numbers.join(''), changed.join('')), [
    '--- a/a.txt',
    '+++ b/a.txt',
    '@@ -2,7 +2,7 @@',
    ...[' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
    '@@ -13,7 +13,6 @@',
    ...[' 13', ' 14', ' 15', '-16', ' 17', ' 18', ' 19'],
  ])
})

test('new, removed, cut, unended and binary files are said so', () => {
  assert.deepEqual(shown(undefined, 'x\n'), ['--- /dev/null', '+++ b/a.txt', '@@ -0,0 +1 @@', '+x'])
  assert.deepEqual(shown('x\n', undefined), ['--- a/a.txt', '+++ /dev/null', '@@ -1 +0,0 @@', '-x'])
  assert.deepEqual(shown('x', 'x\n').slice(3), ['-x', '\\ No newline at end of file', '+x'])
  assert.equal(shown('', 'x\n'.repeat(50), 10).at(-1), '[… 41 more lines of the diff left out …]')
  assert.equal(shown('x', '\0').at(-1), '[1 bytes before, 1 byte after: not shown]')
})
