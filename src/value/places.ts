/** A place in a text as an editor names it. */
export interface Place {
  readonly line: number
  readonly column: number
}

/**
 * Line and column of an offset, both from 1.
 *
 * @example
 * placeAt('a\nbc', 3) // { line: 2, column: 2 }
 */
export function placeAt(text: string, offset: number): Place {
  let line = 1
  let lineStart = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) {
    line++
    lineStart = next + 1
  }
  return { line, column: offset - lineStart + 1 }
}

/** The place in words: `line 2, column 5`. */
export function describePlace(text: string, offset: number): string {
  const { line, column } = placeAt(text, offset)
  return `line ${line}, column ${column}`
}
