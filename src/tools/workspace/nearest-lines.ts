/** Lines of a file that somebody may have meant. */
export interface NearestLines {
  /** Line numbers, from 1. */
  readonly from: number
  readonly to: number
  readonly text: string
  readonly differs: 'whitespace' | 'text'
}

const AROUND = 2
const MOST_SHOWN = 30
/** Lines that have less in common are not near. */
const LEAST_LIKENESS = 0.5
const MOST_COMPARED = 50_000
const LONGEST_COMPARED = 400
const MOST_WANTED = 200

/**
 * The lines of a text that come nearest to one that was looked for and is not there.
 *
 * @example
 * nearestLines('if x:\n\treturn 1\n', 'if x:\n  return 1') // lines 1-2, which differ in white space
 */
export function nearestLines(text: string, wanted: string): NearestLines | undefined {
  const lines = text.replace(/\n$/, '').split(/\r?\n/)
  const spaced = spacedOtherwise(lines, wanted)
  if (spaced) return { ...shown(lines, spaced.from, spaced.to), differs: 'whitespace' }
  const best = mostAlike(lines, wanted)
  if (best === undefined) return undefined
  const from = Math.max(0, best.at - best.offset - AROUND)
  const to = Math.min(lines.length, best.at - best.offset + best.count + AROUND)
  return { ...shown(lines, from, to), differs: 'text' }
}

function shown(lines: readonly string[], from: number, to: number): Omit<NearestLines, 'differs'> {
  const end = Math.min(to, from + MOST_SHOWN)
  return { from: from + 1, to: end, text: lines.slice(from, end).join('\n') }
}

const unspaced = (line: string): string => line.replace(/\s+/g, '')

/** The same letters with other white space, lines without any left out on both sides. */
function spacedOtherwise(lines: readonly string[], wanted: string): { from: number; to: number } | undefined {
  const asked = wanted.split('\n').map(unspaced)
  const words = asked.filter((line) => line !== '').slice(0, MOST_WANTED)
  const looked = lines.slice(0, MOST_COMPARED)
  const filled = looked.flatMap((line, index) => (unspaced(line) === '' ? [] : [{ index, words: unspaced(line) }]))
  if (words.length === 0) return undefined
  for (let at = 0; at + words.length <= filled.length; at++) {
    const isHere = words.every((line, offset) => isAlike(filled[at + offset]?.words ?? '', line, offset, words.length))
    if (isHere) return { from: filled[at]?.index ?? 0, to: (filled[at + words.length - 1]?.index ?? 0) + 1 }
  }
  return undefined
}

/** Inside, lines are whole; the first may begin, and the last may end, in the middle of one. */
function isAlike(line: string, wanted: string, offset: number, count: number): boolean {
  if (count === 1) return line.includes(wanted)
  if (offset === 0) return line.endsWith(wanted)
  return offset === count - 1 ? line.startsWith(wanted) : line === wanted
}

/** The line that has most in common with the longest line that was looked for. */
function mostAlike(
  lines: readonly string[],
  wanted: string,
): { readonly at: number; readonly offset: number; readonly count: number } | undefined {
  const asked = wanted.split('\n')
  const longest = asked.reduce((best, line) => (line.trim().length > best.trim().length ? line : best), '')
  const pairs = pairsOf(longest)
  if (pairs.size === 0) return undefined
  let best = { at: -1, likeness: LEAST_LIKENESS }
  for (const [at, line] of lines.slice(0, MOST_COMPARED).entries()) {
    const likeness = likenessOf(pairs, pairsOf(line))
    if (likeness > best.likeness) best = { at, likeness }
  }
  return best.at < 0 ? undefined : { at: best.at, offset: asked.indexOf(longest), count: asked.length }
}

/** The pairs of neighbouring letters in a line. */
function pairsOf(line: string): ReadonlySet<string> {
  const letters = line.trim().toLowerCase().slice(0, LONGEST_COMPARED)
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < letters.length; at++) pairs.add(letters.slice(at, at + 2))
  return pairs
}

function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const pair of one) if (other.has(pair)) shared++
  return (2 * shared) / (one.size + other.size || 1)
}
