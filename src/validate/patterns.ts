import { RE2JS } from 're2js'

const compiled = new Map<string, RE2JS | undefined>()
const MOST_PATTERNS = 1_000

/**
 * Whether a text matches a schema's pattern anywhere, in time that grows with the text alone. `undefined` for a pattern
 * that cannot be matched so, such as one that looks ahead: whoever runs the tool has to check it.
 */
export function matches(pattern: string, text: string): boolean | undefined {
  if (!compiled.has(pattern)) {
    if (compiled.size >= MOST_PATTERNS) compiled.clear()
    compiled.set(pattern, compile(pattern))
  }
  return compiled.get(pattern)?.matcher(text).find()
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(asRe2(pattern)))
  } catch {
    return undefined
  }
}

const SPACES =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'

/** The few signs that mean another set of characters to RE2 than to JavaScript, written out. */
function asRe2(pattern: string): string {
  let inClass = false
  return pattern.replace(/\\[\s\S]|[[\].]/g, (sign) => {
    if (sign === '[' && !inClass) inClass = true
    else if (sign === ']') inClass = false
    else if (sign === '.') return inClass ? sign : '[^\\n\\r\\x{2028}\\x{2029}]'
    else if (sign === '\\s') return inClass ? SPACES : `[${SPACES}]`
    else if (sign === '\\S' && !inClass) return `[^${SPACES}]`
    return sign
  })
}
