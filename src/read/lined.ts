import type { JsonObject, JsonValue } from '../types.ts'
import { setKey } from '../value/objects.ts'
import { readValue } from '../value/read-value.ts'

interface Line {
  readonly indent: number
  readonly key: string
  readonly value: string
  /** The lines of a text that follows. */
  readonly block: string[] | undefined
}

const keyed = /^([ \t]*)(?:- )?["']?([A-Za-z_][\w.-]*)["']?[ \t]*:(?:[ \t]+(.*))?$/
const DEEPEST = 8

/**
 * Lines of `key: value` as in YAML, nested by their indentation. Values are texts, which the schema turns into what they
 * are, or JSON. `undefined` when any line is something else.
 *
 * @example
 * linedObject('query: high tides\nlimit: 3') // { query: 'high tides', limit: '3' }
 */
export function linedObject(text: string): JsonObject | undefined {
  const lines: Line[] = []
  const inside = text.replaceAll('\r', '').replace(/\n```\s*$/, '')
  for (const raw of inside.split('\n')) {
    const indent = raw.length - raw.trimStart().length
    const last = lines.at(-1)
    if (last?.block && (raw.trim() === '' || indent > last.indent)) last.block.push(raw)
    else if (raw.trim() !== '') {
      const [, , key, value = ''] = keyed.exec(raw) ?? []
      if (key === undefined) return undefined
      lines.push({ indent, key, value: value.trim(), block: value.trim() === '|' ? [] : undefined })
    }
  }
  const [first, second] = lines
  // The space before the first line is cut off where a text begins with it.
  if (first && second && first.indent === 0 && first.value !== '') lines[0] = { ...first, indent: second.indent }
  return first ? objectIn(lines, 0) : undefined
}

/** The object of lines that are indented alike; those further in belong to the key before them. */
function objectIn(lines: readonly Line[], depth: number): JsonObject | undefined {
  const [first] = lines
  if (!first || depth > DEEPEST) return undefined
  const object: JsonObject = {}
  for (let index = 0; index < lines.length; ) {
    const line = lines[index]
    if (!line || line.indent !== first.indent || Object.hasOwn(object, line.key)) return undefined
    let end = index + 1
    while (end < lines.length && (lines[end]?.indent ?? 0) > first.indent) end++
    const inner = end > index + 1 ? objectIn(lines.slice(index + 1, end), depth + 1) : undefined
    const isNested = end > index + 1
    const value = isNested ? (line.value === '' ? inner : undefined) : scalar(line)
    if (value === undefined) return undefined
    setKey(object, line.key, value)
    index = end
  }
  return object
}

function scalar({ value, block }: Line): JsonValue | undefined {
  if (block) return dedented(block)
  if (!/^[{["']/.test(value)) return value
  const read = readValue(value)
  return read.problems.length === 0 ? read.value : undefined
}

function dedented(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const indent = Math.min(...indents)
  return `${lines
    .map((line) => line.slice(indent))
    .join('\n')
    .trimEnd()}\n`
}
