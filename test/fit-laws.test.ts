/** The laws of fitting, for schemas and values that nobody thought of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fit, type JsonObject, type JsonSchema, type JsonValue, readArguments, validator } from '../src/index.ts'
import { anyText, value as anyValue, nastyText, runs } from './texts.ts'

/** A schema, and values of it. */
interface Pair {
  readonly schema: JsonSchema
  readonly value: JsonValue
}

const names = [
  'path',
  'max_results',
  'labels',
  'entry',
  'filter',
  'mode',
  '__proto__',
  'constructor',
  'toString',
  'x y',
]

const scalar: fc.Arbitrary<Pair> = fc.oneof(
  nastyText.map((value) => ({ schema: { type: 'string' }, value })),
  fc.integer({ min: -1e6, max: 1e6 }).map((value) => ({ schema: { type: 'integer' }, value })),
  fc.constantFrom(0.5, -2.25, 3, 1e21).map((value) => ({ schema: { type: 'number' }, value })),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc
    .constantFrom('open', 'in_progress', 'done')
    .map((value) => ({ schema: { enum: ['open', 'in_progress', 'done'] }, value })),
  fc.constantFrom(1, 2).map((value) => ({ schema: { enum: [1, 2, 'auto'] }, value })),
  fc.constant({ schema: { type: ['integer', 'null'] }, value: null }),
  fc.nat(5).map((value) => ({ schema: { type: 'integer', minimum: 0, maximum: 5 }, value })),
  fc.constantFrom('ab', 'abb').map((value) => ({ schema: { type: 'string', pattern: '^ab+$' }, value })),
)

const pairs = (hasUnions: boolean): fc.Arbitrary<Pair> =>
  fc.letrec<{ pair: Pair; list: Pair; object: Pair; union: Pair }>((tie) => ({
    pair: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      tie('list'),
      tie('object'),
      ...(hasUnions ? [tie('union')] : []),
    ),
    list: fc.tuple(tie('pair'), fc.nat(3)).map(([{ schema, value }, count]) => ({
      schema: { type: 'array', items: schema },
      value: Array.from({ length: count }, () => value),
    })),
    object: fc.oneof(objectOf(tie('pair')), openObjectOf(tie('pair'))),
    union: fc.tuple(tie('pair'), tie('pair'), fc.constantFrom('anyOf', 'oneOf')).map(([one, other, keyword]) => ({
      schema: { [keyword]: [one.schema, other.schema] },
      value: one.value,
    })),
  })).pair
const pair = pairs(true)

function objectOf(inner: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> {
  const entries = fc.uniqueArray(
    fc.tuple(fc.constantFrom(...names), inner, fc.constantFrom('required', 'sent', 'absent')),
    {
      selector: ([name]) => name,
      maxLength: 4,
    },
  )
  const additional = fc.constantFrom(undefined, undefined, false)
  return fc.tuple(entries, additional).map(([entries, additionalProperties]) => ({
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: entries.filter(([, , use]) => use === 'required').map(([name]) => name),
      ...(additionalProperties === undefined ? {} : { additionalProperties }),
    },
    value: Object.fromEntries(
      entries.filter(([, , use]) => use !== 'absent').map(([name, { value }]) => [name, value]),
    ),
  }))
}

function openObjectOf(inner: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> {
  return fc
    .tuple(inner, fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }))
    .map(([{ schema, value }, keys]) => ({
      schema: { type: 'object', additionalProperties: schema },
      value: Object.fromEntries(keys.map((key) => [key, value])),
    }))
}

const isValid = (value: JsonValue, schema: JsonSchema): boolean => validator.check(value, schema).length === 0
const validPair = pair.filter(({ schema, value }) => isValid(value, schema))
const toolsOf = (inner: fc.Arbitrary<Pair>) =>
  objectOf(inner).filter(({ schema, value }) => isValid(value, schema)) as fc.Arbitrary<{
    readonly schema: JsonSchema
    readonly value: JsonObject
  }>
const toolPair = toolsOf(pair)

test('a value that validates is never touched', () => {
  fc.assert(
    fc.property(validPair, ({ schema, value }) => {
      const fitted = fit(value, schema, { unknown: 'keep' })
      assert.equal(fitted.value, value)
      assert.deepEqual([fitted.repairs, fitted.problems], [[], []])
    }),
    runs(3000),
  )
})

test('arguments that validate and name only parameters are never touched', () => {
  fc.assert(
    fc.property(toolPair, ({ schema, value }) => {
      for (const options of [{}, { strict: true }, { unknown: 'refuse' } as const]) {
        const fitted = fit(value, schema, options)
        assert.equal(fitted.value, value)
        assert.deepEqual([fitted.repairs, fitted.problems], [[], []])
      }
      const { calls } = readArguments(JSON.stringify(value), { name: 'example', parameters: schema })
      assert.deepEqual(calls[0]?.arguments, value)
      assert.deepEqual(calls[0]?.repairs, [])
    }),
    runs(1500),
  )
})

test('what comes out without problems validates, and fitting it again changes nothing', () => {
  const strange = fc.oneof(
    anyValue,
    nastyText,
    pair.map(({ value }) => value),
    anyValue.map((value) => JSON.stringify(value)),
  )
  let fitting = 0
  fc.assert(
    fc.property(pair, strange, fc.constantFrom('ignore', 'keep', 'refuse'), ({ schema }, value, unknown) => {
      const before = JSON.stringify([schema, value])
      const fitted = fit(value, schema, { unknown })
      assert.equal(JSON.stringify([schema, value]), before)
      if (fitted.problems.length > 0) return
      fitting++
      assert.ok(isValid(fitted.value, schema))
      assert.ok(fitted.repairs.length > 0 || fitted.value === value, 'no repair, no change')
      const again = fit(fitted.value, schema, { unknown })
      assert.equal(again.value, fitted.value)
      assert.deepEqual([again.repairs, again.problems], [[], []])
    }),
    runs(5000),
  )
  assert.ok(fitting > 250, `only ${fitting} values fitted`)
})

/** Ways to spoil a value that a careful reader sees through. */
type Damage = (value: JsonValue) => JsonValue
const damages: readonly Damage[] = [
  (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value),
  (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : value),
  (value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : value),
  (value) => (value === 'in_progress' ? 'In Progress' : value),
]
/** These are another value where a union takes both; so they are tried without. */
const listDamages: readonly Damage[] = [
  // null and '' alone mean that there is nothing.
  (value) => (Array.isArray(value) && value.length === 1 && value[0] ? (value[0] as JsonValue) : value),
  (value) => (Array.isArray(value) ? value : [value]),
]

/** Spoils the values of some keys. */
const spoilt = (object: JsonObject, damage: Damage, chosen: number): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, value], index) => [key, (chosen >> index) & 1 ? damage(value) : value]),
  )

test('spoilt arguments are read as they were, or refused, and never as something else', () => {
  const spoilable = fc.oneof(
    fc.tuple(toolPair, fc.constantFrom(...damages)),
    fc.tuple(toolsOf(pairs(false)), fc.constantFrom(...damages, ...listDamages)),
  )
  let recovered = 0
  fc.assert(
    fc.property(spoilable, fc.nat(15), ([{ schema, value }, damage], chosen) => {
      const sent = spoilt(value, damage, chosen)
      const fitted = fit(sent, schema)
      if (fitted.problems.length > 0 || fitted.repairs.length === 0) return
      recovered++
      for (const [key, result] of Object.entries(fitted.value as JsonObject)) {
        // What validates is never touched, also where it does so by accident.
        if (result !== sent[key]) assert.deepEqual(result, value[key])
      }
      assert.deepEqual(Object.keys(fitted.value as JsonObject), Object.keys(value))
    }),
    runs(4000),
  )
  assert.ok(recovered > 300, `only ${recovered} recovered`)
})

test('whatever is wrapped around arguments or thrown in, the parameters are the same', () => {
  fc.assert(
    fc.property(toolPair, fc.nat(3), ({ schema, value }, way) => {
      const parameters = Object.keys((schema as { properties: object }).properties)
      fc.pre(!['arguments', 'line_end', 'input'].some((name) => parameters.includes(name)))
      // Where nothing else was sent, the stranger may be what was meant.
      fc.pre(way !== 0 || parameters.length === 0 || Object.keys(value).length > 0)
      const given = [{ ...value, line_end: '\n' }, { arguments: value }, { input: JSON.stringify(value) }, [value]][way]
      const { value: result, repairs, problems } = fit(given as JsonValue, schema)
      if (problems.length > 0) {
        // A one-item list may also be the first parameter; nothing else is in doubt.
        assert.equal(way, 3)
        return
      }
      assert.deepEqual(result, value)
      assert.ok(repairs.length > 0)
    }),
    runs(2000),
  )
})

test('no text makes it throw, and no byte is lost', () => {
  const text = fc.oneof(
    anyText,
    anyValue.map((value) => JSON.stringify(value)),
    nastyText,
  )
  fc.assert(
    fc.property(toolPair, text, ({ schema }, text) => {
      const reading = readArguments(text, { name: 'example', parameters: schema })
      assert.equal(reading.parts.map(({ raw }) => raw).join(''), text)
      assert.equal(reading.calls.length + reading.refused.length, reading.parts.length)
      for (const call of reading.calls) {
        assert.deepEqual(call.problems, [])
        assert.ok(isValid(call.arguments, schema))
      }
      for (const call of reading.refused) assert.ok(call.problems.every(({ message }) => message.length > 10))
    }),
    runs(3000),
  )
})

test('keys of the prototype are plain keys', () => {
  const schema: JsonSchema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"integer"},"constructor":{"type":"string"}},"required":["__proto__"]}',
  )
  const { calls } = readArguments('{"__proto__": "1", "constructor": 2, "toString": 3}', {
    name: 'x',
    parameters: schema,
  })
  assert.equal(JSON.stringify(calls[0]?.arguments), '{"__proto__":1,"constructor":"2"}')
  assert.equal(Object.getPrototypeOf(calls[0]?.arguments), Object.prototype)
  assert.equal(fit({}, schema).problems[0]?.code, 'parameter-missing')
})

test('deep and wide values exhaust nothing', () => {
  const tree: JsonSchema = { type: 'object', properties: { n: { type: 'integer' }, c: { $ref: '#' } } }
  const nested = (depth: number, innermost: string): JsonValue =>
    JSON.parse(`${'{"c":'.repeat(depth)}${innermost}${'}'.repeat(depth)}`)
  assert.deepEqual(fit(nested(500, '{"n":"1"}'), tree).value, nested(500, '{"n":1}'))
  assert.equal(fit(nested(600, '{}'), tree).problems[0]?.code, 'too-deep')
  assert.equal(fit(nested(100_000, '{}'), tree).problems[0]?.code, 'too-deep')

  const lists: JsonSchema = { type: 'array', items: { type: 'integer' }, uniqueItems: true }
  const many = Array.from({ length: 100_000 }, (_, index) => String(index))
  assert.equal(fit(many, lists).problems.length, 0)
  const near: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(many.map((key) => [`k_${key}`, {}])),
    required: ['k_1'],
  }
  const keys = Object.fromEntries(many.map((key) => [`k${key}`, key]))
  assert.equal(fit(keys, near).repairs.length, many.length)

  let union: JsonSchema = { type: 'integer' }
  for (let level = 0; level < 20; level++) union = { anyOf: [union, { type: 'array', items: union }] }
  assert.equal(fit({ a: 'q' }, { type: 'object', properties: { a: union } }).problems[0]?.code, 'value-type')
  const node = {
    anyOf: [
      { type: 'object', properties: { k: { $ref: '#/$defs/n' } } },
      { type: 'array', items: { $ref: '#/$defs/n' } },
    ],
  }
  let text = '{"k": 1}'
  for (let level = 0; level < 12; level++) text = JSON.stringify({ k: text })
  const texts: JsonSchema = { type: 'object', properties: { r: { $ref: '#/$defs/n' } }, $defs: { n: node } }
  assert.notDeepEqual(fit({ r: text }, texts).problems, [])
  const tool: JsonSchema = { type: 'object', properties: { path: { type: 'string' } } }
  assert.equal(fit(keys, tool).repairs.length, many.length)
})
