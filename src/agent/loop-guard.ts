import type { RunCall } from './events.ts'

/** What tells two calls apart: the name, and the arguments whatever the order of their keys. */
export const signatureOf = ({ name, arguments: given }: Pick<RunCall, 'name' | 'arguments'>): string =>
  `${name} ${JSON.stringify(sorted(given))}`

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

/** How often the same call may be made: so often it is noted, is not run any more, ends the run. */
export const repeats = { noted: 2, blocked: 3, ended: 6 } as const

/**
 * Counts calls that are made again, by rounds: however often a call stands in one reply, it counts once. A call that was
 * never made before is progress, and everything may be tried again after it.
 */
export class LoopGuard {
  private readonly counts = new Map<string, number>()
  private readonly known = new Set<string>()

  /** Takes the calls of one reply. */
  round(signatures: readonly string[]): void {
    const unique = new Set(signatures)
    if ([...unique].some((signature) => !this.known.has(signature))) this.counts.clear()
    for (const signature of unique) {
      this.known.add(signature)
      this.counts.set(signature, this.timesOf(signature) + 1)
    }
  }

  /** How many rounds have made this call, since there was progress. */
  timesOf(signature: string): number {
    return this.counts.get(signature) ?? 0
  }

  /** Everything may be tried again: a person has spoken. */
  forgive(): void {
    this.counts.clear()
  }

  /** The most that any call was made. */
  get most(): number {
    return Math.max(0, ...this.counts.values())
  }
}
