import { isDeepStrictEqual } from 'node:util'
import type { BrokenCase } from './broken-cases.ts'
import type { Answer, Reader } from './readers.ts'

/** What a reader made of a text: `cut-taken` is a value for a text that was cut off, with no word about it. */
export type Verdict = 'read' | 'refused-rightly' | 'refused' | 'cut-taken' | 'wrong'

/**
 * The rule: wrong is a value that differs from every right one and is returned as if it were good.
 * A throw, a problem, or a value marked as partial is a refusal.
 */
export function judge(answer: Answer, { right, mayRefuse, isCut, mustTell }: BrokenCase): Verdict {
  const refusal = mayRefuse || right.length === 0 ? 'refused-rightly' : 'refused'
  if (answer.isRefused) return refusal
  const value = withoutUndefined(answer.value)
  const isTold = mustTell === undefined || answer.repairs?.some(({ before }) => before === mustTell)
  if (isTold && right.some((one) => isDeepStrictEqual(one, value))) return 'read'
  if (answer.isPartial) return refusal
  return isCut ? 'cut-taken' : 'wrong'
}

/** The answer of a reader, with a throw as a refusal. */
export function ask(reader: Reader, text: string): Answer {
  try {
    const answer = reader.read(text)
    return answer.value === undefined ? { value: undefined, isRefused: true } : answer
  } catch {
    return { value: undefined, isRefused: true }
  }
}

/** JSON has no `undefined`: a key that holds it counts as absent. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(value))
  const kept = descriptors.filter(([, { value: member }]) => member !== undefined)
  return Object.defineProperties(
    {},
    Object.fromEntries(kept.map(([key, one]) => [key, { ...one, value: withoutUndefined(one.value) }])),
  )
}
