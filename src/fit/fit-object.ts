import type { JsonObject, JsonValue } from '../types.ts'
import { isSame, setKey } from '../value/objects.ts'
import { type Fitter, inside, type Look } from './fitter.ts'
import { isObject } from './judge.ts'
import { areKin } from './names.ts'
import { type Change, change, type Fault, made, type Outcome } from './outcome.ts'
import { isNullText } from './scalars.ts'
import { type Alternative, schemaAt, schemaEntries, texts } from './schema.ts'

/** The parameters that an alternative lists, in its order. */
export const declaredIn = (way: Alternative): readonly string[] => [
  ...new Set(way.flatMap((schema) => schemaEntries(schema['properties']).map(([key]) => key))),
]

/** Fits an object: renames what is kin, leaves out what is unknown or empty, and never adds a thing. */
export function fitObject(fitter: Fitter, object: JsonObject, way: Alternative, look: Look): Outcome {
  return new ObjectFit(fitter, object, way, look).outcome()
}

/** Whether a tool lists its parameters, takes no others, and this is none of them. */
function isUnlisted({ document, options }: Fitter, key: string): boolean {
  const { names, patterns, isOpen, isListed } = document.declaredKeys(document.root)
  if (isOpen || !isListed || names.has(key)) return false
  return !patterns.some((pattern) => options.matches(pattern, key) !== false)
}

/** Whether arguments have keys that no parameter has. */
export const hasUnknownKeys = (fitter: Fitter, value: JsonValue): boolean =>
  fitter.options.unknown !== 'keep' && isObject(value) && Object.keys(value).some((key) => isUnlisted(fitter, key))

class ObjectFit {
  private readonly fitter: Fitter
  private readonly object: JsonObject
  private readonly way: Alternative
  private readonly look: Look
  private readonly declared: readonly string[]
  private readonly required: ReadonlySet<string>
  private readonly changes: Change[] = []
  private readonly faults: Fault[] = []
  private readonly inner: [string, Outcome][] = []

  constructor(fitter: Fitter, object: JsonObject, way: Alternative, look: Look) {
    this.fitter = fitter
    this.object = object
    this.way = way
    this.look = look
    this.declared = declaredIn(way)
    this.required = new Set(way.flatMap((schema) => texts(schema['required'])))
  }

  outcome(): Outcome {
    const names = this.newNames()
    const result: JsonObject = {}
    let hasChanged = false
    for (const [key, value] of Object.entries(this.object)) {
      const name = names.get(key) ?? key
      if (name === key && this.isUnknown(key)) {
        if (this.fitter.options.unknown === 'refuse') {
          this.faults.push({ code: 'parameter-unknown', key, wanted: this.declared.join(', ') })
        } else if (this.fitter.options.unknown === 'ignore' || this.isForbidden(key)) {
          this.ignore(key, value)
          hasChanged = true
          continue
        }
      }
      const fitted = this.fitValue(key, name, value)
      if (fitted === undefined) {
        hasChanged = true
        continue
      }
      if (name !== key) this.changes.push({ ...change('key-renamed', key, name), path: [name] })
      if (name !== key || fitted.value !== value) hasChanged = true
      if (fitted.rank + fitted.faultWeight > 0) this.inner.push([name, fitted])
      setKey(result, name, fitted.value)
    }
    for (const key of this.required) {
      if (!Object.hasOwn(result, key)) this.missing(key)
    }
    const value = hasChanged ? result : this.object
    return made(value, this.changes, this.inner, [...this.faults, ...this.fitter.objections(value, this.way)])
  }

  private missing(key: string): void {
    if (this.faults.some((fault) => fault.code === 'name-ambiguous' && fault.wanted?.includes(JSON.stringify(key))))
      return
    this.faults.push({ code: 'parameter-missing', key })
  }

  /** The value of a key, fitted; `undefined` when it says nothing and may be left out. */
  private fitValue(key: string, name: string, value: JsonValue): Outcome | undefined {
    const { fitter, way, look } = this
    const schema = fitter.together(way.flatMap((part) => fitter.judge.schemasOf(name, part)))
    const outcome = fitter.fit(value, schema, inside(look, key))
    if (outcome.faultWeight === 0 || this.required.has(name)) return outcome
    const isNull = value === null || (typeof value === 'string' && isNullText(value))
    if (!isNull && value !== '') return outcome
    this.changes.push({ ...change(isNull ? 'null-dropped' : 'empty-dropped', value), path: [name] })
    return undefined
  }

  private ignore(key: string, value: JsonValue): void {
    // Where another branch of a union knows the key, leaving it out takes sides.
    const isKnownElsewhere = this.fitter.document.declaredKeys(this.fitter.document.root).names.has(key)
    const ignored = change('parameter-ignored', value)
    this.changes.push({ ...ignored, class: isKnownElsewhere ? 'interpretive' : 'lossless', path: [key] })
  }

  /** No key of the tool, though its schema may not forbid it. Only the parameters themselves are taken so strictly. */
  private isUnknown(key: string): boolean {
    if (this.isForbidden(key)) return true
    return this.look.isRoot && !this.isDeclared(key) && isUnlisted(this.fitter, key)
  }

  /** A key that the schema takes from nobody. */
  private isForbidden(key: string): boolean {
    if (this.isDeclared(key)) return false
    return this.way.some(
      (schema) => schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false,
    )
  }

  private isDeclared(key: string): boolean {
    return this.way.some(
      (schema) =>
        schemaAt(schema['properties'], key) !== undefined ||
        schemaEntries(schema['patternProperties']).some(
          ([pattern]) => this.fitter.options.matches(pattern, key) !== false,
        ),
    )
  }

  /** The keys that stand for others, each with the name that it should have. */
  private newNames(): Map<string, string> {
    const found = new Map<string, string>()
    const takers = new Map<string, string[]>()
    for (const key of Object.keys(this.object)) {
      if (this.isDeclared(key)) continue
      const isUnknown = this.isUnknown(key)
      const absent = this.declared.filter((name) => !Object.hasOwn(this.object, name) && areKin(key, name))
      const needed = absent.filter((name) => this.required.has(name))
      const candidates = needed.length > 0 ? needed : isUnknown ? absent : []
      if (candidates.length > 1) {
        this.faults.push({
          code: 'name-ambiguous',
          key,
          wanted: candidates.map((name) => JSON.stringify(name)).join(' or '),
        })
      }
      const [name] = candidates
      if (name !== undefined && candidates.length === 1) takers.set(name, [...(takers.get(name) ?? []), key])
      if (isUnknown) this.refuseContradiction(key)
    }
    for (const [name, [key, ...rivals]] of takers) {
      if (key === undefined) continue
      found.set(key, name)
      const value = this.object[key] as JsonValue
      if (rivals.some((rival) => !isSame(this.object[rival] as JsonValue, value))) {
        const wanted = JSON.stringify(name)
        this.faults.push({ code: 'name-ambiguous', key, wanted })
      }
    }
    return found
  }

  /** The same parameter under two names, with two values. */
  private refuseContradiction(key: string): void {
    const twin = this.declared.find(
      (name) =>
        Object.hasOwn(this.object, name) &&
        areKin(key, name) &&
        !isSame(this.object[name] as JsonValue, this.object[key] as JsonValue),
    )
    if (twin !== undefined) this.faults.push({ code: 'name-ambiguous', key, wanted: JSON.stringify(twin) })
  }
}
