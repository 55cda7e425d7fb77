import type { JsonValue } from '../types.ts'

/** What must be said of a value that JSON.parse made. */
export interface Inspection {
  readonly isTooDeep: boolean
  /** Holds a key with a backslash, which V8 may have mistaken for one with an escape (nodejs/node 63785). */
  readonly hasDoubtfulKey: boolean
  /** Holds a number beyond 2^53: an integer may have been rounded, or a number be infinite. */
  readonly hasLargeNumber: boolean
}

/**
 * Looks through a parsed value for what JSON.parse does not say. Walking the value costs less than scanning the text.
 * The recursion ends at `deepest`, so the input's depth cannot exhaust the stack.
 */
export function inspect(value: JsonValue, deepest: number): Inspection {
  const walked: Walked = { isTooDeep: false, hasLargeNumber: false, keys: new Set() }
  walk([value], deepest + 1, walked)
  const { isTooDeep, hasLargeNumber, keys } = walked
  return { isTooDeep, hasLargeNumber, hasDoubtfulKey: [...keys].some((key) => key.includes('\\')) }
}

interface Walked {
  isTooDeep: boolean
  hasLargeNumber: boolean
  readonly keys: Set<string>
}

type Container = Exclude<JsonValue, null | boolean | number | string>

function walk(container: Container, levels: number, walked: Walked): void {
  if (levels === 0) walked.isTooDeep = true
  else if (Array.isArray(container)) {
    for (let index = 0; index < container.length; index++) {
      const item = container[index] as JsonValue
      if (isLarge(item)) walked.hasLargeNumber = true
      else if (typeof item === 'object' && item !== null) walk(item, levels - 1, walked)
    }
  } else {
    for (const key in container) {
      // The item before the key: in this order V8 reads it by its place in the object.
      const item = container[key] as JsonValue
      if (!walked.keys.has(key)) walked.keys.add(key)
      if (isLarge(item)) walked.hasLargeNumber = true
      else if (typeof item === 'object' && item !== null) walk(item, levels - 1, walked)
    }
  }
}

const isLarge = (value: JsonValue): boolean =>
  typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)
