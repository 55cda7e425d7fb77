import type { FitOptions, Fitted, JsonSchema, JsonValue, Objection, Path, Problem, Repair } from '../types.ts'
import { strictPolicy, verdictOn } from '../value/policy.ts'
import { readValue } from '../value/read-value.ts'
import { inspect } from '../value/strict.ts'
import { type PlacedFault, problemsOf } from './explain.ts'
import { hasUnknownKeys } from './fit-object.ts'
import { Fitter } from './fitter.ts'
import { isObject } from './judge.ts'
import { brief, faultsOf, type Outcome, repairsOf, unchanged } from './outcome.ts'
import type { FitProblemCode } from './problems.ts'
import { documentOf, SchemaDocument, SchemaError } from './schema.ts'
import type { Source } from './source.ts'

const DEEPEST = 512

/**
 * Fits a value to a schema. A value that the schema takes is never touched; else the cheapest kind of change is made
 * and named, and what would have to be guessed is refused with problems that a model can act on.
 *
 * @example
 * fit({ cmd: 'ls', timeout: '60' }, schema)
 * // value { command: 'ls', timeout: 60 }, repairs key-renamed and text-to-number
 */
export function fit(value: JsonValue, schema?: JsonSchema, options: FitOptions = {}): Fitted {
  return fitRead(value, schema, options, {})
}

/** What is known of a value that was read from a text: how its numbers are spelled, and what was repaired already. */
export interface Read {
  readonly source?: Source
  readonly repairs?: readonly Repair[]
}

/** Fits a value that was read from a text. Its repairs come first in the list. */
export function fitRead(value: JsonValue, schema: JsonSchema | undefined, options: FitOptions, read: Read): Fitted {
  if (schema === undefined) return opened(value, options)
  const deepest = Math.min(options.limits?.depth ?? DEEPEST, DEEPEST)
  if (inspect(value, deepest).isTooDeep) {
    return refusedWhole(value, options, { code: 'too-deep', found: String(deepest), path: [] })
  }
  try {
    return new Fitting(value, schema, options, read).result()
  } catch (error) {
    const reason = unusable(error)
    if (reason === undefined) throw error
    return refusedWhole(value, options, { code: 'schema-unusable', found: reason, path: [] })
  }
}

/** Why a schema cannot be used, `undefined` when the error is of another kind. */
function unusable(error: unknown): string | undefined {
  if (error instanceof SchemaError) return error.message
  return error instanceof RangeError ? 'judging by it takes too deep a stack' : undefined
}

function refusedWhole(value: JsonValue, options: FitOptions, fault: PlacedFault): Fitted {
  const document = new SchemaDocument(true)
  const refusal = { faults: [fault], name: options.name, schema: true, document, fitted: value, unknown: [] }
  return { value, repairs: [], problems: problemsOf({ ...refusal, sent: value, isValid: () => false }) }
}

/** The problems of a call that is refused for a reason that no fitting found. */
export function refusalFor(
  code: FitProblemCode,
  value: JsonValue,
  schema: JsonSchema,
  name: string,
): readonly Problem[] {
  const faults: PlacedFault[] = [{ code, path: [] }]
  try {
    const document = documentOf(schema)
    return problemsOf({ faults, name, schema, document, isValid: () => false, sent: value, fitted: value, unknown: [] })
  } catch (error) {
    const found = unusable(error)
    if (found === undefined) throw error
    return refusedWhole(value, { name }, { code: 'schema-unusable', path: [], found }).problems
  }
}

/** With no schema at all a text is opened when it holds an object or a list: alone, or as an item of a list. */
function opened(value: JsonValue, options: FitOptions): Fitted {
  const repairs: Repair[] = []
  const open = (item: JsonValue, path: Path): JsonValue => {
    if (typeof item !== 'string') return item
    const inner = readValue(item)
    const isContainer = typeof inner.value === 'object' && inner.value !== null && inner.problems.length === 0
    const hasProse = inner.repairs.some(({ code }) => code === 'prose-dropped')
    if (!isContainer || hasProse) return item
    repairs.push({ code: 'text-opened', path, before: item, after: inner.value })
    repairs.push(
      ...inner.repairs.map(({ span: _, ...repair }) => ({ ...repair, path: [...path, ...(repair.path ?? [])] })),
    )
    return inner.value as JsonValue
  }
  const result = Array.isArray(value) ? value.map((item, index) => open(item, [index])) : open(value, [])
  const faults = [...judgedFaults(repairs, options), ...inexact(result, repairs, options)]
  const problems = faults.flatMap((fault) => refusedWhole(value, options, fault).problems)
  return { value: repairs.length > 0 ? result : value, repairs, problems }
}

/** One value on its way to one schema. */
class Fitting {
  private readonly value: JsonValue
  private readonly schema: JsonSchema
  private readonly options: FitOptions
  private readonly fitter: Fitter
  private readonly read: Read

  constructor(value: JsonValue, schema: JsonSchema, options: FitOptions, read: Read) {
    this.value = value
    this.schema = schema
    this.options = options
    this.read = read
    const { validator } = options
    this.fitter = new Fitter(documentOf(schema), {
      name: options.name,
      unknown: options.unknown ?? 'ignore',
      matches: (pattern, text) => validator?.matches(pattern, text),
      isOfFormat: (format, text) => validator?.isOfFormat?.(format, text),
    })
  }

  result(): Fitted {
    const { value, schema } = this
    const before = this.read.repairs ?? []
    const isValid = !hasUnknownKeys(this.fitter, value) && this.objections(value).length === 0
    const look = { isRoot: true, mayBecomeList: true, source: this.read.source }
    const outcome = isValid ? unchanged(value) : this.fitter.fit(value, schema, look)
    const repairs = before.length > 0 || outcome.rank > 0 ? [...before, ...repairsOf(outcome)] : []
    const faults = isValid ? [] : [...faultsOf(outcome), ...this.lastWord(outcome)]
    if (before.length > 0) faults.push(...this.misplaced(before))
    if (repairs.length > 0)
      faults.push(...judgedFaults(repairs, this.options), ...inexact(outcome.value, repairs, this.options))
    return { value: outcome.value, repairs, problems: this.problems(faults, outcome.value, repairs) }
  }

  /** Where closers are missing, a key of the tool may have slid into the object that was left open. */
  private misplaced(repairs: readonly Repair[]): PlacedFault[] {
    const missing = repairs.filter(({ code }) => code === 'closer-missing').length
    const { names } = this.fitter.document.declaredKeys(this.schema)
    if (missing === 0 || !isObject(this.value)) return []
    let here: JsonValue = this.value
    const path: (string | number)[] = []
    for (;;) {
      const key: string | undefined = Object.keys(here as object).at(-1)
      const inner: JsonValue | undefined = key === undefined ? undefined : (here as never)[key]
      if (key === undefined || typeof inner !== 'object' || inner === null) return []
      path.push(Array.isArray(here) ? Number(key) : key)
      here = inner
      const slid = isObject(here)
        ? Object.keys(here).find((name) => names.has(name) && !Object.hasOwn(this.value as object, name))
        : undefined
      if (slid !== undefined) return [{ code: 'name-ambiguous', path, key: slid, wanted: JSON.stringify(slid) }]
    }
  }

  /** What the validator, or where there is none our own judge, has against a value. */
  private objections(value: JsonValue): readonly Objection[] {
    const { validator } = this.options
    if (validator) return validator.check(value, this.schema)
    return this.fitter.judge.accepts(value, this.schema) ? [] : [{ path: [], message: 'does not fit the schema' }]
  }

  private lastWord({ value, faultWeight }: Outcome): PlacedFault[] {
    if (faultWeight > 0) return []
    return this.objections(value).map(({ path, message }) => ({
      code: 'value-refused',
      path,
      wanted: 'its schema says',
      found: `${brief(at(value, path))}: ${message}`,
    }))
  }

  private problems(faults: readonly PlacedFault[], fitted: JsonValue, repairs: readonly Repair[]): Problem[] {
    if (faults.length === 0) return []
    const ignored = repairs.filter(({ code, path }) => code === 'parameter-ignored' && path?.length === 1)
    const unknown = ignored.map(({ path }) => String(path?.[0]))
    const { document } = this.fitter
    const { name } = this.options
    const isValid = (value: JsonValue): boolean => this.objections(value).length === 0
    return problemsOf({ faults, name, schema: this.schema, document, isValid, sent: this.value, fitted, unknown })
  }
}

/** Integers that lost digits on the way and were not saved as text. Running with another number is running wrong. */
function inexact(value: JsonValue, repairs: readonly Repair[], { policy }: FitOptions): PlacedFault[] {
  if (policy && Object.hasOwn(policy, 'integer-large')) return []
  const lost = new Map<number, string>()
  for (const { code, before, after } of repairs) {
    if (code !== 'integer-large' || typeof after !== 'number') continue
    if (BigInt(after) !== BigInt(String(before))) lost.set(after, String(before))
  }
  return lost.size === 0 ? [] : numbersIn(value, lost)
}

/** Where numbers of a list stand in a value. */
function numbersIn(value: JsonValue, numbers: ReadonlyMap<number, string>): PlacedFault[] {
  const found: PlacedFault[] = []
  const stack: [JsonValue, Path][] = [[value, []]]
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const [here, path] = entry
    const digits = typeof here === 'number' ? numbers.get(here) : undefined
    if (digits !== undefined) found.push({ code: 'integer-inexact', path, found: digits })
    if (typeof here !== 'object' || here === null) continue
    const entries = Array.isArray(here) ? here.entries() : Object.entries(here)
    for (const [key, inner] of entries) stack.push([inner, [...path, key]])
  }
  return found
}

/** The value at a path. */
function at(value: JsonValue, path: Path): JsonValue {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return here
    here = (Array.isArray(here) || isObject(here) ? (here as never)[step] : here) as JsonValue
  }
  return here
}

/** What a policy has against the repairs, each code once. */
export function judgedFaults(repairs: readonly Repair[], { strict, policy }: FitOptions): PlacedFault[] {
  const faults: PlacedFault[] = []
  const told = new Set<string>()
  for (const { code, path = [] } of repairs) {
    const verdict = verdictOn(code, strict ? { ...strictPolicy, ...policy } : policy)
    if (verdict === 'allow' || told.has(code)) continue
    told.add(code)
    faults.push({ code: verdict === 'deny' ? 'repair-denied' : 'repair-asks', path, found: code })
  }
  return faults
}
