import type { JsonObject, JsonValue, Repair } from '../types.ts'
import { setKey } from '../value/objects.ts'
import { readValue, type ValueOptions } from '../value/read-value.ts'
import type { ArgumentRepairCode } from './argument-repairs.ts'
import { soundsLikeReply } from './cues.ts'

/** Parameters that were written in a form of their own. */
export interface FormReading {
  readonly value: JsonObject
  readonly repairs: readonly Repair[]
}

const opener = /<(parameter|param)(?:=([^>\s]+)|\s+name\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))[^>]*>/y
const blank = /\s*/y

const repair = (code: ArgumentRepairCode, before: string): Repair => ({ code, before })

/**
 * Parameters in tags: `<parameter=path>a.md</parameter>`, or with the name as an attribute. `undefined` when the text
 * is no such list to its end: a tag that is not closed may be a call that was cut.
 */
export function readTagged(text: string, names: ReadonlySet<string>): FormReading | undefined {
  const value: JsonObject = {}
  const repairs: Repair[] = [repair('parameters-tagged', text)]
  let index = skip(text, 0)
  while (index < text.length) {
    opener.lastIndex = index
    const match = opener.exec(text)
    if (!match) return undefined
    const [tag, kind = '', short, ...quoted] = match
    const name = short ?? quoted.find((found) => found !== undefined) ?? ''
    const start = index + tag.length
    const closer = closing(text, start, [`</${kind}>`, `</${name}>`])
    if (!closer || Object.hasOwn(value, name)) return undefined
    if (closer.tag !== `</${kind}>`) repairs.push({ ...repair('tag-closed-by-name', closer.tag), path: [name] })
    const raw = text.slice(start, closer.at)
    // A parameter that nobody knows and that holds a closer of its own is rather a piece of the text before it.
    if (!names.has(name) && names.size > 0 && raw.includes(`</${kind}>`)) return undefined
    setKey(value, name, withoutEdges(raw, short !== undefined))
    index = skip(text, closer.at + closer.tag.length)
  }
  return Object.keys(value).length > 0 ? { value, repairs } : undefined
}

/** One line break on either side belongs to the tags: always where the name is part of the tag, else where both are there. */
function withoutEdges(raw: string, isPart: boolean): string {
  const isFramed = /^\r?\n/.test(raw) && raw.endsWith('\n') && raw.length > 2
  return isPart || isFramed ? raw.replace(/^\r?\n/, '').replace(/\r?\n$/, '') : raw
}

/** The first closer behind which the list ends or goes on: one that stands in the middle of a text is part of it. */
function closing(text: string, from: number, tags: readonly string[]): { at: number; tag: string } | undefined {
  for (let at = text.indexOf('</', from); at >= 0; at = text.indexOf('</', at + 2)) {
    const tag = tags.find((tag) => text.startsWith(tag, at))
    if (tag === undefined) continue
    const next = skip(text, at + tag.length)
    if (next >= text.length) return { at, tag }
    opener.lastIndex = next
    if (opener.test(text)) return { at, tag }
  }
  return undefined
}

function skip(text: string, from: number): number {
  blank.lastIndex = from
  blank.test(text)
  return blank.lastIndex
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
