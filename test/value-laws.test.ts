/** The laws that hold for every text, as far as they concern one value. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readValue } from '../src/value/read-value.ts'
import { readTolerant } from '../src/value/surroundings.ts'
import { anyText, floods, object, objectWithNames, placesOutsideStrings, runs, textsIn, value } from './texts.ts'

const around = new Set(['fence-dropped', 'prose-dropped', 'byte-order-mark', 'special-token-dropped'])

test('valid JSON is never changed', () => {
  fc.assert(
    fc.property(fc.oneof(value, fc.jsonValue()), fc.constantFrom(0, 1, 2, '\t'), (original, indent) => {
      const text = JSON.stringify(original, null, indent)
      const { value: read, repairs, problems, complete } = readValue(text)
      // Compared as text: what JSON.parse returns is itself in doubt (nodejs/node 63785).
      assert.equal(JSON.stringify(read, null, indent), text)
      assert.deepEqual(problems, [])
      assert.ok(complete)
      assert.ok(repairs.every(({ code }) => code === 'integer-large'))
    }),
    runs(2000),
  )
})

test('valid JSON in a fence, in prose or with a token glued on is the same JSON', () => {
  fc.assert(
    fc.property(object, fc.constantFrom(0, 2), fc.nat(3), (original, indent, place) => {
      const text = JSON.stringify(original, null, indent)
      const wrapped = [
        `\ufeff${text}`,
        `Here it is:\n${text}\nThat is all`,
        `\`\`\`json\n${text}\n\`\`\``,
        `${text}<|im_end|>`,
      ][place]
      const reading = readValue(wrapped ?? '')
      assert.deepEqual(reading.problems, [])
      assert.deepEqual(reading.value, original)
      assert.deepEqual(
        reading.repairs.filter(({ code }) => !around.has(code)),
        [],
      )
    }),
    runs(2000),
  )
})

test('a well-formed string is never changed by any repair around it', () => {
  const damage = fc.oneof(
    fc.record({ kind: fc.constant('drop'), what: fc.constantFrom(',', ':', '}', ']', '{', '[') }),
    fc.record({ kind: fc.constant('add'), what: fc.constantFrom(',', ':', '}', ']', '{', '[', '// c\n', '<|eot|>') }),
  )
  fc.assert(
    fc.property(object, fc.constantFrom(0, 2), damage, fc.nat(), (original, indent, { kind, what }, where) => {
      const text = JSON.stringify(original, null, indent)
      const places = placesOutsideStrings(text).filter((place) => kind === 'add' || text[place] === what)
      const place = places[where % Math.max(places.length, 1)]
      if (place === undefined) return
      const damaged =
        text.slice(0, place) + (kind === 'add' ? what : '') + text.slice(kind === 'add' ? place : place + 1)
      const reading = readValue(damaged)
      const allowed = new Set<unknown>(textsIn(original))
      for (const { code, after } of reading.repairs) if (code === 'word-bare') allowed.add(after)
      if (reading.problems.length > 0) return
      for (const found of textsIn(reading.value))
        assert.ok(allowed.has(found), `${JSON.stringify(found)} out of ${damaged}`)
    }),
    runs(6000),
  )
})

test('no text makes it throw, and what it returns keeps the contract', () => {
  fc.assert(
    fc.property(anyText, fc.boolean(), (text, container) => {
      const { value, repairs, problems, complete } = readValue(text, { container, known: ['path', 'a'] })
      if (problems.length === 0) assert.ok(value !== undefined && complete)
      if (!complete) assert.equal(problems[0]?.code, 'truncated')
      for (const { code, span, before } of repairs) {
        if (!span) continue
        assert.ok(0 <= span[0] && span[0] <= span[1] && span[1] <= text.length)
        if (code !== 'integer-large') assert.equal(before, text.slice(...span))
      }
    }),
    runs(6000),
  )
})

test('reading what was written canonically changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const reading = readValue(text)
      if (reading.problems.length > 0) return
      const again = readValue(JSON.stringify(reading.value))
      assert.equal(JSON.stringify(again.value), JSON.stringify(reading.value))
      assert.ok(again.repairs.every(({ code }) => code === 'integer-large'))
    }),
    runs(6000),
  )
})

test('a cut text is never taken as whole, but for missing brackets', () => {
  fc.assert(
    fc.property(objectWithNames, fc.nat(), (original, where) => {
      const text = JSON.stringify(original)
      const cut = text.slice(0, where % text.length)
      const { problems, repairs, value } = readValue(cut)
      if (problems.length > 0) return
      // A typographic quote and all the brackets behind it look like an end even where the string went on.
      if (/”[}\] ]+$/.test(cut)) return
      assert.deepEqual(
        repairs.map(({ code }) => code),
        ['closer-missing'],
      )
      assert.deepEqual(value, JSON.parse(cut + repairs[0]?.after))
    }),
    runs(4000),
  )
})

test('strict repairs nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { value, problems } = readValue(text, { strict: true })
      if (problems.length === 0) assert.deepEqual(value, JSON.parse(text))
    }),
    runs(3000),
  )
})

test('work per character is bounded on floods, and does not grow with their length', () => {
  const options = { finish: 'unknown', deepest: 512, known: undefined } as const
  const short = [...floods(10_000)]
  const long = [...floods(40_000)]
  for (const [index, flood] of long.entries()) {
    const half = short[index] ?? ''
    const perCharacter = readTolerant(flood, options).looked / flood.length
    const before = readTolerant(half, options).looked / half.length
    const what = `${JSON.stringify(flood.slice(0, 20))}: ${perCharacter} looks a character`
    assert.ok(perCharacter < 12, what)
    assert.ok(perCharacter <= before * 1.1 + 0.1, `${what}, ${before} at a quarter of the length`)
  }
})

test('depth and size exhaust nothing', () => {
  for (const unit of ['[', '{"a":', "['", '{', '(', '[(', '{"a":[']) {
    const reading = readValue(unit.repeat(100_000))
    assert.ok(reading.problems.length > 0)
  }
  assert.equal(readValue('['.repeat(100_000) + ']'.repeat(100_000)).problems[0]?.code, 'too-deep')
  const deep = '['.repeat(512) + ']'.repeat(512)
  assert.deepEqual(readValue(deep).problems, [])
  assert.deepEqual(readValue(`${deep},`).problems, [])
  assert.equal(readValue(`[${deep}]`).problems[0]?.code, 'too-deep')
  const large = `{'rows': [${"{'id': 1, 'text': 'some words', 'ok': True}, ".repeat(60_000)}]}`
  assert.equal(readValue(large).problems.length, 0)
  assert.equal(readValue(large.replace('True', 'true')).problems.length, 0)
})
