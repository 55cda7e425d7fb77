/** What each keyword of JSON Schema means, asked of the judge that steers the fit and of the validator alike. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Judge } from '../fit/judge.ts'
import { documentOf, SchemaError } from '../fit/schema.ts'
import type { JsonSchema, JsonValue } from '../types.ts'
import { matches } from './patterns.ts'
import { validator } from './validator.ts'

/** A row that only one of the two is asked about, and why. */
type Only = { readonly by: Side; readonly reason: string }
type Side = 'judge' | 'validator'
type Row = readonly [schema: JsonSchema, valid: readonly JsonValue[], invalid: readonly JsonValue[], only?: Only]

const sides: { readonly [side in Side]: (value: JsonValue, schema: JsonSchema) => boolean } = {
  judge: (value, schema) => new Judge(documentOf(schema), matches).accepts(value, schema),
  validator: (value, schema) => validator.check(value, schema).length === 0,
}

function verdict(side: Side, value: JsonValue, schema: JsonSchema): string {
  try {
    return sides[side](value, schema) ? 'accepts' : 'rejects'
  } catch (error) {
    return error instanceof SchemaError ? 'throws SchemaError' : `throws ${error}`
  }
}

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 300)

/** What one of the two gets wrong about a row, in words that name the schema and the value. */
function mistakes([schema, valid, invalid, only]: Row): string[] {
  const asked = only ? [only.by] : (['judge', 'validator'] as const)
  const wrong = (wanted: string, values: readonly JsonValue[]): string[] =>
    values.flatMap((value) =>
      asked
        .map((side) => [side, verdict(side, value, schema)] as const)
        .filter(([, got]) => got !== wanted)
        .map(([side, got]) => `the ${side} ${got} ${shown(value)} by ${shown(schema)}`),
    )
  return [...wrong('accepts', valid), ...wrong('rejects', invalid)]
}

/** An object with one key: Object.fromEntries makes it a key like any other. */
const proto = <Inner>(inner: Inner): { [key: string]: Inner } => Object.fromEntries([['__proto__', inner]])
const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#' }
const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' }
const string = { type: 'string' }
const number = { type: 'number' }
const samples: readonly JsonValue[] = [null, true, 0, 1.5, '', 'a', [], [1], {}, { a: 1 }]
const tree = { type: 'object', required: ['n'], properties: { n: number, kids: { items: { $ref: '#/$defs/tree' } } } }
const hasA = { properties: { a: true } }
const closed = { unevaluatedProperties: false }
const formats: Only = { by: 'validator', reason: 'the judge checks no formats unless it is given them' }
const leaks: Only = { by: 'judge', reason: 'in the validator, what $ref has looked at counts in allOf too' }
const bad = (names: string): Row[] => names.split(' ').map((name) => [{ [name]: null }, samples, []])

// biome-ignore format: a table is read by the line
const tables: { readonly [keywords: string]: readonly Row[] } = {
  type: [
    [{ type: 'null' }, [null], [false, 0, '', 'null', [], {}]],
    [{ type: 'boolean' }, [true, false], [null, 0, 1, '', 'true', [], {}]],
    [{ type: 'integer' }, [0, -3, 3.0, 1e3, 1e300, -0], [1.5, -0.1, '3', true, null, [], {}]],
    [{ type: 'number' }, [0, -3, 3.0, 1.5, 1e-9], ['1.5', false, null, [], {}]],
    [{ type: 'string' }, ['', 'a', '1', '\ud83d\ude00'], [1, true, null, ['a'], { a: 'a' }]],
    [{ type: 'array' }, [[], [1], [[]]], [{}, { 0: 1, length: 1 }, 'a', null, 1]],
    [{ type: 'object' }, [{}, { a: 1 }], [[], null, '{}', 1, true]],
    [{ type: ['integer', 'string'] }, [1, 2.0, 'a'], [1.5, null, true, [], {}]],
    [{ type: ['number', 'null'] }, [1, 1.5, null], ['1', false, [], {}]],
  ],
  enum: [
    [{ enum: [1, 'a', null, false] }, [1, 1.0, 'a', null, false], [0, '1', 'A', '', true, 'null', [], {}]],
    [{ enum: [{ a: 1, b: [2] }] }, [{ a: 1, b: [2] }, { b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [2, 3] }, 1]],
    [{ enum: [[]] }, [[]], [{}, [[]], null]],
    [{ enum: [1, 2], const: 2 }, [2], [1, 3]],
    [{ enum: [1], const: 2 }, [], [1, 2]],
    [{ enum: ['a', 1], type: 'string' }, ['a'], [1]],
  ],
  const: [
    [{ const: 0 }, [0, -0], [false, null, '', '0', [], {}]],
    [{ const: false }, [false], [0, null, '', [], {}, true]],
    [{ const: 1 }, [1, 1.0], [true, '1', [1]]],
    [{ const: null }, [null], [0, false, '', {}, []]],
    [{ const: { a: 1, b: 2 } }, [{ a: 1, b: 2 }, { b: 2, a: 1 }], [{ a: 1 }, [], { a: 1, c: 2 }]],
    [{ const: { a: false } }, [{ a: false }], [{ a: 0 }, { a: null }, {}, { A: false }]],
    [{ const: [1, [true]] }, [[1, [true]]], [[1, [1]], [[true], 1], [1, true], [1]]],
    [{ const: proto(1) }, [proto(1)], [{}, { a: 1 }]],
    [{ const: {} }, [{}], [proto({}), []]],
  ],
  'minimum, maximum, exclusiveMinimum, exclusiveMaximum': [
    [{ minimum: 1.5 }, [1.5, 2, 1e300, '0', null, [], {}, false], [1.4, 0, -3]],
    [{ maximum: -2 }, [-2, -2.0, -3, 'x', true], [-1.9, 0]],
    [{ minimum: 0, maximum: 0 }, [0, -0], [1, -1, 1e-300, -1e-300]],
    [{ exclusiveMinimum: 0 }, [1e-300, 1, '0'], [0, -0, -1]],
    [{ exclusiveMaximum: 3 }, [2.9, -3, [3]], [3, 3.0, 4]],
    [{ ...draft4, minimum: 1, exclusiveMinimum: true }, [1.1, 2, 'a'], [1, 0]],
    [{ ...draft4, minimum: 1, exclusiveMinimum: false }, [1, 2], [0.9]],
    [{ ...draft4, maximum: 1, exclusiveMaximum: true }, [0.9, -1], [1, 2]],
    [{ ...draft4, exclusiveMinimum: true, exclusiveMaximum: true }, [0, 1, -1], []],
  ],
  multipleOf: [
    [{ multipleOf: 2 }, [0, 4, -6, 'a', null], [1, 3.5, -7]],
    [{ multipleOf: 0.1 }, [0.1, 0.3, 0.7, 1.1, 4.35e1, 1e20, 0], [0.15, 0.01, 1.05]],
    [{ multipleOf: 0.01 }, [0.07, 4.35, 19.99, 1.1], [4.355, 0.001]],
    [{ multipleOf: 1e-8 }, [12345678, 1e-8, 3e-8], [1e-9]],
    [{ type: 'integer', multipleOf: 0.5 }, [1, 1e300], [0.5]],
  ],
  'minLength, maxLength': [
    [{ minLength: 2 }, ['ab', 'abc', 1, null, [], {}], ['', 'a', '\ud83d\ude00']],
    [{ maxLength: 2 }, ['', 'ab', '\ud83d\ude00\ud83d\ude00', 100, [1, 2, 3]], ['abc', '\ud83d\ude00\ud83d\ude00a']],
    [{ minLength: 1, maxLength: 1 }, ['a', '\ud83d\ude00', '\ud800', '\0'], ['', 'e\u0301', '\ude00\ud83d']],
  ],
  pattern: [
    [{ pattern: 'b+' }, ['b', 'abbc', 'xb', 1, null, ['a'], {}], ['', 'a', 'B']],
    [{ pattern: '^(a|b)\\d{2,3}$' }, ['a12', 'b123'], ['a1', 'c12', 'a1234', 'xa12']],
    [{ pattern: '^\\p{L}+$' }, ['é', 'ж', 'a'], ['1', '']],
    [{ pattern: '^.$' }, ['a', '\ud83d\ude00'], ['', 'ab', '\n']],
    [{ pattern: '^.$' }, [], ['\r', '\u2028']], // a dot of ECMA-262 stops at every end of a line
    [{ pattern: '^\\S+$' }, ['a', 'é', '\u200b'], ['a b', '\t', 'a\u00a0b', '\u3000', '\ufeff']],
    [{ pattern: '^\\s$' }, [' ', '\n', '\v', '\u00a0', '\u2003'], ['a', '', '\u200b']],
    [{ pattern: '^[\\w.-]+@x\\/y$' }, ['a.b-c@x/y'], ['a@xy', 'é@x/y']],
    [{ pattern: '^(?<year>\\d{4})$' }, ['2024'], ['24']],
    [{ pattern: '^(a+)+$' }, ['a', 'aaaa'], ['', 'aaab']],
    [{ pattern: '^(?!x)' }, ['a', 'xa'], []], // looks ahead: nobody can match it in linear time, so it is not checked
    [{ pattern: '(a)\\1' }, ['aa', 'b'], []], // looks back at a group
    [{ properties: { a: { pattern: '^x' } }, items: { pattern: 'y$' } }, [{ a: 'xy' }, ['xy']], [{ a: 'yx' }, ['yx']]],
  ],
  format: [
    [{ format: 'date' }, ['2024-02-29', 1, null], ['2023-02-29', '2024-13-01', '2024-1-1', '', 'today'], formats],
    [{ format: 'date-time' }, ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00.5+02:00'], ['2024-01-01'], formats],
    [{ format: 'date-time' }, [20240101, '2024-01-01T10:00:00'], ['2024-01-01T24:00:00Z', '10:00:00Z'], formats],
    [{ format: 'email' }, ['a@b.org', 'a.b+c@d.example', {}], ['a', '@b.org', 'a@', 'a@b@c'], formats],
    [{ format: 'uri' }, ['https://a.org/b?c=d#e', 'urn:x:y', 'mailto:a@b.org'], ['a', '/a', 'a b:c', '//a'], formats],
    [{ format: 'uuid' }, ['2eb8aa08-aa98-11ea-b4aa-73b441d16380'], ['2eb8aa08aa9811eab4aa73b441d16380', 'x'], formats],
    [{ format: 'ipv4' }, ['127.0.0.1', '255.255.255.255'], ['256.0.0.1', '1.2.3', '1.2.3.4.5', '1.2.3.a'], formats],
    [{ format: 'date', pattern: '^2' }, ['2024-01-01'], ['1999-01-01', '2x'], formats],
    [{ format: 'toString' }, samples, []],
    [{ format: 'pattern ^b' }, samples, []],
  ],
  'minItems, maxItems, uniqueItems': [
    [{ minItems: 1 }, [[1], [1, 2], '', {}, 0], [[]]],
    [{ maxItems: 1 }, [[], [1], 'ab', { a: 1, b: 2 }], [[1, 2]]],
    [{ uniqueItems: true }, [[], [1], [1, 2], [1, true], [0, false], [1, '1'], 'aa'], [[1, 1], [1, 1.0], [2, 1, 2]]],
    [{ uniqueItems: true }, [[{ a: 1 }, { a: 2 }], [[1], [2]], [[1], [true]]], [[{ a: 1 }, { a: 1 }], [[1], [1]]]],
    [{ uniqueItems: true }, [[{ a: 1 }, { b: 1 }]], [[{ a: 1, b: 2 }, { b: 2, a: 1 }], [null, null], ['', '']]],
    [{ uniqueItems: true }, [[{ a: false }, { a: 0 }], ['a', '"a"'], [[], {}]], [[{}, {}], [[], []], [0, -0]]],
    [{ uniqueItems: true }, [[proto(1), {}]], [[{ a: { c: 1, b: 2 } }, { a: { b: 2, c: 1 } }]]],
    [{ uniqueItems: true }, [[...Array(3_000).keys()]], [[...Array(3_000).keys(), 7]]],
  ],
  'items, prefixItems, additionalItems': [
    [{ items: number }, [[], [1, 2.5], {}, { 0: 'a' }, 'ab', null], [['a'], [1, null]]],
    [{ items: { items: string } }, [[[]], [['a'], []], ['a']], [[['a', 1]], [[null]]]],
    [{ prefixItems: [number, string] }, [[], [1], [1, 'a'], [1, 'a', null], {}], [['a'], [1, 2]]],
    [{ prefixItems: [number], items: string }, [[], [1], [1, 'a', 'b']], [['a'], [1, 2], [1, 'a', 2]]],
    [{ prefixItems: [true], items: false }, [[], [null]], [[1, 2]]],
    [{ ...draft7, items: [number], additionalItems: string }, [[], [1], [1, 'a']], [['a'], [1, 2], [1, 'a', 2]]],
    [{ ...draft7, items: [number], additionalItems: false }, [[], [1]], [[1, 2]]],
    [{ ...draft7, items: number, additionalItems: false }, [[1, 2]], [['a']]], // means nothing beside one schema
    [{ ...draft7, additionalItems: false }, [[1, 2]], []],
  ],
  'contains, minContains, maxContains': [
    [{ contains: number }, [[1], ['a', 1], {}, 'a', null], [[], ['a']]],
    [{ contains: false }, ['a', {}], [[], [1]]],
    [{ contains: { const: 1 }, minContains: 2 }, [[1, 1], [1, 2, 1]], [[], [1], [1, 2]]],
    [{ contains: { const: 1 }, maxContains: 1 }, [[1], [2, 1]], [[], [2], [1, 1]]],
    [{ contains: { const: 1 }, minContains: 0 }, [[], [2], [1, 1]], []],
    [{ contains: { const: 1 }, minContains: 0, maxContains: 1 }, [[], [2], [1]], [[1, 1]]],
    [{ contains: { const: 1 }, minContains: 2, maxContains: 3 }, [[1, 1, 0]], [[1], [1, 1, 1, 1]]],
    [{ minContains: 2, maxContains: 0 }, [[], [1]], []],
  ],
  'properties, required': [
    [{ properties: { a: number } }, [{}, { a: 1 }, { b: 'x' }, [], 'a', null], [{ a: 'x' }, { a: null }]],
    [{ properties: { 'a/b': number, 'c~d': number, '': number } }, [{ '': 1 }], [{ 'a/b': '' }, { 'c~d': '' }]],
    [{ properties: { $ref: string, enum: number } }, [{ $ref: 'a', enum: 1 }], [{ $ref: 1 }, { enum: 'a' }]],
    [{ required: ['a'] }, [{ a: null }, { a: 1, b: 2 }, [], '', 1], [{}, { A: 1 }, { b: 1 }]],
    [{ required: ['a"b', 'ü\n'] }, [{ 'a"b': 1, 'ü\n': 1 }], [{ 'a"b': 1 }]],
  ],
  'additionalProperties, patternProperties, propertyNames, minProperties, maxProperties': [
    [{ properties: { a: true }, additionalProperties: false }, [{}, { a: 1 }, [1], 'b'], [{ b: 1 }, { a: 1, b: 1 }]],
    [{ allOf: [{ properties: { a: true } }], additionalProperties: number }, [{ a: 1 }], [{ a: '' }]],
    [{ patternProperties: { '^a': number } }, [{}, { a: 1, b: '' }, { ba: '' }, []], [{ a: '' }, { ab: 1, ac: null }]],
    [{ patternProperties: { a: number, '^b': string } }, [{ b: 'x', xa: 1 }], [{ xa: '' }, { b: 1 }, { ba: 1 }]],
    [{ patternProperties: { '^a': true }, additionalProperties: false }, [{ a: 1, ab: 2 }], [{ b: 1 }, { ba: 1 }]],
    [{ properties: { ab: number }, patternProperties: { '^a': { minimum: 5 } } }, [{ ab: 5 }], [{ ab: 4 }, { ab: '' }]],
    [{ patternProperties: { x: { patternProperties: { y: number } } } }, [{ y: '' }], [{ x: { y: '' } }]],
    [{ patternProperties: { '^(?!x)': number } }, [{ a: 1 }, { x: '' }], []], // nobody can match it: not checked
    [{ patternProperties: { '^a': { $id: 'http://x/a', ...number } } }, [{ a: 1, ab: 2 }], [{ a: 1, ab: '' }]],
    [{ additionalProperties: number, propertyNames: string }, [{ '\ud800': 1 }], [{ '\ud800': '' }]], // half a pair
    [{ propertyNames: { maxLength: 2 } }, [{}, { ab: 1 }, ['abc'], 'abc'], [{ abc: 1 }, { a: 1, abc: 1 }]],
    [{ propertyNames: { pattern: '^a' } }, [{ a: 1, ab: 1 }], [{ b: 1 }, { a: 1, ba: 1 }]],
    [{ propertyNames: { enum: ['a', 'toString'] } }, [{ a: 1, toString: 1 }], [{ b: 1 }, { constructor: 1 }]],
    [{ propertyNames: false }, [{}, []], [{ a: 1 }]],
    [{ minProperties: 1 }, [{ a: 1 }, [], '', proto(1)], [{}]],
    [{ maxProperties: 1 }, [{}, { a: 1 }, [1, 2], 'ab'], [{ a: 1, b: 2 }]],
  ],
  'dependentRequired, dependentSchemas, dependencies': [
    [{ dependentRequired: { a: ['b', 'c'] } }, [{}, { b: 1 }, { a: 1, b: 1, c: 1 }, 'a'], [{ a: 1 }, { a: 1, b: 1 }]],
    [{ dependentSchemas: { a: { properties: { b: number } } } }, [{ b: '' }, { a: 1, b: 1 }], [{ a: 1, b: '' }]],
    [{ dependentSchemas: { a: false, b: true } }, [{}, { b: 1 }], [{ a: 1 }, { a: 1, b: 1 }]],
    [{ ...draft7, dependencies: { a: ['b'] } }, [{}, { b: 1 }, { a: 1, b: 1 }, ['a']], [{ a: 1 }]],
    [{ ...draft7, dependencies: { a: { maxProperties: 1 } } }, [{ a: 1 }, { b: 1, c: 1 }], [{ a: 1, b: 1 }]],
    [{ dependencies: { type: { $ref: '#/$defs/x' } }, $defs: { x: false } }, [{}], [{ type: 1 }]],
    [{ dependencies: { toString: { $ref: '#/$defs/x' } }, $defs: { x: false } }, [{}], [{ toString: 1 }]],
  ],
  'true, false, allOf, anyOf, oneOf, not': [
    [true, samples, []],
    [false, [], samples],
    [{}, samples, []],
    [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, [1, 3, 'a'], [0, 4]],
    [{ allOf: [{ required: ['a'] }], required: ['b'] }, [{ a: 1, b: 1 }], [{ a: 1 }, { b: 1 }]],
    [{ allOf: [true, false] }, [], samples],
    [{ anyOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5, 3, 'a'], [1.5]],
    [{ anyOf: [string, number], maxLength: 1 }, ['a', 1], ['ab', null]],
    [{ oneOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5, 'a'], [3, 1.5]],
    [{ oneOf: [number, { type: 'integer' }] }, [1.5], [1, 'a']],
    [{ oneOf: [true, true] }, [], samples],
    [{ not: number }, ['a', null, [], {}], [1, 1.5]],
    [{ not: {} }, [], samples],
    [{ not: { properties: { a: string } } }, [{ a: 1 }], [{ a: '' }, {}, 1]],
  ],
  'if, then, else': [
    [{ if: { minimum: 5 }, then: { multipleOf: 2 }, else: { maximum: 2 } }, [6, 2, -1], [7, 3]],
    [{ if: string, then: { minLength: 2 } }, ['ab', 1, null], ['a']],
    [{ if: true, then: string, else: false }, ['a'], [1]],
    [{ then: false, else: false }, samples, []],
    [{ if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } }, [{ c: 1 }], [{ a: 1 }, {}]],
  ],
  '$ref, $defs, definitions, $anchor, $id': [
    [{ $ref: '#/$defs/a', $defs: { a: number } }, [1], ['a']],
    [{ ...draft7, $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/b' }, b: number } }, [1], ['a']],
    [{ properties: { a: number, b: { $ref: '#/properties/a' } } }, [{ b: 1 }], [{ b: '' }]],
    [{ items: { $ref: '#/$defs/a~1b' }, $defs: { 'a/b': number } }, [[1]], [['']]],
    [{ items: { $ref: '#/$defs/~01' }, $defs: { '~1': number, '/': string } }, [[1]], [['']]],
    [{ items: { $ref: '#/$defs/a%25b' }, $defs: { 'a%b': number } }, [[1]], [['']]],
    [{ items: { $ref: '#/$defs/a%22%20ü' }, $defs: { 'a" ü': number } }, [[1]], [['']]],
    [{ items: { $ref: '#/%24defs/a' }, $defs: { a: number } }, [[1]], [['']]],
    [{ items: { $ref: '#here' }, $defs: { a: { $anchor: 'here', ...number } } }, [[1]], [['']]],
    [{ items: { $ref: '#here' }, $defs: { a: { $dynamicAnchor: 'here', ...number } } }, [[1]], [['']]],
    [{ items: { $ref: 'http://x/a' }, $defs: { a: { $id: 'http://x/a', ...number } } }, [[1]], [['']]],
    [{ $id: 'http://x/r', items: { $ref: 'a' }, $defs: { a: { $id: 'a', ...number } } }, [[1]], [['']]],
    [{ $id: 'http://x/r', items: { $ref: 'http://x/a' }, $defs: { a: { $id: 'a', ...number } } }, [[1]], [['']]],
    [{ $id: 'http://x/r', items: { $ref: 'r#/$defs/a' }, $defs: { a: number } }, [[1]], [['']]],
    [{ items: { $id: 'http://x/i', $ref: '#/$defs/a', $defs: { a: number } }, $defs: { a: string } }, [[1]], [['']]],
    [{ ...draft7, items: { $ref: '#here' }, definitions: { a: { $id: '#here', ...number } } }, [[1]], [['']]],
    [{ ...draft4, items: { $ref: '#here' }, definitions: { a: { id: '#here', ...number } } }, [[1]], [['']]],
    [{ items: { $ref: '#/models/a' }, models: { a: number } }, [[1]], [['']]],
    [{ items: { $ref: '#/components/schemas/a' }, components: { schemas: { a: number } } }, [[1]], [['']]],
    [{ items: { $ref: '#/patternProperties/%5Ea' }, patternProperties: { '^a': number } }, [[1], { a: 1 }], [['']]],
    [{ properties: { a: {}, c: { $ref: '#/properties/a' } }, patternProperties: { a: number } }, [{ a: 5, c: '' }], []],
    [{ $defs: { a: false }, properties: { a: { $ref: '#/$defs/a' } } }, [{ b: 1 }], [{ a: 1 }]],
    [{ const: { $ref: '#/nowhere' } }, [{ $ref: '#/nowhere' }], [1]],
    [{ ...draft7, $ref: '#/definitions/a', maxLength: 1, definitions: { a: string } }, ['a', 'ab'], [1]],
    [{ $ref: '#/$defs/a', maxLength: 1, $defs: { a: string } }, ['a'], ['ab', 1]],
    [{ ...draft7, items: { $ref: '#/definitions/a', ...number }, definitions: { a: string } }, [['a']], [[1]]],
  ],
  'a schema that refers to itself': [
    [{ $ref: '#/$defs/tree', $defs: { tree } }, [{ n: 1 }, { n: 1, kids: [{ n: 2 }] }], [{ n: 1, kids: [{}] }]],
    [{ $ref: '#/$defs/tree', $defs: { tree } }, [], [{ n: 1, kids: [{ n: 1, kids: [{ n: '' }] }] }, [], 1]],
    [{ properties: { a: { $ref: '#' } }, additionalProperties: false }, [{ a: { a: {} } }], [{ a: { b: 1 } }]],
    [{ $dynamicAnchor: 'n', items: { $dynamicRef: '#n' }, maxItems: 1 }, [[[]]], [[[1, 2]], [[[1, 2]]]]],
  ],
  'unevaluatedProperties, unevaluatedItems': [
    [{ properties: { a: number }, ...closed }, [{}, { a: 1 }, [1], 'a'], [{ b: 1 }, { a: '' }]],
    [{ allOf: [hasA], ...closed }, [{}, { a: 1 }], [{ b: 1 }, { a: 1, b: 1 }]],
    [{ $ref: '#/$defs/a', $defs: { a: hasA }, ...closed }, [{ a: 1 }], [{ b: 1 }]],
    [{ patternProperties: { '^a': true }, ...closed }, [{ ab: 1 }], [{ b: 1 }]],
    [{ allOf: [{ additionalProperties: true }], ...closed }, [{}, { a: 1 }], []],
    [{ additionalProperties: number, ...closed }, [{ a: 1 }], [{ a: '' }]],
    [{ anyOf: [{ minProperties: 2, ...hasA }, true], ...closed }, [{}], [{ a: 1 }]],
    [{ not: { not: hasA }, ...closed }, [{}], [{ a: 1 }]],
    [{ if: { required: ['b'] }, then: { properties: { b: true } }, ...closed }, [{ b: 1 }], [{ a: 1 }]],
    [{ ...hasA, allOf: [closed] }, [{}], [{ a: 1 }]],
    [{ $ref: '#/$defs/a', $defs: { a: hasA }, allOf: [closed] }, [], [{ a: 1 }], leaks],
    [{ prefixItems: [number], unevaluatedItems: false }, [[], [1], {}], [[1, 2]]],
    [{ allOf: [{ prefixItems: [true] }], unevaluatedItems: string }, [[1, 'a']], [[1, 2]]],
  ],
  'names that JavaScript gives a meaning are names': [
    [{ required: ['toString', 'constructor'] }, [{ toString: 1, constructor: 1 }], [{}, { toString: 1 }]],
    [{ required: ['__proto__'] }, [proto(1)], [{}, { a: 1 }]],
    [{ properties: { toString: number, constructor: { required: ['name'] } } }, [{}], [{ toString: '' }]],
    [{ properties: proto(number) }, [{}, proto(1)], [proto('')]],
    [{ properties: proto(true), additionalProperties: false }, [proto(1)], [{ a: 1 }]],
    [{ properties: { a: true }, additionalProperties: false }, [{ a: 1 }], [{ toString: 1 }, proto(1)]],
    [{ additionalProperties: number }, [proto(1)], [proto(''), { constructor: {} }]],
    [{ patternProperties: { '^__': number } }, [proto(1)], [proto('')]],
    [{ unevaluatedProperties: false }, [{}], [{ toString: 1 }, proto(1)]],
    [{ propertyNames: { maxLength: 8 } }, [{ toString: 1 }], [proto(1), { constructor: 1 }]],
    [{ dependentRequired: proto(['a']) }, [{}], [proto(1)]],
    [{ dependentSchemas: { toString: false, ...proto(false) } }, [{}], [proto(1), { toString: 1 }]],
    [{ items: { $ref: '#/$defs/constructor' }, $defs: { constructor: number } }, [[1]], [['']]],
    [{ items: { $ref: '#/$defs/__proto__' }, $defs: proto(number) }, [[1]], [['']]],
  ],
  'a keyword that is not well-formed says nothing': [
    ...bad('$id $anchor $schema $ref $defs definitions type enum required properties patternProperties propertyNames'),
    ...bad('additionalProperties unevaluatedProperties minProperties maxProperties dependentSchemas dependentRequired'),
    ...bad('dependencies items prefixItems additionalItems unevaluatedItems contains minContains maxContains'),
    ...bad('minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength'),
    ...bad('uniqueItems pattern format allOf anyOf oneOf not if then else'),
    [{ required: true, properties: { a: number } }, [{}, { a: 1 }], [{ a: '' }]],
    [{ properties: { a: null, b: number }, items: [null, number] }, [{ a: 1 }, ['', 1]], [{ b: '' }, [1, '']]],
    [{ anyOf: [], oneOf: [], allOf: [] }, samples, []],
    [{ oneOf: [null, string] }, ['a'], []],
    [{ dependentRequired: { a: { minProperties: 1 } }, dependencies: { a: 'b' } }, samples, []],
    [{ dependentRequired: { a: true }, dependentSchemas: { a: ['b'] } }, samples, []],
    [{ pattern: '(', patternProperties: { '(': {} } }, samples, []],
    [{ uniqueItems: 'yes' }, [[1, 1]], []],
    [{ minimum: 0, exclusiveMinimum: true }, [0.5, 1, 2], [-1]], // as in OpenAPI 3.0, which names no draft
    [{ minimum: 0, exclusiveMinimum: false, maximum: 1, exclusiveMaximum: false }, [0, 0.5, 1], [-1, 2]],
    [{ exclusiveMinimum: '5', exclusiveMaximum: '1' }, [3], []],
  ],
}

for (const [keywords, rows] of Object.entries(tables)) {
  test(keywords, () => assert.deepEqual(rows.flatMap(mistakes), []))
}

test('a reference that leads nowhere or in a circle is a SchemaError', () => {
  const references = ['#/$defs/nowhere', '#nowhere', 'http://x/other', '#/__proto__', '#/properties/constructor', '#']
  const schemas: JsonSchema[] = references.map(($ref) => ({ anyOf: [number, { $ref }], properties: {} }))
  schemas.push({ $ref: '#' }, { not: { $ref: '#' } }, { dependentSchemas: { a: { if: { $ref: '#' } } } })
  schemas.push({ items: { $ref: '#/$defs/a' } }, { properties: { b: { $ref: '#/$defs/a' } }, $defs: { b: {} } })
  schemas.push({ $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' })
  for (const schema of schemas) {
    assert.equal(verdict('judge', { a: 1 }, schema), 'throws SchemaError', shown(schema))
    assert.equal(verdict('validator', { a: 1 }, schema), 'throws SchemaError', shown(schema))
  }
})

test('the validator says where, in the words of the value', () => {
  const schema = { additionalProperties: { items: { properties: { 'a/b~c %ü': number } } } }
  const [objection] = validator.check({ 'x y': [{}, { 'a/b~c %ü': '' }] }, schema)
  assert.deepEqual(objection?.path, ['x y', 1, 'a/b~c %ü'])
})

test('a pattern that takes forever elsewhere is answered', () => {
  const text = `${'a'.repeat(50_000)}b`
  assert.equal(matches('^(a+)+$', text), false)
  assert.equal(sides.judge(text, { pattern: '^(a+)+$' }), false)
  assert.equal(sides.validator(text, { pattern: '^(a+)+$' }), false)
  const named = { patternProperties: { '^(a+)+$': true }, additionalProperties: false }
  assert.equal(sides.validator({ [text]: 1 }, named), false)
})

function frozen<Whole>(whole: Whole): Whole {
  if (typeof whole === 'object' && whole !== null) Object.values(Object.freeze(whole)).forEach(frozen)
  return whole
}

test('nothing is written into the schema or the value', () => {
  const schema = {
    ...{ $id: 'http://x/r', $defs: { tree, a: { $anchor: 'a', pattern: '^a' } }, properties: { t: tree } },
    ...{ patternProperties: { '^a': { $ref: '#a' } }, allOf: [{ pattern: 'x' }], dependencies: { a: ['ab'], b: {} } },
    ...{ additionalProperties: { items: [{ enum: [{ a: 1 }] }] }, uniqueItems: true, const: { t: { n: 1 }, ab: 'a' } },
  }
  const before = JSON.stringify(schema)
  assert.deepEqual(validator.check(frozen({ t: { n: 1 }, ab: 'a' }), frozen(schema)), [])
  assert.notDeepEqual(validator.check(frozen({ t: { n: 1 }, ab: 'b' }), schema), [])
  assert.equal(JSON.stringify(schema), before)
})

/** Small schemas and values over the same few names and scalars, so that many values fit or nearly fit. */
const name = fc.constantFrom('a', 'b', 'ab', '__proto__', 'toString')
const scalar = fc.constantFrom<JsonValue[]>(null, true, false, 0, 1, -1, 1.5, 2, 3, '', 'a', 'ab', 'b1', '\ud83d\ude00')
const few = <Inner>(inner: fc.Arbitrary<Inner>): fc.Arbitrary<Inner[]> => fc.array(inner, { maxLength: 3 })
const some = <Inner>(one: fc.Arbitrary<Inner>): fc.Arbitrary<Inner[]> => fc.array(one, { minLength: 1, maxLength: 3 })
const keyed = <Inner>(inner: fc.Arbitrary<Inner>): fc.Arbitrary<{ [key: string]: Inner }> =>
  few(fc.tuple(name, inner)).map((entries) => Object.fromEntries(entries))
const nested = { maxDepth: 3, withCrossShrink: true }
const nearValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(nested, scalar, few(tie('value')), keyed(tie('value'))),
})).value

type Entry = fc.Arbitrary<[keyword: string, content: unknown]>
const entries = (keywords: string, content: fc.Arbitrary<unknown>): Entry[] =>
  keywords.split(' ').map((one) => fc.tuple(fc.constant(one), content))
const typeName = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')
const pattern = fc.constantFrom('^a', 'b', '^[ab]*$', '1$', '^_')
const plainEntries = [
  ...entries('minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems', fc.nat(3)),
  ...entries('minProperties maxProperties minContains maxContains', fc.nat(3)),
  ...[...entries('type', fc.oneof(typeName, some(typeName))), ...entries('enum', some(nearValue))],
  ...[...entries('const', nearValue), ...entries('pattern', pattern), ...entries('uniqueItems', fc.boolean())],
  ...[...entries('required', few(name)), ...entries('dependentRequired', keyed(few(name)))],
  ...[...entries('multipleOf', fc.constantFrom(0.5, 1, 2)), ...entries('$ref', fc.constant('#/$defs/x'))],
]
const nearSchema = fc.letrec<{ schema: JsonSchema; plain: JsonSchema; deep: JsonSchema }>((tie) => {
  const schema = tie('schema')
  const record = (parts: readonly Entry[]): fc.Arbitrary<JsonSchema> =>
    few(fc.oneof(...parts)).map((found) => {
      const { prefixItems, ...rest } = Object.fromEntries(found)
      return prefixItems === undefined || Array.isArray(rest['items']) ? rest : { ...rest, prefixItems }
    })
  const deepEntries = [
    ...entries('contains additionalItems additionalProperties propertyNames not if then else', schema),
    ...entries('prefixItems allOf anyOf oneOf', some(schema)),
    ...entries('items', fc.oneof(schema, some(schema))),
    ...entries('properties dependentSchemas', keyed(schema)),
    ...entries('patternProperties', fc.dictionary(pattern, schema, { maxKeys: 2 })),
    ...entries('dependencies', keyed(fc.oneof(few(name), schema))),
  ]
  return {
    schema: fc.oneof(nested, tie('plain'), fc.boolean(), tie('deep')),
    plain: record(plainEntries),
    deep: record([...plainEntries, ...deepEntries]),
  }
}).deep

test('the judge and the validator agree', () => {
  const anyDraft = fc.constantFrom({}, draft7)
  fc.assert(
    fc.property(nearSchema, nearSchema, anyDraft, some(nearValue), (main, x, draft, values) => {
      const schema: JsonSchema = { ...draft, ...Object(main), $defs: { x } }
      for (const value of values) {
        const judge = verdict('judge', value, schema)
        assert.equal(judge, verdict('validator', value, schema), `on ${shown(value)} by ${shown(schema)}`)
      }
    }),
    { numRuns: 500 * Number(process.env['CALLWRIGHT_LONG'] ?? 1) },
  )
})
