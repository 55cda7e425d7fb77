import type { JsonValue } from '../types.ts'

/** What must be said of a value that JSON.parse made. */
export interface Inspection {
  isTooDeep: boolean
  /** Holds a key with a backslash, which V8 may have mistaken for one with an escape (nodejs/node 63785). */
  hasDoubtfulKey: boolean
  /** Holds a number beyond 2^53: an integer may have been rounded, or a number be infinite. */
  hasLargeNumber: boolean
}

/**
 * Looks through a parsed value for what JSON.parse does not say. Walking the value costs less than scanning the text.
 * The recursion ends at `deepest`, so the input's depth cannot exhaust the stack.
 */
export function inspect(value: JsonValue, deepest: number): Inspection {
  const inspection: Inspection = { isTooDeep: false, hasDoubtfulKey: false, hasLargeNumber: false }
  walk([value], deepest + 1, inspection)
  return inspection
}

type Container = Exclude<JsonValue, null | boolean | number | string>

function walk(container: Container, levels: number, inspection: Inspection): void {
  if (levels === 0) inspection.isTooDeep = true
  else if (Array.isArray(container)) {
    for (const item of container) {
      if (typeof item === 'number') look(item, inspection)
      else if (typeof item === 'object' && item !== null) walk(item, levels - 1, inspection)
    }
  } else {
    for (const key in container) {
      if (key.includes('\\')) inspection.hasDoubtfulKey = true
      const item = container[key] as JsonValue
      if (typeof item === 'number') look(item, inspection)
      else if (typeof item === 'object' && item !== null) walk(item, levels - 1, inspection)
    }
  }
}

function look(number: number, inspection: Inspection): void {
  if (number > Number.MAX_SAFE_INTEGER || number < Number.MIN_SAFE_INTEGER) inspection.hasLargeNumber = true
}
