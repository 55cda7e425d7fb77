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
  const spelled = [...new Set(given.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))]
  return (text) => {
    let clean = text
    for (const secret of spelled) clean = clean.replaceAll(secret, REDACTED)
    return clean
      .replace(header, (_, name, between) => `${name}${between}${REDACTED}`)
      .replace(bearer, (_, scheme) => `${scheme} ${REDACTED}`)
      .replace(shape, REDACTED)
  }
}
