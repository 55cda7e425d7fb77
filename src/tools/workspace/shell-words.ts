import type { FileChange } from './change.ts'
import type { ShellOutcome } from './shell.ts'
import type { OpenHeredoc } from './shell-heredoc.ts'
import type { Comparison } from './shell-tracking.ts'

/** So many files are named. */
const MOST_NAMED = 8

/** What a model is told of a command: how it ended, what it said, what it changed. */
export function shownOutcome(
  outcome: ShellOutcome,
  { changes, takenBack, beyond }: Comparison,
  { seconds, heredoc }: { readonly seconds: number; readonly heredoc: OpenHeredoc | undefined },
): string {
  const { output } = outcome
  const lines = [
    `${endOf(outcome, seconds)}${output.trim() === '' ? '; no output' : ''}`,
    ...(output.trim() === '' ? [] : [output.endsWith('\n') ? output.slice(0, -1) : output]),
    ...(heredoc ? [heredocNote(heredoc)] : []),
    ...(changes.length > 0 ? [`[changed: ${changedFiles(changes)}]`] : []),
    ...(beyond === undefined ? [] : [`[what it changed is not tracked and cannot be undone: ${beyond}]`]),
    ...takenBack.map(({ path, how }) => `[leave ${path} alone: it may not be made by commands; ${how}]`),
  ]
  return lines.join('\n')
}

function endOf({ ended, exitCode, seconds }: ShellOutcome, allowed: number): string {
  const time = `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  switch (ended) {
    case 'exit':
      return `exit code ${exitCode}, ${time}`
    case 'time':
      return `Send a larger timeout, or less work: the command was stopped after ${allowed} s, with all that it had started`
    case 'processes':
      return `Start fewer processes: the command was stopped after ${time}, because it started too many`
    case 'abort':
      return `The command was stopped after ${time}, because the run was`
  }
}

const heredocNote = ({ word, replaced }: OpenHeredoc): string =>
  `[note: use write_file to write files, or <<'${word}': the shell replaced ${replaced} in the text behind <<${word}]`

function changedFiles(changes: readonly FileChange[]): string {
  const named = changes.slice(0, MOST_NAMED).map(({ path, before, after }) => {
    if (before === null) return `${path} (new)`
    return after === null ? `${path} (gone)` : path
  })
  const more = changes.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
