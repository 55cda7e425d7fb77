import type { ReplyPart } from '../../index.ts'
import { repairs as repairRows } from '../../read/repairs.ts'
import type { Repair, Span } from '../../types.ts'
import { type Paint, visible, widthOf } from '../terminal.ts'
import type { Mark } from '../underline.ts'
import { labelled, roomIn, wrapped, written } from './layout.ts'
import type { Proof, SceneRun, StrictReading, Turn, TurnCall, TurnRefusal } from './scene.ts'

/** So many lines of an observation are shown. */
const MOST_LINES = 6

const plain = (text: string): string => text

/** A scene as a person sees it, in the parts that are shown one after the other. */
export function drawScene(
  run: SceneRun,
  number: number,
  proofs: readonly Proof[],
  paint: Paint,
  width: number,
): string[][] {
  const { scene, turns } = run
  const room = roomIn(width)
  const head = ` ${number}  ${scene.title} `
  const mode = ` ${scene.mode} mode`
  const rule = '─'.repeat(Math.max(2, width - widthOf(head) - widthOf(mode)))
  const exhibits = scene.exhibits?.(run) ?? []
  return [
    [`${paint.bold(head)}${paint.dim(rule + mode)}`, ...wrapped(scene.story, width - 4).map((line) => `    ${line}`)],
    ['', ...labelled('task', paint.dim, wrapped(scene.task, room))],
    ...turns.flatMap((turn, index) => drawTurn(turn, turns[index - 1], paint, room)),
    ...exhibits.map(({ label, text, isWrong = false }, index) => [
      ...(index === 0 ? [''] : []),
      ...labelled(label, isWrong ? paint.red : paint.green, written(text, [], room, plain)),
    ]),
    ...proofs.map((proof, index) => [...(index === 0 ? [''] : []), ...drawProof(proof, paint, width)]),
  ]
}

function drawProof({ says, holds }: Proof, paint: Paint, width: number): string[] {
  const [first = '', ...rest] = wrapped(says, width - 6)
  const mark = holds ? paint.green('✓') : paint.red('✗')
  return [`    ${mark} ${first}`, ...rest.map((line) => `      ${line}`)]
}

function drawTurn(turn: Turn, before: Turn | undefined, paint: Paint, room: number): string[][] {
  const { step, strict, calls, refused, thought, answer, parts } = turn
  const label = `step ${step}`
  const warmth = warmthOf(turn, before)
  const top = ['', ...(warmth === '' ? [] : labelled('', plain, [paint.yellow(warmth)]))]
  const isPlain = strict.kind === 'read' && calls.length + refused.length === 0
  if (isPlain && (answer ?? thought) !== undefined) {
    const kind = answer === undefined ? 'thinks:' : 'answers:'
    const [first = '', ...rest] = wrapped(answer ?? thought ?? '', room - kind.length - 1)
    return [[...top, ...labelled(label, paint.bold, [`${paint.dim(kind)} ${first}`, ...rest])]]
  }
  const lines = parts.flatMap((part) => {
    const text = part.kind === 'call' ? part.arguments : part.text
    const repairs = calls.filter(({ dialect }) => (dialect === 'native') === (part.kind === 'call'))
    const head = sentAs(part)
    return [
      ...(head === '' ? [] : wrapped(head, room).map(paint.dim)),
      ...written(text, marksOf(text, repairs, refused), room, paint.yellow),
    ]
  })
  return [
    [...top, ...labelled(label, paint.bold, lines)],
    drawStrict(strict, paint, room),
    ...refused.map((refusal) => drawRefusal(refusal, paint, room)),
    ...calls.map((call) => drawCall(call, paint, room)),
    ...calls.map(({ observation }) => drawObservation(observation, paint, room)),
  ].filter((part) => part.length > 0)
}

function sentAs(part: ReplyPart): string {
  if (part.kind === 'call') return `arguments of ${part.name}:`
  return part.kind === 'rescued' ? 'the server could not read this; it stands in its error, and no tool is named:' : ''
}

/** Says that the temperature is another than before. */
function warmthOf({ temperature }: Turn, before: Turn | undefined): string {
  if (before?.temperature === undefined || temperature === undefined || before.temperature === temperature) return ''
  const isUp = temperature > before.temperature
  return `temperature ${temperature}, ${isUp ? 'up' : 'down again'} from ${before.temperature}`
}

function drawStrict(strict: StrictReading, paint: Paint, room: number): string[] {
  if (strict.kind === 'read') return []
  const reason = wrapped(middle(strict.reason), room)
  return labelled('strict', paint.red, [...reason, ...wrapped(middle(strict.consequence), room).map(paint.dim)])
}

/** So many characters of the start and of the end of a long text are shown. */
const ENDS = 66

const middle = (text: string): string =>
  text.length <= 2 * ENDS ? text : `${text.slice(0, ENDS)} … ${text.slice(-ENDS)}`

function drawRefusal({ name, problems }: TurnRefusal, paint: Paint, room: number): string[] {
  const lines = problems.flatMap(({ code, message }) => [
    `${paint.bold(visible(name ?? 'a call'))} ${code}`,
    ...wrapped(message, room).map(paint.dim),
  ])
  return labelled('refused', paint.yellow, lines)
}

function drawCall({ call, repairs }: TurnCall, paint: Paint, room: number): string[] {
  const whole = JSON.stringify(call.arguments)
  const name = visible(call.name)
  const isShort = name.length + 1 + widthOf(whole) <= room
  const entries = Object.entries(call.arguments)
  const longest = Math.max(0, ...entries.map(([key]) => key.length))
  const lines = isShort
    ? [`${paint.bold(name)} ${visible(whole)}`]
    : [
        paint.bold(name),
        ...entries.flatMap(([key, value]) =>
          written(JSON.stringify(value), [], room - longest - 2, plain).map((line, index) => {
            return `${(index === 0 ? visible(key) : '').padEnd(longest)}  ${line}`
          }),
        ),
      ]
  return [...labelled('call', paint.green, lines), ...drawRepairs(repairs, paint, room)]
}

function drawRepairs(repairs: readonly Repair[], paint: Paint, room: number): string[] {
  const lines = [...Map.groupBy(repairs, ({ code }) => code)].flatMap(([code, made]) => {
    const name = made.length > 1 ? `${code} ×${made.length}` : code
    const [first = '', ...rest] = wrapped(`${name}: ${repairRows[code]?.says ?? ''}`, room, 2)
    return [name + paint.dim(first.slice(name.length)), ...rest.map(paint.dim)]
  })
  return labelled('repaired', paint.yellow, lines)
}

function drawObservation(observation: string, paint: Paint, room: number): string[] {
  const lines = observation.split('\n').flatMap((line) => {
    const isNote = line.startsWith('[note: ')
    return wrapped(line, room).map(isNote ? paint.dim : plain)
  })
  const shown = lines.slice(0, MOST_LINES)
  const rest = lines.length > MOST_LINES ? [paint.dim(`… and ${lines.length - MOST_LINES} more lines`)] : []
  return labelled('result', paint.green, [...shown, ...rest])
}

/** The places of repairs and problems in what was written, as far as they have one. */
function marksOf(text: string, calls: readonly TurnCall[], refused: readonly TurnRefusal[]): Mark[] {
  const notes = [...calls.flatMap(({ repairs }) => repairs), ...refused.flatMap(({ problems }) => problems)]
  return notes.flatMap((note) => {
    const span = note.span ?? placeOf(text, note)
    return span && span[1] > span[0] && span[1] <= text.length ? [{ span, label: note.code }] : []
  })
}

/** Where a repair of a value stands in its JSON: the key with its value, or the item of a list. */
function placeOf(text: string, { path = [], before }: Repair): Span | undefined {
  const key = path.findLast((step) => typeof step === 'string')
  const start = key === undefined ? -1 : text.indexOf(JSON.stringify(key))
  const value = JSON.stringify(before) ?? ''
  const at = value === '' || start < 0 ? -1 : text.indexOf(value, start)
  if (at < 0) return undefined
  return [typeof path.at(-1) === 'number' ? at : start, at + value.length]
}
