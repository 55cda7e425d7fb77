import type { JsonObject, JsonValue, Repair } from '../types.ts'
import { setKey } from '../value/objects.ts'
import { readValue, type ValueOptions } from '../value/read-value.ts'
import type { ArgumentRepairCode } from './argument-repairs.ts'
import { parameterText, type TaggedParameter, TagScan } from './bodies/tag-scan.ts'
import { soundsLikeReply } from './mentions.ts'

/** Parameters that were written in a form of their own. */
export interface FormReading {
  readonly value: JsonObject
  readonly repairs: readonly Repair[]
}

const repair = (code: ArgumentRepairCode, before: string): Repair => ({ code, before })

const parameterTags = ['parameter', 'param']

/**
 * Parameters in tags: `<parameter=path>a.md</parameter>`, or with the name as an attribute. `undefined` when the text
 * is no such list to its end: a tag that is not closed may be a call that was cut.
 */
export function readTagged(text: string, names: ReadonlySet<string>): FormReading | undefined {
  const scan = new TagScan(parameterTags, [], 0)
  if (scan.read(text, 0, true).kind !== 'ended' || scan.parameters.length === 0) return undefined
  return taggedArguments(text, scan.parameters, names)
}

/** The arguments that tags hold, as texts: the schema says later what they are. */
export function taggedArguments(
  text: string,
  parameters: readonly TaggedParameter[],
  names: ReadonlySet<string>,
): FormReading | undefined {
  const value: JsonObject = {}
  const repairs: Repair[] = [repair('parameters-tagged', text)]
  for (const parameter of parameters) {
    const { name, span, closedBy } = parameter
    const raw = text.slice(...span)
    // A parameter that nobody knows and that holds a closer of its own is rather a piece of the text before it.
    const isPiece = !names.has(name) && names.size > 0 && /<\/(?:[\w:｜]*)param(?:eter)?>/.test(raw)
    if (Object.hasOwn(value, name) || isPiece) return undefined
    if (closedBy !== undefined) repairs.push({ ...repair('tag-closed-by-name', closedBy), path: [name] })
    setKey(value, name, parameterText(text, parameter))
  }
  return { value, repairs }
}

const assignment = /^\s*([A-Za-z_]\w*)\s*=(?!=)/
const option = /^\s*--?([A-Za-z][\w-]*)/
const label = /^\s*["']?([A-Za-z_][\w.-]*)["']?\s*[:=(]/
/** What it takes to read a list of assignments as an object. Anything else about it is a repair like any other. */
const implied = new Set(['key-bare', 'colon-missing', 'comma-missing', 'python-literal'])

/** Parameters as in a Python call: `path="a.md", lines=3`. Only names that the tool has, and only values in full. */
export function readAssigned(text: string, names: ReadonlySet<string>, options: ValueOptions): FormReading | undefined {
  const [, first = ''] = assignment.exec(text) ?? []
  if (!names.has(first)) return undefined
  const { value, repairs, problems } = readValue(`{${text}}`, { ...options, known: names })
  if (problems.length > 0 || !isPlainObject(value) || !Object.keys(value).every((key) => names.has(key)))
    return undefined
  const others = repairs.filter(({ code }) => !implied.has(code))
  if (others.some(({ code }) => code === 'word-bare' || code === 'prose-dropped')) return undefined
  return { value, repairs: [repair('parameters-assigned', text), ...others.map(({ span: _, ...other }) => other)] }
}

/**
 * Whether a text that holds no value may be the value of the one parameter as it stands: words for the tool, not a form
 * that could not be read, not the rest of one, and not a reply to the person.
 */
export function isPlainWords(text: string, tool: string, names: ReadonlySet<string>): boolean {
  const isMarkup = /^\s*<|<\|[^|]*\|>|<｜|<\/[\w:.-]+>\s*$/.test(text)
  const [, named = ''] = label.exec(text) ?? []
  const [, flag = ''] = option.exec(text) ?? []
  const isForm = named === tool || names.has(named) || names.has(flag.replaceAll('-', '_'))
  return !isMarkup && !isForm && !hasLooseEnd(text) && !soundsLikeReply(text)
}

/** Whether something is closed that was never opened. */
function hasLooseEnd(text: string): boolean {
  const count = (sign: string): number => text.split(sign).length - 1
  const isLoose = count('}') > count('{') || count(']') > count('[')
  return isLoose || (/["}\]]\s*$/.test(text) && count('"') % 2 === 1)
}

const isPlainObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
