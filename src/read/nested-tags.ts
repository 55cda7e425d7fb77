import type { JsonObject, JsonValue } from '../types.ts'
import { setKey } from '../value/objects.ts'
import type { Brackets } from './dialects/dialect.ts'

interface Tag {
  readonly name: string
  readonly children: { readonly name: string; readonly value: JsonValue }[]
  text: string
}

/**
 * The value of a text with tags inside, each of them a key: those named `item` are a list, and so are several of one
 * name. `undefined` when a tag is not closed, or words stand beside tags.
 */
export function nestedValue(raw: string, { open, end, close }: Brackets): JsonValue | undefined {
  const stack: Tag[] = [{ name: '', children: [], text: '' }]
  let index = 0
  while (index < raw.length) {
    const here = stack.at(-1)
    if (!here) return undefined
    const isClose = raw.startsWith(close, index)
    const mark = isClose ? close : raw.startsWith(open, index) ? open : undefined
    if (mark === undefined) {
      const next = [open, close].map((mark) => raw.indexOf(mark, index)).filter((at) => at >= 0)
      const until = Math.min(raw.length, ...next)
      here.text += raw.slice(index, until)
      index = until
      continue
    }
    const from = index + mark.length
    const to = raw.indexOf(end, from)
    if (to < 0) return undefined
    const name = raw.slice(from, to)
    index = to + end.length
    if (!isClose) {
      stack.push({ name, children: [], text: '' })
      continue
    }
    const value = here.name === name ? valueIn(here) : undefined
    stack.pop()
    if (value === undefined) return undefined
    stack.at(-1)?.children.push({ name, value })
  }
  const [root] = stack
  return root && stack.length === 1 ? valueIn(root) : undefined
}

function valueIn({ children, text }: Tag): JsonValue | undefined {
  if (children.length === 0) return text
  if (text.trim() !== '') return undefined
  if (children.every(({ name }) => name === 'item')) return children.map(({ value }) => value)
  const byName = new Map<string, JsonValue[]>()
  for (const { name, value } of children) byName.set(name, [...(byName.get(name) ?? []), value])
  const object: JsonObject = {}
  for (const [name, [first = null, ...others]] of byName)
    setKey(object, name, others.length > 0 ? [first, ...others] : first)
  return object
}
