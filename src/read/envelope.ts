import { isObject } from '../fit/judge.ts'
import type { JsonObject, JsonValue } from '../types.ts'

/** What was written as one call: the name as far as there is one, and the arguments as they stand. */
export interface WrittenCall {
  readonly name: string | undefined
  readonly arguments: JsonValue
  /** The arguments stand beside the name, in no object of their own. */
  readonly isLoose?: boolean
  /** Keys beside name and arguments that mean something else. */
  readonly beside?: readonly string[]
}

export const nameKeys = [
  ...['name', 'tool', 'tool_name', 'function_name', 'function', 'action', 'recipient_name'],
  ...['service', 'method', 'func', 'api_name', 'plugin'],
] as const
export const argumentKeys: readonly string[] = [
  ...['arguments', 'parameters', 'params', 'args', 'input', 'tool_input', 'action_input', 'tool_args', 'kwargs'],
]
/** Lists of calls, as the APIs wrap them. */
const listKeys = ['tool_calls', 'calls', 'function_calls'] as const
/** Keys that may stand beside name and arguments and mean nothing here. */
const besides = new Set(['id', 'type', 'index', 'call_id', 'tool_call_id', 'thought', 'reasoning', 'scratchpad'])

const firstKeys: ReadonlySet<string> = new Set([...nameKeys, ...argumentKeys, ...listKeys, 'scratchpad', 'answer'])

/** Keys of a message that holds calls. */
const messageKeys = new Set(['role', 'content', 'refusal', 'object', 'audio'])

/** Whether a text starts as the envelope of a call does: with one of its keys. */
export function isEnvelopeStart(text: string): boolean {
  const [, key = ''] = /^\s*(?:\[\s*)?\{\s*["']?(\w+)["']?\s*:/.exec(text) ?? []
  return firstKeys.has(key)
}

const openName = /^(\s*\{\s*)["'](?:name|tool|function|action)["']\s*:\s*(["'][\w.:-]+["']\s*:\s*\{)/

/**
 * An envelope in which the key of the arguments is missing behind the name, `{"name": "now": {…}}`, with the name as
 * the key. `undefined` where it is none.
 */
export function withNameAsKey(text: string): string | undefined {
  return openName.test(text) ? text.replace(openName, '$1$2') : undefined
}

const arrows = /^\s*\{\s*tool\s*=>/

/** An envelope as MiniMax writes it when it forgets its tags, `{tool => "now", args => { --key "value" }}`, as an object. */
export function withoutArrows(text: string): string | undefined {
  return arrows.test(text) ? text.replace(/^(\s*)--(\w[\w-]*)[ \t]+/gm, '$1"$2": ') : undefined
}

/** Whoever knows the names of the offered tools. */
export interface KnownNames {
  has(name: string): boolean
}

/**
 * The calls that a value is the envelope of, `undefined` when it is none: `{"name", "arguments"}` in any of its
 * spellings, the tool's name as the only key, lists of these, and what the APIs wrap around them.
 */
export function callsIn(value: JsonValue, known: KnownNames): readonly WrittenCall[] | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined
    const calls = value.map((item) => (isObject(item) ? callsIn(item, known) : undefined))
    return calls.every((call) => call !== undefined) ? calls.flat() : undefined
  }
  if (!isObject(value)) return undefined
  const listKey = listKeys.find((key) => Array.isArray(own(value, key)))
  if (listKey !== undefined) {
    const isWrapping = Object.keys(value).every((key) => key === listKey || besides.has(key) || messageKeys.has(key))
    return isWrapping ? callsIn(value[listKey] ?? null, known) : undefined
  }
  const call = callIn(value, known)
  return call ? [call] : undefined
}

function callIn(object: JsonObject, known: KnownNames): WrittenCall | undefined {
  if (Object.keys(object).some((key) => records.has(key)) || isSchemaEcho(object)) return undefined
  for (const key of ['function', 'function_call', 'tool', 'tool_call']) {
    const inner = own(object, key)
    if (!isObject(inner)) continue
    const call = callIn(inner, known)
    if (!call) continue
    const outer = argumentsOf(object)
    return outer === undefined || Object.keys(isObject(call.arguments) ? call.arguments : {}).length > 0
      ? call
      : { ...call, arguments: outer }
  }
  const nameKey = nameKeys.find((key) => typeof own(object, key) === 'string')
  const keys = Object.keys(object)
  if (nameKey === undefined) {
    const [only = ''] = keys
    const inner = own(object, only)
    return keys.length === 1 && known.has(only) && isHolder(inner) ? { name: only, arguments: inner } : undefined
  }
  const name = own(object, nameKey) as string
  const given = argumentsOf(object)
  if (given !== undefined) {
    const [holder] = argumentKeys.filter((key) => Object.hasOwn(object, key))
    const beside = keys.filter(
      (key) => key !== nameKey && key !== holder && !besides.has(key) && !isNothing(object[key]),
    )
    return { name, arguments: given, ...(beside.length > 0 ? { beside } : {}) }
  }
  const rest = keys.filter((key) => key !== nameKey && !besides.has(key))
  return { name, arguments: Object.fromEntries(rest.map((key) => [key, object[key] as JsonValue])), isLoose: true }
}

/** Keys of a record that tells how a call went: it was one, and is none. */
const records = new Set(['result', 'results', 'output', 'response', 'observation', 'exit_code', 'stdout', 'returned'])

/** The description of a tool, as it was given to the model. */
function isSchemaEcho(object: JsonObject): boolean {
  const inner = own(object, 'parameters') ?? own(object, 'input_schema') ?? own(object, 'inputSchema')
  if (!isObject(inner)) return false
  const values = Object.values(inner)
  const areTypes = values.length > 0 && values.every((value) => typeof value === 'string' && typeWords.has(value))
  return areTypes || (own(inner, 'type') === 'object' && isObject(own(inner, 'properties')))
}

const typeWords = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'str', 'int', 'float', 'bool'])

/** Whether a key says nothing: models that must send all keys send these so. */
export const isNothing = (value: JsonValue | undefined): boolean => value === null || value === ''

/** Whether a value may be the arguments of a call. */
const isHolder = (value: JsonValue | undefined): value is JsonValue =>
  isObject(value) || value === null || (typeof value === 'string' && /^\s*\{/.test(value))

function argumentsOf(object: JsonObject): JsonValue | undefined {
  const key = argumentKeys.find((key) => Object.hasOwn(object, key))
  return key === undefined ? undefined : object[key]
}

const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined
