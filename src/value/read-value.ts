import type { Finish, JsonValue, Limits, Policy, Problem, ValueReading } from '../types.ts'
import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, SPACE } from './characters.ts'
import { judge, strictPolicy, verdictOn } from './policy.ts'
import { problem } from './problems.ts'
import { readPython } from './python.ts'
import { DEEPEST_LITERAL } from './python-lines.ts'
import type { ValueRepair } from './repairs.ts'
import { inspect } from './strict.ts'
import { readTolerant, type TolerantOptions } from './surroundings.ts'

/** Hints and limits for `readValue`. */
export interface ValueOptions {
  /** Repairs nothing: what is not JSON is refused, with the repairs that it would have taken. */
  readonly strict?: boolean
  /** Verdicts by repair code: a text that needs a denied repair is refused. */
  readonly policy?: Policy
  /** Keys that may stand in the value. They decide where a string ends whose quotes were not escaped. */
  readonly known?: Iterable<string>
  /** Why the model stopped. After `length` nothing is closed that was left open. */
  readonly finish?: Finish
  /** The caller wants an object or a list: a string that holds one is opened, once. */
  readonly container?: boolean
  readonly limits?: Limits
}

const LARGEST = 16 * 1024 * 1024
const DEEPEST = 512

/** Options with their defaults. */
interface Settings {
  readonly policy: Policy | undefined
  readonly tolerant: TolerantOptions
}

/**
 * Reads the one value that a text holds: as JSON, else as a Python literal, else with repairs, each of them named.
 * No text makes it throw; what cannot be read without a guess is refused with a problem.
 *
 * @example
 * const { value, repairs, problems } = readValue(`{'path': 'a.py', 'force': true}`)
 * // value { path: 'a.py', force: true }, repairs quotes-single three times, no problems
 */
export function readValue(text: string, options: ValueOptions = {}): ValueReading {
  if (typeof text !== 'string') throw new TypeError(`readValue takes a text, and was given ${describe(text)}.`)
  const largest = options.limits?.size ?? LARGEST
  if (text.length > largest) {
    return finished(undefined, [], [problem('too-large', text, [0, 0], `${text.length} characters of ${largest}`)])
  }
  const settings: Settings = {
    policy: options.strict ? { ...strictPolicy, ...options.policy } : options.policy,
    tolerant: {
      finish: options.finish ?? 'unknown',
      deepest: Math.min(options.limits?.depth ?? DEEPEST, DEEPEST),
      known: options.known === undefined ? undefined : new Set(options.known),
    },
  }
  const reading = readAny(text, settings)
  return options.container ? opened(reading, settings) : reading
}

const describe = (value: unknown): string => (value === null ? 'null' : typeof value)

function readAny(text: string, settings: Settings): ValueReading {
  const json = readJson(text, settings)
  if (json) return json
  const literal = readLiteral(text, settings)
  if (literal && (literal.problems.length === 0 || !isDenied(literal, settings.policy))) return literal
  const repaired = readRepaired(text, settings)
  return literal && repaired.problems.length > 0 ? literal : repaired
}

function readJson(text: string, settings: Settings): ValueReading | undefined {
  const parsed = parse(text)
  if (!parsed) return undefined
  const { isTooDeep, hasDoubtfulKey, hasLargeNumber } = inspect(parsed.value, settings.tolerant.deepest)
  if (isTooDeep) return finished(undefined, [], [tooDeep(text, settings)])
  if (!hasLargeNumber && !hasDoubtfulKey) return { value: parsed.value, repairs: [], problems: [], complete: true }

  // Read once more: for the keys, or for the digits of a number and its place.
  const again = readTolerant(text, settings.tolerant)
  const value = hasDoubtfulKey && again.value !== undefined ? again.value : parsed.value
  const infinite = again.problems.filter(({ code }) => code === 'number-not-finite')
  const repairs = again.repairs.filter(({ code }) => code === 'integer-large')
  return finished(value, repairs, [...infinite, ...judge(repairs, settings.policy, text)])
}

function readLiteral(text: string, settings: Settings): ValueReading | undefined {
  const trimmed = withoutEdges(text)
  const python = readPython(text) ?? (trimmed === text ? undefined : readPython(trimmed))
  if (!python) return undefined
  const { value, differsInJson, joinedInList } = python
  const repairs = python.repairs.length > 0 ? python.repairs : [spacedLikePython(text, value)]
  if (joinedInList) {
    const detail = 'strings stand side by side, which Python joins and JSON would have a comma between'
    return finished(undefined, repairs, [problem('ambiguous', text, joinedInList, detail)])
  }
  if (differsInJson && typeof value === 'object') return undefined
  const problems = [...python.problems, ...judge(repairs, settings.policy, text)]
  const { deepest } = settings.tolerant
  if (deepest < DEEPEST_LITERAL && inspect(value, deepest).isTooDeep) problems.push(tooDeep(text, settings))
  return finished(value, repairs, problems)
}

/** A literal that JSON has too, but not with such white space around it. */
const spacedLikePython = (text: string, value: JsonValue): ValueRepair => ({
  code: 'python-literal',
  path: [],
  span: [0, text.length],
  before: text,
  after: value,
})

function readRepaired(text: string, settings: Settings): ValueReading {
  const { value, repairs, problems, complete, values, isEscaped } = readTolerant(text, settings.tolerant)
  if (problems.length === 0) return finished(value, repairs, judge(repairs, settings.policy, text))
  const inner = innerText(text, isEscaped)
  const reading = inner === undefined ? undefined : readAny(inner, settings)
  if (reading?.problems.length === 0 && typeof reading.value === 'object') return underEncoding(reading, text, settings)
  if (!complete) return { value, repairs, problems, complete }
  const refused = finished(undefined, repairs, problems)
  return values ? { ...refused, values } : refused
}

function parse(text: string): { readonly value: JsonValue } | undefined {
  if (isSurelyNoJson(text)) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** An object that ends in no brace, or a list in no bracket: a cut text, which JSON.parse would read to the end in vain. */
function isSurelyNoJson(text: string): boolean {
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  if (last <= SPACE) return false
  return (first === OPEN_BRACE && last !== CLOSE_BRACE) || (first === OPEN_BRACKET && last !== CLOSE_BRACKET)
}

/** White space around a literal means nothing to us and much to Python. Form feeds keep every place where it was. */
function withoutEdges(text: string): string {
  let start = 0
  while (text.charCodeAt(start) <= SPACE) start++
  let end = text.length
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end--
  return text.slice(0, start).replace(/[^\n\r]/g, '\f') + text.slice(start, end)
}

/** The text of a JSON that was written as a string: escaped without its quotes, or in quotes without escapes. */
function innerText(text: string, isEscaped: boolean): string | undefined {
  const trimmed = text.trim()
  if (isEscaped) {
    const unescaped = parse(`"${trimmed}"`)?.value
    return typeof unescaped === 'string' ? unescaped : undefined
  }
  const isQuoted = trimmed.length > 3 && '"\'`'.includes(trimmed.charAt(0)) && trimmed.endsWith(trimmed.charAt(0))
  const isBracketed = '{['.includes(trimmed.charAt(1)) && '}]'.includes(trimmed.charAt(trimmed.length - 2))
  return isQuoted && isBracketed ? trimmed.slice(1, -1) : undefined
}

/** Opens a string that holds an object or a list. */
function opened(reading: ValueReading, settings: Settings): ValueReading {
  if (typeof reading.value !== 'string' || reading.problems.length > 0) return reading
  const inner = readAny(reading.value, settings)
  if (typeof inner.value !== 'object' || inner.value === null || inner.problems.length > 0) return reading
  if (inner.repairs.some(({ code }) => code === 'prose-dropped')) return reading
  return underEncoding({ ...inner, repairs: [...reading.repairs, ...inner.repairs] }, reading.value, settings)
}

/** Adds the repair of the doubled encoding; places inside the inner text mean nothing in the outer one. */
function underEncoding(reading: ValueReading, before: string, { policy }: Settings): ValueReading {
  const doubled: ValueRepair = { code: 'encoding-doubled', path: [], before, after: reading.value }
  const repairs = [doubled, ...reading.repairs.map(({ span: _, ...repair }) => repair)]
  return finished(reading.value, repairs, judge(repairs, policy, before))
}

/** Whether all that speaks against the reading is a policy, and it speaks against calling the text Python. */
function isDenied({ problems }: ValueReading, policy: Policy | undefined): boolean {
  return (
    problems.every(({ code }) => code === 'repair-denied' || code === 'repair-asks') &&
    verdictOn('python-literal', policy) !== 'allow'
  )
}

const tooDeep = (text: string, { tolerant }: Settings): Problem =>
  problem('too-deep', text, [0, 0], String(tolerant.deepest))

function finished(
  value: JsonValue | undefined,
  repairs: ValueReading['repairs'],
  problems: ValueReading['problems'],
): ValueReading {
  return { value: problems.length > 0 ? undefined : value, repairs, problems, complete: true }
}
