import { parseArgs } from 'node:util'
import { type UndoneFile, undoFiles } from '../tools/workspace/undo.ts'
import { findRun, ledgerFlags, ledgerPlace, openExisting } from './ledger-file.ts'
import { diffOf, filesOf, rootOf } from './run-files.ts'
import { secretsOf } from './secrets.ts'
import { counted } from './show-quantity.ts'
import { type Paint, paintFor, visible } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export const summary = 'take back what a run did to files'

export const help = `callwright undo [options] RUN

Brings the files of a run back to what they were before it, or, when that was done last, to what the run had made of
them. Only files that still are what was left are touched: when one of them is not, nothing is changed, and it is said
which. What commands did outside of the workspace cannot be taken back.

  --file PATH      only this file, relative to the folder of the run
  --dry-run        say what would be done, with diffs, and do nothing
  --ledger FILE    Default .callwright/ledger.db, or what callwright.yaml (ledger) or CALLWRIGHT_LEDGER says
  --config FILE    settings. Default: callwright.yaml, where there is one

Exit code: 0 it was done, 1 there was a conflict, or nothing to take back, 2 the command was not understood.
`

/** `callwright undo`: takes back what a run did to files, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { ...ledgerFlags, file: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  })
  const [word, ...others] = positionals
  if (word === undefined || others.length > 0) throw new UsageError('Name one run: callwright runs lists them.')
  const place = await ledgerPlace(values)
  const ledger = openExisting(place, { secrets: secretsOf(place.config) })
  const paint = paintFor(process.stdout)
  try {
    const row = findRun(ledger.list(), word, place)
    const root = rootOf(row, place)
    const events = ledger.take(row.run)
    try {
      const file = values.file === undefined ? undefined : root.resolve(values.file).path
      const { steps } = filesOf(events, file)
      if (steps.length === 0) {
        process.stdout.write(
          `Run ${visible(row.run)} left no change${values.file === undefined ? '' : ` of ${visible(values.file)}`} to take back.\n`,
        )
        return 1
      }
      if (values['dry-run']) {
        for (const step of steps) process.stdout.write(`${diffOf(step, root).split('\n').map(visible).join('\n')}\n`)
        return 0
      }
      const report = await undoFiles(root, steps, (changes) =>
        ledger.append(row.run, { kind: 'undo', changes, at: Date.now() }),
      )
      for (const file of report.files) process.stdout.write(`  ${lineOf(file, paint)}\n`)
      const count = counted(report.files.length, 'file')
      process.stdout.write(
        report.isDone
          ? `\n  ${count} taken back.\n`
          : `\n  Nothing was changed. Mend what stands above, or name single files with --file.\n`,
      )
      return report.isDone ? 0 : 1
    } finally {
      ledger.release(row.run)
    }
  } finally {
    ledger.close()
  }
}

function lineOf({ path, fate, why }: UndoneFile, paint: Paint): string {
  const isBad = fate === 'conflict' || fate === 'impossible'
  const name = (isBad ? paint.red : paint.green)(fate.padEnd(10))
  return `${name} ${visible(path)}${why === undefined ? '' : `: ${visible(why)}`}`
}
