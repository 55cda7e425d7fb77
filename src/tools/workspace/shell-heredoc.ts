/** A heredoc in a command whose text the shell changes before the program gets it. */
export interface OpenHeredoc {
  /** The word that ends it. */
  readonly word: string
  /** The first thing in it that the shell replaces. */
  readonly replaced: string
}

/**
 * Finds the first heredoc whose word is not quoted and whose text holds something that the shell replaces: `$` with a
 * name or a bracket behind it, or a back-tick. Nobody means that who writes a file of code.
 *
 * @example
 * openHeredoc('cat > a.py <<EOF\nprice = $10\nEOF') // { word: 'EOF', replaced: '$1' }
 * openHeredoc("cat > a.py <<'EOF'\nprice = $10\nEOF") // undefined
 */
export function openHeredoc(command: string): OpenHeredoc | undefined {
  const lines = command.split('\n')
  const plain = lastPlaces(lines)
  const withoutTabs = lastPlaces(lines.map(untabbed))
  let quote: Quote = ''
  for (let at = 0; at < lines.length; at++) {
    const { waiting, quote: after } = heredocsOf(lines[at] ?? '', quote)
    quote = after
    for (const { word, isQuoted, dropsTabs } of waiting) {
      // Without its end it is none, such as the shift in $((1<<2)).
      if (((dropsTabs ? withoutTabs : plain).get(word) ?? -1) <= at) continue
      let end = at + 1
      while ((dropsTabs ? untabbed(lines[end] ?? '') : lines[end]) !== word) end++
      const replaced = isQuoted ? undefined : firstReplaced(lines.slice(at + 1, end))
      if (replaced !== undefined) return { word, replaced }
      at = end
    }
  }
  return undefined
}

const lastPlaces = (lines: readonly string[]): Map<string, number> => new Map(lines.map((line, index) => [line, index]))

const untabbed = (line: string): string => line.replace(/^\t+/, '')

type Quote = '' | "'" | '"'

interface Waiting {
  readonly word: string
  readonly isQuoted: boolean
  /** `<<-` */
  readonly dropsTabs: boolean
}

/** The heredocs that a line opens, and the quotes that are open at its end. */
function heredocsOf(line: string, open: Quote): { readonly waiting: Waiting[]; readonly quote: Quote } {
  const waiting: Waiting[] = []
  let quote = open
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]
    if (sign === '\\' && quote !== "'") at++
    else if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === "'" || sign === '"') quote = sign
    else if (sign === '#' && /^$|\s|[;&|(]/.test(line[at - 1] ?? '')) break
    else if (line.startsWith('<<<', at)) at += 2
    else if (line.startsWith('<<', at)) {
      const found = /^<<(-?)[ \t]*((?:'[^']*'|"[^"]*"|\\.|[^\s'"\\;&|<>()])+)/.exec(line.slice(at, at + 300))
      if (!found) continue
      const [whole, dash, raw = ''] = found
      waiting.push({ word: raw.replace(/['"\\]/g, ''), isQuoted: /['"\\]/.test(raw), dropsTabs: dash === '-' })
      at += whole.length - 1
    }
  }
  return { waiting, quote }
}

function firstReplaced(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    for (let at = 0; at < line.length; at++) {
      if (line[at] === '\\') at++
      else if (line[at] === '`') return '`'
      else if (line[at] === '$') {
        const found = /^\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9{(@*#?$!-])/.exec(line.slice(at, at + 60))
        if (found) return found[0]
      }
    }
  }
  return undefined
}
