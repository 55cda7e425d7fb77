/** Mistakes in the commands that look into a ledger. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunRow } from '../ledger/index.ts'
import { Complaint } from './complaint.ts'
import { findRun } from './ledger-file.ts'
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

describe('a run that is not clearly named', () => {
  const place = { file: 'ledger.db', flag: '', config: {} }
  const row = (run: string, task: string): RunRow => ({
    ...{ run, task, createdAt: 0, updatedAt: 0, events: 1, bytes: 1, model: '' },
    ...{ owner: undefined, end: undefined, settings: undefined },
  })
  const rows = [row('night-1', 'First.'), row('night-2', 'Second\n\u001b[2J.'), row('night', 'Third.')]
  const cases: readonly (readonly [word: string, said: RegExp])[] = [
    [
      'night-',
      /^2 runs begin with night-: type more of the id\.\n {2}night-1 {2}First\.\n {2}night-2 {2}Second ␛\[2J\.$/,
    ],
    ['nigth-2', /^There is no run nigth-2\. Did you mean one of these\?\n(.*\n)*? {2}night-2 {2}Second/],
    ['\u001b[2J', /^There is no run ␛\[2J in ledger\.db\. The last ones are:\n {2}night-1 /],
  ]
  for (const [word, said] of cases) {
    test(JSON.stringify(word), () =>
      assert.throws(
        () => findRun(rows, word, place),
        (error) => error instanceof Complaint && said.test(error.message),
      ),
    )
  }

  test('is found by its whole id, also where others go on with it', () => {
    assert.equal(findRun(rows, 'night', place).task, 'Third.')
    assert.equal(findRun(rows.slice(0, 1), 'ni', place).task, 'First.')
    assert.throws(() => findRun([], 'a', place), /the ledger ledger\.db is empty/)
    assert.throws(() => findRun(rows, '', place), UsageError)
  })
})
