/** A line that both have, or that only the old or the new text has. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** More differences than this are shown as one block that replaces another. */
const MOST_DIFFERENCES = 400

/**
 * The lines of two texts, with what was taken away and added. Its work is bounded: where two texts have little in
 * common, what differs is one block.
 *
 * @example
 * diffLines(['a', 'b'], ['a', 'c']) // ' a', '-b', '+c'
 */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const same = (text: string): DiffLine => ({ sign: ' ', text })
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

/** The shortest way from one to the other: with each round one more difference, as far as it leads on each diagonal. */
function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const rounds: Int32Array[] = []
  const center = MOST_DIFFERENCES + 1
  const furthest = new Int32Array(2 * center + 1)
  for (let round = 0; round <= MOST_DIFFERENCES; round++) {
    rounds.push(furthest.slice())
    for (let diagonal = -round; diagonal <= round; diagonal += 2) {
      const isDown = comesFromAbove(furthest, center, diagonal, round)
      let old = isDown ? (furthest[center + diagonal + 1] ?? 0) : (furthest[center + diagonal - 1] ?? 0) + 1
      while (old < before.length && old - diagonal < after.length && before[old] === after[old - diagonal]) old++
      furthest[center + diagonal] = old
      if (old >= before.length && old - diagonal >= after.length) return traced(before, after, rounds, center)
    }
  }
  return [
    ...before.map((text): DiffLine => ({ sign: '-', text })),
    ...after.map((text): DiffLine => ({ sign: '+', text })),
  ]
}

const comesFromAbove = (furthest: Int32Array, center: number, diagonal: number, round: number): boolean =>
  diagonal === -round ||
  (diagonal !== round && (furthest[center + diagonal - 1] ?? 0) < (furthest[center + diagonal + 1] ?? 0))

/** The way back, from the end to the beginning. */
function traced(
  before: readonly string[],
  after: readonly string[],
  rounds: readonly Int32Array[],
  center: number,
): DiffLine[] {
  const lines: DiffLine[] = []
  let old = before.length
  let fresh = after.length
  for (let round = rounds.length - 1; round >= 0; round--) {
    const furthest = rounds[round] ?? new Int32Array()
    const diagonal = old - fresh
    const isDown = comesFromAbove(furthest, center, diagonal, round)
    const from = isDown ? diagonal + 1 : diagonal - 1
    const oldStart = round === 0 ? 0 : (furthest[center + from] ?? 0)
    const freshStart = round === 0 ? 0 : oldStart - from
    while (old > oldStart && fresh > freshStart) {
      lines.push({ sign: ' ', text: before[--old] ?? '' })
      fresh--
    }
    if (round === 0) break
    if (isDown) lines.push({ sign: '+', text: after[--fresh] ?? '' })
    else lines.push({ sign: '-', text: before[--old] ?? '' })
  }
  return lines.reverse()
}
