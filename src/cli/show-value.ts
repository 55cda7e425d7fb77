import { placeName } from '../fit/explain.ts'
import { repairs as repairRows } from '../read/repairs.ts'
import type { JsonValue, Problem, Reading, Repair, ValueReading } from '../types.ts'
import { type Paint, visible } from './terminal.ts'
import { underline } from './underline.ts'

const LABEL_WIDTH = 10
/** So many places of one repair are named. */
const MOST_PLACES = 3

/** A value's reading as a person sees it: the text with its repairs underlined, the value, what was changed or is wrong. */
export function showReading(text: string, reading: ValueReading, paint: Paint, width: number): string[] {
  const { value, repairs, problems } = reading
  const lines = marked(text, [...repairs, ...problems], paint, width)
  if (problems.length === 0) lines.push(...field(paint.green('value'), 5, jsonLines(value, width)))
  lines.push(...problemLines(problems, paint, width))
  if (!reading.complete) lines.push(...field(paint.dim('so far'), 6, jsonLines(value, width)))
  lines.push(...repairLines(repairs, paint))
  return lines
}

/** The reading of a whole reply as a person sees it: the text with what was found marked in place, then the calls. */
export function showReply(text: string, reading: Reading, paint: Paint, width: number): string[] {
  const found = [...reading.calls, ...reading.refused]
  const marks = found.flatMap(({ span, dialect, repairs, problems }) => [
    { span: [span[0], span[0] + 1] as const, label: dialect },
    ...[...repairs, ...problems].flatMap((note) =>
      note.span && note.span[1] > note.span[0] ? [{ span: note.span, label: note.code }] : [],
    ),
  ])
  const lines = [...underline(text, marks, { paint, width, all: true }), '']
  for (const [label, said] of [
    ['answer', reading.answer],
    ['thought', reading.thought],
  ] as const) {
    if (said !== undefined)
      lines.push(
        ...field(paint.dim(label), label.length, wrapped(visible(said.trim()), width - LABEL_WIDTH).slice(0, 6)),
      )
  }
  lines.push(...callLines(reading, paint, width))
  const { length } = reading.calls
  const count = length === 1 ? '1 call may run' : `${length} calls may run`
  return [...lines, '', `${count}${reading.refused.length > 0 ? `, ${reading.refused.length} refused` : ''}.`]
}

/** The reading of a tool's arguments as a person sees it: each call with its parameters, or why it is refused. */
export function showCalls(text: string, reading: Reading, paint: Paint, width: number): string[] {
  const all = [...reading.calls, ...reading.refused]
  const lines = marked(
    text,
    all.flatMap(({ repairs, problems }) => [...repairs, ...problems]),
    paint,
    width,
  )
  return [...lines, ...callLines(reading, paint, width)]
}

function callLines({ calls, refused }: Reading, paint: Paint, width: number): string[] {
  const lines: string[] = []
  for (const call of calls) {
    lines.push(
      ...field(paint.green('call'), 4, [paint.bold(visible(call.name)), ...parameterLines(call.arguments, width)]),
    )
    lines.push(...repairLines(call.repairs, paint))
  }
  for (const { name, problems, repairs } of refused) {
    lines.push(...field(paint.red('refused'), 7, [paint.bold(visible(name ?? 'a call'))]))
    lines.push(...problemLines(problems, paint, width).map((line) => line.replace('refused', '       ')))
    lines.push(...repairLines(repairs, paint))
  }
  return lines
}

/** The lines of the text where something was found, underlined. */
function marked(text: string, notes: readonly (Repair | Problem)[], paint: Paint, width: number): string[] {
  // What is said of the whole text needs no line under it.
  const marks = notes.flatMap(({ span, code }) =>
    span && span[1] > span[0] && span[1] - span[0] < text.length ? [{ span, label: code }] : [],
  )
  return marks.length > 0 ? [...underline(text, marks, { paint, width }), ''] : []
}

function parameterLines(parameters: { readonly [name: string]: JsonValue }, width: number): string[] {
  const names = Object.keys(parameters)
  const longest = Math.min(24, Math.max(0, ...names.map((name) => name.length)))
  return names.flatMap((name) => {
    const [first = '', ...rest] = jsonLines(parameters[name], width - longest)
    return [`${visible(name).padEnd(longest)}  ${first}`, ...rest.map((line) => `${' '.repeat(longest)}  ${line}`)]
  })
}

function problemLines(problems: readonly Problem[], paint: Paint, width: number): string[] {
  return problems.flatMap(({ code, message }) => {
    const words = message.split('\n').flatMap((line) => wrapped(visible(line), width - LABEL_WIDTH))
    return field(paint.red('refused'), 7, [paint.bold(code), ...words])
  })
}

function repairLines(repairs: readonly Repair[], paint: Paint): string[] {
  const byCode = Map.groupBy(repairs, ({ code }) => code)
  return [...byCode].flatMap(([code, made], index) => {
    const name = made.length > 1 ? `${code} ×${made.length}` : code
    const label = index === 0 ? paint.yellow('repaired') : ''
    const words = `${name.padEnd(24)} ${paint.dim(places(made) + (repairRows[code]?.says ?? ''))}`
    return field(label, index === 0 ? 8 : 0, [words])
  })
}

/** Where repairs were made that have no place in the text, and how a name changed. */
function places(made: readonly Repair[]): string {
  const named = made.flatMap(({ code, path, span, before, after }) => {
    if (span || !path || path.length === 0) return []
    return code === 'key-renamed' ? [`${String(before)} → ${String(after)}`] : [placeName(path).replace(/^"|"$/g, '')]
  })
  if (named.length === 0) return ''
  const more = named.length > MOST_PLACES ? ` and ${named.length - MOST_PLACES} more` : ''
  return `${visible(named.slice(0, MOST_PLACES).join(', '))}${more}: `
}

/** A text in lines of at most so many characters, broken between words. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** The value on one line if it fits, else indented. */
function jsonLines(value: JsonValue | undefined, width: number): string[] {
  const indented = (JSON.stringify(value, null, 2) ?? 'nothing').split('\n').map(visible)
  const joined = indented.map((line) => line.trim()).join(' ')
  return joined.length <= width - LABEL_WIDTH ? [joined] : indented
}

/** A label, and lines beside it. */
function field(label: string, labelWidth: number, lines: readonly string[]): string[] {
  return lines.map(
    (line, index) => (index === 0 ? label + ' '.repeat(LABEL_WIDTH - labelWidth) : ' '.repeat(LABEL_WIDTH)) + line,
  )
}
