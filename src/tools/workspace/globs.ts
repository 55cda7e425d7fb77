/** Whether a path, in its parts, is one that a glob means. */
export type Glob = (parts: readonly string[]) => boolean

/** A glob with more alternatives than this is taken as it is written. */
const MOST_ALTERNATIVES = 64

/**
 * Makes a matcher of a glob: `*`, `?`, `[a-z]`, `{one,other}`, and `**` for any number of folders. A glob without `/`
 * means a name in any folder. Its work grows with path and glob, not faster.
 *
 * @example
 * globOf('src/**' + '/*.ts')(['src', 'tools', 'tool.ts']) // true
 * globOf('*.ts')(['src', 'tool.ts']) // true
 */
export function globOf(glob: string): Glob {
  const patterns = alternativesOf(glob).map(segmentsOf)
  return (parts) => patterns.some((segments) => matchesAll(segments, parts))
}

/** A matcher of what any of these globs means. */
export function anyGlob(globs: readonly string[]): Glob {
  const all = globs.map(globOf)
  return (parts) => all.some((one) => one(parts))
}

/** What one name may be, or any number of folders. */
type Segment = typeof ANY | ((name: string) => boolean)

const ANY = '**'

function segmentsOf(glob: string): Segment[] {
  const segments = glob
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === ANY ? ANY : nameOf(part)))
  return glob.replace(/\/$/, '').includes('/') ? segments : [ANY, ...segments]
}

function nameOf(pattern: string): Segment {
  if (!/[*?[]/.test(pattern)) return (name) => name === pattern
  const signs = signsOf(pattern)
  return (name) => matchesName(signs, name)
}

/** `a{b,c}d` as `abd` and `acd`. */
function alternativesOf(glob: string): string[] {
  let done: string[] = []
  let open = [glob]
  while (open.length > 0) {
    const next: string[] = []
    for (const one of open) {
      const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(one)
      if (!found) done = [...done, one]
      else for (const word of (found[2] ?? '').split(',')) next.push(`${found[1]}${word}${found[3]}`)
    }
    if (done.length + next.length > MOST_ALTERNATIVES) return [glob]
    open = next
  }
  return done
}

/** Two walk side by side; where they part, the last `**` takes one more part and they start again behind it. */
function matchesAll(segments: readonly Segment[], parts: readonly string[]): boolean {
  let at = 0
  let part = 0
  let star = -1
  let starPart = 0
  while (part < parts.length) {
    const segment = segments[at]
    if (segment === ANY) {
      star = at++
      starPart = part
    } else if (segment?.(parts[part] ?? '')) {
      at++
      part++
    } else if (star >= 0) {
      at = star + 1
      part = ++starPart
    } else return false
  }
  while (segments[at] === ANY) at++
  return at === segments.length
}

/** The same walk within one name. */
function matchesName(signs: readonly Sign[], name: string): boolean {
  const letters = [...name]
  let at = 0
  let letter = 0
  let star = -1
  let starLetter = 0
  while (letter < letters.length) {
    const sign = signs[at]
    if (sign === '*') {
      star = at++
      starLetter = letter
    } else if (sign?.(letters[letter] ?? '')) {
      at++
      letter++
    } else if (star >= 0) {
      at = star + 1
      letter = ++starLetter
    } else return false
  }
  while (signs[at] === '*') at++
  return at === signs.length
}

type Sign = '*' | ((letter: string) => boolean)

function signsOf(pattern: string): readonly Sign[] {
  const signs: Sign[] = []
  const parts = pattern.match(/\[[!^]?\]?[^\]]*\]|[\s\S]/gu) ?? []
  for (const part of parts) {
    if (part === '*') {
      if (signs.at(-1) !== '*') signs.push('*')
    } else if (part === '?') signs.push(() => true)
    else if (part.length > 2 && part.startsWith('[')) signs.push(classOf(part.slice(1, -1)))
    else signs.push((letter) => letter === part)
  }
  return signs
}

/** What stands between brackets: letters and ranges of them, all others behind `!`. */
function classOf(text: string): Sign {
  const isNegated = /^[!^]/.test(text)
  const letters = [...(isNegated ? text.slice(1) : text)]
  const ranges: (readonly [from: string, to: string])[] = []
  for (let at = 0; at < letters.length; at++) {
    const from = letters[at] ?? ''
    const to = letters[at + 1] === '-' ? letters[at + 2] : undefined
    ranges.push([from, to ?? from])
    if (to !== undefined) at += 2
  }
  return (letter) => ranges.some(([from, to]) => letter >= from && letter <= to) !== isNegated
}
