import type { EventOf } from '../agent/events.ts'
import type { RunEvent } from '../agent/index.ts'
import type { JsonValue, Repair } from '../types.ts'
import { labelled, roomIn, wrapped } from './demo/layout.ts'
import { secondsText, timeText } from './show-quantity.ts'
import { brief, linesOf } from './show-run.ts'
import { paintState } from './show-runs.ts'
import type { Paint } from './terminal.ts'
import { visible } from './terminal.ts'

/** How a story is told. */
export interface Telling {
  readonly paint: Paint
  readonly width: number
  /** Everything, in place of the beginnings of texts. */
  readonly isWhole: boolean
}

type Colour = (text: string) => string

/** The lines that tell what happened, as one reads it afterwards. None for what another event says better. */
export function storyLines(event: RunEvent, telling: Telling): string[] {
  const { paint, width } = telling
  const line = (label: string, colour: Colour, text: string): string[] => labelled(label, colour, texts(text, telling))
  switch (event.kind) {
    case 'run-start':
      return [
        ...labelled('task', paint.dim, wholeTexts(event.task, width)),
        ...labelled('model', paint.dim, [`${visible(event.model)}, mode ${event.mode}`]),
        ...labelled('begun', paint.dim, [timeText(event.at)]),
      ]
    case 'message':
      return ['', ...labelled('message', paint.bold, wholeTexts(event.text, width))]
    case 'run-resume':
      return ['', ...labelled('resumed', paint.dim, [timeText(event.at)])]
    case 'setup-change':
      return line('changed', paint.yellow, event.changes.join(', '))
    case 'step-start': {
      const temperature = event.temperature === undefined ? '' : `, temperature ${event.temperature}`
      return ['', `  ${paint.bold(`step ${event.step}`)}  ${paint.dim(event.mode + temperature)}`]
    }
    case 'reply':
      return replyLines(event, telling)
    case 'reply-read':
      return readLines(event, telling)
    case 'approval-ask':
      return line('asked', paint.yellow, `whether ${event.call.name} may run`)
    case 'approval-answer':
      return line('approval', paint.yellow, event.answer)
    case 'tool-note':
      return line('noted', paint.dim, JSON.stringify(event.note))
    case 'tool-end':
      return resultLines(event, telling)
    case 'feedback':
      return line('told', paint.yellow, event.text)
    case 'run-end':
      return endLines(event, telling)
    case 'tool-start':
      return []
    default:
      return linesOf(event, paint, false).flatMap((text) => labelled('', paint.dim, [text]))
  }
}

/** What the model wrote. */
function replyLines({ parts, finish, usage, seconds }: EventOf<'reply'>, telling: Telling): string[] {
  const { paint } = telling
  const written = parts.flatMap((part) => {
    const text = part.kind === 'call' ? `${part.name} ${part.arguments}` : part.text
    return labelled(labels[part.kind], paint.dim, texts(text, telling))
  })
  const cut = finish === 'length' ? ', cut off at its length limit' : ''
  const spent = `${secondsText(seconds)}, ${usage.input} tokens in, ${usage.output} out${cut}`
  const nothing = parts.length === 0 ? labelled('wrote', paint.dim, ['nothing']) : []
  return [...written, ...nothing, ...labelled('', paint.dim, [paint.dim(spent)])]
}

const labels = { text: 'wrote', call: 'wrote', thought: 'thought', rescued: 'rescued' } as const

/** What was read in it: calls with their repairs, and what was refused. */
function readLines({ calls, refused }: EventOf<'reply-read'>, telling: Telling): string[] {
  const { paint, width } = telling
  const read = calls.flatMap(({ call, repairs }) => [
    ...labelled('call', paint.green, callTexts(call.name, call.arguments, telling)),
    ...(repairs.length === 0 ? [] : labelled('repaired', paint.yellow, wrapped(repairText(repairs), roomIn(width)))),
  ])
  const left = refused.flatMap(({ name = 'a call', raw, problems }) => [
    ...labelled('refused', paint.red, [paint.bold(visible(name))]),
    ...problems.flatMap(({ code, message }) =>
      labelled('', paint.red, [code, ...message.split('\n').flatMap((text) => wrapped(text, roomIn(width)))]),
    ),
    ...(telling.isWhole ? labelled('as sent', paint.dim, wholeTexts(raw, width)) : []),
  ])
  return [...read, ...left]
}

/** Each repair once, with the places that a person can do something about. */
function repairText(repairs: readonly Repair[]): string {
  const byCode = Map.groupBy(repairs, ({ code }) => code)
  return [...byCode]
    .map(([code, made]) => {
      const places = made.flatMap(({ path = [], before, after }) => {
        if (code === 'key-renamed') return [`${String(before)} → ${String(after)}`]
        return code === 'parameter-ignored' ? [path.map(String).join('.')] : []
      })
      return places.length > 0 ? `${code} (${places.join(', ')})` : code
    })
    .join(', ')
}

function callTexts(name: string, given: { readonly [name: string]: JsonValue }, telling: Telling): string[] {
  if (!telling.isWhole) return texts(`${name} ${JSON.stringify(given)}`, telling)
  const parameters = JSON.stringify(given, null, 2)
  return [telling.paint.bold(visible(name)), ...wholeTexts(parameters, telling.width)]
}

const outcomes = { ok: 'gave', error: 'failed', 'not-run': 'not run', unknown: 'unknown' } as const

/** What became of a call; what the model was shown of it, where that is less. */
function resultLines({ call, outcome, result, observation, seconds }: EventOf<'tool-end'>, telling: Telling): string[] {
  const { paint, width } = telling
  const colour = outcome === 'ok' ? paint.green : outcome === 'error' ? paint.red : paint.yellow
  const label = outcomes[outcome]
  if (!telling.isWhole) return labelled(label, colour, texts(`${call.name}: ${observation}`, telling))
  const isSame = result === observation
  return [
    ...labelled(label, colour, [`${paint.bold(visible(call.name))} ${paint.dim(secondsText(seconds))}`]),
    ...labelled('', colour, wholeTexts(result, width)),
    ...(isSame ? [] : labelled('shown', paint.dim, wholeTexts(observation, width))),
  ]
}

function endLines({ end, message, answer, at }: EventOf<'run-end'>, { paint, width }: Telling): string[] {
  return [
    '',
    ...(answer === undefined ? [] : labelled('answer', paint.bold, wholeTexts(answer, width))),
    ...labelled('ended', paint.dim, [`${paintState(end, paint)(end)}, ${timeText(at)}`]),
    ...labelled(
      '',
      paint.dim,
      message.split('\n').flatMap((text) => wrapped(text, roomIn(width))),
    ),
  ]
}

const texts = (text: string, { isWhole, width }: Telling): string[] =>
  isWhole ? wholeTexts(text, width) : [brief(text, roomIn(width) - 1)]

const wholeTexts = (text: string, width: number): string[] =>
  text.split('\n').flatMap((part) => wrapped(part, roomIn(width)))
