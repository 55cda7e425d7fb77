import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestLines } from './nearest-lines.ts'

const text =
  'import os\n\ndef total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n'

const cases: readonly (readonly [name: string, wanted: string, found: unknown])[] = [
  ['other white space inside of lines', 'result  =  0', [4, 4, 'whitespace']],
  ['tabs for spaces', 'for item in items:\n\tresult += item', [5, 6, 'whitespace']],
  ['an empty line that is not there', 'def total(items):\n\n    result = 0', [3, 4, 'whitespace']],
  ['an empty line that is there', 'import os\ndef total(items):', [1, 3, 'whitespace']],
  ['from the middle of a line on', 'total(items):\n  result = 0', [3, 4, 'whitespace']],
  ['a word that differs', '    for element in items:', [3, 7, 'text']],
  ['nothing alike', 'SELECT * FROM table', undefined],
  ['only white space', ' \n\t', undefined],
]

for (const [name, wanted, found] of cases) {
  test(`the nearest lines to a text that is not there: ${name}`, () => {
    const near = nearestLines(text, wanted)
    assert.deepEqual(near && [near.from, near.to, near.differs], found)
    if (near)
      assert.equal(
        near.text,
        text
          .split('\n')
          .slice(near.from - 1, near.to)
          .join('\n'),
      )
  })
}
