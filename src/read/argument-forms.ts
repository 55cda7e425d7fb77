import { wordsOf } from '../fit/names.ts'
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

/** A closer of a call or parameter in a text, and a call with its first tag: the text goes on over the end of its call. */
const endInside = /<\/[\w:｜]*(?:invoke|function|param(?:eter)?)>/
const callInside =
  /<[\w:｜]*(?:function=[\w.:-]{1,100}|invoke name="[\w.:-]{1,100}")>\s*<\/?[\w:｜]*(?:param|function|invoke)/
const runsOn = (raw: string): boolean => endInside.test(raw) && callInside.test(raw)

const parameterTags = ['parameter', 'param']
/** What may still stand behind the parameters, left over from the call around them. */
const callClosers = ['</function>', '</invoke>', '</tool_call>']

/**
 * Parameters in tags: `<parameter=path>a.md</parameter>`, or with the name as an attribute. `undefined` when the text
 * is no such list to its end: a tag that is not closed may be a call that was cut.
 */
export function readTagged(text: string, names: ReadonlySet<string>): FormReading | undefined {
  const scan = new TagScan(parameterTags, callClosers, 0)
  const result = scan.read(text, 0, true)
  const isWhole =
    result.kind === 'ended' || (result.kind === 'closed' && /^(?:\s|<\/[\w:]+>)*$/.test(text.slice(result.end)))
  if (!isWhole || scan.parameters.length === 0) return undefined
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
  let wasOdd = false
  for (const parameter of parameters) {
    const { name, span, closedBy } = parameter
    const raw = text.slice(...span)
    // A parameter that nobody knows, and that holds a closer or follows an odd one, is rather a piece of the text before it.
    const isUnknown = names.size > 0 && !names.has(name)
    const isPiece = isUnknown && (wasOdd || /<\/(?:[\w:｜]*)param(?:eter)?>/.test(raw))
    if (Object.hasOwn(value, name) || isPiece || runsOn(raw) || opensAnother(raw, names)) return undefined
    wasOdd = closedBy !== undefined
    if (closedBy !== undefined) repairs.push({ ...repair('tag-closed-by-name', closedBy), path: [name] })
    setKey(value, name, parameterText(text, parameter))
  }
  return { value, repairs }
}

/** Whether the tag of another parameter of the tool is opened inside of a text: then a closer is missing before it. */
function opensAnother(raw: string, names: ReadonlySet<string>): boolean {
  for (const [, short, quoted] of raw.matchAll(
    /<(?:[\w:｜]*)param(?:eter)?(?:=([^>\s]+)|\s+name\s*=\s*["']([^"']*))/g,
  )) {
    if (names.has(short ?? quoted ?? '')) return true
  }
  return false
}

const assignment = /^\s*([A-Za-z_]\w*)\s*=(?!=)/
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

/** Parameters that are asked in sentences; all others take no sentence for a value. */
const sentenceTakers = new Set([
  'input',
  'instruction',
  'message',
  'prompt',
  'q',
  'query',
  'question',
  'search',
  'task',
  'text',
])

/**
 * Whether a text that holds no value may be the value of the one parameter as it stands: one line of words for the tool,
 * not a form that could not be read, not the rest of one, and not a reply to the person.
 */
export function isPlainWords(text: string, parameter: string): boolean {
  const line = text.trim()
  if (/[\n`]|<\/?\w|<\||\|>|<｜|\[\/?INST/.test(line) || /^(?:[-*$#>]|\/\/) /.test(line)) return false
  // A label, an assignment or a call as code at the start, or the rest of an object: another form that nobody could read.
  if (
    /^[*"'\w .-]{1,30}[:=(]/.test(line) ||
    /^--?\w/.test(line) ||
    hasLooseEnd(line) ||
    /",\s*"|,\s*\w+\s*=/.test(line)
  )
    return false
  if (soundsLikeReply(line)) return false
  const takesSentences = wordsOf(parameter).some((word) => sentenceTakers.has(word))
  return takesSentences || (!/[.?!…。]$/.test(line) && /^[\x20-\x7e]+$/.test(line))
}

/** Whether something is closed that was never opened, or a quote stands alone. */
function hasLooseEnd(text: string): boolean {
  const count = (sign: string): number => text.split(sign).length - 1
  return count('}') > count('{') || count(']') > count('[') || count('"') % 2 === 1
}

const isPlainObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
