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
    return RE2JS.compile(RE2JS.translateRegExp(pattern))
  } catch {
    return undefined
  }
}
