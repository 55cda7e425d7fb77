import type { JsonSchema } from '../types.ts'
import { typesOf } from './judge.ts'
import {
  allowedValues,
  isSchema,
  isSchemaObject,
  type SchemaDocument,
  schemaEntries,
  schemaList,
  texts,
} from './schema.ts'

/** So many levels of a schema are written out on its line; deeper ones are named by their type. */
const LEVELS = 3
/** So many allowed values are written out. */
const MOST_VALUES = 12

/**
 * A schema on one line, as a model reads it best: `{path: string*, lines: integer[], mode: "a"|"w"}`.
 * A star marks what is required.
 */
export function labelOf(schema: JsonSchema, document: SchemaDocument, levels = LEVELS): string {
  if (!isSchemaObject(schema)) return schema ? 'anything' : 'nothing at all'
  const allowed = allowedValues(schema)
  if (allowed) {
    const shown = allowed.slice(0, MOST_VALUES).map((value) => JSON.stringify(value))
    return [...shown, ...(allowed.length > MOST_VALUES ? ['…'] : [])].join('|')
  }
  const types = typesOf(schema)
  if (levels < 0) return types?.join('|') ?? 'value'
  const branches = [...schemaList(schema['anyOf']), ...schemaList(schema['oneOf'])]
  if (branches.length > 0 && !isSchemaObject(schema['properties'])) {
    return [...new Set(branches.map((branch) => labelOf(branch, document, levels - 0.5)))].join('|')
  }
  const target = document.referenced(schema)
  if (target !== undefined && !types) return levels > 0 ? labelOf(target, document, levels - 1) : 'object'
  const parts = schemaList(schema['allOf'])
  if (parts.length > 0 && !types && !isSchemaObject(schema['properties'])) {
    const labels = new Set(parts.map((part) => labelOf(part, document, levels)).filter((label) => label !== 'anything'))
    return labels.size > 0 ? [...labels].join('&') : 'anything'
  }
  if (!types) return isSchemaObject(schema['properties']) ? objectLabel(schema, document, levels) : 'anything'
  return types.map((type) => typeLabel(type, schema, document, levels)).join('|')
}

function typeLabel(
  type: string,
  schema: { readonly [keyword: string]: unknown },
  document: SchemaDocument,
  levels: number,
): string {
  const { items, prefixItems, format } = schema
  if (type === 'object' && isSchemaObject(schema['properties'])) return objectLabel(schema, document, levels)
  if (type === 'string' && typeof format === 'string') return `string (${format})`
  if (type !== 'array') return type
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined
  if (tuple)
    return `[${schemaList(tuple)
      .map((item) => labelOf(item, document, levels - 1))
      .join(', ')}]`
  if (!isSchema(items)) return 'array'
  const item = labelOf(items, document, levels - 1)
  return /^[\w ]+$|^\{.*\}$/.test(item) ? `${item}[]` : `(${item})[]`
}

function objectLabel(
  schema: { readonly [keyword: string]: unknown },
  document: SchemaDocument,
  levels: number,
): string {
  if (levels <= 0) return 'object'
  const required = new Set(texts(schema['required']))
  const entries = schemaEntries(schema['properties']).map(
    ([key, part]) => `${key}: ${labelOf(part, document, levels - 1)}${required.has(key) ? '*' : ''}`,
  )
  return `{${entries.join(', ')}}`
}

/**
 * The line of a whole tool within a number of characters: levels are left out first, then optional parameters that
 * nobody asked to keep.
 *
 * @example
 * toolLine('write_file', schema, document, 200) // write_file{path: string*, content: string*}
 */
export function toolLine(
  name: string,
  schema: JsonSchema,
  document: SchemaDocument,
  most: number,
  kept: ReadonlySet<string> = new Set(),
): string {
  for (let levels = LEVELS; levels > 1; levels--) {
    const line = name + braced(labelOf(schema, document, levels))
    if (line.length <= most) return line
  }
  if (!isSchemaObject(schema)) return name
  const required = new Set(texts(schema['required']))
  const properties = schemaEntries(schema['properties'])
  const shown = properties.filter(([key]) => required.has(key) || kept.has(key))
  for (let levels = LEVELS; levels > 0; levels--) {
    const entries = shown.map(
      ([key, part]) => `${key}: ${labelOf(part, document, levels)}${required.has(key) ? '*' : ''}`,
    )
    const line = `${name}{${[...entries, ...(shown.length < properties.length ? ['…'] : [])].join(', ')}}`
    if (line.length <= most || levels === 1) return line.length <= most ? line : `${line.slice(0, most - 2)}…}`
  }
  return name
}

const braced = (label: string): string => (label.startsWith('{') ? label : `{${label}}`)
