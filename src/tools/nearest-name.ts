import { areKin } from '../fit/names.ts'

/**
 * The known name that was most likely meant, or undefined where none is near.
 *
 * @example
 * nearestName('base_url', ['model', 'baseURL']) // 'baseURL'
 * nearestName('stpes', ['steps', 'tokens']) // 'steps'
 */
export const nearestName = (name: string, known: readonly string[]): string | undefined => nearestNames(name, known)[0]

/** The known names that may have been meant, the likeliest first: three at most, and none where none is near. */
export function nearestNames(name: string, known: readonly string[]): string[] {
  const small = name.toLowerCase()
  const kin = known.filter((other) => other.toLowerCase() === small || areKin(name, other))
  const near = known
    .map((other) => ({ other, distance: distanceBetween(small, other.toLowerCase()) }))
    .filter(({ other, distance }) => distance <= Math.floor(Math.min(name.length, other.length) / 3))
    .sort((one, other) => one.distance - other.distance)
    .map(({ other }) => other)
  const held = known.filter((other) => other.length > 3 && small.includes(other.toLowerCase()))
  return [...new Set([...kin, ...near, ...held])].slice(0, 3)
}

/** How many letters must be added, left out, changed or swapped with their neighbour to make one word of the other. */
function distanceBetween(one: string, other: string): number {
  // Names are short; of a text that is not, its beginning tells enough.
  const first = one.slice(0, 100)
  const second = other.slice(0, 100)
  let before: number[] = []
  let row = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (let at = 1; at <= first.length; at++) {
    const next = [at]
    for (let to = 1; to <= second.length; to++) {
      const isSame = first[at - 1] === second[to - 1]
      const isSwapped = at > 1 && to > 1 && first[at - 1] === second[to - 2] && first[at - 2] === second[to - 1]
      next[to] = Math.min(
        (row[to - 1] ?? 0) + (isSame ? 0 : 1),
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        isSwapped ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return row[second.length] ?? 0
}
