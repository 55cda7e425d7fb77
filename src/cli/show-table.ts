import { widthOf } from './terminal.ts'

/** A text in a table, and how it is painted. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string }

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)

/** Rows with their columns below each other, two spaces apart. Columns of numbers stand to the right. */
export function tableLines(rows: readonly (readonly Cell[])[], right: ReadonlySet<number> = new Set()): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => widthOf(textOf(row[column] ?? '')))),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const text = textOf(cell)
        const space = ' '.repeat((widths[column] ?? 0) - widthOf(text))
        const painted = typeof cell === 'string' ? cell : cell.paint(text)
        return right.has(column) ? space + painted : column === row.length - 1 ? painted : painted + space
      })
      .join('  ')
      .trimEnd(),
  )
}
