import {
  documentOf,
  isSchema,
  isSchemaObject,
  type SchemaDocument,
  type SchemaObject,
  schemaEntries,
  schemaList,
  texts,
} from '../fit/schema.ts'
import type { JsonSchema } from '../types.ts'

/** Marks a format that is a pattern; see validator.ts. */
export const PATTERN_MARK = '\u0000pattern '

/** A date with a time, with or without a zone: models leave it out all day, and tools take it. */
export const DATE_TIME =
  '^\\d{4}-\\d\\d-\\d\\d[Tt ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d+)?)?([Zz]|[+-]\\d\\d:?\\d\\d)?$'

/** Formats that are matched by an expression that can take forever. */
export const unsafeFormats: ReadonlySet<string> = new Set(['url'])

/** A schema as the validator takes it, and what it asks for that is dear to check. */
export interface Prepared {
  readonly schema: JsonSchema
  readonly hasPatternProperties: boolean
  readonly hasUniqueItems: boolean
}

/**
 * Copies a schema for the validator, which writes into what it is given, in the plain words of draft 2020-12: every
 * reference leads to a definition of its own, patterns become formats, so that they can be matched in linear time, and
 * `patternProperties` become `properties` of the keys that are there. What is not well-formed says nothing.
 */
export function prepare(root: JsonSchema, keysMatching: (pattern: string) => readonly string[]): Prepared {
  return new Preparation(documentOf(root), keysMatching).prepared()
}

const single = [
  'additionalProperties',
  'contains',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const several = ['allOf', 'anyOf', 'oneOf']
const numbers = [
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
  'multipleOf',
]

class Preparation {
  private readonly document: SchemaDocument
  private readonly keysMatching: (pattern: string) => readonly string[]
  /** The definitions that references lead to, in the order in which they were met. */
  private readonly definitions = new Map<JsonSchema, string>()
  private readonly waiting: JsonSchema[] = []
  private hasPatternProperties = false
  private hasUniqueItems = false

  constructor(document: SchemaDocument, keysMatching: (pattern: string) => readonly string[]) {
    this.document = document
    this.keysMatching = keysMatching
  }

  prepared(): Prepared {
    const first = this.reference(this.document.root)
    const definitions: { [name: string]: unknown } = {}
    for (let next = this.waiting.pop(); next !== undefined; next = this.waiting.pop()) {
      definitions[this.definitions.get(next) ?? ''] = this.copyOnce(next)
    }
    const schema = { ...first, $defs: definitions }
    return { schema, hasPatternProperties: this.hasPatternProperties, hasUniqueItems: this.hasUniqueItems }
  }

  private reference(schema: JsonSchema): { readonly $ref: string } {
    let name = this.definitions.get(schema)
    if (name === undefined) {
      name = String(this.definitions.size)
      this.definitions.set(schema, name)
      this.waiting.push(schema)
    }
    return { $ref: `#/$defs/${name}` }
  }

  private readonly copied = new Set<SchemaObject>()

  /** A schema that stands in several places is copied once and referred to. */
  private readonly copy = (schema: JsonSchema): JsonSchema => {
    if (!isSchemaObject(schema)) return schema
    if (this.copied.has(schema)) return this.reference(schema)
    this.copied.add(schema)
    return this.copyOnce(schema)
  }

  private copyOnce(schema: JsonSchema): JsonSchema {
    if (!isSchemaObject(schema)) return schema
    const target = this.document.referenced(schema)
    const copy: { [keyword: string]: unknown } = target === undefined ? {} : this.reference(target)
    if (this.document.isReferenceAlone(schema)) return copy
    const { type, enum: allowed, required, format, pattern, uniqueItems } = schema
    if (typeof type === 'string' || Array.isArray(type)) copy['type'] = type
    if (Array.isArray(allowed)) copy['enum'] = allowed
    if (Object.hasOwn(schema, 'const')) copy['const'] = schema['const']
    if (Array.isArray(required)) copy['required'] = texts(required)
    if (uniqueItems === true) copy['uniqueItems'] = this.hasUniqueItems = true
    if (format === 'date-time') copy['format'] = PATTERN_MARK + DATE_TIME
    else if (typeof format === 'string' && !unsafeFormats.has(format) && !format.startsWith(PATTERN_MARK)) {
      copy['format'] = format
    }
    for (const keyword of numbers) if (typeof schema[keyword] === 'number') copy[keyword] = schema[keyword]
    for (const keyword of single) if (isSchema(schema[keyword])) copy[keyword] = this.copy(schema[keyword])
    for (const keyword of several) {
      const parts = schemaList(schema[keyword]).map(this.copy)
      if (parts.length > 0) copy[keyword] = parts
    }
    if (typeof pattern === 'string') {
      const matched = { format: PATTERN_MARK + pattern }
      if (copy['format'] === undefined) Object.assign(copy, matched)
      else copy['allOf'] = [...schemaList(copy['allOf']), matched]
    }
    Object.assign(copy, limits(schema), this.items(schema), this.dependents(schema), this.properties(schema))
    return copy
  }

  /** The lists of draft 7 are tuples too. */
  private items({ prefixItems, items, additionalItems }: SchemaObject): object {
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
    const rest = Array.isArray(items) ? additionalItems : items
    return {
      ...(first.length > 0 ? { prefixItems: first.map((item) => (isSchema(item) ? this.copy(item) : true)) } : {}),
      ...(isSchema(rest) ? { items: this.copy(rest) } : {}),
    }
  }

  /** `dependencies` of draft 7 are the two keywords that came after it. */
  private dependents({ dependentSchemas, dependentRequired, dependencies }: SchemaObject): object {
    const schemas = new Map<string, JsonSchema[]>()
    for (const [key, part] of [...schemaEntries(dependentSchemas), ...schemaEntries(dependencies)]) {
      schemas.set(key, [...(schemas.get(key) ?? []), this.copy(part)])
    }
    const names = new Map<string, string[]>()
    for (const map of [dependentRequired, dependencies]) {
      for (const [key, list] of isSchemaObject(map) ? Object.entries(map) : []) {
        if (Array.isArray(list)) names.set(key, [...(names.get(key) ?? []), ...texts(list)])
      }
    }
    return {
      ...(schemas.size > 0 ? { dependentSchemas: Object.fromEntries([...schemas].map(together)) } : {}),
      ...(names.size > 0 ? { dependentRequired: Object.fromEntries(names) } : {}),
    }
  }

  private properties(schema: SchemaObject): object {
    const parts = new Map<string, JsonSchema[]>()
    for (const [key, part] of schemaEntries(schema['properties'])) parts.set(key, [this.copy(part)])
    const patterns = schemaEntries(schema['patternProperties'])
    if (patterns.length > 0) this.hasPatternProperties = true
    for (const [pattern, part] of patterns) {
      for (const key of this.keysMatching(pattern)) parts.set(key, [...(parts.get(key) ?? []), this.reference(part)])
    }
    if (parts.size === 0) return {}
    return { properties: Object.fromEntries([...parts].map(together)) }
  }
}

const together = ([key, list]: [string, JsonSchema[]]): [string, JsonSchema | undefined] => [
  key,
  list.length === 1 ? list[0] : { allOf: list },
]

/** Bounds; draft 4 and OpenAPI 3.0 write exclusive ones as a boolean beside the number. */
function limits({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaObject): object {
  const bounds: { [keyword: string]: number } = {}
  if (typeof minimum === 'number') bounds[exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum'] = minimum
  if (typeof maximum === 'number') bounds[exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum'] = maximum
  if (typeof exclusiveMinimum === 'number') bounds['exclusiveMinimum'] = exclusiveMinimum
  if (typeof exclusiveMaximum === 'number') bounds['exclusiveMaximum'] = exclusiveMaximum
  return bounds
}
