import { SchemaError } from '../fit/schema.ts'
import { checkPolicy } from '../read/check-policy.ts'
import { type OfferedTool, offeredTool } from '../read/tools.ts'
import type { JsonObject, JsonSchema, JsonValue, Policy, StandardSchema } from '../types.ts'
import { validator } from '../validate/validator.ts'
import { messageOf, ToolDefinitionError } from './errors.ts'
import type { InputOf } from './infer.ts'
import { unknownKey } from './known-keys.ts'
import type { Record } from './recorder.ts'

/**
 * What it means to run a call of a tool once more:
 *
 * - `pure`: nothing, it only looks; calls of such tools run side by side
 * - `idempotent`: nothing, when it is given the same key
 * - `verifiable`: the tool can be asked whether it was done
 * - `once`: it must not happen; the default
 */
export type ToolKind = 'pure' | 'idempotent' | 'verifiable' | 'once'

/** What a tool is given beside its arguments. */
export interface ToolContext {
  readonly run: string
  /** The id of the call. */
  readonly call: string
  /** The same for every try of this call, and of no other: for services that take an idempotency key. */
  readonly key: string
  /** Aborted when the run is, or when the tool's time is up. */
  readonly signal: AbortSignal
  /** Puts a note into the record of the run, before or after an effect. */
  readonly record: Record
}

/** A piece of a result that is more than text. */
export type ContentPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly mediaType: string; readonly data: string }

const CONTENT = Symbol.for('callwright.content')

/** A result in pieces, made by `content()`. */
export class Content {
  readonly parts: readonly ContentPart[]
  readonly [CONTENT] = true

  constructor(parts: readonly ContentPart[]) {
    this.parts = parts
  }

  /** Whether a value is a result in pieces, whichever copy of this package made it. */
  static isInstance(value: unknown): value is Content {
    return typeof value === 'object' && value !== null && CONTENT in value
  }
}

/**
 * A result in pieces: text, and files in base64 for models that see them.
 *
 * @example
 * return content([{ kind: 'text', text: 'The page:' }, { kind: 'file', mediaType: 'image/png', data }])
 */
export const content = (parts: readonly ContentPart[]): Content => new Content(parts)

/** How a tool is defined. */
export interface ToolDefinition<Schema extends JsonSchema | StandardSchema = JsonSchema | StandardSchema> {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  /** What it is for, in a sentence or two: all that a model knows when it chooses. */
  readonly description: string
  /** What it takes: a JSON Schema, or a schema of zod or another library that can give one. */
  readonly input: Schema
  /** The schema that models are told in place of `input`: for parameters that are taken, and not offered. */
  readonly told?: JsonSchema
  /** Returns text, anything that JSON can hold, `content()` or nothing, or a promise of it; what it throws, the model is told. */
  readonly run: (input: InputOf<Schema>, context: ToolContext) => unknown
  readonly kind?: ToolKind
  /** Whether somebody must say yes to each call, or to those that this says. */
  readonly needsApproval?: boolean | ((input: InputOf<Schema>) => boolean)
  /** What a call would change, such as a diff: shown to whoever is asked for approval. */
  readonly preview?: (input: InputOf<Schema>) => string | Promise<string>
  /** So many characters of a result are shown to the model. Default 2,000. */
  readonly observationLimit?: number
  /** How to get at what a long result leaves out, in words for the model. */
  readonly observationHint?: string
  /** Milliseconds after which a call is given up. Default 60,000. */
  readonly timeout?: number
  /** The same call may well be made again and again, because its result changes: no loop is seen in it. */
  readonly poll?: boolean
  /** Which repairs may be made in its calls. */
  readonly policy?: Policy
  /** Of a `verifiable` tool: whether a call that was begun, and never heard of again, was done. */
  readonly verify?: (
    input: InputOf<Schema>,
    notes: readonly JsonValue[],
  ) => 'done' | 'not-done' | 'conflict' | Promise<'done' | 'not-done' | 'conflict'>
}

/** A tool that an agent can run: a definition that was found good, with its types forgotten. */
export interface RunnableTool {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema | StandardSchema
  readonly policy?: Policy
  readonly kind: ToolKind
  readonly poll: boolean
  readonly timeout: number
  readonly observationLimit: number
  readonly observationHint: string | undefined
  /** The schema as models are told it. */
  readonly schema: JsonSchema
  readonly run: (input: JsonObject, context: ToolContext) => Promise<unknown>
  readonly needsApproval: (input: JsonObject) => boolean
  readonly preview: ((input: JsonObject) => Promise<string>) | undefined
  readonly verify:
    | ((input: JsonObject, notes: readonly JsonValue[]) => Promise<'done' | 'not-done' | 'conflict'>)
    | undefined
}

const OBSERVATION = 2_000
const TIMEOUT = 60_000
/** Every option of a definition. */
const options: readonly (keyof ToolDefinition)[] = [
  ...(['name', 'description', 'input', 'told', 'run', 'kind', 'needsApproval', 'preview'] as const),
  ...(['observationLimit', 'observationHint', 'timeout', 'poll', 'policy', 'verify'] as const),
]
const legalName = /^[a-zA-Z0-9_-]{1,64}$/
const kinds: ReadonlySet<string> = new Set(['pure', 'idempotent', 'verifiable', 'once'] satisfies ToolKind[])

/**
 * Makes a tool that an agent can run. What its `run` takes is inferred from its schema.
 *
 * @example
 * const add = tool({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   kind: 'pure',
 *   run: ({ a, b }) => a + b,
 * })
 */
export function tool<const Schema extends JsonSchema | StandardSchema>(
  definition: ToolDefinition<Schema>,
): RunnableTool {
  const { name, description, input, kind = 'once' } = definition
  const { timeout = TIMEOUT, observationLimit = OBSERVATION, needsApproval = false, preview, verify } = definition
  checkWords(definition)
  const unknown = unknownKey(definition, options)
  if (unknown !== undefined) throw new ToolDefinitionError(name, `${name}: ${unknown}`)
  const offered = offeredOf(definition)
  checkNumber(name, 'timeout', timeout)
  checkNumber(name, 'observationLimit', observationLimit)
  if (!kinds.has(kind))
    throw new ToolDefinitionError(name, `${name}: kind is one of ${[...kinds].join(', ')}, and not ${kind}.`)
  if (kind === 'verifiable' && !verify) {
    throw new ToolDefinitionError(
      name,
      `${name}: a verifiable tool needs verify(), which says whether a call was done.`,
    )
  }
  const inputOf = parserOf<Schema>(offered)
  return {
    name,
    description,
    input,
    kind,
    timeout,
    observationLimit,
    observationHint: definition.observationHint,
    poll: definition.poll ?? false,
    schema: definition.told ?? offered.schema,
    ...(definition.policy ? { policy: definition.policy } : {}),
    run: async (given, context) => definition.run(inputOf(given), context),
    needsApproval: (given) => (typeof needsApproval === 'function' ? needsApproval(inputOf(given)) : needsApproval),
    preview: preview && (async (given) => preview(inputOf(given))),
    verify: verify && (async (given, notes) => verify(inputOf(given), notes)),
  }
}

function checkWords({ name, description, run }: { readonly [key in 'name' | 'description' | 'run']: unknown }): void {
  if (typeof name !== 'string' || !legalName.test(name)) {
    throw new ToolDefinitionError(
      undefined,
      `Name the tool with letters, digits, _ and - only, at most 64: ${JSON.stringify(name)} is not taken by model servers.`,
    )
  }
  if (typeof description !== 'string' || description.trim() === '') {
    throw new ToolDefinitionError(name, `Give ${name} a description: it is all that a model knows when it chooses.`)
  }
  if (typeof run !== 'function') throw new ToolDefinitionError(name, `Give ${name} a function run(input).`)
}

function checkNumber(name: string, option: string, value: number): void {
  if (!(value > 0)) throw new ToolDefinitionError(name, `${name}: ${option} is a number above 0, and not ${value}.`)
}

/** The tool as the reader knows it, when its schema is one that can be used. */
function offeredOf({ name, input, policy }: Pick<ToolDefinition, 'name' | 'input' | 'policy'>): OfferedTool {
  if (input === undefined) throw new ToolDefinitionError(name, `Give ${name} an input: the schema of what it takes.`)
  const wrong = schemaMistake(input)
  if (wrong !== undefined) throw new ToolDefinitionError(name, `${name}: ${wrong}`)
  try {
    checkPolicy(policy)
    const offered = offeredTool({ name, input, ...(policy ? { policy } : {}) })
    const { schema } = offered
    const type = typeof schema === 'object' ? schema['type'] : 'object'
    if (type !== 'object') {
      throw new ToolDefinitionError(
        name,
        `${name}: arguments are an object, and its schema is of type ${String(type)}.`,
      )
    }
    validator.check({}, schema)
    return offered
  } catch (error) {
    if (ToolDefinitionError.isInstance(error)) throw error
    if (error instanceof TypeError || error instanceof SchemaError) {
      throw new ToolDefinitionError(name, messageOf(error), { cause: error })
    }
    throw error
  }
}

/** Words that only a JSON Schema has. */
const keywords = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', '$ref', '$defs', '$schema'],
  ...[
    'anyOf',
    'oneOf',
    'allOf',
    'not',
    'description',
    'title',
    'format',
    'nullable',
    'jsonSchema',
    'patternProperties',
  ],
])

/** What is wrong with a schema that looks like something else, in words; nothing when it does not. */
export function schemaMistake(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || '~standard' in input) return undefined
  const entries = Object.entries(input)
  if (entries.some(([, part]) => typeof part === 'object' && part !== null && '~standard' in part)) {
    return 'put the parameters into an object of their library: z.object({ … })'
  }
  const isNone = entries.length > 0 && entries.every(([key]) => !keywords.has(key))
  return isNone ? "this is no schema: put the parameters under properties, beside type: 'object'" : undefined
}

/** Arguments as `run` wants them: through the tool's own library where it has one, for its defaults and transforms. */
function parserOf<Schema>({ standard, name }: OfferedTool): (given: JsonObject) => InputOf<Schema> {
  return (kept) => {
    // What stands in the history is nobody's to change.
    const given = structuredClone(kept)
    if (!standard) return given as InputOf<Schema>
    const result = standard['~standard'].validate(given)
    if (result instanceof Promise) throw new TypeError(`The schema of ${name} validates asynchronously.`)
    if (result.issues) throw new TypeError(`${name} was given arguments that its schema does not take.`)
    return result.value as InputOf<Schema>
  }
}
