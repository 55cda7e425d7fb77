/** What a model reads when its arguments are refused, word for word: remedy, schema, example, then what was wrong. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonSchema, JsonValue } from '../types.ts'
import { validator } from '../validate/validator.ts'
import { fit } from './fit.ts'

const text = { type: 'string' } as const
const object = (properties: { readonly [key: string]: JsonSchema }, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
})

const tools: { readonly [name: string]: JsonSchema } = {
  write_file: object({ path: text, content: text, append: { type: 'boolean' } }, 'path', 'content'),
  search: object(
    {
      query: text,
      limit: { type: 'integer', minimum: 1, maximum: 50 },
      sort: { enum: ['new', 'old', 'best'] },
      tags: { type: 'array', items: text },
    },
    'query',
  ),
  edit: object(
    {
      path: text,
      edits: { type: 'array', items: object({ old_string: text, new_string: text }, 'old_string', 'new_string') },
    },
    'path',
    'edits',
  ),
  create_event: object(
    {
      title: text,
      start: { type: 'string', format: 'date-time' },
      attendees: { type: 'array', items: { type: 'string', format: 'email' } },
      recurrence: {
        oneOf: [
          object({ kind: { const: 'daily' } }, 'kind'),
          object(
            { kind: { const: 'weekly' }, days: { type: 'array', items: { enum: ['mon', 'wed', 'fri'] } } },
            'kind',
            'days',
          ),
        ],
      },
      location: { anyOf: [text, { type: 'null' }] },
      color: { enum: ['red', 'green', 'blue'] },
      reminders: {
        type: 'array',
        items: object({ minutes: { type: 'integer' }, method: { enum: ['email', 'popup'] } }),
      },
    },
    'title',
    'start',
  ),
}

const golden: readonly (readonly [tool: string, value: JsonValue, ...lines: string[]])[] = [
  [
    'write_file',
    { file: 'notes.md', content: 'x' },
    'Send write_file again with "path". write_file{path: string*, content: string*, append: boolean} (* = required).',
    'Example: {"path":"…","content":"x"}',
    'You sent "file" and "content"; "file" is not a parameter, and "path" was missing.',
  ],
  [
    'write_file',
    {},
    'Send write_file again with "path" and with "content". write_file{path: string*, content: string*, append: boolean} (* = required).',
    'Example: {"path":"…","content":"…"}',
    'You sent no parameters; "path" was missing.',
    'Also, "content" was missing.',
  ],
  [
    'write_file',
    { path: 'a.json', content: { a: 1 } },
    'Send write_file again with "content" as string. write_file{path: string*, content: string*, append: boolean} (* = required).',
    'Example: {"path":"a.json","content":"…"}',
    '"content" was {"a":1}.',
  ],
  [
    'search',
    { query: 'x', limit: 'many', sort: 'newest' },
    'Send search again with "limit" as integer and with "sort" as one of "new", "old", "best". search{query: string*, limit: integer, sort: "new"|"old"|"best", tags: string[]} (* = required).',
    'Example: {"query":"x","limit":1,"sort":"new"}',
    '"limit" was "many".',
    'Also, "sort" was "newest".',
  ],
  [
    'search',
    { query: 'x', tags: 'a, b' },
    'Send search again with "tags" as a list. search{query: string*, limit: integer, sort: "new"|"old"|"best", tags: string[]} (* = required).',
    'Example: {"query":"x","tags":["…"]}',
    '"tags" was "a, b", which may be one item or several.',
  ],
  [
    'edit',
    { path: 'a.py', edits: [{ old_string: 'a' }] },
    'Send edit again with "edits[0].new_string". edit{path: string*, edits: {old_string: string*, new_string: string*}[]*} (* = required).',
    'Example: {"path":"a.py","edits":[{"old_string":"…","new_string":"…"}]}',
    'You sent "path" and "edits"; "edits[0].new_string" was missing.',
  ],
  [
    'create_event',
    { title: 'x', start: 'tomorrow', recurrence: { kind: 'weekly' } },
    'Send create_event again with "start", which must be of the format date-time and with "recurrence.days". create_event{title: string*, start: string (date-time)*, recurrence: {kind: "daily"*}|{kind: "weekly"*, days: array*}, …} (* = required).',
    'Example: {"title":"x","start":"2026-01-31T12:00:00Z","recurrence":{"kind":"daily"}}',
    '"start" was "tomorrow".',
    'Also, "recurrence.days" was missing.',
  ],
]

describe('golden texts', () => {
  for (const [name, value, ...lines] of golden) {
    test(`${name} ${JSON.stringify(value)}`, () => {
      const { problems } = fit(value, tools[name], { name, validator })
      const message = problems.map(({ message }) => message).join('\n')
      assert.equal(message, lines.join('\n'))
      assert.ok(message.length <= 400, `${message.length} characters`)
    })
  }
})

test('a schema with a hundred parameters is cut short, what is needed first', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`parameter_${index}`, text]))
  const { problems } = fit({ parameter_7: 1.5 }, object(many, 'parameter_99'), { name: 'wide', validator })
  const message = problems.map(({ message }) => message).join('\n')
  assert.match(
    message,
    /^Send wide again with "parameter_99" and with "parameter_7" as string\. wide\{parameter_7: string, parameter_99: string\*, …\}/,
  )
  assert.ok(message.length <= 400, `${message.length} characters`)
})

test('an example that would be refused itself is not shown', () => {
  const schema = object({ id: { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$' } }, 'id')
  const [problem] = fit({ id: 'x' }, schema, { validator }).problems
  assert.equal(
    problem?.message,
    'Send the arguments again with "id", which must match /^[A-Z]{3}-[0-9]{4}$/. {id: string*} (* = required).\n"id" was "x".',
  )
})
