import { messageOf } from '../tools/errors.ts'
import { Content, type RunnableTool } from '../tools/tool.ts'
import type { Repair } from '../types.ts'
import type { ObservedFile } from './events.ts'

/** What a tool gave: all of it, and what the model is shown. */
export interface Observed {
  readonly result: string
  readonly observation: string
  readonly files: readonly ObservedFile[]
}

/** A result as text: JSON is canonical, and nothing at all is said in words. */
export function observed(given: unknown, tool: RunnableTool): Observed {
  const { text, files } = textAndFiles(given, tool.name)
  return { result: text, observation: cutFor(text, tool), files }
}

function textAndFiles(given: unknown, name: string): { text: string; files: ObservedFile[] } {
  if (Content.isInstance(given)) {
    const texts = given.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    const files = given.parts.flatMap((part) => (part.kind === 'file' ? [part] : []))
    const shown = files.map(({ mediaType }) => `[a file of type ${mediaType}]`)
    const text = [...texts, ...shown].join('\n')
    return {
      text: text === '' ? nothingFrom(name) : text,
      files: files.map(({ mediaType, data }) => ({ mediaType, data })),
    }
  }
  const text = typeof given === 'string' ? given : jsonOf(given, name)
  return { text: text === '' ? nothingFrom(name) : text, files: [] }
}

const nothingFrom = (name: string): string => `${name} was done and gave no text.`

/** A value as canonical JSON. What JSON cannot hold does not undo what was done. */
function jsonOf(given: unknown, name: string): string {
  const plain = given instanceof Map ? Object.fromEntries(given) : given instanceof Set ? [...given] : given
  if (plain instanceof Error) return messageOf(plain)
  try {
    return JSON.stringify(plain) ?? ''
  } catch (error) {
    return `${name} was done, but what it gave cannot be shown: ${messageOf(error)}`
  }
}

/** The part of a long text that a tool's limit leaves of it: its head and its tail, with what is missing between. */
export function cutFor(
  text: string,
  { name, observationLimit, observationHint }: Pick<RunnableTool, 'name' | 'observationLimit' | 'observationHint'>,
): string {
  if (text.length <= observationLimit) return text
  const head = whole(text, Math.ceil(observationLimit * 0.6))
  const tail = whole(text, text.length - Math.floor(observationLimit * 0.4))
  const hint = observationHint ?? `Call ${name} for a smaller part if you need them.`
  return `${text.slice(0, head)}\n[… ${tail - head} of ${text.length} characters left out here. ${hint} …]\n${text.slice(tail)}`
}

/** A place near this one that is not inside of a character. */
export function whole(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index
}

/** So many words about repairs are enough for a model. */
const MOST_REPAIRS = 4

/**
 * What the model is told of the repairs in its call, in a few words. Nothing where there were none.
 *
 * @example
 * noteOf('write_file', [{ code: 'parameter-ignored', path: ['line_end'] }]) // [note: ignored line_end, which write_file does not take]
 */
export function noteOf(name: string, repairs: readonly Repair[]): string {
  if (repairs.length === 0) return ''
  const ignored = repairs.filter(({ code }) => code === 'parameter-ignored').map(placeOf)
  const renamed = repairs.filter(({ code }) => code === 'key-renamed')
  const others = repairs.filter(({ code }) => code !== 'parameter-ignored' && code !== 'key-renamed')
  const codes = [...new Set(others.map(({ code }) => code))]
  const words = [
    ...(ignored.length > 0 ? [`ignored ${ignored.join(', ')}, which ${name} does not take`] : []),
    ...renamed.map(({ before, after }) => `read ${String(before)} as ${String(after)}`),
    ...(codes.length > 0 ? [`repaired ${codes.slice(0, MOST_REPAIRS).join(', ')}; send plain JSON that fits`] : []),
  ]
  return `[note: ${words.join('; ')}]`
}

const placeOf = ({ path = [] }: Repair): string => path.map(String).join('.')
