import type { JsonSchema, JsonValue } from '../types.ts'
import { isSame } from '../value/objects.ts'

/** A schema that is no boolean. */
export type SchemaObject = { readonly [keyword: string]: unknown }

/** One way to satisfy a schema: all of these at once, with references, `allOf` and unions already followed. */
export type Alternative = readonly SchemaObject[]

/** A schema that cannot be used. The message says which part of it, for the person who wrote it. */
export class SchemaError extends Error {}

/** So many ways to satisfy one schema are tried; a schema with more is judged, and its values are not changed. */
const MOST_ALTERNATIVES = 256
/** Schemas may nest so deep. */
const DEEPEST_SCHEMA = 512

export const isSchemaObject = (schema: unknown): schema is SchemaObject =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema)

export const isSchema = (schema: unknown): schema is JsonSchema => typeof schema === 'boolean' || isSchemaObject(schema)

/** The schemas of a list keyword such as `allOf`; none where the keyword is not well-formed. */
export const schemaList = (list: unknown): readonly JsonSchema[] => (Array.isArray(list) ? list.filter(isSchema) : [])

/** The entries of a map keyword such as `properties`. */
export const schemaEntries = (map: unknown): readonly (readonly [string, JsonSchema])[] =>
  isSchemaObject(map) ? Object.entries(map).filter((entry): entry is [string, JsonSchema] => isSchema(entry[1])) : []

/** The schema of a key in a map keyword. */
export function schemaAt(map: unknown, key: string): JsonSchema | undefined {
  if (!isSchemaObject(map) || !Object.hasOwn(map, key)) return undefined
  const schema = map[key]
  return isSchema(schema) ? schema : undefined
}

export const texts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []

/** The values that `enum` and `const` allow; `undefined` when neither stands there. */
export function allowedValues(schema: SchemaObject): readonly JsonValue[] | undefined {
  const listed = Array.isArray(schema['enum']) ? (schema['enum'] as JsonValue[]) : undefined
  if (!Object.hasOwn(schema, 'const')) return listed
  const only = schema['const'] as JsonValue
  return !listed || listed.some((value) => isSame(value, only)) ? [only] : []
}

/** Keywords whose schemas judge the same value as the schema they stand in. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'] as const
/** Keywords that hold data, in which `$id` and the like mean nothing. */
const data = new Set(['enum', 'const', 'default', 'example', 'examples'])
/** Keywords that hold schemas by names that somebody chose. */
const maps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

/** The address of a schema that gives itself none. */
const NOWHERE = 'schema:///'

/** A whole schema: follows its references, and says in which ways each part of it can be satisfied. */
export class SchemaDocument {
  readonly root: JsonSchema
  /** In draft 7 and before, what stands beside `$ref` means nothing. */
  private readonly referenceStandsAlone: boolean
  /** By address, and by address and anchor. */
  private readonly named = new Map<string, SchemaObject>()
  /** The address against which the references of a schema are taken. */
  private readonly bases = new Map<SchemaObject, string>()
  private readonly ways = new Map<JsonSchema, readonly Alternative[]>()
  private readonly declared = new Map<JsonSchema, DeclaredKeys>()

  constructor(root: JsonSchema) {
    if (!isSchema(root)) throw new SchemaError('it is neither an object nor true or false')
    this.root = root
    const draft = isSchemaObject(root) ? String(root['$schema'] ?? '') : ''
    this.referenceStandsAlone = /draft-0[1-7]\b/.test(draft)
    this.index(root)
    this.refuseLoops()
  }

  /** The schema that stands in for this one by reference, if any. Nothing is fetched: it must be in the document. */
  referenced(schema: SchemaObject): JsonSchema | undefined {
    const reference = schema['$ref'] ?? schema['$dynamicRef'] ?? schema['$recursiveRef']
    if (typeof reference !== 'string') return undefined
    const found = this.resolve(reference, this.bases.get(schema) ?? NOWHERE)
    if (found === undefined) throw new SchemaError(`its $ref ${JSON.stringify(reference)} leads nowhere`)
    return found
  }

  private resolve(reference: string, base: string): JsonSchema | undefined {
    const address = resolved(reference, base)
    const hash = address.indexOf('#')
    const fragment = hash < 0 ? '' : address.slice(hash + 1)
    if (fragment !== '' && !fragment.startsWith('/')) return this.named.get(address)
    const resource = this.named.get(hash < 0 ? address : address.slice(0, hash))
    return resource === undefined || fragment === '' ? resource : pointed(resource, fragment)
  }

  /** Whether only the reference counts in a schema that has one. */
  isReferenceAlone(schema: SchemaObject): boolean {
    return this.referenceStandsAlone && typeof schema['$ref'] === 'string'
  }

  /** The ways to satisfy a schema, none when there are too many to try. */
  alternatives(schema: JsonSchema): readonly Alternative[] {
    let ways = this.ways.get(schema)
    if (!ways) {
      ways = this.expand(schema)
      this.ways.set(schema, ways)
    }
    return ways
  }

  private expand(schema: JsonSchema): readonly Alternative[] {
    if (schema === true) return [[]]
    if (schema === false) return []
    const target = this.referenced(schema)
    if (target !== undefined && this.isReferenceAlone(schema)) return this.alternatives(target)

    let ways: readonly Alternative[] = [[schema]]
    const and = (others: readonly Alternative[]): void => {
      ways = ways.length * others.length > MOST_ALTERNATIVES ? [] : ways.flatMap((a) => others.map((b) => [...a, ...b]))
    }
    if (target !== undefined) and(this.alternatives(target))
    for (const part of schemaList(schema['allOf'])) and(this.alternatives(part))
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schemaList(schema[keyword])
      if (branches.length > 0) and(branches.flatMap((branch) => this.alternatives(branch)))
    }
    if (isSchema(schema['if'])) {
      const then = isSchema(schema['then']) ? this.alternatives(schema['then']) : [[]]
      const otherwise = isSchema(schema['else']) ? this.alternatives(schema['else']) : [[]]
      const met = this.alternatives(schema['if']).flatMap((a) => then.map((b) => [...a, ...b]))
      and([...met, ...otherwise])
    }
    return ways
  }

  /** The keys that a schema speaks of, in whatever branch, and whether it takes others. */
  declaredKeys(schema: JsonSchema): DeclaredKeys {
    const known = this.declared.get(schema)
    if (known) return known
    const found: DeclaredKeys = { names: new Set(), patterns: [], isOpen: false, isListed: false }
    this.declared.set(schema, found)
    for (const part of this.partsInPlace(schema)) {
      if (isSchemaObject(part['properties'])) found.isListed = true
      for (const [name] of schemaEntries(part['properties'])) found.names.add(name)
      for (const [pattern] of schemaEntries(part['patternProperties'])) found.patterns.push(pattern)
      const additional = part['additionalProperties'] ?? part['unevaluatedProperties']
      if (isSchema(additional) && additional !== false) found.isOpen = true
    }
    return found
  }

  /** The schema itself and all that judge the same value with it. */
  private partsInPlace(schema: JsonSchema): SchemaObject[] {
    const parts: SchemaObject[] = []
    const seen = new Set<JsonSchema>([schema])
    const queue = [schema]
    for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
      if (!isSchemaObject(part)) continue
      parts.push(part)
      for (const next of this.neighbours(part)) {
        if (seen.has(next)) continue
        seen.add(next)
        queue.push(next)
      }
    }
    return parts
  }

  private neighbours(schema: SchemaObject): JsonSchema[] {
    const target = this.referenced(schema)
    if (target !== undefined && this.isReferenceAlone(schema)) return [target]
    const found: JsonSchema[] = target === undefined ? [] : [target]
    for (const keyword of inPlace) {
      const part = schema[keyword]
      if (Array.isArray(part)) found.push(...schemaList(part))
      else if (isSchema(part)) found.push(part)
    }
    for (const keyword of ['dependentSchemas', 'dependencies']) {
      for (const [, part] of schemaEntries(schema[keyword])) found.push(part)
    }
    return found
  }

  /** Remembers every schema there is, with the names and addresses that they give themselves. */
  private index(root: JsonSchema): void {
    if (!isSchemaObject(root)) return
    this.named.set(NOWHERE, root)
    const stack: { readonly part: unknown; readonly depth: number; readonly isMap: boolean; readonly base: string }[] =
      []
    stack.push({ part: root, depth: 0, isMap: false, base: NOWHERE })
    for (let entry = stack.pop(); entry; entry = stack.pop()) {
      const { part, depth, isMap } = entry
      if (typeof part !== 'object' || part === null) continue
      if (depth > DEEPEST_SCHEMA) throw new SchemaError(`it nests deeper than ${DEEPEST_SCHEMA} levels, or in a circle`)
      const isHere = !isMap && isSchemaObject(part)
      if (isHere && this.bases.has(part)) continue
      const base = isHere ? this.remember(part, entry.base) : entry.base
      for (const [key, inner] of Object.entries(part)) {
        if (!isMap && data.has(key)) continue
        stack.push({ part: inner, depth: depth + 1, isMap: isHere && maps.has(key), base })
      }
    }
  }

  private remember(schema: SchemaObject, outer: string): string {
    const name = schema['$id'] ?? (this.referenceStandsAlone ? schema['id'] : undefined)
    const address = typeof name === 'string' ? resolved(name, outer) : outer
    // In draft 7 and before, a name that is a fragment alone is an anchor.
    const isAnchor = address.includes('#') && !address.endsWith('#')
    const base = isAnchor ? outer : address.replace(/#$/, '')
    if (typeof name === 'string') this.named.set(isAnchor ? address : base, schema)
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      if (typeof schema[keyword] === 'string') this.named.set(`${base}#${schema[keyword]}`, schema)
    }
    this.bases.set(schema, base)
    return base
  }

  /** A schema that refers to itself without going into the value would be judged forever. */
  private refuseLoops(): void {
    const done = new Set<JsonSchema>()
    const open = new Set<JsonSchema>()
    const stack: { readonly schema: JsonSchema; readonly isEnd: boolean }[] = []
    for (const start of this.bases.keys()) {
      stack.push({ schema: start, isEnd: false })
      for (let entry = stack.pop(); entry; entry = stack.pop()) {
        const { schema, isEnd } = entry
        if (isEnd) {
          open.delete(schema)
          done.add(schema)
          continue
        }
        if (done.has(schema) || !isSchemaObject(schema)) continue
        if (open.has(schema)) throw new SchemaError('it refers to itself in a circle')
        open.add(schema)
        stack.push({ schema, isEnd: true })
        for (const next of this.neighbours(schema)) {
          if (open.has(next)) throw new SchemaError('it refers to itself in a circle')
          stack.push({ schema: next, isEnd: false })
        }
      }
    }
  }
}

/** What a schema says of the keys of an object. */
export interface DeclaredKeys {
  readonly names: Set<string>
  readonly patterns: string[]
  /** `additionalProperties` or its like takes further keys. */
  isOpen: boolean
  /** `properties` stands there at all. */
  isListed: boolean
}

/** What a JSON pointer leads to. */
function pointed(base: JsonSchema, pointer: string): JsonSchema | undefined {
  let here: unknown = base
  for (const step of pointer.slice(1).split('/')) {
    if (typeof here !== 'object' || here === null) return undefined
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(here, key)) return undefined
    here = (here as { readonly [key: string]: unknown })[key]
  }
  return isSchema(here) ? here : undefined
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** A reference as an address. One that is none is taken as it is written. */
function resolved(reference: string, base: string): string {
  try {
    return new URL(reference, base).href
  } catch {
    return reference
  }
}

const documents = new WeakMap<SchemaObject, SchemaDocument>()

/** The document of a schema, made once for each schema object. */
export function documentOf(schema: JsonSchema): SchemaDocument {
  if (typeof schema !== 'object' || schema === null) return new SchemaDocument(schema)
  let document = documents.get(schema)
  if (!document) {
    document = new SchemaDocument(schema)
    documents.set(schema, document)
  }
  return document
}
