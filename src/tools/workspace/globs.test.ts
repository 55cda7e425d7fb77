import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { globOf } from './globs.ts'

const cases: readonly (readonly [glob: string, takes: readonly string[], leaves: readonly string[]])[] = [
  ['*.ts', ['a.ts', 'src/a.ts', 'x/y/.ts'], ['a.tsx', 'ts', 'a.ts/b']],
  ['src/*.ts', ['src/a.ts'], ['a.ts', 'src/x/a.ts', 'lib/src/a.ts']],
  ['src/**', ['src/a', 'src/a/b', 'src'], ['a/src/b', 'srcs/a']],
  ['**/test/*.ts', ['test/a.ts', 'x/test/a.ts', 'x/y/test/a.ts'], ['test/x/a.ts', 'a.ts']],
  ['src/**/a.ts', ['src/a.ts', 'src/x/a.ts', 'src/x/y/a.ts'], ['src/x/b.ts', 'a.ts']],
  ['**', ['a', 'a/b'], []],
  ['a?c', ['abc', 'a😀c', 'x/abc'], ['ac', 'abbc']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '-x', 'x']],
  ['[!a-c]x', ['dx', '-x'], ['ax', 'x']],
  ['[]-]x', [']x', '-x'], ['ax']],
  ['a[b', ['a[b'], ['ab']],
  ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.js', 'a.{ts,tsx}']],
  ['{src,lib}/{a,b}.ts', ['src/a.ts', 'lib/b.ts'], ['src/c.ts', 'a.ts']],
  ['a{b}c', ['a{b}c'], ['abc']],
  ['*a*b*', ['ab', 'xaxbx', 'aab'], ['ba', 'a']],
  ['src/', ['src', 'x/src'], ['src/a']],
  ['.env*', ['.env', '.env.local', 'x/.env'], ['env', 'a.env']],
  ['a.c', ['a.c'], ['abc']],
]

describe('a glob', () => {
  for (const [glob, takes, leaves] of cases) {
    test(glob, () => {
      const matches = globOf(glob)
      for (const path of takes) assert.equal(matches(path.split('/')), true, path)
      for (const path of leaves) assert.equal(matches(path.split('/')), false, path)
    })
  }

  test('with more alternatives than anybody writes is taken as it is', () => {
    const glob = '{a,b}'.repeat(20)
    assert.equal(globOf(glob)([glob]), true)
    assert.equal(globOf(glob)(['a'.repeat(20)]), false)
  })
})
