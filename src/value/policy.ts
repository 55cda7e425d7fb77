import type { Policy, Problem, Repair, Verdict } from '../types.ts'
import { MOST_PROBLEMS, problem } from './problems.ts'

/** What a policy says of a repair code. */
export function verdictOn(code: string, policy: Policy = {}): Verdict {
  return Object.hasOwn(policy, code) ? (policy[code] as Verdict) : (policy['*'] ?? 'allow')
}

/**
 * The problems of making these repairs under this policy: none when all of them are allowed.
 *
 * @example
 * judge([{ code: 'quotes-single' }], { 'quotes-single': 'deny' }, text)[0].code // 'repair-denied'
 */
export function judge(repairs: readonly Repair[], policy: Policy | undefined, text: string): Problem[] {
  const problems: Problem[] = []
  const told = new Set<string>()
  if (policy === undefined) return problems
  for (const { code, span, path } of repairs) {
    const verdict = verdictOn(code, policy)
    if (verdict === 'allow' || told.has(code) || problems.length >= MOST_PROBLEMS) continue
    told.add(code)
    const found = problem(verdict === 'deny' ? 'repair-denied' : 'repair-asks', text, span ?? [0, 0], code)
    problems.push(path ? { ...found, path } : found)
  }
  return problems
}

/** The policy that repairs nothing. A large integer is noted under it: the text is valid, and no repair was made. */
export const strictPolicy: Policy = { '*': 'deny', 'integer-large': 'allow' }
