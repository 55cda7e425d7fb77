import { wordsOf } from '../fit/names.ts'
import type { JsonObject, JsonValue, Repair } from '../types.ts'
import { setKey } from '../value/objects.ts'
import { readValue, type ValueOptions } from '../value/read-value.ts'
import type { ArgumentRepairCode } from './argument-repairs.ts'
import { openerAt } from './bodies/tag-openers.ts'
import { type TaggedParameter, TagScan } from './bodies/tag-scan.ts'
import type { Brackets } from './dialects/dialect.ts'
import { dialects } from './dialects/table.ts'
import { brackets, pairs, parameterTags } from './dialects/tag-dialects.ts'
import { linedObject } from './lined.ts'
import { soundsLikeReply } from './mentions.ts'
import { nestedValue } from './nested-tags.ts'

/** Parameters that were written in a form of their own. */
export interface FormReading {
  readonly value: JsonObject
  readonly repairs: readonly Repair[]
}

const repair = (code: ArgumentRepairCode, before: string): Repair => ({ code, before })

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const oneOf = (texts: readonly string[]): string => [...new Set(texts)].map(escaped).join('|')
const tagRows = dialects.filter(({ form }) => form === 'tags')

/** A closer in a text, and another call: the text goes on over the end of its call. */
const endInside = new RegExp(
  oneOf([
    ...tagRows.flatMap(({ close }) => close),
    ...brackets.flatMap(({ close, end }) => parameterTags.map((tag) => `${close}${tag}${end}`)),
    ...pairs.map(({ close }) => close),
  ]),
)
const remains = new RegExp(
  `(?:${endInside.source})\\s*(?:<|[\\w:｜]*parameter[= ]|\\w*arg_(?:key|value)|\\]<\\]|BEGIN.ARG)`,
)
const callInside = new RegExp(`(?:${oneOf(tagRows.flatMap(({ open }) => open))})(?:<name>)?[\\w.:-]{1,100}`)
const runsOn = (raw: string): boolean => endInside.test(raw) && callInside.test(raw)

/** What may still stand behind the parameters, left over from the call around them. */
const callClosers = ['</function>', '</invoke>', '</tool_call>']

/**
 * Parameters in tags: `<parameter=path>a.md</parameter>`, or with the name as an attribute. `undefined` when the text
 * is no such list to its end: a tag that is not closed may be a call that was cut.
 */
export function readTagged(text: string, names: ReadonlySet<string>): FormReading | undefined {
  const scan = new TagScan(0, { names, closers: callClosers })
  const result = scan.read(text, 0, true)
  const isWhole =
    result?.kind === 'ended' || (result?.kind === 'closed' && /^(?:\s|<\/[\w:]+>)*$/.test(text.slice(result.end)))
  if (!isWhole || scan.parameters.length === 0) return undefined
  const found = taggedArguments(text, scan.parameters, names)
  return found && { ...found, repairs: [repair('parameters-tagged', text), ...found.repairs] }
}

/** The arguments that tags hold, as texts: the schema says later what they are. */
export function taggedArguments(
  text: string,
  parameters: readonly TaggedParameter[],
  names: ReadonlySet<string>,
): FormReading | undefined {
  const value: JsonObject = {}
  const repairs: Repair[] = []
  let wasOdd = false
  for (const parameter of parameters) {
    const { name, span, closedBy, form, isOdd, isExact } = parameter
    const raw = text.slice(...span)
    // What looks like the rest of a tag behind a closer is one that was broken, and the text was over before it.
    if (remains.test(raw) || (form === 'name' && raw.includes(`</${name}>`) && !raw.includes(`<${name}`)))
      return undefined
    // A parameter that nobody knows, and that holds a closer or follows an odd one, is rather a piece of the text before it.
    const isUnknown = names.size > 0 && !names.has(name)
    const isPiece = isUnknown && (wasOdd || /<\/(?:[\w:｜]*)param(?:eter)?>/.test(raw))
    if (Object.hasOwn(value, name) || isPiece || runsOn(raw) || opensAnother(raw, names)) return undefined
    wasOdd = closedBy !== undefined
    const note = (code: ArgumentRepairCode, before: string): void => {
      repairs.push({ ...repair(code, before), path: [name] })
    }
    if (closedBy !== undefined) note('tag-closed-otherwise', closedBy)
    if (isOdd) note('tag-named-otherwise', form)
    // Half of the mark before a value is no value.
    if (isOdd && form === 'pair' && /^\s*(?:<|\w*arg_value)/.test(raw)) return undefined
    const inside = isOdd && form === 'pair' ? raw.trimStart() : isExact ? raw : insideOf(raw, form)
    if (inside !== raw && form !== 'tag') note('tag-space-dropped', raw)
    const nested = nests(raw)
    const whole = nested ? nestedValue(raw, nested) : inside
    if (whole === undefined) return undefined
    setKey(value, name, whole)
  }
  return { value, repairs }
}

/** The brackets of tags inside of a text, where the family writes objects so. */
const nests = (raw: string): Brackets | undefined =>
  brackets.find(({ takesAny, open }) => takesAny === true && raw.includes(open))

/** The text of a parameter without the line breaks, or the space on one line, that belong to its tags. */
function insideOf(raw: string, form: TaggedParameter['form']): string {
  const isFramed = /^\r?\n/.test(raw) && raw.endsWith('\n') && raw.length > 2
  if (form === 'tag' || form === 'label' || isFramed) return raw.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
  return form === 'name' && !raw.includes('\n') ? raw.replace(/^ (?! )|(?<! ) $/g, '') : raw
}

/** Whether another parameter of the tool is opened inside of a text: then a closer is missing before it. */
function opensAnother(raw: string, names: ReadonlySet<string>): boolean {
  for (const { index } of raw.matchAll(openSigns)) {
    const opener = openerAt(raw, index, names, true)
    const isSure = opener && opener !== 'more' && opener.form !== 'name' && opener.form !== 'label'
    if (isSure && names.has(opener.name)) return true
  }
  return false
}

const openSigns = new RegExp(oneOf([...pairs, ...brackets].map(({ open }) => open)), 'g')

const assignment = /^\s*([A-Za-z_]\w*)\s*=(?!=)/
/** What it takes to read a list of assignments as an object. Anything else about it is a repair like any other. */
const implied = new Set(['key-bare', 'colon-missing', 'comma-missing', 'python-literal'])

/** Parameters as in a Python call: `path="a.md", lines=3`. Only names that the tool has, and only values in full. */
export function readAssigned(text: string, names: ReadonlySet<string>, options: ValueOptions): FormReading | undefined {
  const [, first = ''] = assignment.exec(text) ?? []
  if (!names.has(first)) return undefined
  // The brackets are ours: a text that was left open before them was cut.
  const { value, repairs, problems } = readValue(`{${text}\n}`, { ...options, known: names })
  if (options.finish === 'length' || repairs.some(({ code }) => code === 'quote-missing')) return undefined
  if (problems.length > 0 || !isPlainObject(value) || !Object.keys(value).every((key) => names.has(key)))
    return undefined
  const others = repairs.filter(({ code }) => !implied.has(code))
  if (others.some(({ code }) => code === 'word-bare' || code === 'prose-dropped')) return undefined
  return { value, repairs: [repair('parameters-assigned', text), ...others.map(({ span: _, ...other }) => other)] }
}

/** Parameters on lines of their own, `path: a.md`. Only names that the tool has. */
export function readLined(text: string, names: ReadonlySet<string>): FormReading | undefined {
  const value = linedObject(text)
  const isKnown = value && Object.keys(value).every((key) => names.has(key))
  return isKnown ? { value, repairs: [repair('parameters-lined', text)] } : undefined
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
