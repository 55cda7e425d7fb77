import type { JSONSchema7 } from '@ai-sdk/provider'
import { isSchemaObject, texts } from '../../fit/schema.ts'
import type { RunnableTool } from '../../tools/tool.ts'
import type { JsonSchema } from '../../types.ts'

type SchemaObject = { readonly [keyword: string]: unknown }

/**
 * The schema of one reply of the structured mode. Strict servers want every object closed and every key required, so
 * what is optional may be null instead; fitting takes the nulls out again.
 */
export function replySchema(
  tools: readonly RunnableTool[],
  { nextStep, output }: { readonly nextStep: boolean; readonly output: JsonSchema | undefined },
): JSONSchema7 {
  const definitions: { [name: string]: unknown } = {}
  const hoisted = (name: string, schema: JsonSchema): unknown => strict(hoist(name, schema, definitions))
  const steps = [
    ...tools.map(({ name, description, schema }) => ({
      ...closed({ tool: { type: 'string', const: name }, arguments: hoisted(name, schema) }),
      description,
    })),
    closed({ answer: output === undefined ? { type: 'string' } : hoisted('answer', output) }),
  ]
  const text = { type: 'string' }
  const before = nextStep
    ? {
        current_state: text,
        plan: { type: 'array', items: text, minItems: 1, maxItems: 5 },
        task_completed: { type: 'boolean' },
      }
    : { thought: text }
  return {
    ...closed({ ...before, function: { anyOf: steps } }),
    ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
  }
}

const closed = (properties: SchemaObject): SchemaObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** Moves a schema's own definitions to those of the reply, under names that no other tool has. */
function hoist(name: string, schema: JsonSchema, definitions: { [name: string]: unknown }): unknown {
  if (!isSchemaObject(schema)) return { type: 'object' }
  const { $schema, $defs, definitions: older, ...rest } = schema
  const own = Object.entries({ ...(isSchemaObject(older) ? older : {}), ...(isSchemaObject($defs) ? $defs : {}) })
  const text = JSON.stringify(rest)
  if (own.length === 0 && !text.includes('"$ref"')) return rest
  const moved = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part), (key, value: unknown) => {
      if (key !== '$ref' || typeof value !== 'string') return value
      return value === '#' ? `#/$defs/${name}` : value.replace(/^#\/(?:\$defs|definitions)\//, `#/$defs/${name}.`)
    })
  for (const [key, part] of own) definitions[`${name}.${key}`] = strict(moved(part))
  if (text.includes('"$ref":"#"')) definitions[name] = strict(moved(rest))
  return moved(rest)
}

/** A schema whose objects are closed and have all their keys required; optional ones may be null. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict)
  if (!isSchemaObject(schema)) return schema
  const { properties, required } = schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [key, isData(key) ? part : strict(part)]),
  )
  if (!isSchemaObject(properties)) return inner
  const needed = new Set(texts(required))
  const all = Object.entries(properties).map(([key, part]) => [
    key,
    needed.has(key) ? strict(part) : orNull(strict(part)),
  ])
  return {
    ...inner,
    properties: Object.fromEntries(all),
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

/** Keywords whose values are no schemas. */
const isData = (keyword: string): boolean => ['enum', 'const', 'default', 'examples', 'required'].includes(keyword)

const orNull = (schema: unknown): unknown => ({ anyOf: [schema, { type: 'null' }] })
