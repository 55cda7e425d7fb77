import { type Paint, widthOf } from '../terminal.ts'
import type { SceneRun, Turn } from './scene.ts'

/** A scene that was played, and whether it came out as it must. */
export interface Played {
  readonly run: SceneRun
  readonly isRight: boolean
}

const heads = ['replies read by', 'strict', 'callwright', 'repairs', 'steps', 'temperature']

/** What came of all scenes, as a table. */
export function drawTable(played: readonly Played[], paint: Paint): string[] {
  const turns = played.flatMap(({ run }) => run.turns)
  const rows = played.map(({ run }) => [run.scene.title, ...cellsOf(run.turns)])
  const all = ['all replies', ...cellsOf(turns)]
  const widths = heads.map((head, column) =>
    Math.max(...[heads, ...rows, all].map((row) => widthOf(row[column] ?? head))),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  const rule = paint.dim('─'.repeat(widths.reduce((sum, width) => sum + width + 2, 0)))
  return [
    `    ${paint.dim(line(heads))}`,
    `  ${rule}`,
    ...rows.map((row, index) => `  ${played[index]?.isRight ? paint.green('✓') : paint.red('✗')} ${line(row)}`),
    `  ${rule}`,
    `    ${paint.bold(line(all))}`,
  ]
}

/** How many replies each reader could read, and what else there is to count. */
function cellsOf(turns: readonly Turn[]): string[] {
  const count = (isCounted: (turn: Turn) => boolean): string => `${turns.filter(isCounted).length} of ${turns.length}`
  const repairs = turns.flatMap(({ calls }) => calls.flatMap((call) => call.repairs)).length
  const warmths = turns.flatMap(({ temperature }) => temperature ?? [])
  const [coldest, hottest] = [Math.min(...warmths), Math.max(...warmths)]
  return [
    count(({ strict }) => strict.kind === 'read'),
    count(isRead),
    String(repairs),
    String(turns.length),
    coldest === hottest ? String(coldest) : `${coldest} to ${hottest}`,
  ]
}

const isRead = ({ calls, answer, thought, refused }: Turn): boolean =>
  refused.length === 0 && (calls.length > 0 || answer !== undefined || thought !== undefined)
