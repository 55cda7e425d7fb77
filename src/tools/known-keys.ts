import { nearestName } from './nearest-name.ts'

/** What to say of a key that nobody knows; nothing when all are known. A misspelt option must not be one that is left out. */
export function unknownKey(given: object, known: readonly string[]): string | undefined {
  const key = Object.keys(given).find((name) => !known.includes(name))
  if (key === undefined) return undefined
  const near = nearestName(key, known)
  return `there is no option ${key}${near === undefined ? `: they are ${known.join(', ')}` : `; did you mean ${near}?`}`
}
