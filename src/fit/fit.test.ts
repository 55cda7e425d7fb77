/** Fitting, case by case. The laws that hold for all values are in test/fit-laws.test.ts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FitOptions, JsonObject, JsonSchema, JsonValue } from '../types.ts'
import { validator } from '../validate/validator.ts'
import { fit } from './fit.ts'
import { type FitProblemRow, fitProblems } from './problems.ts'
import { type FitRepairRow, fitRepairs } from './repairs.ts'

const text = { type: 'string' } as const
const integer = { type: 'integer' } as const
const list = { type: 'array', items: text } as const
const object = (properties: { readonly [key: string]: JsonSchema }, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
})

const closed = (properties: { readonly [key: string]: JsonSchema }): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
})

const fitted = (value: JsonValue, schema?: JsonSchema, options: FitOptions = {}) =>
  fit(value, schema, { validator, ...options })

describe('each repair: its example, its near-twin, and the switches', () => {
  for (const [code, row] of Object.entries<FitRepairRow>(fitRepairs)) {
    test(code, () => {
      const [value, expected] = row.example
      const { value: result, repairs, problems } = fitted(value, row.schema)
      assert.deepEqual({ result, problems }, { result: expected, problems: [] })
      assert.deepEqual([...new Set(repairs.map((repair) => repair.code))], [code])

      const denied = fitted(value, row.schema, { policy: { [code]: 'deny' } })
      assert.deepEqual(
        denied.problems.map((problem) => problem.code),
        ['repair-denied'],
      )
      const asked = fitted(value, row.schema, { policy: { [code]: 'ask' } })
      assert.deepEqual(
        asked.problems.map((problem) => problem.code),
        ['repair-asks'],
      )
      assert.equal(fitted(value, row.schema, { strict: true }).problems[0]?.code, 'repair-denied')

      const [twin, outcome] = row.twin
      const other = fitted(twin, row.schema)
      if (outcome === 'refused') assert.notDeepEqual(other.problems, [])
      else assert.deepEqual(other, { value: outcome === 'unchanged' ? twin : outcome.fits, repairs: [], problems: [] })
    })
  }
})

describe('each problem: its example', () => {
  for (const [code, row] of Object.entries<FitProblemRow>(fitProblems)) {
    if (row.example === undefined) continue
    test(code, () => assert.equal(fitted(row.example ?? null, row.schema).problems[0]?.code, code))
  }
})

describe('the four required tests of the mission, without any schema', () => {
  const cases: readonly (readonly [name: string, value: JsonValue, expected: JsonValue])[] = [
    ['test_json_string_arg_parsed_to_dict', '{"a": 1}', { a: 1 }],
    ['test_json_string_list_parsed', '[1, 2, 3]', [1, 2, 3]],
    ['test_plain_string_unchanged', 'hello', 'hello'],
    ['test_mixed_args_parsed', ['register', '{"id": "x"}'], ['register', { id: 'x' }]],
  ]
  for (const [name, value, expected] of cases) test(name, () => assert.deepEqual(fitted(value).value, expected))

  test('what parses to something else stays a text, and what is named stays as it is', () => {
    for (const value of ['123', 'true', 'null', '"quoted"', 'see {"a": 1}', ''])
      assert.equal(fitted(value).value, value)
    assert.deepEqual(fitted({ content: '{"a": 1}' }).value, { content: '{"a": 1}' })
    assert.deepEqual(fitted('"{\\"a\\": 1}"').value, '"{\\"a\\": 1}"')
  })

  test('a parameter that may be a text keeps its text: the correction that the plan needed five days later', () => {
    const schema = object({ message: text, data: { type: 'object' } }, 'message')
    const value = { message: '{"a": 1}', data: '{"a": 1}' }
    assert.deepEqual(fitted(value, schema).value, { message: '{"a": 1}', data: { a: 1 } })
    for (const mixed of [{}, { type: ['object', 'string'] }, { anyOf: [{ type: 'object' }, text] }]) {
      assert.deepEqual(fitted({ message: '[1]' }, object({ message: mixed })).value, { message: '[1]' })
    }
  })
})

type Case = readonly [what: string, schema: JsonSchema, value: JsonValue, result: JsonValue | 'refused', codes?: string]

/** `refused` in place of a result; repairs by their codes. */
// biome-ignore format: a table is read by the line
const cases: readonly Case[] = [
  // Numbers and booleans by the type that is wanted.
  ['a whole float is an integer', object({ n: integer }), { n: '5.0' }, { n: 5 }, 'text-to-number'],
  ['a broken number is none', object({ n: integer }), { n: '5.5' }, 'refused'],
  ['space around a number', object({ n: { type: 'number' } }), { n: ' -1.5e3 ' }, { n: -1500 }, 'text-to-number'],
  ['a number with a unit', object({ n: { type: 'number' } }), { n: '5s' }, 'refused'],
  ['a number with separators', object({ n: { type: 'number' } }), { n: '1,000' }, 'refused'],
  ['a number with leading zeros', object({ n: integer }), { n: '007' }, 'refused'],
  ['more digits than a number holds', object({ n: integer }), { n: '9007199254740993' }, 'refused'],
  ['a fraction that would vanish', object({ n: integer }), { n: '1.0000000000000000001' }, 'refused'],
  ['a number that would vanish', object({ n: { type: 'number' } }), { n: '1e-400' }, 'refused'],
  ['a sign and a point', object({ n: { type: 'number' } }), { n: '+.5' }, { n: 0.5 }, 'text-to-number'],
  ['no number', object({ n: { type: 'number' } }), { n: 'NaN' }, 'refused'],
  ['a boolean is no number', object({ n: integer }), { n: true }, 'refused'],
  ['a number is no boolean but for 0 and 1', object({ b: { type: 'boolean' } }), { b: 0 }, { b: false }, 'word-to-boolean'],
  ['the nearer type wins', object({ v: { type: ['number', 'boolean'] } }), { v: '1' }, { v: 1 }, 'text-to-number'],
  ['a text that may be a text', object({ v: { type: ['number', 'string'] } }), { v: '1' }, { v: '1' }, ''],
  ['bounds hold after a repair', object({ n: { ...integer, maximum: 3 } }), { n: '5' }, 'refused'],
  ['a broken number as text has no safe spelling', object({ v: text }), { v: 3.1 }, 'refused'],
  ['no date out of prose', object({ when: { ...text, format: 'date' } }), { when: 'tomorrow' }, 'refused'],

  // Allowed words.
  ['another separator', object({ s: { enum: ['in_progress', 'done'] } }), { s: 'In Progress' }, { s: 'in_progress' }, 'enum-spelling'],
  ['parts joined in another way', object({ s: { enum: ['in_progress', 'done'] } }), { s: 'InProgress' }, { s: 'in_progress' }, 'enum-spelling'],
  ['signs that are words', object({ s: { enum: ['_x', 'y'] } }), { s: '-x' }, 'refused'],
  ['two words that differ by case alone', object({ s: { enum: ['a', 'A'] } }), { s: ' a' }, 'refused'],
  ['a number among allowed numbers', object({ n: { enum: [1, 2] } }), { n: '2' }, { n: 2 }, 'text-to-number'],
  ['a number among allowed words', object({ n: { enum: ['1', '2'] } }), { n: 2 }, { n: '2' }, 'number-to-text'],
  ['a boolean among allowed words', object({ v: { enum: ['true', 'false'] } }), { v: true }, { v: 'true' }, 'enum-spelling'],
  ['capitals inside', object({ s: { enum: ['GitHub', 'iOS'] } }), { s: 'github' }, { s: 'GitHub' }, 'enum-spelling'],
  ['a constant', object({ kind: { const: 'file' } }), { kind: 'FILE' }, { kind: 'file' }, 'enum-spelling'],

  // Texts that hold objects and lists.
  ['a Python list', object({ l: list }), { l: "['a', 'b']" }, { l: ['a', 'b'] }, 'text-opened python-literal'],
  ['a broken list', object({ l: list }), { l: '["dir C:\\Dev"]' }, { l: ['dir C:\\Dev'] }, 'text-opened escape-kept'],
  ['a cut list', object({ l: list }), { l: '["a", "b' }, 'refused'],
  ['a list with words behind it', object({ l: list }), { l: '["a"] as asked' }, 'refused'],
  ['code in a fence', object({ l: list }), { l: '```js\n[1, 2]\n```' }, 'refused'],
  ['an object whose end is missing', object({ l: { type: 'array', items: object({ a: text, b: text }, 'a') } }), { l: '[{"a": "x", "b": "y"}, {"a": "z"' }, 'refused'],
  ['numbers in an opened list', object({ l: { type: 'array', items: integer } }), { l: '["1"]' }, { l: [1] }, 'text-opened text-to-number'],
  ['an object for a list of objects', object({ l: { type: 'array', items: object({ a: text }, 'a') } }), { l: '{"a": "x"}' }, { l: [{ a: 'x' }] }, 'text-opened item-to-list'],

  // One and many.
  ['an object to a list of it', object({ l: { type: 'array', items: object({ a: text }) } }), { l: { a: 'x' } }, { l: [{ a: 'x' }] }, 'item-to-list'],
  ['a number to a list of it', object({ l: { type: 'array', items: integer } }), { l: '5' }, { l: [5] }, 'item-to-list text-to-number'],
  ['nothing is no item', object({ l: list }), { l: '' }, {}, 'empty-dropped'],
  ['lines may be items', object({ l: list }), { l: 'a\nb' }, 'refused'],
  ['no list of lists out of nothing', object({ l: { type: 'array', items: list } }), { l: 'a' }, 'refused'],
  ['a list too short stays too short', object({ l: { ...list, minItems: 2 } }), { l: 'a' }, 'refused'],
  ['an object out of a list', object({ o: object({ a: text }, 'a') }), { o: [{ a: 'x' }] }, { o: { a: 'x' } }, 'list-of-one'],
  ['no item out of an empty list', object({ o: text }), { o: [] }, 'refused'],

  ['a word for nothing is no item', object({ l: list }), { l: 'none' }, 'refused'],
  ['a command line is no word', object({ command: list }), { command: 'ls -la' }, 'refused'],
  ['entries of a map', object({ headers: { type: 'object' } }), { headers: [{ name: 'A', value: 'b' }] }, 'refused'],
  ['files side by side', object({ l: list }), { l: 'src/a.py src/b.py' }, 'refused'],
  ['names with a word between', object({ l: list }), { l: 'Ann and Bob' }, 'refused'],
  ['one command', object({ commands: list }), { commands: 'ls -la' }, { commands: ['ls -la'] }, 'item-to-list'],
  ['items by their names', object({ rows: { type: 'array', items: { type: 'object' } } }), { rows: { a: { n: 1 }, b: { n: 2 } } }, 'refused'],
  ['a list for the one parameter that is one', object({ todos: list }, 'todos'), ['a', 'b'], { todos: ['a', 'b'] }, 'value-to-parameter'],

  // Tuples.
  ['a tuple', object({ at: { type: 'array', prefixItems: [{ type: 'number' }, text] } }), { at: ['1.5', 2] }, { at: [1.5, '2'] }, 'text-to-number number-to-text'],
  ['a tuple of draft 7', { ...(object({ at: { type: 'array', items: [integer, text] } }) as JsonObject), $schema: 'http://json-schema.org/draft-07/schema#' }, { at: ['1', 'x', true] }, { at: [1, 'x', true] }, 'text-to-number'],

  // What may be left out.
  ['null that may be null', object({ a: { type: ['string', 'null'] } }), { a: null }, { a: null }, ''],
  ['null for what is required', object({ a: text }, 'a'), { a: null }, 'refused'],
  ['the word null for an optional number', object({ n: integer }), { n: 'null' }, {}, 'null-dropped'],
  ['the word null for an optional text', object({ a: text }), { a: 'null' }, { a: 'null' }, ''],
  ['null that clears something', object({ fields: { type: 'object', additionalProperties: integer } }), { fields: { age: null, n: '1' } }, 'refused'],
  ['the word none for an optional choice', object({ border: { enum: ['thin', 'thick'] } }), { border: 'none' }, 'refused'],
  ['an empty text for an optional choice', object({ s: { enum: ['a', 'b'] } }), { s: '' }, {}, 'empty-dropped'],
  ['an empty text that is a text', object({ a: text }), { a: '' }, { a: '' }, ''],
  ['null in a nested object', object({ o: object({ n: integer }) }), { o: { n: null } }, { o: {} }, 'null-dropped'],
  ['null in a list says something', object({ l: list }), { l: ['a', null] }, 'refused'],

  // Unknown parameters. Inside a parameter the schema is taken at its word.
  ['an open tool keeps them', { ...(object({ a: text }) as JsonObject), additionalProperties: true }, { a: 'x', b: 1 }, { a: 'x', b: 1 }, ''],
  ['a schema for the others fits them', { ...(object({ a: text }) as JsonObject), additionalProperties: integer }, { a: 'x', b: '1' }, { a: 'x', b: 1 }, 'text-to-number'],
  ['a schema without a list is open', { type: 'object' }, { b: 1 }, { b: 1 }, ''],
  ['an empty list is closed', object({}), { random_string: 'x' }, {}, 'parameter-ignored'],
  ['inside, what is not forbidden stays', object({ o: object({ a: text }) }), { o: { a: 'x', b: 1 } }, { o: { a: 'x', b: 1 } }, ''],
  ['inside, what is forbidden goes', object({ o: { ...(object({ a: text }) as JsonObject), additionalProperties: false } }), { o: { a: 'x', b: 1 } }, { o: { a: 'x' } }, 'parameter-ignored'],
  ['a pattern names parameters too', { ...(object({ a: text }) as JsonObject), patternProperties: { '^x-': integer } }, { 'x-n': '1', y: 2 }, { 'x-n': 1 }, 'text-to-number parameter-ignored'],
  ['unevaluated ones', { ...(object({ a: text }) as JsonObject), unevaluatedProperties: false }, { a: 'x', b: 1 }, { a: 'x' }, 'parameter-ignored'],

  ['all of them unknown', object({ filter: text, limit: integer }), { where: 'id=3' }, 'refused'],
  ['all of them a remark', object({ filter: text, limit: integer }), { explanation: 'to see' }, {}, 'parameter-ignored'],
  ['all of them empty', object({ filter: text, limit: integer }), { dummy: null, x: '' }, {}, 'parameter-ignored parameter-ignored'],
  ['all of them unknown, inside', object({ table: text, filter: closed({ status: text }) }, 'table'), { table: 't', filter: { state: 'open' } }, 'refused'],
  ['a slip of the pen', object({ table: text, filter: text }, 'table'), { table: 't', fliter: 'id=3' }, 'refused'],
  ['what another branch knows', { anyOf: [closed({ city: text }), closed({ city: text, days: integer })] }, { city: 'Paris', days: 'three' }, 'refused'],
  ['the name of another tool', object({ path: text }, 'path'), { path: 'a', tool: 'delete_file' }, 'refused'],
  ['ignoring is dearer than renaming', object({ t: { anyOf: [closed({ city: text }), closed({ city: text, country_code: text })] } }), { t: { city: 'Paris', countryCode: 'FR' } }, { t: { city: 'Paris', country_code: 'FR' } }, 'key-renamed'],
  ['ignoring is dearer than converting', object({ t: { anyOf: [closed({ path: text }), closed({ path: text, deep: { type: 'boolean' } })] } }), { t: { path: 'x', deep: 'true' } }, { t: { path: 'x', deep: true } }, 'text-to-boolean'],

  // Names.
  ['the other half of a name', object({ file_path: text }, 'file_path'), { path: 'src', file: 'main.ts' }, 'refused'],
  ['an optional one inside', object({ edits: { type: 'array', items: object({ old_string: text, replace_all: { type: 'boolean' } }, 'old_string') } }), { edits: [{ old: 'a', replaceAll: 'true' }] }, { edits: [{ old_string: 'a', replace_all: true }] }, 'key-renamed key-renamed text-to-boolean'],
  ['a near miss that says nothing', object({ id: text }), { ID: null }, {}, 'parameter-ignored'],
  ['an optional one too', object({ path: text, maxResults: integer }, 'path'), { path: '.', max_results: 3 }, { path: '.', maxResults: 3 }, 'key-renamed'],
  ['two that could be meant', object({ file_path: text, absolutePath: text }, 'file_path', 'absolutePath'), { path: 'x' }, 'refused'],
  ['the required one of two', object({ filePath: text, path: text }, 'filePath'), { file_path: 'x' }, { filePath: 'x' }, 'key-renamed'],
  ['two for one', object({ command: text }, 'command'), { cmd: 'ls', Command: 'pwd' }, 'refused'],
  ['one thing twice, the same', object({ command: text }, 'command'), { command: 'ls', cmd: 'ls' }, { command: 'ls' }, 'parameter-ignored'],
  ['never by type alone', object({ url: text }, 'url'), { query: 'https://example.org' }, 'refused'],
  ['a part of a name is not the name', object({ end_line: integer }, 'end_line'), { start_line: 3 }, 'refused'],
  ['a near miss of the wrong type', object({ command: text }, 'command'), { cmd: ['ls', '-l'] }, 'refused'],
  ['a count is no plural', object({ path: text, line: integer }, 'path'), { path: 'a', lines: 50 }, 'refused'],
  ['one and several', object({ id: integer }, 'id'), { id: 5, ids: [5, 6] }, 'refused'],
  ['an empty twin', object({ path: text }, 'path'), { path: 'a', file_path: null }, { path: 'a' }, 'parameter-ignored'],
  ['a twin of an empty one', object({ path: text }, 'path'), { path: null, file_path: 'a' }, { path: 'a' }, 'null-dropped key-renamed'],
  ['the singular for a list', object({ labels: list }, 'labels'), { label: 'urgent' }, { labels: ['urgent'] }, 'key-renamed item-to-list'],
  ['inside', object({ edits: { type: 'array', items: object({ old_string: text, new_string: text }, 'old_string', 'new_string') } }), { edits: [{ oldText: 'a', newText: 'b' }] }, { edits: [{ old_string: 'a', new_string: 'b' }] }, 'key-renamed key-renamed'],

  // Wrappings.
  ['by the tool', object({ path: text }, 'path'), { name: 'example', arguments: { path: 'x' } }, { path: 'x' }, 'wrapping-removed'],
  ['as a text', object({ path: text }, 'path'), { input: '{"path": "x"}' }, { path: 'x' }, 'wrapping-removed text-opened'],
  ['twice', object({ path: text }, 'path'), { function: { name: 'example', arguments: { path: 'x' } } }, { path: 'x' }, 'wrapping-removed wrapping-removed'],
  ['a parameter of that name', object({ input: object({ path: text }) }, 'input'), { input: { path: 'x' } }, { input: { path: 'x' } }, ''],
  ['of another tool', object({ path: text }, 'path'), { name: 'delete_file', arguments: { path: 'x' } }, 'refused'],
  ['beside parameters of its own', object({ path: text }, 'path'), { arguments: { path: 'a' }, path: 'b' }, 'refused'],
  ['a near miss of a parameter is no wrapping', object({ inputs: { type: 'object' } }, 'inputs'), { input: { a: 1 } }, { inputs: { a: 1 } }, 'key-renamed'],
  ['in another spelling', object({ path: text }, 'path'), { toolName: 'Example', toolInput: { path: 'x' } }, { path: 'x' }, 'wrapping-removed'],
  ['an echo of the schema', object({ filter: { type: 'object' } }), { type: 'object', properties: { filter: { type: 'object' } } }, 'refused'],
  ['with what the model thought', object({ path: text }, 'path'), { thought: 'read it', action: 'example', action_input: { path: 'x' } }, { path: 'x' }, 'wrapping-removed'],
  ['nothing is lost on the way', object({ limit: integer }), { arguments: { limit: 3 } }, { limit: 3 }, 'wrapping-removed'],

  // Lists and values in place of the arguments.
  ['named ones in a list', object({ path: text, n: integer }, 'path'), [{ path: 'x' }], { path: 'x' }, 'list-of-one'],
  ['two of one rather than one of two', object({ path: text, encoding: text }, 'path'), ['a.py', 'b.py'], 'refused'],
  ['more values than parameters', object({ path: text }, 'path'), ['a', 'b'], 'refused'],
  ['too few values', object({ a: text, b: text }, 'a', 'b'), ['x'], 'refused'],
  ['a number for the one parameter', object({ n: integer }, 'n'), 5, { n: 5 }, 'value-to-parameter'],
  ['a text for two parameters', object({ a: text, b: text }, 'a', 'b'), 'x', 'refused'],
  ['a text for one of two optional ones', object({ a: text, b: text }), 'x', 'refused'],

  // References and unions.
  ['a reference', { ...(object({ n: { $ref: '#/$defs/n' } }) as JsonObject), $defs: { n: integer } }, { n: '1' }, { n: 1 }, 'text-to-number'],
  ['a tree', { type: 'object', properties: { value: integer, children: { type: 'array', items: { $ref: '#' } } } }, { value: 1, children: [{ value: '2', children: [{ value: '3' }] }] }, { value: 1, children: [{ value: 2, children: [{ value: 3 }] }] }, 'text-to-number text-to-number'],
  ['all of several', { allOf: [object({ a: integer }), object({ b: integer }, 'b')] }, { a: '1', B: '2' }, { a: 1, b: 2 }, 'key-renamed text-to-number text-to-number'],
  ['a union by its constant', object({ shape: { oneOf: [object({ kind: { const: 'circle' }, r: integer }, 'kind', 'r'), object({ kind: { const: 'square' }, side: integer }, 'kind', 'side')] } }), { shape: { kind: 'square', side: '2' } }, { shape: { kind: 'square', side: 2 } }, 'text-to-number'],
  ['a union that may be null', object({ n: { anyOf: [integer, { type: 'null' }] } }), { n: 'None' }, { n: null }, 'text-to-null'],
  ['two ways to fit', object({ v: { anyOf: [integer, { type: 'array', items: text }] } }), { v: '1' }, { v: 1 }, 'text-to-number'],
  ['two different results of one class', object({ v: { anyOf: [object({ path: text }, 'path'), object({ file_path: text }, 'file_path')] } }), { v: { filePath: 'x' } }, 'refused'],
  ['a condition', { ...(object({ mode: text, n: { type: ['integer', 'string'] } }) as JsonObject), if: { properties: { mode: { const: 'count' } } }, then: { properties: { n: integer } } }, { mode: 'count', n: '3' }, { mode: 'count', n: 3 }, 'text-to-number'],
  ['a negation is not got around', object({ n: { type: 'integer', not: { const: 3 } } }), { n: '3' }, 'refused'],
  ['no way in at all', object({ n: false }), { n: 1 }, 'refused'],
]

describe('cases', () => {
  for (const [what, schema, value, result, codes = ''] of cases) {
    test(what, () => {
      const before = JSON.stringify([schema, value])
      const fitting = fitted(value, schema, { name: 'example' })
      assert.equal(JSON.stringify([schema, value]), before, 'what was given is not written into')
      if (result === 'refused') return assert.notDeepEqual(fitting.problems, [], JSON.stringify(fitting.value))
      assert.deepEqual(fitting.problems, [])
      assert.deepEqual(fitting.value, result)
      assert.equal(
        fitting.repairs
          .map(({ code }) => code)
          .sort()
          .join(' '),
        codes.split(' ').sort().join(' '),
      )
      if (codes === '') assert.equal(fitting.value, value)
    })
  }
})

describe('unknown parameters by policy', () => {
  const schema = object({ path: text }, 'path')
  const value = { path: 'a.py', overwrite: true }

  test('ignore, keep, refuse', () => {
    assert.deepEqual(fitted(value, schema, { unknown: 'ignore' }).value, { path: 'a.py' })
    assert.equal(fitted(value, schema, { unknown: 'keep' }).value, value)
    assert.deepEqual(fitted(value, schema, { unknown: 'refuse' }).problems[0]?.path, ['overwrite'])
  })

  test('what a schema forbids is not kept', () => {
    const closed = { ...(schema as JsonObject), additionalProperties: false }
    assert.deepEqual(fitted(value, closed, { unknown: 'keep' }).value, { path: 'a.py' })
  })
})

test('repairs and problems tell their place, and what stood there', () => {
  const schema = object({ rows: { type: 'array', items: object({ id: integer }, 'id') }, command: text }, 'command')
  const { repairs } = fitted({ rows: [{ id: 1 }, { id: '2' }], cmd: 'ls', extra: 7 }, schema)
  assert.deepEqual(repairs, [
    { code: 'key-renamed', path: ['command'], before: 'cmd', after: 'command' },
    { code: 'parameter-ignored', path: ['extra'], before: 7 },
    { code: 'text-to-number', path: ['rows', 1, 'id'], before: '2', after: 2 },
  ])
  const { problems } = fitted({ rows: [{ id: 1 }, {}], command: 'ls' }, schema)
  assert.deepEqual(
    problems.map(({ code, path }) => [code, path]),
    [['parameter-missing', ['rows', 1, 'id']]],
  )
})

test('without a validator the core judges by itself', () => {
  const schema = object({ n: { ...integer, minimum: 1 }, s: { ...text, pattern: '^a' } }, 'n')
  assert.deepEqual(fit({ n: '2', s: 'b' }, schema), {
    value: { n: 2, s: 'b' },
    repairs: [{ code: 'text-to-number', path: ['n'], before: '2', after: 2 }],
    problems: [],
  })
  assert.equal(fit({ n: 0 }, schema).problems[0]?.code, 'value-out-of-bounds')
})

describe('a schema that cannot be used is a problem, not a crash', () => {
  const broken: readonly (readonly [what: string, schema: JsonSchema, found: RegExp])[] = [
    ['a reference to nowhere', object({ a: { $ref: '#/$defs/a' } }), /"#\/\$defs\/a" leads nowhere/],
    ['a reference to another place', object({ a: { $ref: 'https://example.org/a.json' } }), /leads nowhere/],
    [
      'a circle',
      { ...(object({ a: { $ref: '#/$defs/a' } }) as JsonObject), $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } } },
      /in a circle/,
    ],
  ]
  for (const [what, schema, found] of broken) {
    test(what, () => {
      const [problem] = fitted({ a: 1 }, schema, { name: 'example' }).problems
      assert.equal(problem?.code, 'schema-unusable')
      assert.match(problem?.message ?? '', found)
    })
  }
})
