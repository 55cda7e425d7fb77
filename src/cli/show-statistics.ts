import type { Counts, ModelTally, ReplyTally, Statistics, Tally } from '../ledger/statistics.ts'
import { counted, countText, shareText } from './show-quantity.ts'
import { type Cell, tableLines } from './show-table.ts'
import { type Paint, visible } from './terminal.ts'

/** Reasons for which nothing could be made of a reply. */
const unread = ['unreadable', 'cut'] as const
const LITERAL = 'python-literal'

/** What was repaired, refused, ignored and not read, as tables. */
export function statisticsLines(statistics: Statistics, paint: Paint): string[] {
  const { all, recent, models, tools, ignored } = statistics
  if (all.calls + all.replies === 0) return ['No reply was read in these runs: there is nothing to count.']
  const title = (text: string): Cell => ({ text, paint: paint.bold })
  const dim = (text: string): Cell => ({ text, paint: paint.dim })
  const share = (part: number, whole: number): Cell[] => [countText(part), dim(shareText(part, whole))]
  const repairedAndRefused = ({ calls, repaired, refused }: Tally): Cell[] => [
    ...[countText(calls), ...share(repaired, calls), ...share(refused, calls)],
  ]
  const codes = (name: string, counts: Counts, recently: Counts): string[] =>
    Object.keys(counts).length === 0
      ? []
      : [
          '',
          ...tableLines(
            [
              [title(name), dim('calls'), dim('share'), dim(`last ${counted(recent.runs, 'run')}`), ''],
              ...Object.entries(counts).map(([code, count]) => [
                ...[code, ...share(count, all.calls), ...share(recently[code] ?? 0, recent.calls)],
              ]),
            ],
            { right: [1, 2, 3, 4] },
          ),
        ]
  return [
    `${counted(all.runs, 'run')}, ${counted(all.replies, 'reply', 'replies')}, ${counted(all.calls, 'call')}`,
    '',
    ...tableLines(
      [
        [title('model'), ...['calls', 'repaired', '', 'refused', '', 'not read', ''].map(dim)],
        ...models.map((tally) => [
          ...[visible(tally.model), ...repairedAndRefused(tally), ...share(unreadIn(tally), tally.replies)],
        ]),
      ],
      { right: [1, 2, 3, 4, 5, 6, 7] },
    ),
    '',
    ...tableLines(
      [
        [title('tool'), ...['calls', 'repaired', '', 'refused', ''].map(dim)],
        ...tools.map((tally) => [visible(tally.tool), ...repairedAndRefused(tally)]),
      ],
      { right: [1, 2, 3, 4, 5] },
    ),
    ...codes('repair', all.repairs, recent.repairs),
    ...codes('refusal', all.refusals, recent.refusals),
    ...(ignored.length === 0
      ? []
      : [
          '',
          ...tableLines(
            [
              [title('ignored parameter'), dim('calls'), dim('of its tool'), dim('by')],
              ...ignored.map(({ tool, parameter, calls, of, models: by }) => [
                ...[visible(`${tool}.${parameter}`), ...share(calls, of), dim(visible(by.join(', ')))],
              ]),
            ],
            { right: [1, 2] },
          ),
        ]),
    '',
    ...literalLines(models, recent, paint),
  ]
}

const unreadIn = ({ advice }: ReplyTally): number => unread.reduce((sum, reason) => sum + (advice[reason] ?? 0), 0)

/** Whether Python literals still have to be read, and of whom. */
function literalLines(models: readonly ModelTally[], recent: ReplyTally, paint: Paint): string[] {
  const writers = models.filter(({ recent: last }) => (last.repairs[LITERAL] ?? 0) > 0)
  const runs = `the last ${counted(recent.runs, 'run')} with calls`
  if (writers.length === 0) {
    return [`Python literals: ${paint.green('not needed')} in ${runs} of any model.`]
  }
  const shares = writers.map(
    ({ model, recent: last }) => `${visible(model)} (${shareText(last.repairs[LITERAL] ?? 0, last.calls)})`,
  )
  return [`Python literals: ${paint.yellow('still needed')}, in the last calls of ${shares.join(', ')}.`]
}
