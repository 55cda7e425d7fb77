import type { JsonValue, Repair, ValueReading } from '../types.ts'
import { valueRepairs } from '../value/repairs.ts'
import { type Paint, visible } from './terminal.ts'
import { underline } from './underline.ts'

const LABEL_WIDTH = 10

const says = (code: string): string =>
  Object.hasOwn(valueRepairs, code) ? valueRepairs[code as keyof typeof valueRepairs].says : ''

/** A reading as a person sees it: the text with its repairs underlined, the value, what was changed or what is wrong. */
export function showReading(text: string, reading: ValueReading, paint: Paint, width: number): string[] {
  const { value, repairs, problems } = reading
  const places = [
    ...repairs.map(({ span, code }) => ({ span, label: code })),
    ...problems.map(({ span, code }) => ({ span, label: code })),
  ]
  const marks = places.flatMap(({ span, label }) => (span && span[1] > 0 ? [{ span, label }] : []))
  const lines: string[] = []
  if (marks.length > 0) lines.push(...underline(text, marks, { paint, width }), '')

  if (problems.length === 0) lines.push(...field(paint.green('value'), 5, jsonLines(value, width)))
  for (const { code, message } of problems) {
    lines.push(...field(paint.red('refused'), 7, [paint.bold(code), visible(message)]))
  }
  if (!reading.complete) lines.push(...field(paint.dim('so far'), 6, jsonLines(value, width)))
  for (const [index, [code, count]] of [...counted(repairs)].entries()) {
    const name = count > 1 ? `${code} ×${count}` : code
    const label = index === 0 ? paint.yellow('repaired') : ''
    lines.push(...field(label, index === 0 ? 8 : 0, [`${name.padEnd(24)} ${paint.dim(says(code))}`]))
  }
  return lines
}

/** The value on one line if it fits, else indented. */
function jsonLines(value: JsonValue | undefined, width: number): string[] {
  const indented = (JSON.stringify(value, null, 2) ?? 'nothing').split('\n').map(visible)
  const joined = indented.map((line) => line.trim()).join(' ')
  return joined.length <= width - LABEL_WIDTH ? [joined] : indented
}

function counted(repairs: readonly Repair[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { code } of repairs) counts.set(code, (counts.get(code) ?? 0) + 1)
  return counts
}

/** A label, and lines beside it. */
function field(label: string, labelWidth: number, lines: readonly string[]): string[] {
  return lines.map(
    (line, index) => (index === 0 ? label + ' '.repeat(LABEL_WIDTH - labelWidth) : ' '.repeat(LABEL_WIDTH)) + line,
  )
}
