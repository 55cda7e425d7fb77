import type { JsonObject, JsonValue } from '../types.ts'
import { declaredIn, fitObject } from './fit-object.ts'
import type { Fitter } from './fitter.ts'
import { isObject } from './judge.ts'
import { inside, type Look, wantedTypes } from './look.ts'
import { KinIndex } from './names.ts'
import { after, change, faulty, type Outcome, repairsOf } from './outcome.ts'
import { isNothing, looksLikeContainer } from './scalars.ts'
import { type Alternative, texts } from './schema.ts'

/** Keys under which models put the parameters once more, by their letters alone. */
const carriers: ReadonlySet<string> = new Set([
  ...[
    'args',
    'arguments',
    'input',
    'inputs',
    'kwargs',
    'parameter',
    'parameters',
    'params',
    'properties',
    'actioninput',
  ],
  ...[
    'function',
    'functionargs',
    'functioncall',
    'toolargs',
    'toolarguments',
    'toolcall',
    'toolinput',
    'toolparameters',
  ],
])
/** Keys that may stand beside them, and those of them that name the tool. */
const companions = new Set(['id', 'callid', 'toolcallid', 'type', 'thought', 'reasoning', 'description'])
const namings = new Set(['name', 'tool', 'toolname', 'functionname', 'action', 'recipientname'])
/** Those that can be nothing but the name of a tool. */
const sureNamings = new Set(['tool', 'toolname', 'function', 'functionname', 'recipientname'])

const lettersOf = (key: string): string => key.toLowerCase().replace(/[^a-z]/g, '')

/** Whether the parameters may stand under a key once more. */
export const isCarrier = (key: string): boolean => carriers.has(lettersOf(key))
/** A call inside a call inside the arguments is as deep as it goes. */
const MOST_WRAPPINGS = 3

/** What else the arguments as a whole may be: a list in the order of the schema, or the value of the one parameter. */
export function* argumentCandidates(fitter: Fitter, value: JsonValue, way: Alternative, look: Look): Iterable<Outcome> {
  const types = wantedTypes(way)
  if (types && !types.includes('object')) return
  const declared = declaredIn(way)
  if (declared.length === 0) return
  const required = declared.filter((key) => way.some((schema) => texts(schema['required']).includes(key)))
  if (Array.isArray(value)) yield* positional(fitter, value, way, look, declared, required.length)
  const [only] = required
  if (!isObject(value) && value !== null && only !== undefined && required.length === 1) {
    yield* alone(fitter, value, way, look, only)
  }
}

function* positional(
  fitter: Fitter,
  list: readonly JsonValue[],
  way: Alternative,
  look: Look,
  declared: readonly string[],
  required: number,
): Iterable<Outcome> {
  if (list.length === 0 || list.length > declared.length) return
  // Two paths for a tool that needs one are rather two of the same than a path and an encoding.
  const first = fitter.together(way.flatMap((part) => fitter.judge.schemasOf(declared[0] as string, part)))
  if (list.some((item, index) => index >= Math.max(1, required) && fitter.judge.accepts(item, first))) return
  const named: JsonObject = Object.fromEntries(list.map((item, index) => [declared[index] as string, item]))
  const outcome = fitObject(fitter, named, way, { ...look, source: undefined })
  // A list says nothing of names: what would have to be dropped or bent to fit was not meant so.
  if (outcome.rank > 1 || repairsOf(outcome).some(({ code }) => code === 'number-to-text')) return
  yield after(outcome, change('list-to-parameters', list, outcome.value))
}

function* alone(fitter: Fitter, value: JsonValue, way: Alternative, look: Look, only: string): Iterable<Outcome> {
  // Quotes around an object are no words either.
  const isText = typeof value === 'string'
  if (isText && (looksLikeContainer(value.replace(/^[\s"'\\]+/, '')) || isNothing(value))) return
  const outcome = fitObject(fitter, { [only]: value }, way, {
    ...look,
    source: look.source && inside(look, only).source,
  })
  if (outcome.rank > 1) return
  yield after(outcome, change('value-to-parameter', value, outcome.value))
}

/**
 * The parameters inside one wrapping too many, `undefined` when the object is none. A wrapping that names another
 * tool is a fault.
 */
export function unwrapped(
  fitter: Fitter,
  object: JsonObject,
  way: Alternative,
  look: Look,
  depth = 0,
): Outcome | undefined {
  const declared = new Set(declaredIn(way))
  const { name } = fitter.options
  const keys = Object.keys(object)
  if (declared.size === 0 && keys.length > 1) return undefined
  const inner = keys.filter((key) => (isCarrier(key) || key === name) && isHolder(object[key] as JsonValue))
  const [carrier] = inner
  if (carrier === undefined || inner.length > 1 || depth >= MOST_WRAPPINGS) return undefined
  const others = keys.filter((key) => key !== carrier)
  const isNaming = (key: string): boolean => namings.has(lettersOf(key))
  if (!others.every((key) => companions.has(lettersOf(key)) || isNaming(key))) return undefined
  if ([carrier, ...others].some((key) => declared.has(key)) || new KinIndex(declared).kinOf(carrier).length > 0)
    return undefined

  const other = others.find((key) => isNaming(key) && name !== undefined && !isNamed(object[key] as JsonValue, name))
  if (other !== undefined) {
    return faulty(object, { code: 'tool-mismatch', key: other, found: JSON.stringify(object[other]) })
  }
  const held = object[carrier] as JsonValue
  if (isSchemaOfParameters(held)) return undefined
  const outcome = fitter.fitAny(held, way, { ...look, source: inside(look, carrier).source }, depth + 1)
  return after(outcome, change('wrapping-removed', { ...object, [carrier]: '…' }))
}

/** Whether a key beside the parameters names a tool, and another one. */
export const mayNameATool = (key: string, value: JsonValue, name: string): boolean =>
  sureNamings.has(lettersOf(key)) && typeof value === 'string' && !isNamed(value, name)

/** What stands there are not the parameters, but what the schema says of them. */
const isSchemaOfParameters = (value: JsonValue): boolean =>
  isObject(value) && Object.values(value).some((inner) => isObject(inner) && typeof inner['type'] === 'string')

const isHolder = (value: JsonValue): boolean =>
  isObject(value) || (typeof value === 'string' && looksLikeContainer(value))

/** Whether a wrapping names the tool: `functions.read_file:0` is `read_file`, and so is `Read_File`. */
function isNamed(value: JsonValue, name: string): boolean {
  if (typeof value !== 'string') return false
  const plain = value.replace(/:\d+$/, '').toLowerCase()
  return plain === 'function' || plain === name.toLowerCase() || plain.endsWith(`.${name.toLowerCase()}`)
}
