import type { JsonObject, JsonSchema, RepairClass } from '../types.ts'

/** One way in which the text of a tool's arguments is written that is no JSON. */
export interface ArgumentRepairRow {
  readonly class: RepairClass
  /** What was done, as a sentence about the text. */
  readonly says: string
  readonly schema: JsonSchema
  /** A text, and the arguments of each call in it. */
  readonly example: readonly [text: string, calls: readonly JsonObject[]]
  /** A text that looks alike, and is refused. */
  readonly twin: string
}

const text = { type: 'string' } as const
const search = {
  type: 'object',
  properties: { query: text, limit: { type: 'integer' }, site: text },
  required: ['query', 'limit'],
}
const write = { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] }
const none = { type: 'object', properties: {} }

/** Every change that `readArguments` makes before the arguments are fitted. */
export const argumentRepairs = {
  'arguments-empty': {
    class: 'lossless',
    says: 'nothing was sent where the arguments should be, which means no parameters',
    schema: none,
    example: ['', [{}]],
    twin: '{',
  },
  'parameters-tagged': {
    class: 'lossless',
    says: 'each parameter stands in a tag of its own',
    schema: write,
    example: [
      '<parameter=path>a.md</parameter>\n<parameter=content>\n# Notes\n</parameter>',
      [{ path: 'a.md', content: '# Notes' }],
    ],
    twin: '<parameter=path>a.md</parameter>\n<parameter=content>\n# Not',
  },
  'tag-closed-otherwise': {
    class: 'interpretive',
    says: 'the tag of a parameter is closed by the name of the parameter, or by the tag of another family',
    schema: write,
    example: [
      '<parameter name="path">a.md</path><parameter name="content">x</parameter>',
      [{ path: 'a.md', content: 'x' }],
    ],
    twin: '<parameter name="path">a.md</file><parameter name="content">x</parameter>',
  },
  'tag-named-otherwise': {
    class: 'interpretive',
    says: 'the name of a parameter is a tag by itself, or stands in one before its value, or the tag of the value is missing',
    schema: write,
    example: ['<path>a.md</path><content>x</content>', [{ path: 'a.md', content: 'x' }]],
    twin: '<path>a.md</path><content>x',
  },
  'tag-space-dropped': {
    class: 'interpretive',
    says: 'line breaks right inside the tags of a parameter, or space in a tag by its name, are no part of the text',
    schema: write,
    example: [
      '<parameter name="path">a.md</parameter><parameter name="content">\nx\n</parameter>',
      [{ path: 'a.md', content: 'x' }],
    ],
    twin: '<parameter name="path">a.md</parameter><parameter name="content">\nx\n',
  },
  'parameters-assigned': {
    class: 'lossless',
    says: 'each parameter is assigned, as in a Python call',
    schema: search,
    example: ['query="tide tables", limit=3', [{ query: 'tide tables', limit: 3 }]],
    twin: 'query="tide tables", limit=count',
  },
  'parameters-lined': {
    class: 'lossless',
    says: 'each parameter stands on a line of its own, behind its name and a colon',
    schema: search,
    example: ['query: tide tables\nlimit: 3', [{ query: 'tide tables', limit: 3 }]],
    twin: 'query: tide tables\nsee also: limit 3',
  },
  'calls-split': {
    class: 'interpretive',
    says: 'several different objects stand side by side, each of them a call',
    schema: search,
    example: [
      '{"query": "ebb", "limit": 1}{"query": "flood", "limit": 1}',
      [
        { query: 'ebb', limit: 1 },
        { query: 'flood', limit: 1 },
      ],
    ],
    twin: '{"query": "ebb"}{"limit": 1}',
  },
} as const satisfies { readonly [code: string]: ArgumentRepairRow }

/** The code of a change that `readArguments` makes before the arguments are fitted. */
export type ArgumentRepairCode = keyof typeof argumentRepairs
