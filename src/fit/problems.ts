import type { JsonSchema, JsonValue } from '../types.ts'

/** One kind of reason to refuse a value. `{key}`, `{wanted}` and `{found}` are filled in. */
export interface FitProblemRow {
  /** What to send, in words that follow "Send it again". */
  readonly remedy: string
  /** What was wrong, in words that may follow others. */
  readonly reason: string
  readonly schema: JsonSchema
  /** A value that is refused so; none where it takes more than a value. */
  readonly example?: JsonValue
}

const object = (properties: { readonly [key: string]: JsonSchema }, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
})
const text = { type: 'string' } as const

/** Every reason for which `fit` refuses, in the order in which docs/refusals.md lists them. */
export const fitProblems = {
  'parameter-missing': {
    remedy: 'with {key}',
    reason: '{key} was missing',
    schema: object({ path: text, content: text }, 'path', 'content'),
    example: { file: 'notes.md', content: 'x' },
  },
  'parameter-unknown': {
    remedy: 'with its own parameters ({wanted}) and without {key}',
    reason: '{key} is not a parameter',
    schema: object({ path: text }, 'path'),
  },
  'name-ambiguous': {
    remedy: 'with {wanted} and without {key}',
    reason: '{key} may stand for {wanted}, or for nothing',
    schema: object({ command: text }, 'command'),
    example: { command: 'ls', cmd: 'rm a.py' },
  },
  'value-type': {
    remedy: 'with {key} as {wanted}',
    reason: '{key} {was} {found}',
    schema: object({ limit: { type: 'integer' } }),
    example: { limit: 'as many as there are' },
  },
  'value-not-allowed': {
    remedy: 'with {key} as {wanted}',
    reason: '{key} {was} {found}',
    schema: object({ unit: { enum: ['celsius', 'fahrenheit'] } }),
    example: { unit: 'kelvin' },
  },
  'value-out-of-bounds': {
    remedy: 'with {key}, which must {wanted}',
    reason: '{key} {was} {found}',
    schema: object({ limit: { type: 'integer', minimum: 1 } }),
    example: { limit: 0 },
  },
  'value-ambiguous': {
    remedy: 'with {key} as {wanted}',
    reason: '{key} {was} {found}',
    schema: object({ labels: { type: 'array', items: text } }),
    example: { labels: 'urgent, later' },
  },
  'value-refused': {
    remedy: 'with {key} as {wanted}',
    reason: '{key} {was} {found}',
    schema: object({ id: { oneOf: [{ type: 'integer' }, { type: 'integer', minimum: 5 }] } }),
    example: { id: 7 },
  },
  'text-unreadable': {
    remedy: 'with {key} as {wanted}, not as a text',
    reason: 'the text of {key} cannot be read: {found}',
    schema: object({ filter: { type: 'object' } }),
    example: { filter: '{"status": "op' },
  },
  'arguments-cut': {
    remedy: 'with all of its parameters, to the last bracket',
    reason: 'the text ends inside a list, which may have been cut',
    schema: object({ paths: { type: 'array', items: text } }),
  },
  'tags-unreadable': {
    remedy: 'with each parameter once, in a tag that is closed',
    reason: 'the tags of the parameters cannot be read to their end',
    schema: object({ path: text }, 'path'),
  },
  'call-mentioned': {
    remedy: 'with its parameters alone, if it is to run',
    reason: 'the words around the parameters say that it is not to run, or that something else is meant',
    schema: object({ path: text }, 'path'),
  },
  'tool-mismatch': {
    remedy: 'with its parameters alone',
    reason: '{key} names another tool, {found}',
    schema: object({ path: text }, 'path'),
  },
  'integer-inexact': {
    remedy: 'with {key} in no more than 15 digits',
    reason: '{key} {was} {found}, which has more digits than a number can hold here',
    schema: object({ id: { type: 'integer' } }),
  },
  'too-deep': {
    remedy: 'with less nesting',
    reason: 'objects and lists went deeper than {found} levels',
    schema: true,
  },
  'repair-denied': {
    remedy: 'exactly as its schema says',
    reason: '{key} {needs} the repair {found}, which is switched off here',
    schema: object({ limit: { type: 'integer' } }),
  },
  'repair-asks': {
    remedy: 'exactly as its schema says, or wait for approval',
    reason: '{key} {needs} the repair {found}',
    schema: object({ limit: { type: 'integer' } }),
  },
  'schema-unusable': {
    remedy: 'only when its schema is mended, and use another tool until then',
    reason: 'the schema cannot be used: {found}',
    schema: { $ref: '#/nowhere' },
    example: {},
  },
} as const satisfies { readonly [code: string]: FitProblemRow }

/** The code of a reason for which `fit` refuses. */
export type FitProblemCode = keyof typeof fitProblems
