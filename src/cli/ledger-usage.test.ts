/** Mistakes in the commands that look into a ledger: said before anything is opened. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { run as resume } from './resume.ts'
import { run as runTask } from './run.ts'
import { run as runs } from './runs.ts'
import { run as show } from './show.ts'
import { UsageError } from './usage-error.ts'

describe('what is not understood', () => {
  const cases: readonly (readonly [run: typeof resume, words: readonly string[], said: RegExp])[] = [
    [resume, [], /Name a run, or take --all/],
    [resume, ['a', '--all'], /Name a run, or take --all/],
    [resume, ['--all', '--force'], /for one run: name it/],
    [resume, ['a', '--message', ' '], /--message takes a text/],
    [runs, ['--state', 'done'], /--state takes running, interrupted, answered/],
    [runs, ['--since', 'monday'], /--since takes an age such as/],
    [runs, ['--limit', '0'], /--limit takes a whole number above 0/],
    [runs, ['zebra'], /takes no zebra: show a run with callwright show RUN/],
    [runs, ['prune'], /--older-than 30d, --keep-days 30 or --keep-size 100MB/],
    [runs, ['prune', '--keep-days', 'some'], /--keep-days takes a number of days/],
    [runs, ['prune', '--keep-size', '5'], /--keep-size takes a size/],
    [show, ['a', 'b'], /Name one run/],
    [show, ['--step', 'first'], /--step takes the number of a step/],
    [show, ['--raw', '--jsonl'], /not both/],
    [runTask, ['--no-record', '--key', 'a', 'Go.'], /With --no-record nothing is kept/],
    [runTask, ['--key', '', 'Go.'], /--key takes a name/],
  ]
  for (const [command, words, said] of cases) {
    test(words.join(' ') || 'nothing', () =>
      assert.rejects(command(words), (error) => error instanceof UsageError && said.test(error.message)),
    )
  }
})
