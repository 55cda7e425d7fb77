import type { Policy } from '../types.ts'
import { repairs } from './repairs.ts'

const codes: ReadonlySet<string> = new Set(['*', ...Object.keys(repairs)])
const verdicts = new Set(['allow', 'deny', 'ask'])
const checked = new WeakSet<Policy>()

/** A policy that forbids a repair nobody knows would forbid nothing: it is refused, with the name that was meant. */
export function checkPolicy(policy: Policy | undefined): void {
  if (policy === undefined || checked.has(policy)) return
  for (const [code, verdict] of Object.entries(policy)) {
    if (!codes.has(code)) {
      const near = nearest(code)
      const hint = near ? `did you mean ${near}?` : 'docs/repairs.md, docs/fitting.md and docs/dialects.md list them.'
      throw new TypeError(`The policy names ${JSON.stringify(code)}, which is no repair: ${hint}`)
    }
    if (!verdicts.has(verdict)) {
      throw new TypeError(`The policy says ${JSON.stringify(verdict)} to ${code}: it must be allow, deny or ask.`)
    }
  }
  checked.add(policy)
}

/** The code with the most words in common. */
function nearest(code: string): string | undefined {
  const words = code.toLowerCase().split(/[^a-z]+/)
  let best: string | undefined
  let most = 0
  for (const known of codes) {
    const shared = known
      .split('-')
      .filter((word) => words.some((other) => other.slice(0, 4) === word.slice(0, 4))).length
    if (shared > most) {
      most = shared
      best = known
    }
  }
  return best
}
