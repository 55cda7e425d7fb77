import type { JsonObject, JsonSchema, JsonValue } from '../types.ts'
import { isSame } from '../value/objects.ts'
import {
  allowedValues,
  isSchema,
  isSchemaObject,
  type SchemaDocument,
  type SchemaObject,
  schemaAt,
  schemaEntries,
  schemaList,
  texts,
} from './schema.ts'

/** Whether a text matches a schema's pattern, or is of a format. `undefined` where nobody can tell. */
export type Matches = (pattern: string, text: string) => boolean | undefined

export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

/** The type of a value, in the words of JSON Schema. */
export function typeOf(value: JsonValue): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as TypeName
}

/** The types that a schema names, `undefined` when it names none. */
export function typesOf(schema: SchemaObject): readonly TypeName[] | undefined {
  const { type } = schema
  if (typeof type === 'string') return [type as TypeName]
  return Array.isArray(type) ? (type as TypeName[]) : undefined
}

export const isOfType = (value: JsonValue, type: TypeName): boolean => {
  const actual = typeOf(value)
  return actual === type || (type === 'number' && actual === 'integer')
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNumber = (value: unknown): value is number => typeof value === 'number'

/**
 * Judges values by the keywords of JSON Schema, each pair of object and schema once, so that fitting stays linear.
 * It steers the fit. Where a validator is given, that one has the last word.
 */
export class Judge {
  private readonly document: SchemaDocument
  private readonly matches: Matches
  private readonly isOfFormat: Matches
  private readonly verdicts = new Map<SchemaObject, Map<JsonValue, boolean>>()

  constructor(document: SchemaDocument, matches: Matches, isOfFormat: Matches = () => undefined) {
    this.document = document
    this.matches = matches
    this.isOfFormat = isOfFormat
  }

  /** Whether the schema takes the value as it is. */
  accepts(value: JsonValue, schema: JsonSchema): boolean {
    if (typeof schema === 'boolean') return schema
    if (typeof value !== 'object' || value === null) return this.judged(value, schema)
    let verdicts = this.verdicts.get(schema)
    if (!verdicts) {
      verdicts = new Map()
      this.verdicts.set(schema, verdicts)
    }
    let verdict = verdicts.get(value)
    if (verdict === undefined) {
      verdict = this.judged(value, schema)
      verdicts.set(value, verdict)
    }
    return verdict
  }

  private judged(value: JsonValue, schema: SchemaObject): boolean {
    const target = this.document.referenced(schema)
    if (target !== undefined && !this.accepts(value, target)) return false
    if (this.document.isReferenceAlone(schema)) return true
    if (this.objection(value, schema) !== undefined) return false
    if (!this.acceptsInPlace(value, schema)) return false
    if (Array.isArray(value)) return this.acceptsItems(value, schema)
    return isObject(value) ? this.acceptsProperties(value, schema) : true
  }

  /** What a schema's own keywords have against a value, without those inside it: words that follow the value's name. */
  objection(value: JsonValue, schema: SchemaObject): string | undefined {
    const types = typesOf(schema)
    if (types && !types.some((type) => isOfType(value, type))) return `must be ${types.join(' or ')}`
    const allowed = allowedValues(schema)
    if (allowed && !allowed.some((one) => isSame(one, value))) {
      return `must be ${allowed.map((one) => JSON.stringify(one)).join(' or ')}`
    }
    if (typeof value === 'string') return this.textObjection(value, schema)
    if (typeof value === 'number') return numberObjection(value, schema)
    if (Array.isArray(value)) return listObjection(value, schema)
    return isObject(value) ? objectObjection(value, schema) : undefined
  }

  private textObjection(value: string, schema: SchemaObject): string | undefined {
    const { minLength, maxLength, pattern, format } = schema
    if (isNumber(minLength) || isNumber(maxLength)) {
      const length = lengthOf(value)
      if (isNumber(minLength) && length < minLength) return `must have at least ${counted(minLength, 'character')}`
      if (isNumber(maxLength) && length > maxLength) return `must have at most ${counted(maxLength, 'character')}`
    }
    if (typeof pattern === 'string' && this.matches(pattern, value) === false) return `must match /${pattern}/`
    if (typeof format === 'string' && this.isOfFormat(format, value) === false) return `must be of the format ${format}`
    return undefined
  }

  private acceptsInPlace(value: JsonValue, schema: SchemaObject): boolean {
    const accepted = (part: JsonSchema): boolean => this.accepts(value, part)
    if (!schemaList(schema['allOf']).every(accepted)) return false
    const any = schemaList(schema['anyOf'])
    if (any.length > 0 && !any.some(accepted)) return false
    const one = schemaList(schema['oneOf'])
    if (one.length > 0 && one.filter(accepted).length !== 1) return false
    if (isSchema(schema['not']) && accepted(schema['not'])) return false
    if (isSchema(schema['if'])) {
      const branch = schema[accepted(schema['if']) ? 'then' : 'else']
      if (isSchema(branch) && !accepted(branch)) return false
    }
    return true
  }

  private acceptsItems(list: readonly JsonValue[], schema: SchemaObject): boolean {
    for (const [index, item] of list.entries()) {
      const itemSchema = itemSchemaAt(schema, index)
      if (itemSchema !== undefined && !this.accepts(item, itemSchema)) return false
    }
    if (!this.acceptsUnevaluated(list, schema)) return false
    const { contains, minContains, maxContains } = schema
    if (!isSchema(contains)) return true
    const found = list.filter((item) => this.accepts(item, contains)).length
    return found >= (isNumber(minContains) ? minContains : 1) && (!isNumber(maxContains) || found <= maxContains)
  }

  private acceptsProperties(object: JsonObject, schema: SchemaObject): boolean {
    const names = schema['propertyNames']
    for (const key of Object.keys(object)) {
      if (isSchema(names) && !this.accepts(key, names)) return false
      for (const part of this.schemasOf(key, schema)) if (!this.accepts(object[key] as JsonValue, part)) return false
    }
    return this.acceptsUnevaluated(object, schema) && this.acceptsDependents(object, schema)
  }

  /** The schemas that one schema has for the value of a key. */
  schemasOf(key: string, schema: SchemaObject): JsonSchema[] {
    const named = schemaAt(schema['properties'], key)
    const found = named === undefined ? [] : [named]
    let isCovered = named !== undefined
    for (const [pattern, part] of schemaEntries(schema['patternProperties'])) {
      const matched = this.matches(pattern, key)
      if (matched) found.push(part)
      // Where nobody can match, the key may be covered: better kept than dropped.
      if (matched !== false) isCovered = true
    }
    const additional = schema['additionalProperties']
    if (!isCovered && isSchema(additional)) found.push(additional)
    return found
  }

  private acceptsUnevaluated(value: JsonObject | readonly JsonValue[], schema: SchemaObject): boolean {
    const unevaluated = schema[Array.isArray(value) ? 'unevaluatedItems' : 'unevaluatedProperties']
    if (!isSchema(unevaluated)) return true
    const evaluated = new Set<string>()
    this.collectEvaluated(value, schema, evaluated, true)
    return Object.entries(value).every(([key, inner]) => evaluated.has(key) || this.accepts(inner, unevaluated))
  }

  /** Collects the keys or places that a schema, and those that judge with it and take the value, have looked at. */
  private collectEvaluated(
    value: JsonObject | readonly JsonValue[],
    schema: JsonSchema,
    found: Set<string>,
    isOutermost = false,
  ): void {
    if (!isSchemaObject(schema) || (!isOutermost && !this.accepts(value as JsonValue, schema))) return
    for (const [key, inner] of Object.entries(value)) {
      if (Array.isArray(value)) {
        const { contains, unevaluatedItems } = schema
        const isCovered =
          itemSchemaAt(schema, Number(key)) !== undefined || (!isOutermost && isSchema(unevaluatedItems))
        if (isCovered || (isSchema(contains) && this.accepts(inner, contains))) found.add(key)
      } else if (
        this.schemasOf(key, schema).length > 0 ||
        (!isOutermost && isSchema(schema['unevaluatedProperties']))
      ) {
        found.add(key)
      }
    }
    const target = this.document.referenced(schema)
    const parts = target === undefined ? [] : [target]
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) parts.push(...schemaList(schema[keyword]))
    if (isSchema(schema['if'])) {
      const isMet = this.accepts(value as JsonValue, schema['if'])
      parts.push(...schemaList([isMet ? schema['if'] : undefined, schema[isMet ? 'then' : 'else']]))
    }
    for (const [key, part] of schemaEntries(schema['dependentSchemas'])) if (Object.hasOwn(value, key)) parts.push(part)
    for (const part of parts) this.collectEvaluated(value, part, found)
  }

  private acceptsDependents(object: JsonObject, schema: SchemaObject): boolean {
    const { dependentSchemas, dependentRequired, dependencies } = schema
    for (const [map, takesSchemas, takesNames] of [
      [dependentSchemas, true, false],
      [dependentRequired, false, true],
      [dependencies, true, true],
    ] as const) {
      if (!isSchemaObject(map)) continue
      for (const [key, dependent] of Object.entries(map)) {
        if (!Object.hasOwn(object, key)) continue
        if (takesNames && Array.isArray(dependent)) {
          if (!texts(dependent).every((name) => Object.hasOwn(object, name))) return false
        } else if (takesSchemas && isSchema(dependent) && !this.accepts(object, dependent)) return false
      }
    }
    return true
  }
}

/** The schema of one place in a list: by `prefixItems`, a list of `items` as draft 7 has it, or for all of them. */
export function itemSchemaAt(schema: SchemaObject, index: number): JsonSchema | undefined {
  const { prefixItems, items, additionalItems } = schema
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  if (index < first.length) return isSchema(first[index]) ? first[index] : undefined
  const rest = Array.isArray(items) ? additionalItems : items
  return isSchema(rest) ? rest : undefined
}

function numberObjection(value: number, schema: SchemaObject): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (isNumber(minimum)) {
    if (exclusiveMinimum === true ? value <= minimum : value < minimum) return `must be at least ${minimum}`
  }
  if (isNumber(maximum)) {
    if (exclusiveMaximum === true ? value >= maximum : value > maximum) return `must be at most ${maximum}`
  }
  if (isNumber(exclusiveMinimum) && value <= exclusiveMinimum) return `must be more than ${exclusiveMinimum}`
  if (isNumber(exclusiveMaximum) && value >= exclusiveMaximum) return `must be less than ${exclusiveMaximum}`
  if (isNumber(multipleOf) && !isMultiple(value, multipleOf)) return `must be a multiple of ${multipleOf}`
  return undefined
}

function listObjection(list: readonly JsonValue[], schema: SchemaObject): string | undefined {
  const { minItems, maxItems, uniqueItems } = schema
  if (isNumber(minItems) && list.length < minItems) return `must have at least ${counted(minItems, 'item')}`
  if (isNumber(maxItems) && list.length > maxItems) return `must have at most ${counted(maxItems, 'item')}`
  if (uniqueItems === true && new Set(list.map(canonical)).size < list.length) return 'must not repeat an item'
  return undefined
}

function objectObjection(object: JsonObject, schema: SchemaObject): string | undefined {
  const missing = texts(schema['required']).find((key) => !Object.hasOwn(object, key))
  if (missing !== undefined) return `must have ${JSON.stringify(missing)}`
  const { minProperties, maxProperties } = schema
  const count = Object.keys(object).length
  if (isNumber(minProperties) && count < minProperties) return `must have at least ${counted(minProperties, 'key')}`
  if (isNumber(maxProperties) && count > maxProperties) return `must have at most ${counted(maxProperties, 'key')}`
  return undefined
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

/** How many characters a text has, pairs of surrogates as one. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Decimal arithmetic, so that 0.3 is a multiple of 0.1. */
function isMultiple(value: number, divisor: number): boolean {
  if (divisor <= 0) return false
  const [one, oneExponent] = decimal(value)
  const [other, otherExponent] = decimal(divisor)
  const shift = oneExponent - otherExponent
  return shift >= 0 ? (one * 10n ** BigInt(shift)) % other === 0n : one % (other * 10n ** BigInt(-shift)) === 0n
}

function decimal(value: number): [digits: bigint, exponent: number] {
  const [digits = '0', exponent = '0'] = Math.abs(value).toString().split('e')
  const point = digits.indexOf('.')
  return [BigInt(digits.replace('.', '')), Number(exponent) - (point < 0 ? 0 : digits.length - point - 1)]
}

/** A text that two values share exactly when they are the same JSON. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_, inner: JsonValue) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}
