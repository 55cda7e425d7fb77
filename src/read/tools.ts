import type { JsonSchema, JsonValue, Objection, Policy, StandardSchema, ToolLike, Tools, Validator } from '../types.ts'

/** A tool in the one form that the rest of the code knows. */
export interface OfferedTool {
  readonly name: string
  /** What its arguments must be: an object, as every tool takes one. */
  readonly schema: JsonSchema
  readonly policy: Policy | undefined
  /** Judges by the tool's own library, where its schema is of one. */
  readonly standard: StandardSchema | undefined
}

const offered = new WeakMap<object, OfferedTool>()

/**
 * A tool out of any form that people have: ours, OpenAI's, Anthropic's, MCP's, the AI SDK's.
 *
 * @example
 * offeredTool({ type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } }).name // 'read_file'
 */
export function offeredTool(tool: ToolLike): OfferedTool {
  if (typeof tool !== 'object' || tool === null) {
    throw new TypeError(`A tool is an object with a name and a schema, and not ${JSON.stringify(tool)}.`)
  }
  let found = offered.get(tool)
  if (!found) {
    found = normalized(tool)
    offered.set(tool, found)
  }
  return found
}

/** All tools of a list, or of a record by name as the AI SDK keeps it. */
export function offeredTools(tools: Tools): OfferedTool[] {
  if (Array.isArray(tools)) return tools.map(offeredTool)
  return Object.entries(tools).map(([name, tool]) => offeredTool({ ...tool, name } as ToolLike))
}

/** What families put before the name of a tool, and behind it. */
const before = /^(?:functions?|default_api|tools?|api)[.:]/
const behind = /(?::\d+|\.call|\(\))$/

/** The server of a tool, as MCP clients put it before the name. */
const server = /^mcp__?[a-zA-Z0-9-]+__?/
/** A name whose dots, dashes and underscores do not count. */
const plainName = (name: string): string => name.replace(/[._/-]+/g, '_')

/** Finds offered tools by their names, as models write them. */
export class ToolNames {
  private readonly tools: ReadonlyMap<string, OfferedTool>
  private readonly pattern: RegExp
  private readonly quoted: RegExp
  /** Names without what differs in how models write them; two tools of one such name have none. */
  private readonly byLetters = new Map<string, OfferedTool | undefined>()

  constructor(tools: readonly OfferedTool[]) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]))
    for (const tool of tools) {
      for (const letters of new Set([plainName(tool.name), plainName(tool.name.replace(server, ''))])) {
        this.byLetters.set(letters, this.byLetters.has(letters) ? undefined : tool)
      }
    }
    const names = tools.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    const any = names.length > 0 ? names.join('|') : '(?!)'
    this.pattern = new RegExp(any)
    this.quoted = new RegExp(`["'.](?:${any})["':]`)
  }

  /** Whether the name of a tool stands in a text. */
  areIn(text: string): boolean {
    return this.pattern.test(text)
  }

  /** Whether one stands there as a text. */
  areQuotedIn(text: string): boolean {
    return this.quoted.test(text)
  }

  has(name: string): boolean {
    return this.find(name) !== undefined
  }

  /** The tool of this name, or the only one of this name without what families put around it. */
  find(name: string): OfferedTool | undefined {
    const exact = this.tools.get(name)
    if (exact) return exact
    const inner = name.replace(before, '').replace(behind, '')
    return this.tools.get(inner) ?? this.byLetters.get(plainName(inner)) ?? this.tools.get(inner.replace(server, ''))
  }
}

/** The keys under which the forms keep a tool's schema. */
const schemaKeys = ['input', 'parameters', 'input_schema', 'inputSchema'] as const

function normalized(tool: ToolLike): OfferedTool {
  const inner = 'function' in tool && typeof tool.function === 'object' && tool.function !== null ? tool.function : tool
  const fields: { readonly [key: string]: unknown } = { ...inner }
  const name = fields['name']
  if (typeof name !== 'string' || name === '') {
    throw new TypeError(`A tool needs a name; this one has ${Object.keys(fields).join(', ') || 'nothing'}.`)
  }
  const key = schemaKeys.find((key) => fields[key] !== undefined)
  const input = key === undefined ? {} : fields[key]
  const standard = isStandard(input) ? input : undefined
  const schema = standard ? jsonSchemaOf(standard, name) : plainSchema(input, name)
  return { name, schema: asObject(asSpelled(schema)), policy: fields['policy'] as Policy | undefined, standard }
}

const isStandard = (input: unknown): input is StandardSchema =>
  (typeof input === 'object' || typeof input === 'function') && input !== null && '~standard' in input

function jsonSchemaOf(schema: StandardSchema, name: string): JsonSchema {
  const { jsonSchema, vendor } = schema['~standard']
  if (typeof jsonSchema?.input !== 'function') {
    throw new TypeError(
      `The schema of ${name} cannot give its JSON Schema: take a newer ${vendor}, or pass the JSON Schema itself.`,
    )
  }
  try {
    return jsonSchema.input({ target: 'draft-2020-12' })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TypeError(`The schema of ${name} cannot be told as JSON Schema, which models need: ${reason}`)
  }
}

function plainSchema(input: unknown, name: string): JsonSchema {
  if (typeof input === 'boolean') return input
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new TypeError(`The schema of ${name} is ${JSON.stringify(input)}: it must be a JSON Schema.`)
  }
  // The AI SDK's jsonSchema() keeps the schema under this key.
  const { jsonSchema } = input as { readonly jsonSchema?: unknown }
  const isWrapped = typeof jsonSchema === 'object' && jsonSchema !== null && !('type' in input)
  return (isWrapped ? jsonSchema : input) as JsonSchema
}

/** Types as other schemas spell them: Gemini in capitals, Python and C by their own names. */
const types: { readonly [name: string]: string } = {
  bool: 'boolean',
  dict: 'object',
  float: 'number',
  int: 'integer',
  list: 'array',
  str: 'string',
}

/** A schema in the words of JSON Schema. One that is written so already comes back as it is. */
function asSpelled(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema)
  if (!/"nullable":true|"type":"(?:[A-Z]+|bool|dict|float|int|list|str|any)"/.test(text)) return schema
  return JSON.parse(text, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('type' in part) || typeof part.type !== 'string') return part
    const { nullable, type, ...rest } = part as { readonly nullable?: unknown; readonly type: string }
    const plain = types[type.toLowerCase()] ?? type.toLowerCase()
    if (plain === 'any') return rest
    if (!['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'].includes(plain)) return part
    return { ...rest, type: nullable === true ? [plain, 'null'] : plain }
  })
}

/** Arguments are an object, also where the schema forgets to say so. */
function asObject(schema: JsonSchema): JsonSchema {
  if (schema === true) return { type: 'object' }
  return schema === false || 'type' in schema ? schema : { ...schema, type: 'object' }
}

/** The validator for one tool: its own library, where it has one, after the given one has matched the patterns. */
export function validatorOf(tool: OfferedTool, given: Validator | undefined): Validator | undefined {
  const { standard, name } = tool
  if (!standard) return given
  return {
    matches: (pattern, text) => given?.matches(pattern, text),
    isOfFormat: (format, text) => given?.isOfFormat?.(format, text),
    check: (value) => standardObjections(standard, name, value),
  }
}

function standardObjections(schema: StandardSchema, name: string, value: JsonValue): readonly Objection[] {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) {
    throw new TypeError(
      `The schema of ${name} validates asynchronously, and arguments are read in one go: check such things when the tool runs.`,
    )
  }
  return (result.issues ?? []).map(({ message, path }) => ({
    path: (path ?? [])
      .map((step) => (typeof step === 'object' ? step.key : step))
      .map((step) => (typeof step === 'number' ? step : String(step))),
    message,
  }))
}
