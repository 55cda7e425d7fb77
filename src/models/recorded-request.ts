import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { type Fields, fieldsOf, isFields, listOf, parsed } from '../wire/json.ts'

/** What a recording keeps of a request: the call as JSON, without headers and what is a provider's own. */
export type RecordedRequest = Fields

/** So many characters of a text stand in a difference, and so many of them before it. */
const SHOWN = 60
const BEFORE = 20

/** A request as it is written. Bytes become Base64. */
export function recordedRequest(call: LanguageModelV4CallOptions): RecordedRequest {
  const { headers, abortSignal, providerOptions, includeRawChunks, ...kept } = call
  return fieldsOf(parsed(JSON.stringify(kept, written)))
}

/** A replacer, because Buffer writes itself as a list of numbers before its value gets here. */
function written(this: Fields, key: string, value: unknown): unknown {
  const given = this[key]
  return given instanceof Uint8Array ? Buffer.from(given).toString('base64') : value
}

/** Where two requests first differ, in their messages or the names of their tools. */
export function firstDifference(recorded: RecordedRequest, now: RecordedRequest): string | undefined {
  return differenceIn(comparable(recorded), comparable(now))
}

/** Ids of calls are made up anew in each run: what counts is which of them are the same. */
function comparable({ prompt, tools }: RecordedRequest): unknown {
  const ids = new Map<unknown, string>()
  const text = JSON.stringify(prompt, (key, value: unknown) => {
    if (key === 'providerOptions') return undefined
    if (key !== 'toolCallId') return value
    const name = ids.get(value) ?? `call ${ids.size + 1}`
    ids.set(value, name)
    return name
  })
  return { messages: parsed(text), tools: listOf(tools).map((tool) => fieldsOf(tool)['name']) }
}

function differenceIn(recorded: unknown, now: unknown): string | undefined {
  const stack: { readonly path: string; readonly before: unknown; readonly after: unknown }[] = [
    { path: '', before: recorded, after: now },
  ]
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    const { path, before, after } = pair
    if (Array.isArray(before) && Array.isArray(after)) {
      for (let index = Math.max(before.length, after.length) - 1; index >= 0; index--) {
        stack.push({ path: `${path}[${index}]`, before: before[index], after: after[index] })
      }
    } else if (isFields(before) && isFields(after)) {
      const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].reverse()
      for (const key of keys) {
        stack.push({ path: path === '' ? key : `${path}.${key}`, before: before[key], after: after[key] })
      }
    } else if (before !== after) return `${path} was ${shown(before, after)} and is now ${shown(after, before)}`
  }
  return undefined
}

/** A value on one line; of a long text, where it begins to differ from another. */
function shown(value: unknown, other: unknown): string {
  if (value === undefined) return 'not there'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= SHOWN) return JSON.stringify(value)
  const compared = typeof other === 'string' ? other : ''
  let same = 0
  while (same < text.length && text[same] === compared[same]) same++
  const start = Math.max(0, same - BEFORE)
  const end = start + SHOWN
  return `${start > 0 ? '…' : ''}${JSON.stringify(text.slice(start, end))}${end < text.length ? '…' : ''}`
}
