import type { JsonObject, JsonSchema, JsonValue } from '../types.ts'
import { setKey } from '../value/objects.ts'
import type { PlacedFault } from './explain.ts'
import { isObject, itemSchemaAt, typesOf } from './judge.ts'
import { allowedValues, isSchemaObject, type SchemaDocument, schemaAt, texts } from './schema.ts'

/** A value of the model's own is shown again when it is this short. */
const LONGEST_OWN = 40
const LEVELS = 6

/** Texts of the formats that people ask for. */
const formats: { readonly [format: string]: string } = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'ann@example.org',
  uri: 'https://example.org/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
}

/** Arguments as they should look: what was right of those that were sent, and a stand-in for what was not. */
export function exampleOf(
  schema: JsonSchema,
  document: SchemaDocument,
  fitted: JsonValue,
  faults: readonly PlacedFault[],
): JsonValue {
  const ways = document.alternatives(schema)
  const required = new Set(ways[0]?.flatMap((part) => texts(part['required'])))
  const wrong = new Set(faults.map(({ path, key }) => path[0] ?? key))
  for (const key of wrong) if (typeof key === 'string') required.add(key)
  const example: JsonObject = {}
  for (const key of required) {
    const part = ways[0]?.map((way) => schemaAt(way['properties'], key)).find((found) => found !== undefined)
    const own = isObject(fitted) && Object.hasOwn(fitted, key) && !wrong.has(key) ? fitted[key] : undefined
    if (part === undefined && own === undefined) continue
    const isShort = own !== undefined && JSON.stringify(own).length <= LONGEST_OWN
    setKey(example, key, isShort ? own : standIn(part ?? true, document, LEVELS))
  }
  return example
}

function standIn(schema: JsonSchema, document: SchemaDocument, levels: number): JsonValue {
  const parts = document.alternatives(schema)[0] ?? []
  for (const part of parts) {
    const [given] = Array.isArray(part['examples']) ? part['examples'] : []
    const value = given ?? part['example'] ?? part['default'] ?? allowedValues(part)?.[0]
    if (value !== undefined) return value as JsonValue
  }
  const typed = parts.find((part) => typesOf(part)) ?? parts[0] ?? {}
  const [type] = typesOf(typed) ?? []
  if (type === 'integer' || type === 'number') return Number(typed['minimum'] ?? 1)
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'array') {
    const item = itemSchemaAt(typed, 0)
    return item === undefined || levels <= 0 ? [] : [standIn(item, document, levels - 1)]
  }
  if (type === 'object' || isSchemaObject(typed['properties'])) {
    const object: JsonObject = {}
    if (levels <= 0) return object
    for (const part of parts) {
      for (const key of texts(part['required'])) {
        setKey(object, key, standIn(schemaAt(part['properties'], key) ?? true, document, levels - 1))
      }
    }
    return object
  }
  return formats[String(typed['format'])] ?? '…'
}
