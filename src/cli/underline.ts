import type { Span } from '../types.ts'
import { type Paint, visible, widthOf } from './terminal.ts'

/** A place in a text and what to write under it. */
export interface Mark {
  readonly span: Span
  readonly label: string
}

interface Options {
  readonly paint: Paint
  /** Columns that may be used. */
  readonly width: number
  /** Shows the lines without marks too. */
  readonly all?: boolean
}

/** Beyond this a span is shown by its first character: the eye needs the place, not a rule across the page. */
const LONGEST_RULE = 24
/** So many lines of a text are shown; the rest is counted. */
const MOST_LINES = 12
const MOST_LINES_OF_ALL = 60

/**
 * The lines of a text that have marks, each with the marks drawn and named under it.
 *
 * @example
 * underline(`{'a': 1}`, [{ span: [1, 4], label: 'single quotes' }], options)
 * // {'a': 1}
 * //  ~~~ single quotes
 */
export function underline(text: string, marks: readonly Mark[], options: Options): string[] {
  const shown: string[] = []
  let lines = 0
  let start = 0
  for (const line of text.split('\n')) {
    const end = start + line.length
    const here = marks.filter(({ span }) => span[0] >= start && span[0] <= end)
    const isShown = options.all || here.length > 0
    if (isShown && ++lines <= (options.all ? MOST_LINES_OF_ALL : MOST_LINES)) {
      shown.push(...underlineLine(line, start, here, options))
    }
    start = end + 1
  }
  const most = options.all ? MOST_LINES_OF_ALL : MOST_LINES
  const what = options.all ? 'lines' : 'lines with repairs'
  if (lines > most) shown.push(options.paint.dim(`… and ${lines - most} more ${what}`))
  return shown
}

function underlineLine(line: string, start: number, marks: readonly Mark[], { paint, width }: Options): string[] {
  const columns = marks.map(({ span }) => span[0] - start)
  const first = columns.length > 0 ? Math.min(...columns) : 0
  const from = line.length <= width ? 0 : Math.max(0, first - 20)
  const to = Math.min(line.length, from + width - (from > 0 ? 1 : 0))
  const head = from > 0 ? '…' : ''
  const tail = to < line.length ? '…' : ''
  const column = (offset: number): number => widthOf(head) + widthOf(visible(line.slice(from, Math.min(offset, to))))

  const rows: string[] = []
  const named = new Set<string>()
  for (const { span, label } of marks) {
    const offset = span[0] - start
    if (offset > to) continue
    const length = Math.min(span[1] - start, line.length) - offset
    const sign = length > LONGEST_RULE || length < 2 ? '^' : '~'.repeat(column(offset + length) - column(offset))
    const note = named.has(label) ? sign : `${sign} ${label}`
    named.add(label)
    const at = column(offset)
    const row = rows.findIndex((text) => widthOf(text) < at)
    if (row < 0) rows.push(' '.repeat(at) + note)
    else rows[row] = rows[row]?.padEnd(at) + note
  }
  return [`${head}${visible(line.slice(from, to))}${tail}`, ...rows.map((row) => paint.yellow(row))]
}
