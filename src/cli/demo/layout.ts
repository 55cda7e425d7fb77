import { visible, widthOf } from '../terminal.ts'
import type { Mark } from '../underline.ts'

/** Columns of a label, and of what stands before it. */
const LABEL = 10
const MARGIN = 4

/** Columns that are left for what stands beside a label. */
export const roomIn = (width: number): number => width - MARGIN - LABEL

/** A label, and lines beside it. The label is painted; its text says how wide it is. */
export const labelled = (label: string, paint: (text: string) => string, lines: readonly string[]): string[] =>
  lines.map((line, index) => {
    const space = ' '.repeat(index === 0 ? LABEL - label.length : LABEL)
    return `${' '.repeat(MARGIN)}${index === 0 ? paint(label) : ''}${space}${line}`.trimEnd()
  })

/** A text in lines of at most so many columns, broken between words; further lines are indented by so many. */
export function wrapped(text: string, room: number, indent = 0): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of visible(text)
    .split(' ')
    .flatMap((part) => cut(part, room - indent))) {
    const isFull = line.trim() !== '' && widthOf(line) + 1 + widthOf(word) > room
    if (isFull) lines.push(line)
    line = isFull ? ' '.repeat(indent) + word : lines.length + line.length === 0 ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** A word that is longer than a line, in pieces. */
const cut = (word: string, room: number): string[] => word.match(new RegExp(`.{1,${Math.max(8, room)}}`, 'gu')) ?? ['']

/** A text as a model wrote it, in lines that fit, with the marked places underlined and named. */
export function written(text: string, marks: readonly Mark[], room: number, paint: (text: string) => string): string[] {
  const lines: string[] = []
  let start = 0
  for (const line of text.split('\n')) {
    for (let from = 0; from === 0 || from < line.length; ) {
      const to = breakOf(line, from, room)
      lines.push(visible(line.slice(from, to)))
      lines.push(...markRows(line, [from, to], marksIn(marks, start + from, start + to), start, room).map(paint))
      from = Math.max(to, 1)
    }
    start += line.length + 1
  }
  return lines
}

const marksIn = (marks: readonly Mark[], from: number, to: number): Mark[] =>
  marks.filter(({ span }) => span[0] >= from && span[0] < to)

/** Where a line is broken: in its last third, behind what ends a part of JSON or a word, if there is one. */
function breakOf(line: string, from: number, room: number): number {
  const end = from + room
  if (end >= line.length) return line.length
  const places = [', ', ',', ' ', ':', '{'].map((sign) => line.lastIndexOf(sign, end - sign.length) + sign.length)
  return places.find((place) => place > from + (room * 2) / 3) ?? end
}

/** Beyond this, a place is shown by its first character: a rule across the page shows none. */
const LONGEST_RULE = 32

/** Under a piece of a line: a row for each kind of mark, with its name behind the last or before the first. */
function markRows(
  line: string,
  [from, to]: readonly [number, number],
  marks: readonly Mark[],
  start: number,
  room: number,
): string[] {
  const column = (offset: number): number => widthOf(visible(line.slice(from, offset - start)))
  return [...Map.groupBy(marks, ({ label }) => label)].map(([label, places]) => {
    let row = ''
    for (const { span } of places) {
      const first = column(span[0])
      const length = column(Math.min(span[1], start + to)) - first
      row = row.padEnd(first) + (length < 2 || length > LONGEST_RULE ? '^' : '~'.repeat(length))
    }
    const isFitting = row.length + 1 + label.length <= room
    const space = row.length - row.trimStart().length
    return isFitting || space <= label.length
      ? `${row} ${label}`
      : `${' '.repeat(space - label.length - 1)}${label} ${row.trimStart()}`
  })
}
