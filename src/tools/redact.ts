/** Stands where a secret stood. A call with it in its arguments is never run. */
export const REDACTED = '[redacted by callwright]'

/** What tokens look like. Each begins in a way that nothing else does, and ends at the first character that no token has. */
const shapes = [
  'sk-[A-Za-z0-9_-]{16,}',
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'glpat-[A-Za-z0-9_-]{16,}',
  'xox[abpros]-[A-Za-z0-9-]{10,}',
  'AIza[A-Za-z0-9_-]{30,}',
  'A[KS]IA[A-Z0-9]{16}',
  'hf_[A-Za-z0-9]{20,}',
  'npm_[A-Za-z0-9]{30,}',
  'eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}',
]
/** What stands behind these words is a secret, whatever it looks like. */
const header = /\b((?:proxy-)?authorization|x-api-key|api-key|cookie|set-cookie)(\\*"?\s*[:=]\s*\\*"?)([^"\\\n]{4,})/gi
const bearer = /\b(Bearer|Basic) ([A-Za-z0-9._~+/=-]{8,})/g
const shape = new RegExp(`(?<![A-Za-z0-9])(?:${shapes.join('|')})`, 'g')
/** A configured secret that is shorter would take half of every text with it. */
const SHORTEST = 6

/** Takes secrets out of texts. */
export type Redact = (text: string) => string

/**
 * Makes a function that takes secrets out of a text, JSON or not: those that are given, what looks like a token, and
 * what stands in headers that authenticate.
 *
 * @example
 * redactor([process.env.MY_KEY])('Authorization: Bearer abc…') // 'Authorization: [redacted by callwright]'
 */
export function redactor(secrets: readonly (string | undefined)[] = []): Redact {
  const given = secrets.filter((secret) => secret !== undefined && secret.length >= SHORTEST) as string[]
  const spelled = [...new Set(given.flatMap(spellingsOf))].filter((text) => text.length >= SHORTEST)
  return (text) => {
    let clean = text
    for (const secret of spelled) clean = clean.replaceAll(secret, REDACTED)
    return clean
      .replace(header, (_, name, between) => `${name}${between}${REDACTED}`)
      .replace(bearer, (_, scheme) => `${scheme} ${REDACTED}`)
      .replace(shape, REDACTED)
  }
}

/** A text as it is, in JSON, in JSON inside of JSON (where arguments of calls stand), in a URL, and in base64. */
const spellingsOf = (secret: string): string[] => [
  secret,
  escaped(secret),
  escaped(escaped(secret)),
  encodeURIComponent(secret.toWellFormed()),
  ...[0, 1, 2].map((place) => inBase64(secret, place)),
]

/** What stands in base64 wherever a text stands in what was encoded, when it begins at this place of a group of three bytes. */
function inBase64(text: string, place: number): string {
  const bytes = Buffer.from(`${'\0'.repeat(place)}${text}`)
  const whole = Math.floor(bytes.length / 3) * 4
  return bytes.toString('base64').slice(Math.ceil((place * 4) / 3), whole)
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * A value without secrets, text by text. A key can say of its text that it is one, as the name of a header does.
 *
 * @example
 * cleaned({ result: 'the key is 123456' }, redactor(['123456'])) // { result: 'the key is [redacted by callwright]' }
 */
export const cleaned = <Value>(value: Value, redact: Redact): Value => cleanPart('', value, redact) as Value

function cleanPart(key: string, part: unknown, redact: Redact): unknown {
  if (typeof part === 'string') return cleanText(key, part, redact)
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((inner) => cleanPart(key, inner, redact))
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [redact(name), cleanPart(name, inner, redact)]))
}

function cleanText(key: string, text: string, redact: Redact): string {
  const start = `${key}: `
  const line = redact(start + text)
  return line.startsWith(start) ? line.slice(start.length) : redact(text)
}
