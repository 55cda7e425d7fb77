import type { Usage } from '../agent/index.ts'
import { shortId } from './ledger-file.ts'
import { ageText, countText, sizeText } from './show-quantity.ts'
import { brief } from './show-run.ts'
import { type Cell, tableLines } from './show-table.ts'
import { type Paint, visible } from './terminal.ts'

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

const LONGEST_MODEL = 28

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
  const head = ['run', 'age', 'state', 'steps', 'tokens', 'size', 'model', 'task']
  const rows = runs.map(({ run, state, createdAt, steps, usage, model, bytes, task }): Cell[] => [
    { text: visible(shortId(run, ids)), paint: paint.bold },
    ageText(now - createdAt),
    { text: state, paint: paintState(state, paint) },
    countText(steps),
    countText(usage.input + usage.output),
    sizeText(bytes),
    brief(model, LONGEST_MODEL),
    brief(task, Number.POSITIVE_INFINITY),
  ])
  return tableLines([head.map((text) => ({ text, paint: paint.dim })), ...rows], { right: [1, 3, 4, 5], width })
}
