import type { Redact } from '../tools/redact.ts'
import type { Environment } from './model-choice.ts'

/** Variables with such names hold keys, whoever uses them. */
const keyName = /(?:^|_)(?:API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET|TOKEN|PASSWORD)$/i
/** Of a variable that only has such a name, shorter values may be plain words. */
const SHORTEST = 8

/** What was once known to be secret stays so, also for the last words of a command that failed. */
const known = new Set<string>()

interface Places {
  /** The variable that holds the key of the model server. */
  readonly apiKeyFrom?: string | undefined
  readonly baseURL?: string | undefined
}

/** Every text that must be seen nowhere: keys in the environment, and what a URL holds besides its address. */
export function secretsOf(places: Places = {}, environment: Environment = process.env): string[] {
  const named = places.apiKeyFrom === undefined ? undefined : environment[places.apiKeyFrom]
  const others = Object.entries(environment)
    .filter(([name, value = '']) => keyName.test(name) && value.trim().length >= SHORTEST)
    .map(([, value]) => value)
  const urls = [places.baseURL, environment['CALLWRIGHT_BASE_URL'], environment['OPENAI_BASE_URL']]
  const found = [named, ...others, ...urls.flatMap(secretsInURL)]
  for (const value of found) if (value?.trim()) known.add(value.trim())
  return [...known]
}

function secretsInURL(text: string | undefined): string[] {
  if (text === undefined || !URL.canParse(text)) return []
  const { password, searchParams } = new URL(text)
  return [password, decodeURIComponent(password), ...searchParams.values()]
}

/**
 * A value without secrets, text by text: what is drawn may cut a text anywhere, and half a secret is one too.
 *
 * @example
 * cleaned({ result: 'the key is 123456' }, redactor(['123456'])) // { result: 'the key is [redacted by callwright]' }
 */
export function cleaned<Value>(value: Value, redact: Redact): Value {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (typeof part === 'string') return cleanText(key, part, redact)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [redact(name), inner]))
  })
}

/** A key can say of its value that it is a secret, as the name of a header does. */
function cleanText(key: string, text: string, redact: Redact): string {
  const start = `${key}: `
  const line = redact(start + text)
  return line.startsWith(start) ? line.slice(start.length) : redact(text)
}
