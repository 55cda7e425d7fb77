import type { JsonSchema, JsonValue, UnknownParameters, ValueReading } from '../types.ts'
import { readValue } from '../value/read-value.ts'
import { type ValueRepairCode, valueRepairs } from '../value/repairs.ts'
import { declaredIn, fitObject, hasUnknownKeys } from './fit-object.ts'
import { isObject, isOfType, itemSchemaAt, Judge, type Matches, type TypeName } from './judge.ts'
import { labelOf } from './label.ts'
import { allowedTogether, inside, type Look, wantedTypes } from './look.ts'
import { wordsOf } from './names.ts'
import {
  after,
  brief,
  type Change,
  change,
  cheapest,
  type Fault,
  faulty,
  made,
  type Outcome,
  unchanged,
} from './outcome.ts'
import type { FitRepairCode } from './repairs.ts'

import {
  booleanFrom,
  booleanMeant,
  isNothing,
  isNullText,
  looksLikeContainer,
  looksLikeSeveral,
  numberFrom,
  spelledAs,
} from './scalars.ts'
import {
  type Alternative,
  allowedValues,
  type SchemaDocument,
  SchemaError,
  type SchemaObject,
  schemaList,
} from './schema.ts'
import { numberText, WrittenText } from './source.ts'
import { argumentCandidates, unwrapped } from './whole-arguments.ts'

export interface FitterOptions {
  readonly name: string | undefined
  readonly unknown: UnknownParameters
  readonly matches: Matches
  readonly isOfFormat: Matches
}

/** So many pairs of value and schema are tried, and so many for each value: a guard against endless combinations. */
const MOST_TRIES = 50_000
const MOST_TRIES_EACH = 50

/** Fits values to the parts of one schema, each object or list to each part once. */
export class Fitter {
  readonly document: SchemaDocument
  readonly judge: Judge
  readonly options: FitterOptions
  private readonly known = new Map<JsonSchema, Map<JsonValue, Outcome>>()
  private readonly knownItems = new Map<JsonSchema, Map<JsonValue, Outcome>>()

  constructor(document: SchemaDocument, options: FitterOptions) {
    this.document = document
    this.options = options
    this.judge = new Judge(document, options.matches, options.isOfFormat)
  }

  /** The best that can be made of a value under a schema. */
  fit(value: JsonValue, schema: JsonSchema, look: Look): Outcome {
    const isAccepted = this.judge.accepts(value, schema)
    if (isAccepted && !(look.isRoot && hasUnknownKeys(this, value))) return unchanged(value)
    if (look.isRoot) return this.tried(value, schema, look)
    // A number's text and a command's words depend on the place; all else is the same wherever it stands.
    const dependsOnPlace = typeof value === 'number' ? look.source : isCommandLine(look.key ?? '')
    if (dependsOnPlace) return this.tried(value, schema, look)
    const outcomes = look.mayBecomeList ? this.known : this.knownItems
    let known = outcomes.get(schema)
    if (!known) {
      known = new Map()
      outcomes.set(schema, known)
    }
    let outcome = known.get(value)
    if (!outcome) {
      outcome = this.tried(value, schema, look)
      known.set(value, outcome)
    }
    return outcome
  }

  private tries = 0
  private triesLeft = MOST_TRIES

  private tried(value: JsonValue, schema: JsonSchema, look: Look): Outcome {
    if (look.isRoot) this.triesLeft = MOST_TRIES + MOST_TRIES_EACH * countValues(value)
    if (++this.tries > this.triesLeft) throw new SchemaError('it can be satisfied in too many ways')
    const outcomes = this.document.alternatives(schema).map((alternative) => {
      const outcome = this.fitAny(value, alternative, look)
      // A union, a condition or a negation may still have a word to say.
      return outcome.faultWeight > 0 || this.judge.accepts(outcome.value, schema)
        ? outcome
        : faulty(value, { code: 'value-refused', wanted: labelOf(schema, this.document), found: brief(outcome.value) })
    })
    const best = cheapest(value, outcomes)
    const wanted = labelOf(schema, this.document)
    if (!best) return faulty(value, { code: 'value-refused', wanted, found: brief(value) })
    const [fault] = best.faults
    return fault?.code === 'value-type' ? faulty(value, { ...fault, wanted }) : best
  }

  /** The best under one way to satisfy a schema. */
  fitAny(value: JsonValue, way: Alternative, look: Look, wrappings = 0): Outcome {
    if (look.isRoot && isObject(value)) {
      const outcome = unwrapped(this, value, way, look, wrappings)
      if (outcome) return outcome
    }
    const types = wantedTypes(way)
    const isOfWantedType = types === undefined || types.some((type) => isOfType(value, type))
    const direct = isOfWantedType ? this.fitSame(value, way, look) : undefined
    if (direct?.faultWeight === 0) return direct
    const others = [...this.converted(value, types ?? [], way, look)]
    if (look.isRoot) others.push(...argumentCandidates(this, value, way, look))
    const best = cheapest(value, direct ? [direct, ...others] : others)
    return best ?? faulty(value, this.wrongType(value, way))
  }

  /** A value of a type that is wanted. */
  fitSame(value: JsonValue, alternative: Alternative, look: Look): Outcome {
    if (Array.isArray(value)) return this.fitList(value, alternative, look)
    if (isObject(value)) return fitObject(this, value, alternative, look)
    return this.fitScalar(value, alternative)
  }

  private fitScalar(value: JsonValue, alternative: Alternative): Outcome {
    const allowed = allowedTogether(alternative)
    let result: JsonValue = value
    const changes: Change[] = []
    if (allowed && typeof value === 'string' && !allowed.includes(value)) {
      const spelled = spelledAs(value, allowed)
      if (spelled === undefined) {
        return faulty(value, { code: 'value-not-allowed', wanted: labelOfValues(allowed), found: brief(value) })
      }
      result = spelled
      changes.push(change('enum-spelling', value, spelled))
    }
    for (const schema of alternative) {
      const objection = this.judge.objection(result, schema)
      if (objection === undefined) continue
      const code = allowedValues(schema) ? 'value-not-allowed' : 'value-out-of-bounds'
      return faulty(value, { code, wanted: objection.replace(/^must /, ''), found: brief(value) })
    }
    return made(result, changes, [])
  }

  private fitList(list: readonly JsonValue[], alternative: Alternative, look: Look): Outcome {
    const inner: [number, Outcome][] = []
    const items: JsonValue[] = []
    let hasChanged = false
    for (const [index, item] of list.entries()) {
      const schema = this.together(alternative.flatMap((part) => schemaList([itemSchemaAt(part, index)])))
      const outcome = this.fit(item, schema, inside(look, index))
      if (outcome.rank + outcome.faultWeight > 0) inner.push([index, outcome])
      if (outcome.value !== item) hasChanged = true
      items.push(outcome.value)
    }
    const value = hasChanged ? items : (list as JsonValue[])
    return made(value, [], inner, this.objections(value, alternative))
  }

  /** What the keywords of an alternative have against a list or object as a whole, `required` aside. */
  objections(value: JsonValue, alternative: Alternative): Fault[] {
    const found: Fault[] = []
    for (const schema of alternative) {
      const { required: _, ...others } = schema
      const objection = this.judge.objection(value, others)
      if (objection)
        found.push({ code: 'value-out-of-bounds', wanted: objection.replace(/^must /, ''), found: brief(value) })
    }
    return found
  }

  /** Several schemas for one place, as one: the same schemas give the same object, so that it is judged once. */
  together(schemas: readonly JsonSchema[]): JsonSchema {
    const parts = new Set<JsonSchema>()
    for (const schema of schemas) for (const part of this.parts.get(schema) ?? [schema]) parts.add(part)
    const [first = true, second] = parts
    if (second === undefined) return first
    const key = [...parts].map((part) => this.numberOf(part)).join(' ')
    let joined = this.joined.get(key)
    if (joined === undefined) {
      joined = { allOf: [...parts] }
      this.joined.set(key, joined)
      this.parts.set(joined, [...parts])
    }
    return joined
  }

  private readonly joined = new Map<string, JsonSchema>()
  private readonly parts = new Map<JsonSchema, readonly JsonSchema[]>()
  private readonly numbers = new Map<JsonSchema, number>()

  private numberOf(schema: JsonSchema): number {
    const number = this.numbers.get(schema) ?? this.numbers.size
    this.numbers.set(schema, number)
    return number
  }

  /** A value as another type, where it can be one. */
  private *converted(value: JsonValue, types: readonly TypeName[], way: Alternative, look: Look): Iterable<Outcome> {
    const wants = (type: TypeName): boolean => types.includes(type)
    const wantsNumber = wants('number') || wants('integer')
    const as = (code: FitRepairCode, result: JsonValue | undefined): Outcome[] =>
      result === undefined
        ? []
        : [this.reached(value, this.fitSame(result, way, look), way, change(code, value, result))]

    if (typeof value === 'string') {
      if (wantsNumber) yield* as('text-to-number', wholeWhere(numberFrom(value), wants('number')))
      if (wants('boolean')) yield* as('text-to-boolean', booleanFrom(value))
      if (wants('null') && isNullText(value)) yield* as('text-to-null', null)
      if (wants('object') || wants('array')) yield* this.opened(value, types, way, look)
    }
    if (wants('boolean')) yield* as('word-to-boolean', booleanMeant(value))
    if (typeof value === 'number' && wants('string')) yield* as('number-to-text', numberText(value, look.source))
    if (typeof value === 'boolean' && wants('string') && allowedTogether(way)) yield* as('enum-spelling', String(value))
    if (Array.isArray(value) && value.length === 1 && types.length > 0 && !wants('array')) {
      const item = value[0] as JsonValue
      // [{"name": …, "value": …}] for a map may be its entries.
      if (isObject(item) && !look.isRoot && declaredIn(way).length === 0) return
      const outcome = this.fitAny(item, way, { ...inside(look, 0), isRoot: look.isRoot })
      yield this.reached(value, outcome, way, change('list-of-one', value, item))
    }
    if (!Array.isArray(value) && value !== null && wants('array') && look.mayBecomeList)
      yield* this.asList(value, way, look)
  }

  /** An outcome by a change. A fault of what was made is told of what was sent; faults deeper inside help as they are. */
  private reached(value: JsonValue, outcome: Outcome, way: Alternative, ...changes: readonly Change[]): Outcome {
    return outcome.faults.length > 0 ? faulty(value, this.wrongType(value, way)) : after(outcome, ...changes)
  }

  private *asList(value: JsonValue, way: Alternative, look: Look): Iterable<Outcome> {
    if (typeof value === 'string' && (isNothing(value) || looksLikeContainer(value))) return
    const schema = this.together(way.flatMap((part) => schemaList([itemSchemaAt(part, 0)])))
    const item = this.fit(value, schema, { ...look, isRoot: false, mayBecomeList: false })
    const list = [item.value]
    if (item.faultWeight > 0) {
      yield faulty(value, this.wrongType(value, way))
      return
    }
    const doubt = this.doubtOfList(value, schema, look)
    const outcome = made(list, [], [[0, item]], this.objections(list, way))
    const wanted = 'a list'
    if (doubt) yield faulty(value, { code: 'value-ambiguous', wanted, found: `${brief(value)}, which may be ${doubt}` })
    else yield this.reached(value, outcome, way, change('item-to-list', value, list))
  }

  /** What else a value may be than the one item of a list. */
  private doubtOfList(value: JsonValue, item: JsonSchema, { key = '' }: Look): string | undefined {
    if (typeof value === 'string') {
      if (looksLikeSeveral(value)) return 'one item or several'
      return isCommandLine(key) && /\s/.test(value.trim()) ? 'one word or several' : undefined
    }
    if (!isObject(value)) return undefined
    const { names } = this.document.declaredKeys(item)
    return Object.keys(value).some((name) => names.has(name)) ? undefined : 'one item or the items by their names'
  }

  private readonly texts = new Map<string, ValueReading>()

  /** A text that holds the object or list that is wanted. */
  private *opened(text: string, types: readonly TypeName[], way: Alternative, look: Look): Iterable<Outcome> {
    if (!looksLikeContainer(text)) return
    // The same text gives the same objects, so that they are fitted once. A whole text that ends early was cut.
    const reading = this.texts.get(text) ?? readValue(text, { container: true, finish: 'length' })
    this.texts.set(text, reading)
    const { value, repairs, problems } = reading
    const problem = problems[0]
    const hasProse = repairs.some(({ code }) => code === 'prose-dropped')
    if (problem || hasProse || typeof value !== 'object' || value === null) {
      const found = problem ? reasonIn(problem.message) : 'words stand around the value'
      yield faulty(text, { code: 'text-unreadable', wanted: types.join(' or '), found })
      return
    }
    const outcome = this.fitAny(value, way, { ...look, source: { written: new WrittenText(text), path: [] } })
    const inner = repairs.map(({ code, path, before, after }): Change => {
      const { class: name } = valueRepairs[code as ValueRepairCode]
      return { code, class: name, before, after, ...(path ? { path } : {}) }
    })
    yield this.reached(text, outcome, way, change('text-opened', text, value), ...inner)
  }

  private wrongType(value: JsonValue, alternative: Alternative): Fault {
    const wanted = labelOf({ allOf: alternative.map(withoutUnions) }, this.document)
    return { code: 'value-type', wanted, found: brief(value) }
  }
}

/** Parameters that hold the words of a command line, one by one. */
const commandLines = new Set([
  'arg',
  'args',
  'argument',
  'arguments',
  'argv',
  'command',
  'entrypoint',
  'flags',
  'options',
])

const isCommandLine = (name: string): boolean => commandLines.has(wordsOf(name).at(-1) ?? '')

/** What a schema says by itself: its branches stand beside it in an alternative. */
function withoutUnions({
  anyOf: _any,
  oneOf: _one,
  allOf: _all,
  $ref: _reference,
  ...rest
}: SchemaObject): SchemaObject {
  return rest
}

/** How many values there are, objects and lists with all that is inside. */
function countValues(value: JsonValue): number {
  let count = 0
  const stack = [value]
  for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
    count++
    if (typeof here === 'object' && here !== null) for (const inner of Object.values(here)) stack.push(inner)
  }
  return count
}

/** The part of a message that tells what is wrong: what to do about it is said elsewhere. */
const reasonIn = (message: string): string => message.replace(/^[^:]*: /, '').replace(/\.$/, '')

const labelOfValues = (values: readonly JsonValue[]): string =>
  `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`

const wholeWhere = (value: number | undefined, mayBeBroken: boolean): number | undefined =>
  value === undefined || mayBeBroken || Number.isInteger(value) ? value : undefined
