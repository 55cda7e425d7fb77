import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ThoughtText } from './thought-text.ts'

describe('the marks of a thought are taken off, however it is cut', () => {
  // biome-ignore format: a table is read by the line
  const cases: readonly (readonly [what: string, raw: string, text: string])[] = [
    ['a pair of tags', '<think>so</think>', 'so'],
    ['two thoughts', '<think>so</think><thinking>then</thinking>', 'sothen'],
    ['a closer without an opener', 'so</think>', 'so'],
    ['none', ' so\n', ' so\n'],
    ['a thought that was cut', '<think>so </thi', 'so </thi'],
    ['the closer of another', '[THINK]a </think> b[/THINK]', 'a </think> b'],
    ['what only starts like one', '<thin ice', '<thin ice'],
    ['nothing', '', ''],
  ]
  for (const [what, raw, text] of cases) {
    test(what, () => {
      for (const size of [1, 2, 3, 7, 100]) {
        const thought = new ThoughtText()
        let said = ''
        for (let at = 0; at < raw.length; at += size) said += thought.push(raw.slice(at, at + size))
        assert.equal(said + thought.end(), text, `in pieces of ${size}`)
      }
    })
  }
})
