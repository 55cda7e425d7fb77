import type { JsonObject, JsonSchema } from '../src/types.ts'

const text = { type: 'string' }
const texts = { type: 'array', items: text }
const integer = { type: 'integer', minimum: 1 }
const object = (properties: { readonly [name: string]: JsonSchema }, ...required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** The parameters of a tool as people write them: twenty, six of them required. */
const parameters = {
  project: { type: 'string', minLength: 1 },
  title: { type: 'string', minLength: 1, maxLength: 200 },
  description: text,
  kind: { enum: ['bug', 'feature', 'task', 'question'] },
  priority: { type: 'integer', minimum: 1, maximum: 5 },
  assignees: { type: 'array', items: text, minItems: 1 },
  labels: { type: 'array', items: text, maxItems: 20 },
  status: { type: 'string', enum: ['open', 'in_progress', 'blocked', 'done'] },
  severity: { type: 'string', enum: ['low', 'medium', 'high'] },
  milestone: { type: ['string', 'null'] },
  parent_id: integer,
  estimate_hours: { type: 'number', minimum: 0 },
  due_date: text,
  is_private: { type: 'boolean' },
  environment: object(
    { os: { enum: ['linux', 'macos', 'windows'] }, version: text, browser: text, memory_mb: integer },
    'os',
    'version',
  ),
  checklist: { type: 'array', items: object({ text, done: { type: 'boolean' } }, 'text') },
  reporter: text,
  watchers: texts,
  related_ids: { type: 'array', items: integer },
  comment_limit: { type: 'integer', minimum: 0, maximum: 500 },
}
const required = ['project', 'title', 'description', 'kind', 'priority', 'assignees']

/** A schema as it comes out of a request: no part of it is shared with another. */
const unshared = (schema: JsonSchema): JsonSchema => JSON.parse(JSON.stringify(schema))

export const tool = { name: 'create_issue', input: unshared(object(parameters, ...required)) }

/** The same schema, but that two of its texts have to match a pattern. */
export const patternSchema = unshared(
  object(
    {
      ...parameters,
      project: { ...parameters.project, pattern: '^[a-z][a-z0-9-]*$' },
      due_date: { ...parameters.due_date, pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
    },
    ...required,
  ),
)

/** A call as the schema wants it, with sixteen of the parameters. */
export const validCall: JsonObject = {
  project: 'harbour-web',
  title: 'The tide table is empty after midnight',
  description: 'Open the page at 00:05. The table has a head and no rows until the server is started again.',
  kind: 'bug',
  priority: 2,
  assignees: ['ann'],
  labels: ['tides', 'server', 'time zones'],
  status: 'in_progress',
  severity: 'high',
  milestone: null,
  estimate_hours: 3.5,
  due_date: '2025-03-14',
  is_private: false,
  environment: { os: 'linux', version: '6.8', browser: 'Firefox 136', memory_mb: 2048 },
  checklist: [
    { text: 'find the query', done: true },
    { text: 'write a test', done: false },
    { text: 'tell the pilots', done: false },
  ],
  related_ids: [4021, 4077, 4102],
}

const { description, ...others } = validCall

/** The same call with five faults; fitted, it is the valid one again. */
export const brokenCall: JsonObject = {
  ...others,
  desc: description ?? null,
  priority: '2',
  confidence: 0.9,
  environment: JSON.stringify(validCall['environment']),
  assignees: 'ann',
}

/** What has to be repaired in it. */
export const brokenRepairs = ['item-to-list', 'key-renamed', 'parameter-ignored', 'text-opened', 'text-to-number']

/** A call with a list of rows that is as long as one likes. */
export interface ListCase {
  readonly name: string
  readonly right: (count: number) => JsonObject
  readonly broken: (count: number) => JsonObject
}

export const listSchema = unshared(
  object(
    { table: text, rows: { type: 'array', items: object({ id: integer, name: text, tags: texts }, 'id', 'name') } },
    'table',
    'rows',
  ),
)

const rows = (count: number, row: (id: number) => JsonObject): JsonObject[] =>
  Array.from({ length: count }, (_, index) => row(index + 1))

const rightList = (count: number): JsonObject => ({
  table: 'berths',
  rows: rows(count, (id) => ({ id, name: `berth ${id}`, tags: ['new'] })),
})

export const listCases: readonly ListCase[] = [
  {
    name: 'every item broken in two ways',
    right: rightList,
    broken: (count) => ({
      table: 'berths',
      rows: rows(count, (id) => ({ id: String(id), name: `berth ${id}`, tags: 'new' })),
    }),
  },
  {
    name: 'one fault beside the list',
    right: rightList,
    broken: (count) => ({ Table: 'berths', rows: rightList(count)['rows'] ?? [] }),
  },
]
