import { format, type OutputUnit, type Schema, Validator as Worker } from '@cfworker/json-schema'
import { Judge } from '../fit/judge.ts'
import { documentOf } from '../fit/schema.ts'
import type { JsonSchema, JsonValue, Objection, Path, Validator } from '../types.ts'
import { matches } from './patterns.ts'
import { DATE_TIME, PATTERN_MARK, type Prepared, prepare, unsafeFormats } from './prepare.ts'

// The validator matches patterns by RegExp, which can take forever, but asks this record for formats it does not know.
// Others in the process that use it see no difference: no format of theirs starts with the mark.
Object.setPrototypeOf(
  format,
  new Proxy(
    {},
    {
      get: (_, name) =>
        typeof name === 'string' && name.startsWith(PATTERN_MARK)
          ? (text: string) => matches(name.slice(PATTERN_MARK.length), text) !== false
          : undefined,
    },
  ),
)

/** Lists that must not repeat cost the validator the square of their length, keys that must match that of their number. */
const MOST_COMPARED = 1_000_000
const MOST_KEYS = 1_000
/** So many objections tell enough. */
const MOST_OBJECTIONS = 3

/** The validator of the main entry: @cfworker/json-schema, with patterns matched in linear time by re2js. */
export const validator: Validator = { check, matches, isOfFormat }

function isOfFormat(name: string, text: string): boolean | undefined {
  if (name === 'date-time') return matches(DATE_TIME, text)
  return Object.hasOwn(format, name) && !unsafeFormats.has(name) ? format[name]?.(text) : undefined
}

const workers = new WeakMap<object, Prepared & { readonly worker: Worker }>()

function check(value: JsonValue, schema: JsonSchema): readonly Objection[] {
  if (typeof schema === 'boolean') return schema ? [] : [{ path: [], message: 'nothing is allowed here' }]
  let prepared = workers.get(schema)
  if (!prepared) {
    const plain = prepare(schema, () => [])
    prepared = { ...plain, worker: workerFor(plain.schema) }
    workers.set(schema, prepared)
  }
  const width = prepared.hasPatternProperties || prepared.hasUniqueItems ? widthOf(value) : undefined
  if (width && (width.comparisons > MOST_COMPARED || width.keys.size > MOST_KEYS)) return judged(value, schema)
  let { worker } = prepared
  if (width && prepared.hasPatternProperties) {
    const keys = [...width.keys]
    worker = workerFor(prepare(schema, (pattern) => keys.filter((key) => matches(pattern, key))).schema)
  }
  try {
    const { valid, errors } = worker.validate(value)
    return valid ? [] : objections(errors, value)
  } catch (error) {
    // Its stack is used up some 250 levels deep, a lone surrogate in a key is no URI to it, and it throws at `undefined`.
    // Our judge knows no such bounds.
    if (error instanceof Error) return judged(value, schema)
    throw error
  }
}

function judged(value: JsonValue, schema: JsonSchema): readonly Objection[] {
  const isAccepted = new Judge(documentOf(schema), matches, isOfFormat).accepts(value, schema)
  return isAccepted ? [] : [{ path: [], message: 'does not fit the schema' }]
}

const workerFor = (schema: JsonSchema): Worker => new Worker(schema as Schema, '2020-12')

/** The squares of the lengths of all lists, and the keys of all objects of a value. */
function widthOf(value: JsonValue): { readonly comparisons: number; readonly keys: ReadonlySet<string> } {
  let comparisons = 0
  const keys = new Set<string>()
  const stack = [value]
  for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
    if (typeof here !== 'object' || here === null) continue
    if (Array.isArray(here)) comparisons += here.length ** 2
    else for (const key of Object.keys(here)) keys.add(key)
    for (const inner of Object.values(here)) stack.push(inner)
  }
  return { comparisons, keys }
}

/** Keywords that only say that something inside them failed. */
const around = new Set([
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'properties', 'patternProperties', 'additionalProperties'],
  ...['items', 'prefixItems', 'dependentSchemas', 'dependencies', 'unevaluatedProperties', 'propertyNames'],
])

function objections(errors: readonly OutputUnit[], value: JsonValue): Objection[] {
  const inner = errors.filter(({ keyword }) => !around.has(keyword))
  return (inner.length > 0 ? inner : errors).slice(0, MOST_OBJECTIONS).map(({ instanceLocation, error }) => ({
    path: pathOf(instanceLocation, value),
    message: error.replace(/\.$/, ''),
  }))
}

/** The path that a pointer stands for: a step is a number where a list stands. */
function pathOf(pointer: string, value: JsonValue): Path {
  let here: JsonValue | undefined = value
  return pointer
    .split('/')
    .slice(1)
    .map((step) => {
      const key = decodeURI(step).replaceAll('~1', '/').replaceAll('~0', '~')
      const isList = Array.isArray(here)
      if (typeof here === 'object' && here !== null) here = (here as { readonly [key: string]: JsonValue })[key]
      return isList ? Number(key) : key
    })
}
