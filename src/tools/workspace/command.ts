/** A command without a shell: one program and its arguments, or why it is none. */
export type ParsedCommand =
  | { readonly kind: 'command'; readonly program: string; readonly arguments: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }

/** What a shell would do something with, and what that is. */
const special: { readonly [sign: string]: string } = {
  '|': 'a pipe',
  '&': 'a second command',
  ';': 'a second command',
  '\n': 'a second line',
  '\r': 'a second line',
  '<': 'a redirection',
  '>': 'a redirection',
  '(': 'a subshell',
  ')': 'a subshell',
  $: 'a substitution',
  '`': 'a substitution',
  '*': 'a pattern that a shell would replace: quote it if it is meant literally',
  '?': 'a pattern that a shell would replace: quote it if it is meant literally',
  '[': 'a pattern that a shell would replace: quote it if it is meant literally',
  '{': 'a list that a shell would replace: quote it if it is meant literally',
}
/** These mean something to a shell where a word begins. */
const specialAtStart: { readonly [sign: string]: string } = {
  '~': 'the home folder, which is not replaced here',
  '#': 'a comment',
  '!': 'a negation',
}

/**
 * Reads a command as one program with plain arguments. Quotes and backslashes are read as a shell does; all else that a
 * shell would do something with is refused, and never passed on.
 *
 * @example
 * parseCommand("git log --format='%h %s'") // { kind: 'command', program: 'git', arguments: ['log', '--format=%h %s'] }
 * parseCommand('git log | head') // { kind: 'refused', reason: '"|" is a pipe' }
 */
export function parseCommand(text: string): ParsedCommand {
  const words: string[] = []
  let word: string | undefined
  const refused = (sign: string, what: string): ParsedCommand => ({
    kind: 'refused',
    reason: `${JSON.stringify(sign)} is ${what}`,
  })
  const trimmed = text.trim()
  for (let at = 0; at < trimmed.length; at++) {
    const sign = trimmed[at] ?? ''
    if (sign === '\0' || sign === '\n' || sign === '\r') return refused(sign, special[sign] ?? 'no text')
    if (sign === ' ' || sign === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (sign === "'" || sign === '"') {
      const quoted = quotedFrom(trimmed, at, sign)
      if (quoted.kind === 'refused') return quoted
      word = (word ?? '') + quoted.text
      at = quoted.end
    } else if (sign === '\\') {
      const next = trimmed[++at]
      if (next === undefined || next === '\n') return refused('\\', 'the start of a second line')
      word = (word ?? '') + next
    } else {
      const what = special[sign] ?? (word === undefined ? specialAtStart[sign] : undefined)
      if (what !== undefined) return refused(sign, what)
      word = (word ?? '') + sign
    }
  }
  if (word !== undefined) words.push(word)
  const [program, ...rest] = words
  if (program === undefined || program === '') return { kind: 'refused', reason: 'it names no program' }
  if (program.includes('=')) return refused(program, 'a variable, and none can be set here')
  return { kind: 'command', program, arguments: rest }
}

type Quoted =
  | { readonly kind: 'text'; readonly text: string; readonly end: number }
  | (ParsedCommand & { kind: 'refused' })

function quotedFrom(text: string, start: number, quote: string): Quoted {
  let found = ''
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (sign === quote) return { kind: 'text', text: found, end: at }
    if (sign === '\n' || sign === '\r' || sign === '\0') {
      return { kind: 'refused', reason: `${JSON.stringify(sign)} is a second line` }
    }
    if (quote === '"' && (sign === '$' || sign === '`')) {
      return {
        kind: 'refused',
        reason: `${JSON.stringify(sign)} is a substitution: use single quotes if it is meant literally`,
      }
    }
    const next = text[at + 1] ?? ''
    if (quote === '"' && sign === '\\' && '"\\$`'.includes(next) && next !== '') {
      found += next
      at++
    } else found += sign
  }
  return { kind: 'refused', reason: `the quote ${quote} is not closed` }
}
