import type { JsonObject, JsonValue } from '../types.ts'
import { isSame, setKey } from '../value/objects.ts'
import type { Fitter } from './fitter.ts'
import { isObject } from './judge.ts'
import { inside, type Look, wantedTypes } from './look.ts'
import { isTypo, type Kin, KinIndex, onlyWordOf, wordsOf } from './names.ts'
import { type Change, change, type Fault, made, type Outcome } from './outcome.ts'
import { isNullText } from './scalars.ts'
import { type Alternative, schemaAt, schemaEntries, texts } from './schema.ts'
import { isCarrier, mayNameATool } from './whole-arguments.ts'

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
  private readonly ignored: string[] = []

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
    const taken = new Set(names.values())
    for (const [key, value] of Object.entries(this.object)) {
      if (value === undefined) {
        hasChanged = true
        continue
      }
      const name = names.get(key) ?? key
      if (taken.has(key)) {
        // Nothing, under the name that another key has the value for.
        this.changes.push({ ...change(value === null ? 'null-dropped' : 'empty-dropped', value), path: [key] })
        hasChanged = true
        continue
      }
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
    if (this.ignored.length > 0) this.refuseLosses(result)
    for (const key of this.required) {
      if (!Object.hasOwn(result, key)) this.missing(key)
    }
    if (this.faults.length === 0) this.refuseEmptied(result)
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
    const outcome = fitter.fit(value, schema, { ...inside(look, key), key: name })
    // Under a name that nobody declared, nothing is something: it may clear what stood there.
    const mayGo = !this.required.has(name) && this.way.some((part) => schemaAt(part['properties'], name) !== undefined)
    if (outcome.faultWeight === 0 || !mayGo) return outcome
    const isNull = value === null || (typeof value === 'string' && isNullText(value) && !this.takesWords(name))
    if (!isNull && value !== '') return outcome
    this.changes.push({ ...change(isNull ? 'null-dropped' : 'empty-dropped', value), path: [key] })
    return undefined
  }

  /** Whether a parameter may be a word: "none" is one then. */
  private takesWords(name: string): boolean {
    const { document, judge } = this.fitter
    const schema = this.fitter.together(this.way.flatMap((part) => judge.schemasOf(name, part)))
    return document.alternatives(schema).some((alternative) => {
      const types = wantedTypes(alternative)
      return !types || types.includes('string') || types.includes('boolean')
    })
  }

  private ignore(key: string, value: JsonValue): void {
    this.ignored.push(key)
    this.changes.push({ ...change('parameter-ignored', value), path: [key] })
  }

  /** What must not be left out: the parameters once more, another tool's name, a slip of the pen. */
  private refuseLosses(result: JsonObject): void {
    const { name } = this.fitter.options
    const wanted = this.declared.slice(0, 8).join(', ')
    for (const key of this.ignored) {
      const value = this.object[key] as JsonValue
      if (saysNothing(value)) continue
      const isOnceMore = isCarrier(key) && isObject(value) && this.declared.some((name) => Object.hasOwn(value, name))
      const near = this.nearMiss(key, result)
      if (this.look.isRoot && name !== undefined && mayNameATool(key, value, name)) {
        this.faults.push({ code: 'tool-mismatch', key, found: JSON.stringify(value) })
      } else if (isOnceMore) this.faults.push({ code: 'name-ambiguous', key, wanted: 'the parameters in it' })
      else if (near !== undefined) this.faults.push({ code: 'name-ambiguous', key, wanted: JSON.stringify(near) })
      else if (this.isKnownElsewhere(key)) this.faults.push({ code: 'parameter-unknown', key, wanted })
    }
  }

  /** All that was sent would be left out: whatever was meant, it was not that. */
  private refuseEmptied(result: JsonObject): void {
    if (Object.keys(result).length > 0 || this.declared.length === 0) return
    const key = this.ignored.find((name) => !saysNothing(this.object[name]) && !remarks.has(name))
    const wanted = this.declared.slice(0, 8).join(', ')
    if (key !== undefined) this.faults.push({ code: 'parameter-unknown', key, wanted })
  }

  /** Whether another branch of a union has the key: to leave it out would be to take sides. */
  private isKnownElsewhere(key: string): boolean {
    return this.way.some((part) => this.fitter.document.declaredKeys(part).names.has(key))
  }

  /** A parameter that was not sent, and whose name the key may be with a slip. */
  private nearMiss(key: string, result: JsonObject): string | undefined {
    if (this.ignored.length * this.declared.length > MOST_COMPARED) return undefined
    return this.declared.find((name) => !Object.hasOwn(result, name) && isTypo(key, name))
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
    const strangers = Object.keys(this.object).filter((key) => !this.isDeclared(key))
    if (strangers.length === 0) return found
    const kin = kinIndexOf(this.way, this.declared)
    for (const key of strangers) {
      const named = kin.kinOf(key).filter((found) => this.isSameNumber(key, found))
      const absent = named.filter(({ name }) => saysNothing(this.object[name])).map(({ name }) => name)
      const needed = absent.filter((name) => this.required.has(name))
      const candidates = saysNothing(this.object[key]) ? [] : needed.length > 0 ? needed : absent
      if (candidates.length > 1) {
        const wanted = candidates.map((name) => JSON.stringify(name)).join(' or ')
        this.faults.push({ code: 'name-ambiguous', key, wanted })
      }
      const [name] = candidates
      if (name !== undefined && candidates.length === 1) takers.set(name, [...(takers.get(name) ?? []), key])
      if (this.isUnknown(key))
        this.refuseContradiction(
          key,
          named.map(({ name }) => name),
        )
    }
    for (const [name, [key]] of takers) if (key !== undefined) found.set(key, name)
    const halves = new Set(strangers.filter((key) => !found.has(key)).flatMap((key) => onlyWordOf(key) ?? []))
    for (const [name, [key = '', ...rivals]] of takers) {
      const value = this.object[key] as JsonValue
      const isContested = rivals.some((rival) => !isSame(this.object[rival] as JsonValue, value))
      // Beside `path`, a `file` may be the other half of `file_path`.
      const isShared = halves.size > 0 && wordsOf(name).some((word) => halves.has(word))
      if (isContested || isShared) this.faults.push({ code: 'name-ambiguous', key, wanted: JSON.stringify(name) })
    }
    return found
  }

  /** Whether a name in the singular and one in the plural mean the same here: one of the two holds more than one thing. */
  private isSameNumber(key: string, { name, isPlural }: Kin): boolean {
    const hold = [this.object[key], this.object[name]]
    if (!isPlural || hold.some((value) => typeof value === 'object' && value !== null)) return true
    const { document, judge } = this.fitter
    const schema = this.fitter.together(this.way.flatMap((part) => judge.schemasOf(name, part)))
    return document.alternatives(schema).some((alternative) => wantedTypes(alternative)?.includes('array'))
  }

  /** The same parameter under two names, with two values. */
  private refuseContradiction(key: string, kin: readonly string[]): void {
    const value = this.object[key]
    if (saysNothing(value)) return
    const twin = kin.find((name) => {
      const other = this.object[name]
      return !saysNothing(other) && !isSame(other as JsonValue, value as JsonValue)
    })
    if (twin !== undefined) this.faults.push({ code: 'name-ambiguous', key, wanted: JSON.stringify(twin) })
  }
}

/** So many pairs of names are compared letter by letter. */
const MOST_COMPARED = 10_000
/** Remarks that models add where nobody asked: nothing is lost with them. */
const remarks = new Set(['comment', 'dummy', 'explanation', 'note', 'random_string', 'reason', 'reasoning', 'thought'])

/** Whether a value is absent or as good as that. */
const saysNothing = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const kinIndexes = new WeakMap<Alternative, KinIndex>()

function kinIndexOf(way: Alternative, declared: readonly string[]): KinIndex {
  let index = kinIndexes.get(way)
  if (!index) {
    index = new KinIndex(declared)
    kinIndexes.set(way, index)
  }
  return index
}
