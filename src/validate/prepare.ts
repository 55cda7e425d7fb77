import { isSchema, isSchemaObject, type SchemaObject } from '../fit/schema.ts'
import type { JsonSchema } from '../types.ts'

/** Marks a format that is a pattern; see validator.ts. */
export const PATTERN_MARK = 'pattern '

/** What each keyword must hold to be passed on; a keyword that is not well-formed says nothing. */
const shapes: { readonly [keyword: string]: Shape } = {
  ...all('schema', 'additionalItems', 'additionalProperties', 'contains', 'else', 'if', 'not', 'propertyNames', 'then'),
  ...all('schema', 'unevaluatedItems', 'unevaluatedProperties'),
  ...all('schemas', 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  ...all('map', '$defs', 'definitions', 'dependentSchemas', 'properties'),
  ...all('text', '$anchor', '$id', '$ref', '$schema', 'format'),
  ...all('number', 'maxContains', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minContains', 'minItems'),
  ...all('number', 'minLength', 'minProperties', 'minimum', 'multipleOf'),
  ...all('any', 'const', 'exclusiveMaximum', 'exclusiveMinimum', 'uniqueItems'),
  ...all('list', 'enum'),
}

type Shape = 'schema' | 'schemas' | 'map' | 'text' | 'number' | 'list' | 'any'

function all(shape: Shape, ...keywords: string[]): { [keyword: string]: Shape } {
  return Object.fromEntries(keywords.map((keyword) => [keyword, shape]))
}

/** Formats that are matched by an expression that can take forever. */
export const unsafeFormats: ReadonlySet<string> = new Set(['url'])

/** A schema as the validator takes it, and what it asks for that is dear to check. */
export interface Prepared {
  readonly schema: JsonSchema
  readonly hasPatternProperties: boolean
  readonly hasUniqueItems: boolean
}

/**
 * Copies a schema for the validator, which writes into what it is given: patterns become formats, so that they can be
 * matched in linear time, and `patternProperties` become `properties` of the keys that are there.
 */
export function prepare(root: JsonSchema, keysMatching: (pattern: string) => readonly string[]): Prepared {
  return new Preparation(root, keysMatching).prepared()
}

class Preparation {
  private readonly root: JsonSchema
  private readonly keysMatching: (pattern: string) => readonly string[]
  /** Keywords of their own under which somebody keeps schemas that references lead to. */
  private readonly referenced: ReadonlySet<string>
  private hasPatternProperties = false
  private hasUniqueItems = false

  constructor(root: JsonSchema, keysMatching: (pattern: string) => readonly string[]) {
    this.root = root
    this.keysMatching = keysMatching
    const references = JSON.stringify(root).matchAll(/"\$ref":"#\/([^/"]+)/g)
    this.referenced = new Set([...references].map(([, keyword = '']) => keyword))
  }

  prepared(): Prepared {
    const schema = this.copy(this.root)
    return { schema, hasPatternProperties: this.hasPatternProperties, hasUniqueItems: this.hasUniqueItems }
  }

  private copy(schema: JsonSchema): JsonSchema {
    if (!isSchemaObject(schema)) return schema
    const copy: { [keyword: string]: unknown } = {}
    for (const [keyword, content] of Object.entries(schema)) {
      const passed = this.passed(keyword, content)
      if (passed !== undefined) copy[keyword] = passed
    }
    if (schema['uniqueItems'] === true) this.hasUniqueItems = true
    if (isSchemaObject(schema['patternProperties'])) this.spread(schema['patternProperties'], copy)
    if (typeof schema['pattern'] === 'string') {
      const others = Array.isArray(copy['allOf']) ? copy['allOf'] : []
      copy['allOf'] = [...others, { format: PATTERN_MARK + schema['pattern'] }]
    }
    return copy
  }

  private passed(keyword: string, content: unknown): unknown {
    if (keyword === 'items') return Array.isArray(content) ? this.copies(content) : this.copyOf(content)
    if (keyword === 'dependencies' || keyword === 'dependentRequired') return this.dependents(content)
    if (keyword === 'required') return Array.isArray(content) ? content : undefined
    if (keyword === 'type') return typeof content === 'string' || Array.isArray(content) ? content : undefined
    if (keyword === 'format' && unsafeFormats.has(String(content))) return undefined
    const shape = Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined
    if (shape === 'schema') return this.copyOf(content)
    if (shape === 'schemas') return Array.isArray(content) ? this.copies(content) : undefined
    if (shape === 'map') return this.map(content)
    if (shape === 'list') return Array.isArray(content) ? content : undefined
    if (shape === 'text') return typeof content === 'string' ? content : undefined
    if (shape === 'number') return typeof content === 'number' ? content : undefined
    if (shape === 'any') return content
    return this.referenced.has(keyword) ? this.copyOf(content) : undefined
  }

  private copyOf(content: unknown): unknown {
    return isSchema(content) ? this.copy(content) : undefined
  }

  private readonly copies = (list: readonly unknown[]): unknown[] => list.map((item) => this.copyOf(item) ?? true)

  private map(content: unknown): unknown {
    if (!isSchemaObject(content)) return undefined
    return Object.fromEntries(
      Object.entries(content).flatMap(([key, part]): [string, unknown][] =>
        isSchema(part) ? [[key, this.copy(part)]] : [],
      ),
    )
  }

  private dependents(content: unknown): unknown {
    if (!isSchemaObject(content)) return undefined
    return Object.fromEntries(
      Object.entries(content).flatMap(([key, part]): [string, unknown][] =>
        Array.isArray(part) ? [[key, part]] : isSchema(part) ? [[key, this.copy(part)]] : [],
      ),
    )
  }

  private spread(patterns: SchemaObject, copy: { [keyword: string]: unknown }): void {
    this.hasPatternProperties = true
    const properties = new Map<string, unknown>(
      Object.entries(isSchemaObject(copy['properties']) ? copy['properties'] : {}),
    )
    for (const [pattern, part] of Object.entries(patterns)) {
      if (!isSchema(part)) continue
      for (const key of this.keysMatching(pattern)) {
        const before = properties.get(key)
        const here = this.copy(part)
        properties.set(key, before === undefined ? here : { allOf: [before, here] })
      }
    }
    copy['properties'] = Object.fromEntries(properties)
  }
}
