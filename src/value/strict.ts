import type { JsonValue } from '../types.ts'

/** What must be said of a value that JSON.parse made. */
export interface Inspection {
  isTooDeep: boolean
  /** Holds a number beyond 2^53: an integer may have been rounded, or a number be infinite. */
  hasLargeNumber: boolean
}

/**
 * Looks through a parsed value for what JSON.parse does not say. Walking the value costs less than scanning the text.
 * The recursion ends at `deepest`, so the input's depth cannot exhaust the stack.
 */
export function inspect(value: JsonValue, deepest: number): Inspection {
  const inspection: Inspection = { isTooDeep: false, hasLargeNumber: false }
  walk(value, deepest, inspection)
  return inspection
}

function walk(value: JsonValue, levels: number, inspection: Inspection): void {
  if (typeof value === 'number') {
    if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) inspection.hasLargeNumber = true
  } else if (typeof value === 'object' && value !== null) {
    if (levels === 0) inspection.isTooDeep = true
    else if (Array.isArray(value)) for (const item of value) walk(item, levels - 1, inspection)
    else for (const key in value) walk(value[key] as JsonValue, levels - 1, inspection)
  }
}
