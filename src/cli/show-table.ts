import { widthOf } from './terminal.ts'

/** A text in a table, and how it is painted. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string }

interface TableOptions {
  /** Columns that stand to the right, as numbers do. */
  readonly right?: readonly number[]
  /** Columns of the terminal: the last column of the table is cut to fit. Without it, nothing is. */
  readonly width?: number | undefined
}

const GAP = 2
/** So much is left of a last column, however narrow the terminal is. */
const NARROWEST = 16

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)

/** Rows with their columns below each other. */
export function tableLines(
  rows: readonly (readonly Cell[])[],
  { right = [], width = Number.POSITIVE_INFINITY }: TableOptions = {},
): string[] {
  const last = Math.max(0, ...rows.map((row) => row.length)) - 1
  const widths = Array.from({ length: last + 1 }, (_, column) =>
    Math.max(0, ...rows.map((row) => widthOf(textOf(row[column] ?? '')))),
  )
  const taken = widths.slice(0, last).reduce((sum, each) => sum + each + GAP, 0)
  const room = Math.max(NARROWEST, width - taken)
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const text = column === last && !right.includes(last) ? cutTo(textOf(cell), room) : textOf(cell)
        const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)))
        const painted = typeof cell === 'string' ? text : cell.paint(text)
        return right.includes(column) ? space + painted : column === last ? painted : painted + space
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  )
}

function cutTo(text: string, room: number): string {
  if (widthOf(text) <= room) return text
  let shown = ''
  let width = 1
  for (const character of text) {
    width += widthOf(character)
    if (width > room) break
    shown += character
  }
  return `${shown}…`
}
