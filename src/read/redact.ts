import { labels } from './bodies/action-body.ts'
import { cues } from './cues.ts'
import { around, channels, dialects, inventions, lineDialects, thoughts, turnEnds } from './dialects/table.ts'
import { brackets, pairs, parameterTags } from './dialects/tag-dialects.ts'
import { argumentKeys, nameKeys } from './envelope.ts'
import { namesOf } from './read-arguments.ts'
import type { OfferedTool } from './tools.ts'

/** Marks that decide how a text is read. */
const marks = [...dialects, ...lineDialects].flatMap(({ open, openEnd = '', close, nameEnd = '', section = [] }) => [
  ...[...open, openEnd, ...close, nameEnd, ...section.flat()],
])
const markup = [
  ...marks,
  ...[...thoughts, ...inventions].flatMap(({ open, close }) => [open, close]),
  ...pairs.flatMap(({ open, keyEnd, value, close }) => [open, keyEnd, value, close]),
  ...brackets.flatMap(({ open, end, close }) => [open, end, close]),
  ...[...around, ...turnEnds, ...labels.texts, ...channels.open, ...channels.close, channels.message],
].filter((mark) => /[A-Za-z]/.test(mark))
/** Words that decide how a text is read. */
const words = [
  ...[...parameterTags, ...nameKeys, ...argumentKeys, ...channels.recipient, ...channels.thought, ...channels.answer],
  ...['true', 'false', 'null', 'None', 'True', 'False', 'NaN', 'Infinity', 'undefined', 'json', 'python', 'function'],
  ...['tool_calls', 'calls', 'answer', 'scratchpad', 'id', 'type', 'name', 'string', 'commentary', 'print', 'await'],
  ...Object.values(cues).flat(),
]

/**
 * A reply in which every letter and digit is replaced that does not decide how it is read: names of tools and parameters,
 * marks, and the words that tell a call from a mention stay as they are.
 *
 * @example
 * redact('<tool_call>{"name": "search", "arguments": {"query": "Bob 42"}}</tool_call>', tools)
 * // '<tool_call>{"name": "search", "arguments": {"query": "Xxx 11"}}</tool_call>'
 */
export function redact(text: string, tools: readonly OfferedTool[]): string {
  const known = tools.flatMap((tool) => [tool.name, ...namesOf(tool), ...choicesIn(tool.schema)])
  const kept = [...new Set([...markup, ...words, ...known])].sort((one, other) => other.length - one.length)
  const any = kept.map((literal) => edged(literal)).join('|')
  // Keys stay, since they decide what stands for what; escapes too: how they are written is what is looked at.
  const pattern = new RegExp(
    `${any}|(?<=["'])[\\w$-]{1,40}(?=["']\\s*:)|\\\\u[\\da-fA-F]{4}|\\\\[\\s\\S]|[\\p{L}\\p{N}]`,
    'giu',
  )
  return text.replace(pattern, (found) => (found.length > 1 || !isSecret(found) ? found : mask(found)))
}

const isSecret = (found: string): boolean => /^[\p{L}\p{N}]$/u.test(found)

function mask(character: string): string {
  if (/\p{N}/u.test(character)) return '1'
  return /\p{Lu}/u.test(character) ? 'X' : 'x'
}

/** A literal that stands by itself, where it begins or ends with a letter. */
function edged(literal: string): string {
  const escaped = literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  const start = /^[\p{L}\p{N}_]/u.test(literal) ? '(?<![\\p{L}\\p{N}_])' : ''
  const end = /[\p{L}\p{N}_]$/u.test(literal) ? '(?![\\p{L}\\p{N}_])' : ''
  return `${start}${escaped}${end}`
}

/** The values that a schema names. */
function choicesIn(schema: unknown): string[] {
  const found: string[] = []
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'enum' && Array.isArray(value)) found.push(...value.filter((item) => typeof item === 'string'))
    if (key === 'const' && typeof value === 'string') found.push(value)
    return value
  })
  return found.filter((choice) => choice.length > 1)
}
