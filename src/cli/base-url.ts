/** What is wrong with a base URL, said behind its name, or undefined. */
export function baseURLProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return undefined
  return 'must be a URL with http:// or https://, such as http://127.0.0.1:11434/v1'
}

/** A base URL as it is meant: without a path it is /v1, and the path of a request may stand behind it. */
export function tidyBaseURL(text: string): string {
  const url = new URL(text)
  const path = url.pathname.replace(/\/$/, '').replace(/\/chat\/completions$/, '')
  url.pathname = path === '' ? '/v1' : path
  url.hash = ''
  return url.href
}

/** A URL for people to see: without a name, a password or a query, which may hold a secret. */
export function shownURL(text: string): string {
  if (!URL.canParse(text)) return text
  const { origin, pathname } = new URL(text)
  return origin + (pathname === '/' ? '' : pathname)
}

/** Whether two URLs lead to the same server, so that a key for the one may be sent to the other. */
export const isSameServer = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin

/** Names by which a machine calls itself. */
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether two URLs lead to the same port of the same machine, by whichever name it calls itself. */
export function isSamePort(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false
  const [first, second] = [new URL(one), new URL(other)]
  return first.port === second.port && ownNames.has(first.hostname) && ownNames.has(second.hostname)
}
