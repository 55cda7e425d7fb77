import type { JsonSchema, JsonValue, Repair, RepairClass } from '../types.ts'

/** One kind of change to a value. The code, the docs and the tests all read this row. */
export interface FitRepairRow {
  readonly class: RepairClass
  /** What was done, as a sentence about the value. */
  readonly says: string
  readonly schema: JsonSchema
  readonly example: readonly [value: JsonValue, fitted: JsonValue]
  /** A value that looks alike, and is taken as it is, fitted otherwise or refused. */
  readonly twin: readonly [value: JsonValue, outcome: 'unchanged' | 'refused' | { readonly fits: JsonValue }]
}

const object = (properties: { readonly [key: string]: JsonSchema }, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
})
const text = { type: 'string' } as const
const list = { type: 'array', items: text } as const

/** Every change that `fit` can make, in the order in which docs/fitting.md lists them. */
export const fitRepairs = {
  'text-opened': {
    class: 'lossless',
    says: 'a text holds the object or list that the schema asks for',
    schema: object({ filter: { type: 'object' } }),
    example: [{ filter: '{"status": "open"}' }, { filter: { status: 'open' } }],
    twin: [{ filter: 'status is open' }, 'refused'],
  },
  'text-to-number': {
    class: 'lossless',
    says: 'a text spells the number that the schema asks for',
    schema: object({ limit: { type: 'integer' } }),
    example: [{ limit: '10' }, { limit: 10 }],
    twin: [{ limit: '10 rows' }, 'refused'],
  },
  'text-to-boolean': {
    class: 'lossless',
    says: 'a text spells true or false',
    schema: object({ recursive: { type: 'boolean' } }),
    example: [{ recursive: 'True' }, { recursive: true }],
    twin: [{ recursive: 'deep' }, 'refused'],
  },
  'text-to-null': {
    class: 'lossless',
    says: 'a text spells null, and the schema takes null but no text',
    schema: object({ parent: { type: ['integer', 'null'] } }, 'parent'),
    example: [{ parent: 'None' }, { parent: null }],
    twin: [{ parent: 'nobody' }, 'refused'],
  },
  'number-to-text': {
    class: 'lossless',
    says: 'a number stands where the schema asks for a text; its own digits became the text',
    schema: object({ id: text }),
    example: [{ id: 4711 }, { id: '4711' }],
    twin: [{ id: true }, 'refused'],
  },
  'enum-spelling': {
    class: 'lossless',
    says: 'one of the allowed words is spelled with another case, separator, quote or space',
    schema: object({ unit: { enum: ['celsius', 'fahrenheit'] } }),
    example: [{ unit: 'Celsius ' }, { unit: 'celsius' }],
    twin: [{ unit: 'C' }, 'refused'],
  },
  'null-dropped': {
    class: 'lossless',
    says: 'an optional parameter is null, which its schema does not take, and was left out',
    schema: object({ query: text, language: text }, 'query'),
    example: [{ query: 'news', language: null }, { query: 'news' }],
    twin: [{ query: null }, 'refused'],
  },
  'empty-dropped': {
    class: 'lossless',
    says: 'an optional parameter is an empty text, which its schema does not take, and was left out',
    schema: object({ query: text, limit: { type: 'integer' } }, 'query'),
    example: [{ query: 'news', limit: '' }, { query: 'news' }],
    twin: [{ query: '', limit: 3 }, 'unchanged'],
  },
  'key-renamed': {
    class: 'renamed',
    says: 'a name that is kin to the one that is missing stands for it',
    schema: object({ command: text, cwd: text }, 'command'),
    example: [{ cmd: 'ls' }, { command: 'ls' }],
    twin: [{ query: 'ls' }, 'refused'],
  },
  'wrapping-removed': {
    class: 'interpretive',
    says: 'the parameters stand one object deeper than they should',
    schema: object({ path: text }, 'path'),
    example: [{ arguments: { path: 'a.py' } }, { path: 'a.py' }],
    twin: [{ arguments: { path: 'a.py' }, results: ['b.py'] }, 'refused'],
  },
  'parameter-ignored': {
    class: 'interpretive',
    says: 'the tool has no such parameter; it was left out',
    schema: object({ path: text, content: text }, 'path', 'content'),
    example: [
      { path: 'a.py', content: 'x', line_end: '\n' },
      { path: 'a.py', content: 'x' },
    ],
    twin: [{ path: 'a.py', line_end: '\n' }, 'refused'],
  },
  'word-to-boolean': {
    class: 'interpretive',
    says: 'yes, no, on, off, 1 or 0 stands for true or false',
    schema: object({ recursive: { type: 'boolean' } }),
    example: [{ recursive: 'yes' }, { recursive: true }],
    twin: [{ recursive: 2 }, 'refused'],
  },
  'item-to-list': {
    class: 'interpretive',
    says: 'one item stands where the schema asks for a list of them',
    schema: object({ labels: list }),
    example: [{ labels: 'urgent' }, { labels: ['urgent'] }],
    twin: [{ labels: 'urgent, later' }, 'refused'],
  },
  'list-of-one': {
    class: 'interpretive',
    says: 'the one item of a list stands where the schema asks for no list',
    schema: object({ path: text }),
    example: [{ path: ['a.py'] }, { path: 'a.py' }],
    twin: [{ path: ['a.py', 'b.py'] }, 'refused'],
  },
  'list-to-parameters': {
    class: 'interpretive',
    says: 'the parameters came as a list, in the order of the schema',
    schema: object({ path: text, line: { type: 'integer' } }, 'path'),
    example: [['a.py', 3], { path: 'a.py', line: 3 }],
    twin: [[3, 'a.py'], 'refused'],
  },
  'value-to-parameter': {
    class: 'interpretive',
    says: 'a value came alone, and the tool has one parameter that it must be',
    schema: object({ query: text, limit: { type: 'integer' } }, 'query'),
    example: ['tide tables', { query: 'tide tables' }],
    twin: ['{"query": "tide', 'refused'],
  },
} as const satisfies { readonly [code: string]: FitRepairRow }

/** The code of a change that `fit` can make. */
export type FitRepairCode = keyof typeof fitRepairs

/** A change that `fit` made. */
export type FitRepair = Repair<FitRepairCode>
