import type { JsonObject, JsonValue } from '../src/types.ts'

/** A large text with the value that it holds. */
export interface Input {
  readonly name: string
  readonly text: string
  /** Every value that is right. A text that was cut may be shown with its last, open string or without. */
  readonly right: readonly JsonValue[]
}

/** Numbers from 0 to 1, the same ones in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const words =
  'the file was read and every row of it has been checked against report total index value before after run café naïve über'
    .split(' ')
    .concat(["it's", "don't", 'None', 'true', 'a\\b', '"quoted"', 'C:\\temp', '100%', '{x}', '[0]', '# no', '\u001b(B'])

export const codeLines = [
  'def total(rows, key="amount"):',
  '    """Adds up what the rows hold."""',
  "    return sum(row[key] for row in rows if row.get(key) is not None and row['state'] != 'void')",
  '',
  'for name, row in sorted(table.items(), key=lambda pair: pair[1]["rank"]):',
  '\tprint(f\'{name:>20} {row["rank"]:5d}\')',
  'pattern = re.compile(r\'^\\s*(\\w+)\\s*=\\s*"([^"]*)"$\')',
  'if not path.exists(): raise FileNotFoundError(path)  # the caller shows it',
]

/** The arguments of a `write_file` call with rows beside it: about `size` characters as JSON. */
export function callArguments(size: number, seed: number): JsonObject & { content: string } {
  const random = seeded(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const sentence = (count: number) => Array.from({ length: count }, () => pick(words)).join(' ')
  const degrees = (most: number) => (1 + Math.floor(random() * (most * 1e4 - 1))) / 1e4
  const row = (id: number): JsonObject => ({
    id,
    name: `${pick(words)}-${id}`,
    active: random() < 0.5,
    parent: random() < 0.3 ? null : Math.floor(random() * id),
    score: Math.round(random() * 1e5) / 100,
    note: sentence(4 + Math.floor(random() * 12)),
    tags: Array.from({ length: Math.floor(random() * 4) }, () => pick(words)),
    place: { city: pick(['Köln', 'Bonn', "L'Aquila", 'Málaga']), at: [degrees(90), -degrees(180)] },
  })

  const rows: JsonObject[] = []
  let length = 0
  while (length < size * 0.7) {
    const next = row(rows.length + 1)
    length += writeJson(next).length + 2
    rows.push(next)
  }
  let content = ''
  while (length < size) {
    const line = `${pick(codeLines)}\n`
    length += writeJson(line).length - 2
    content += line
  }
  return {
    path: 'src/reports/monthly.py',
    overwrite: true,
    mode: null,
    options: { encoding: 'utf-8', backup: { keep: 3, suffix: '~' }, dry_run: false },
    rows,
    content,
  }
}

/** JSON with a space behind commas and colons, as models write it. */
export const writeJson = (value: JsonValue): string =>
  write(value, { text: (text) => JSON.stringify(text), true: 'true', false: 'false', null: 'null' })

/** What Python's `repr` writes for the same value. */
export const writePython = (value: JsonValue): string =>
  write(value, { text: pythonText, true: 'True', false: 'False', null: 'None' })

interface Spelling {
  text(text: string): string
  readonly true: string
  readonly false: string
  readonly null: string
}

function write(value: JsonValue, spelling: Spelling): string {
  if (typeof value === 'string') return spelling.text(value)
  if (typeof value === 'number') return String(value)
  if (value === null) return spelling.null
  if (typeof value === 'boolean') return value ? spelling.true : spelling.false
  if (Array.isArray(value)) return `[${value.map((item) => write(item, spelling)).join(', ')}]`
  const members = Object.entries(value).map(([key, member]) => `${spelling.text(key)}: ${write(member, spelling)}`)
  return `{${members.join(', ')}}`
}

const pythonEscapes: { readonly [character: string]: string } = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A string as `repr` writes it: in double quotes only when it holds a single quote and no double one. */
export function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let written = ''
  for (const character of text) {
    const code = character.charCodeAt(0)
    if (character === quote) written += `\\${quote}`
    else if (pythonEscapes[character] !== undefined) written += pythonEscapes[character]
    else if (code < 0x20 || (code >= 0x7f && code <= 0xa0)) written += `\\x${code.toString(16).padStart(2, '0')}`
    else written += character
  }
  return quote + written + quote
}

/** One string in one piece, as it comes from a network: not a tree of the pieces that made it. */
export const flat = (text: string): string => Buffer.from(text).toString()

export function makeInputs(): { valid: Input; python: Input; cut: Input } {
  const value = callArguments(1e6, 1)
  const cutValue = callArguments(110_000, 2)
  const cutJson = writeJson(cutValue)
  // the cut leaves about 100,000 characters and falls between two lines of the content, never into an escape
  let shown = cutValue.content.length
  while (cutJson.length - writeJson(cutValue.content.slice(shown)).length > 100_000) {
    shown = cutValue.content.lastIndexOf('\n', shown - 2) + 1
  }
  const content = cutValue.content.slice(0, shown + 7)
  const { content: _, ...others } = cutValue
  return {
    valid: { name: 'valid JSON, 1 MB', text: flat(writeJson(value)), right: [value] },
    python: { name: 'Python dict, 1 MB', text: flat(writePython(value)), right: [value] },
    cut: {
      name: 'truncated JSON, 100 KB',
      text: flat(writeJson({ ...others, content }).slice(0, -'"}'.length)),
      right: [{ ...others, content }, others],
    },
  }
}
