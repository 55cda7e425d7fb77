import { parseArgs } from 'node:util'
import { readValue } from '../value/read-value.ts'
import { showReading } from './show-value.ts'
import { paintFor } from './terminal.ts'

export const summary = 'a tour of ten broken values'

export const help = `callwright demo

A tour of ten values as models write them: what was written, what was read, what was repaired or refused.
Needs no model, no key and no network.
`

/** Values in the shapes that models break them, each with a word on where it comes from. */
const tour: readonly (readonly [title: string, text: string])[] = [
  [
    'A Python dict, because the history showed the model Python dicts',
    `{'path': 'blog.py', 'append': False, 'mode': None}`,
  ],
  ['A stray bracket behind a string', `{"command": "cat > a.py <<'EOF'\\nprint('hi')\\nEOF"], "timeout": 60}`],
  ['A key that was begun and left', `{"path": "observer.py","}`],
  ['Quotes inside a string that nobody escaped', `{"comment": "the word "offside" is used well", "score": 3}`],
  ['A file with its line breaks as they are', `{"path": "notes.md", "content": "# Notes\n\n- first\n"}`],
  ['A Windows path and a regular expression', `{"path": "C:\\bin\\app.exe", "pattern": "\\d+"}`],
  ['JavaScript rather than JSON', `{path: 'a.ts', lines: [1, 2,], /* all of them */ "force": undefined}`],
  [
    'Prose, a fence, and a comma too few',
    'Here is the call:\n```json\n{"query": "weather" "days": 3}\n```\nShall I go on?',
  ],
  ['The same object twice', `{"x": 3, "y": 2}{"x": 3, "y": 2}`],
  ['Half a call: this one is not repaired', `{"path": "blog.py", "content": "import os\\n\\ndef main(`],
]

/** `callwright demo`: shows the tour, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  parseArgs({ args: [...words], options: {} })
  const paint = paintFor(process.stdout)
  const width = Math.min(process.stdout.columns ?? 100, 110) - 4
  let read = 0
  for (const [index, [title, text]] of tour.entries()) {
    const reading = readValue(text)
    if (reading.problems.length === 0) read++
    const lines = showReading(text, reading, paint, width)
    process.stdout.write(`\n${paint.bold(`${String(index + 1).padStart(2)}. ${title}`)}\n\n`)
    process.stdout.write(`${lines.map((line) => `    ${line}`.trimEnd()).join('\n')}\n`)
  }
  process.stdout.write(
    `\n${paint.bold(`${read} of ${tour.length} were read as they were meant, ${tour.length - read} refused.`)}\n` +
      `JSON.parse reads ${tour.filter(([, text]) => parses(text)).length} of them.\n` +
      `${paint.dim('Try your own: echo "{\'a\': 1,}" | npx callwright read --value')}\n\n`,
  )
  return 0
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
