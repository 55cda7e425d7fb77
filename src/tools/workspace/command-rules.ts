import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ParsedCommand, parseCommand } from './command.ts'
import { dangerIn, launchers } from './command-dangers.ts'

/**
 * A program that may be run, and with which arguments.
 *
 * - a word is that word; `*` in it stands for any characters: `test/*.py`
 * - `**` as the last one stands for any number of further arguments
 * - without `arguments`, there are none
 *
 * What a program would run, or where it would write, must stand in the rule in so many words: `*` does not mean it.
 */
export interface CommandRule {
  /** A name, which is looked for in folders of the system alone; or an absolute path. */
  readonly program: string
  readonly arguments?: readonly string[]
}

export type CommandVerdict =
  | { readonly kind: 'allowed'; readonly program: string; readonly arguments: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }

const REST = '**'

/**
 * Says whether a command may run by a list of rules. It is read as one program with plain arguments; no shell sees it.
 *
 * @example
 * checkCommand('git status', [{ program: 'git', arguments: ['status'] }]) // { kind: 'allowed', … }
 * checkCommand('git status; rm -rf .', [{ program: 'git', arguments: ['**'] }]) // { kind: 'refused', … }
 */
export function checkCommand(text: string, rules: readonly CommandRule[]): CommandVerdict {
  const parsed: ParsedCommand = parseCommand(text)
  if (parsed.kind === 'refused') return parsed
  const { program, arguments: words } = parsed
  const known = rules.filter((rule) => rule.program === program)
  if (known.length === 0) return { kind: 'refused', reason: `${program} is not on the list` }
  let reason = `${program} is on the list with other arguments`
  for (const rule of known) {
    const open = openWords(rule.arguments ?? [], words)
    if (!open) continue
    const danger = dangerIn(basename(program), open)
    if (danger === undefined) return { kind: 'allowed', program, arguments: words }
    reason = launchers.has(basename(program))
      ? `${program} runs what it is given, and only what the list names in so many words may be given to it`
      : `${danger} makes ${program} run or write something else, and the list does not name it`
  }
  return { kind: 'refused', reason }
}

/** The arguments that a rule leaves open, when it means these arguments at all. */
function openWords(patterns: readonly string[], words: readonly string[]): string[] | undefined {
  const hasRest = patterns.at(-1) === REST
  const fixed = hasRest ? patterns.slice(0, -1) : patterns
  if (words.length < fixed.length || (words.length > fixed.length && !hasRest)) return undefined
  const open: string[] = []
  for (const [index, pattern] of fixed.entries()) {
    const word = words[index] ?? ''
    if (word === pattern) continue
    if (!pattern.includes('*') || !matches(pattern, word)) return undefined
    open.push(word)
  }
  return [...open, ...words.slice(fixed.length)]
}

/** Whether a word is what a pattern with `*` means: its pieces stand in the word one after the other. */
function matches(pattern: string, word: string): boolean {
  const pieces = pattern.split('*')
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (word.length < first.length + last.length || !word.startsWith(first) || !word.endsWith(last)) return false
  const end = word.length - last.length
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = word.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return at <= end
}

/** A rule as a person would type it. */
export const shownRule = ({ program, arguments: words = [] }: CommandRule): string =>
  [program, ...words.map((word) => (/[\s'"]/.test(word) ? JSON.stringify(word) : word))].join(' ')

/** Where a program lies: in a folder of the system, and never in the workspace or by a variable. */
export function programPlace(program: string, searchPath: string): string | undefined {
  if (program.startsWith('/')) return existsSync(program) ? program : undefined
  if (program.includes('/')) return undefined
  return searchPath
    .split(':')
    .map((folder) => join(folder, program))
    .find((place) => existsSync(place))
}
