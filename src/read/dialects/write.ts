import type { JsonObject, JsonValue } from '../../types.ts'
import type { Dialect } from './dialect.ts'

/** A call to be written. */
export interface CallToWrite {
  readonly name: string
  readonly arguments: JsonObject
}

/**
 * Writes calls in a dialect, as its families do.
 *
 * @example
 * writeCalls(dialect, [{ name: 'now', arguments: {} }]) // '<tool_call>\n{"name":"now","arguments":{}}\n</tool_call>'
 */
export function writeCalls(dialect: Dialect, calls: readonly CallToWrite[]): string {
  const { section: [[open, close] = ['', '']] = [], between = '\n' } = dialect
  const inside = calls.map((call) => writeCall(dialect, call)).join(between)
  return open === '' ? inside : `${open}\n${inside}\n${close}`
}

/** Writes one call, without what stands around a group of them. */
export function writeCall(dialect: Dialect, call: CallToWrite): string {
  const { form, open: [open = ''] = [], openEnd = '', close: [close = ''] = [], nameEnd: behind = '' } = dialect
  const name = (dialect.nameAs ?? 'NAME').replace('NAME', () => call.name)
  const head = `${open}${name}${open.endsWith('"') ? '"' : ''}${openEnd}`
  if (form === 'json') return `${open}${JSON.stringify(call)}${close}`
  if (form === 'name-json') return `${head}${behind}${writeObject(call.arguments, dialect)}${close}`
  if (form === 'python') return `${open}[${writePython(call)}]${close}`
  const parameters = Object.entries(call.arguments).map((entry) => writeParameter(dialect, entry))
  return `${head}${behind}${behind === '' && openEnd !== '' ? lineBreak(dialect) : ''}${parameters.join('')}${close}`
}

/** A break behind the tag of the call, where the tags of parameters stand on lines of their own. */
const lineBreak = ({ parameter = '' }: Dialect): string => (parameter.endsWith('\n') ? '\n' : '')

function writeParameter({ parameter = '' }: Dialect, [key, value]: readonly [string, JsonValue]): string {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return parameter
    .replaceAll('KEY', () => key)
    .replace('IS_TEXT', String(type === 'string'))
    .replace('TYPE', type)
    .replace('VALUE', () => (typeof value === 'string' ? value : JSON.stringify(value)))
}

/** JSON, or where the dialect has quotes of its own, without quotes around keys and with those around texts. */
function writeObject(value: JsonValue, { quotes: [quote] = [] }: Dialect): string {
  if (quote === undefined) return JSON.stringify(value)
  const write = (inner: JsonValue): string => {
    if (typeof inner === 'string') return `${quote}${inner}${quote}`
    if (Array.isArray(inner)) return `[${inner.map(write).join(',')}]`
    if (typeof inner !== 'object' || inner === null) return JSON.stringify(inner)
    return `{${Object.entries(inner)
      .map(([key, item]) => `${key}:${write(item)}`)
      .join(',')}}`
  }
  return write(value)
}

function writePython({ name, arguments: given }: CallToWrite): string {
  const literal = (value: JsonValue): string => {
    if (value === null) return 'None'
    if (typeof value === 'boolean') return value ? 'True' : 'False'
    if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
    if (typeof value !== 'object') return JSON.stringify(value)
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${literal(item)}`)
      .join(', ')}}`
  }
  return `${name}(${Object.entries(given)
    .map(([key, value]) => `${key}=${literal(value)}`)
    .join(', ')})`
}
