import type { Usage } from '../agent/index.ts'
import { shortId } from './ledger-file.ts'
import { ageText, countText, sizeText } from './show-quantity.ts'
import { brief } from './show-run.ts'
import { type Cell, tableLines } from './show-table.ts'
import { type Paint, visible, widthOf } from './terminal.ts'

/** A run as the list shows it. */
export interface ListedRun {
  readonly run: string
  readonly state: string
  /** Who works on it. */
  readonly worker?: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly steps: number
  readonly usage: Usage
  readonly model: string
  readonly task: string
  readonly bytes: number
}

const numbers = new Set([1, 3, 4, 6])
const LONGEST_MODEL = 28
const NARROWEST_TASK = 16

/** How a state looks: good news, somebody is at it, somebody should look. */
export function paintState(state: string, paint: Paint): (text: string) => string {
  if (state === 'answered') return paint.green
  if (state === 'running') return paint.bold
  return state === 'failed' || state === 'unreadable' || state === 'looping' ? paint.red : paint.yellow
}

/** The list of runs as a table. Without a width, tasks are shown whole. */
export function runLines(
  runs: readonly ListedRun[],
  ids: readonly string[],
  { paint, width, now = Date.now() }: { readonly paint: Paint; readonly width?: number; readonly now?: number },
): string[] {
  const head = ['run', 'age', 'state', 'steps', 'tokens', 'model', 'size', 'task']
  const rows = runs.map(({ run, state, createdAt, steps, usage, model, bytes }): Cell[] => [
    { text: visible(shortId(run, ids)), paint: paint.bold },
    ageText(now - createdAt),
    { text: state, paint: paintState(state, paint) },
    countText(steps),
    countText(usage.input + usage.output),
    brief(model, LONGEST_MODEL),
    sizeText(bytes),
  ])
  const [title = '', ...lines] = tableLines([head.slice(0, -1).map((text) => ({ text, paint: paint.dim })), ...rows], numbers)
  const taken = Math.max(...[head.slice(0, -1), ...rows].map((_, index) => plainWidth([title, ...lines][index] ?? '')))
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(NARROWEST_TASK, width - taken - 3)
  return [
    `${title}  ${paint.dim('task')}`,
    ...lines.map((line, index) => `${line}  ${brief(runs[index]?.task ?? '', room)}`),
  ]
}

const colours = /\u001b\[\d+m/g
const plainWidth = (line: string): number => widthOf(line.replace(colours, ''))
