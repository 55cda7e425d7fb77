import { explained } from '../fit/explain.ts'
import { fitRead, refusalFor } from '../fit/fit.ts'
import { isObject } from '../fit/judge.ts'
import { brief } from '../fit/outcome.ts'
import type { FitProblemCode } from '../fit/problems.ts'
import { documentOf, isSchemaObject, SchemaError } from '../fit/schema.ts'
import { WrittenText } from '../fit/source.ts'
import type {
  ArgumentsOf,
  Call,
  Finish,
  FitOptions,
  Fitted,
  JsonObject,
  JsonValue,
  Policy,
  Reading,
  RefusedCall,
  Repair,
  Span,
  ToolLike,
  ValueReading,
} from '../types.ts'
import { isSame } from '../value/objects.ts'
import { readValue } from '../value/read-value.ts'
import { type FormReading, isPlainWords, readAssigned, readLined, readTagged } from './argument-forms.ts'
import { checkPolicy } from './check-policy.ts'
import { handsOver } from './mentions.ts'
import { type OfferedTool, offeredTool, validatorOf } from './tools.ts'

/** Hints and rules for `readArguments`. */
export interface ArgumentOptions extends Omit<FitOptions, 'name'> {
  /** Why the model stopped. After `length` nothing is closed that was left open. */
  readonly finish?: Finish
}

/**
 * Reads the text of one tool's arguments, however it was written, and fits it to the tool's schema: one call, several
 * where the text holds several different objects, or a refused call with words for the model.
 *
 * @example
 * const { calls } = readArguments(`{'cmd': 'ls', 'timeout': '60'}`, tool)
 * // calls[0].arguments { command: 'ls', timeout: 60 }
 */
export function readArguments<Offered extends ToolLike>(
  text: string,
  tool: Offered,
  options: ArgumentOptions = {},
): Reading<Call<ArgumentsOf<Offered>>> {
  if (typeof text !== 'string') throw new TypeError(`readArguments takes a text, and was given ${typeof text}.`)
  const offered = offeredTool(tool)
  checkPolicy(options.policy)
  checkPolicy(offered.policy)
  return readOffered(text, offered, options) as Reading<Call<ArgumentsOf<Offered>>>
}

/** The same for a tool that is in our form already, with the repairs that were made before. */
export const readOffered = (
  text: string,
  tool: OfferedTool,
  options: ArgumentOptions,
  repairs: readonly Repair[] = [],
): Reading => new ArgumentReading(text, tool, options, repairs).reading()

/** Fits arguments that were read already to a tool. */
export function readFitted(
  tool: OfferedTool,
  value: JsonValue,
  repairs: readonly Repair[],
  options: ArgumentOptions,
): Fitted {
  return new ArgumentReading('', tool, options).fitted(value, repairs)
}

/** The verdicts of a tool win over those of the reading, its `'*'` over all of them. */
function policyOf(tool: Policy | undefined, reading: Policy | undefined): Policy | undefined {
  if (!tool) return reading
  return Object.hasOwn(tool, '*') ? tool : { ...reading, ...tool }
}

class ArgumentReading {
  private readonly text: string
  private readonly tool: OfferedTool
  private readonly options: FitOptions & { readonly finish?: Finish }
  private readonly whole: Span
  private readonly made: readonly Repair[]

  constructor(text: string, tool: OfferedTool, options: ArgumentOptions, made: readonly Repair[] = []) {
    this.made = made
    this.text = text
    this.tool = tool
    this.whole = [0, text.length]
    const validator = validatorOf(tool, options.validator)
    const policy = policyOf(tool.policy, options.policy)
    this.options = { ...options, name: tool.name, ...(validator ? { validator } : {}), ...(policy ? { policy } : {}) }
  }

  reading(): Reading {
    const { text, whole } = this
    if (text.trim() === '') return this.finished([this.fitted({}, [{ code: 'arguments-empty', span: whole }])])
    const names = namesOf(this.tool)
    const start = text.trimStart()
    const tagged = start.startsWith('<') ? readTagged(text, names) : undefined
    if (tagged) return this.finished([this.form(tagged)])
    if (/^<param(?:eter)?\b/.test(start)) return this.finished([this.refusedFor('tags-unreadable')])
    const read = readValue(text, { ...this.options, ...this.known(), container: true })
    if (read.values)
      return this.split(
        read,
        read.values.map(({ span }) => span),
      )
    if (read.problems.length === 0) return this.finished([this.one(read)])

    const isCut = this.options.finish === 'length'
    const assigned = readAssigned(text, names, this.options) ?? (isCut ? undefined : readLined(text, names))
    if (assigned) return this.finished([this.form(assigned)])
    // Half of a line would run as well as the whole of it.
    const isWords = read.problems[0]?.code === 'no-value' && !isCut
    if (isWords) {
      const alone = this.fitted(text, [])
      const [parameter = ''] = isObject(alone.value) ? Object.keys(alone.value) : []
      if (alone.problems.length === 0 && isPlainWords(text, parameter)) return this.finished([alone])
    }
    return this.finished([this.refused(read)])
  }

  /** One value, with or without words around it. */
  private one({ value, repairs }: ValueReading): ReadCall {
    const { text } = this
    const words = repairs.filter(({ code }) => code === 'prose-dropped').map(({ span }): Span => span ?? [0, 0])
    const [start, end] = edgesOf(words, text.length)
    if (words.length > 0 && !(text.slice(end).trim() === '' && handsOver(text.slice(0, start)))) {
      return this.refusedFor('call-mentioned', value)
    }
    if (hasOpenList(value, repairs)) return this.refusedFor('arguments-cut', value)
    const doubled = repairs.find(({ code, path }) => code === 'encoding-doubled' && path?.length === 0)
    return this.fitted(value as JsonValue, repairs, typeof doubled?.before === 'string' ? doubled.before : text)
  }

  /** A refusal of what was read, or of a text that could not be. */
  private refusedFor(code: FitProblemCode, value?: JsonValue): ReadCall {
    const { schema, name } = this.tool
    const problems = refusalFor(code, value ?? null, schema, name)
    return { value: value ?? null, repairs: [], problems, span: this.whole, isUnread: value === undefined }
  }

  private form({ value, repairs }: FormReading): ReadCall {
    return this.fitted(
      value,
      repairs.map((repair) => ({ ...repair, span: this.whole })),
    )
  }

  /** Arguments that were read, fitted to the tool. */
  fitted(value: JsonValue, repairs: readonly Repair[], text?: string, span = this.whole): ReadCall {
    const { tool, options } = this
    const source = text === undefined ? undefined : { written: new WrittenText(text), path: [] }
    // Braces without a colon are no list of parameters: one is missing.
    if (Array.isArray(value) && repairs.some(({ code }) => code === 'set-to-list'))
      return this.refusedFor('value-ambiguous', value)
    // null, [] and "" mean no arguments, as an empty text does.
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0)
    const given = isEmpty ? {} : value
    const made: Repair[] = isEmpty
      ? [...this.made, ...repairs, { code: 'arguments-empty', span, before: brief(value) }]
      : [...this.made, ...repairs]
    const fitted = fitRead(given, tool.schema, options, { repairs: made, ...(source ? { source } : {}) })
    return { ...fitted, span }
  }

  private refused({ value, repairs, problems }: ValueReading): ReadCall {
    const [first, ...others] = problems
    const message = first ? this.explained(first.message) : ''
    return {
      value: value ?? null,
      repairs,
      problems: [...(first ? [{ ...first, message }] : []), ...others],
      span: this.whole,
      isUnread: value === undefined,
    }
  }

  private explained(message: string): string {
    const { name, schema } = this.tool
    try {
      return explained(message, name, schema, documentOf(schema))
    } catch (error) {
      if (error instanceof SchemaError) return message
      throw error
    }
  }

  /** Several different objects: several calls, when each of them is one by itself. */
  private split(read: ValueReading, spans: readonly Span[]): Reading {
    const pieces = spans.map((span) => {
      const piece = this.text.slice(...span)
      const { value, repairs, problems } = readValue(piece, { ...this.options, ...this.known(), container: true })
      if (value === undefined || problems.length > 0 || !isObject(value)) return undefined
      const moved = repairs.map((repair) => (repair.span ? { ...repair, span: shifted(repair.span, span[0]) } : repair))
      return { value, call: this.fitted(value, [{ code: 'calls-split', span }, ...moved], piece, span) }
    })
    const values = pieces.map((piece) => piece?.value ?? {})
    const isEachACall = pieces.every((piece) => piece && piece.call.problems.length === 0)
    // Repeats among different ones, words between them, pieces of one object: nobody knows what was meant.
    const isClear = isEachACall && shareAKey(values) && !repeatOneAnother(values) && standAlone(this.text, spans)
    if (!isClear) return this.finished([this.refused(read)])
    return this.finished(pieces.flatMap((piece) => (piece ? [piece.call] : [])))
  }

  /** The keys that may stand in the arguments, where the schema names all of them. */
  private known(): { readonly known?: ReadonlySet<string> } {
    const names = allKeys(this.tool)
    return names ? { known: names } : {}
  }

  private finished(calls: readonly ReadCall[]): Reading {
    const { text, tool } = this
    const parts = calls.map(({ span, problems }, index): Reading['parts'][number] => {
      const start = index === 0 ? 0 : (calls[index - 1]?.span[1] ?? 0)
      const end = index === calls.length - 1 ? text.length : span[1]
      return { kind: problems.length === 0 ? 'call' : 'refused', raw: text.slice(start, end), span: [start, end] }
    })
    const made = calls.map(({ value, repairs, problems, isUnread }, index): Call | RefusedCall => {
      const { raw, span } = parts[index] as Reading['parts'][number]
      const base = { name: tool.name, repairs, problems, dialect: 'arguments', span, raw }
      return isUnread ? base : { ...base, arguments: value }
    })
    return {
      calls: made.filter((call): call is Call => call.problems.length === 0),
      refused: made.filter((call): call is RefusedCall => call.problems.length > 0),
      text: '',
      parts,
      complete: calls.every(({ problems }) => problems.every(({ code }) => code !== 'truncated')),
    }
  }
}

interface ReadCall extends Fitted {
  readonly span: Span
  /** There is nothing to show. */
  readonly isUnread?: boolean
}

const shifted = ([start, end]: Span, by: number): Span => [start + by, end + by]

/** Objects without a key in common are rather the pieces of one. */
function shareAKey([first = {}, ...others]: readonly JsonObject[]): boolean {
  return Object.keys(first).some((key) => others.every((other) => Object.hasOwn(other, key)))
}

/** Whether one object says again what another says, with or without more. */
function repeatOneAnother(values: readonly JsonObject[]): boolean {
  return values.some((value, index) =>
    values.some(
      (other, place) =>
        place !== index &&
        Object.keys(value).every(
          (key) => Object.hasOwn(other, key) && isSame(value[key] as JsonValue, other[key] as JsonValue),
        ),
    ),
  )
}

/** Whether a list was never closed: more of it may have been to come. */
function hasOpenList(value: JsonValue | undefined, repairs: readonly Repair[]): boolean {
  let open = repairs.filter(({ code }) => code === 'closer-missing').length
  const chain: JsonValue[] = []
  for (let here = value; typeof here === 'object' && here !== null; here = Object.values(here).at(-1)) chain.push(here)
  for (const container of chain.toReversed()) {
    if (open-- <= 0) break
    if (Array.isArray(container)) return true
  }
  return false
}

/** Whether nothing but space, commas and numbers of a list stands between the pieces and around them. */
function standAlone(text: string, spans: readonly Span[]): boolean {
  const ends = [0, ...spans.map(([, end]) => end)]
  const starts = [...spans.map(([start]) => start), text.length]
  return starts.every((start, index) => /^[\s,;]*(?:\d+[.)]\s*)?$/.test(text.slice(ends[index], start)))
}

/** Where the words before a value end, and where those behind it start. */
function edgesOf(words: readonly Span[], length: number): Span {
  const before = words.filter(([start]) => start === 0)
  const behind = words.filter(([, end]) => end === length)
  return [Math.max(0, ...before.map(([, end]) => end)), Math.min(length, ...behind.map(([start]) => start))]
}

/** The names of a tool's parameters. */
export function namesOf({ schema }: OfferedTool): ReadonlySet<string> {
  try {
    return documentOf(schema).declaredKeys(schema).names
  } catch (error) {
    if (error instanceof SchemaError) return new Set()
    throw error
  }
}

const keys = new WeakMap<OfferedTool, { readonly names: ReadonlySet<string> | undefined }>()

/** All keys that a schema names at any depth, `undefined` when some object in it takes others. */
function allKeys(tool: OfferedTool): ReadonlySet<string> | undefined {
  let found = keys.get(tool)
  if (!found) {
    found = { names: collectKeys(tool.schema) }
    keys.set(tool, found)
  }
  return found.names
}

function collectKeys(schema: unknown): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  const stack: { readonly part: unknown; readonly depth: number }[] = [{ part: schema, depth: 0 }]
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { part, depth } = entry
    if (typeof part !== 'object' || part === null || depth > 64) continue
    if (isSchemaObject(part)) {
      const { properties } = part
      const isFree = part['type'] === 'object' && !isSchemaObject(properties)
      if (isFree || isSchemaObject(part['additionalProperties']) || part['additionalProperties'] === true)
        return undefined
      if (isSchemaObject(properties)) for (const name of Object.keys(properties)) names.add(name)
    }
    for (const inner of Object.values(part)) stack.push({ part: inner, depth: depth + 1 })
  }
  return names
}
