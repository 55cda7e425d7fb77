import type { Finish, JsonValue, Limits, Policy, ValueReading } from '../types.ts'
import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, SPACE } from './characters.ts'
import { judge, strictPolicy } from './policy.ts'
import { problem } from './problems.ts'
import { readPython } from './python.ts'
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

/**
 * Reads the one value that a text holds: as JSON, else as a Python literal, else with repairs, each of them named.
 * Never throws; what cannot be read without a guess is refused with a problem.
 *
 * @example
 * const { value, repairs, problems } = readValue(`{'path': 'a.py', 'force': true}`)
 * // value { path: 'a.py', force: true }, repairs quotes-single three times, no problems
 */
export function readValue(text: string, options: ValueOptions = {}): ValueReading {
  const largest = options.limits?.size ?? LARGEST
  if (text.length > largest) {
    return refused([problem('too-large', text, [0, 0], `${text.length} characters, and ${largest} are the most`)])
  }
  const reading = readAny(text, options)
  return options.container ? opened(reading, options) : reading
}

function readAny(text: string, options: ValueOptions): ValueReading {
  const deepest = Math.min(options.limits?.depth ?? DEEPEST, DEEPEST)
  const policy = options.strict ? { ...strictPolicy, ...options.policy } : options.policy
  const parsed = parse(text)
  if (parsed) {
    const { isTooDeep, hasLargeNumber } = inspect(parsed.value, deepest)
    if (isTooDeep) return refused([problem('too-deep', text, [0, 0], String(deepest))])
    return hasLargeNumber
      ? withLargeNumbers(text, parsed.value, policy, deepest)
      : { value: parsed.value, repairs: [], problems: [], complete: true }
  }

  const python = readPython(text) ?? readPython(withoutEdges(text))
  if (python?.joinedInList) {
    const detail = 'strings stand side by side, which Python joins and JSON would have a comma between'
    return refused([problem('ambiguous', text, python.joinedInList, detail)])
  }
  const isOtherInJson = python?.differsInJson && typeof python.value === 'object'
  if (python && !isOtherInJson) {
    const problems = [...python.problems, ...judge(python.repairs, policy, text)]
    // The reader of literals itself stops at 200 levels, as CPython does.
    if (deepest < 200 && inspect(python.value, deepest).isTooDeep)
      problems.push(problem('too-deep', text, [0, 0], String(deepest)))
    const usesLiteral = python.repairs.some(({ code }) => code === 'python-literal')
    if (problems.length === 0 || python.problems.length > 0 || !usesLiteral) {
      return finished(python.value, python.repairs, problems)
    }
  }

  const known = options.known === undefined ? undefined : new Set(options.known)
  const tolerant = readTolerant(text, { finish: options.finish ?? 'unknown', deepest, known })
  const inner = tolerant.problems.length > 0 ? innerText(text, tolerant.isEscaped ?? false) : undefined
  const reading = inner === undefined ? undefined : readAny(inner, options)
  if (reading?.problems.length === 0 && typeof reading.value === 'object') return underEncoding(reading, text, options)
  const { value, repairs, values } = tolerant
  const problems = [...tolerant.problems, ...(tolerant.problems.length > 0 ? [] : judge(repairs, policy, text))]
  if (!tolerant.complete) return { value, repairs, problems, complete: false }
  const whole = finished(value, repairs, problems)
  return values ? { ...whole, values } : whole
}

/** White space around a literal means nothing to us and much to Python. Form feeds keep every place where it was. */
function withoutEdges(text: string): string {
  let start = 0
  while (text.charCodeAt(start) <= SPACE) start++
  let end = text.length
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end--
  return text.slice(0, start).replace(/[^\n\r]/g, '\f') + text.slice(start, end)
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

/** Valid JSON with a number beyond 2^53: reads it once more, for the digits and the places. */
function withLargeNumbers(text: string, value: JsonValue, policy: Policy | undefined, deepest: number): ValueReading {
  const noted = readTolerant(text, { finish: 'stop', deepest, known: undefined } satisfies TolerantOptions)
  const infinite = noted.problems.filter(({ code }) => code === 'number-not-finite')
  const repairs = noted.repairs.filter(({ code }) => code === 'integer-large')
  return finished(value, repairs, [...infinite, ...judge(repairs, policy, text)])
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
function opened(reading: ValueReading, options: ValueOptions): ValueReading {
  if (typeof reading.value !== 'string' || reading.problems.length > 0) return reading
  const inner = readAny(reading.value, options)
  if (typeof inner.value !== 'object' || inner.value === null || inner.problems.length > 0) return reading
  return underEncoding({ ...inner, repairs: [...reading.repairs, ...inner.repairs] }, reading.value, options)
}

/** Adds the repair of the doubled encoding; places inside the inner text mean nothing in the outer one. */
function underEncoding(reading: ValueReading, before: string, options: ValueOptions): ValueReading {
  const policy = options.strict ? { ...strictPolicy, ...options.policy } : options.policy
  const doubled: ValueRepair = { code: 'encoding-doubled', path: [], before, after: reading.value }
  const repairs = [doubled, ...reading.repairs.map(({ span: _, ...repair }) => repair)]
  return finished(reading.value, repairs, judge(repairs, policy, before))
}

function finished(
  value: JsonValue | undefined,
  repairs: ValueReading['repairs'],
  problems: ValueReading['problems'],
): ValueReading {
  return { value: problems.length > 0 ? undefined : value, repairs, problems, complete: true }
}

const refused = (problems: ValueReading['problems']): ValueReading => finished(undefined, [], problems)
