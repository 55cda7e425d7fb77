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
