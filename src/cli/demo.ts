import { parseArgs } from 'node:util'
import { readArguments, type Tool } from '../index.ts'
import { showCalls } from './show-value.ts'
import { paintFor } from './terminal.ts'

export const summary = 'a tour of ten broken tool calls'

export const help = `callwright demo

A tour of ten argument strings as models write them: what was written, the call that was meant, what was repaired or
refused. Needs no model, no key and no network.
`

const text = { type: 'string' }
const tool = (name: string, properties: { readonly [key: string]: object }, ...required: string[]): Tool => ({
  name,
  input: { type: 'object', properties, required },
})

const writeFile = tool('write_file', { path: text, content: text, append: { type: 'boolean' } }, 'path', 'content')
const readFile = tool('read_file', { path: text, encoding: text, max_size: { type: 'integer' } }, 'path')
const runBash = tool('run_bash', { command: text, timeout: { type: 'integer' } }, 'command')
const invoke = tool('invoke', { artifact: text, method: text, args: { type: 'array' } }, 'artifact', 'method')
const register = tool('register', { entry: { type: 'object', properties: { id: text }, required: ['id'] } }, 'entry')
const listDirectory = tool('list_dir', { path: text })

/** Argument strings in the shapes that models break them, each with a word on where it comes from. */
const tour: readonly (readonly [title: string, tool: Tool, text: string])[] = [
  [
    'A stray bracket behind a heredoc',
    runBash,
    `{"command": "cat > blog.py <<'EOF'\\nprint('hi')\\nEOF"], "timeout": 60}`,
  ],
  [
    'A Python dict, because the history showed the model Python dicts',
    writeFile,
    `{'path': 'blog.py', 'content': "title = 'x'", 'append': False}`,
  ],
  ['A parameter that the tool never had', readFile, `{"path": "blog.py", "line_end": "\\n", "overwrite": true}`],
  ['A key that was begun and left', readFile, `{"path":"observer.py","}`],
  ['An object sent as a text, which the model cannot stop doing', register, `{"entry": "{\\"id\\": \\"foo\\"}"}`],
  ['A near-miss name, and a number as a text', runBash, `{"cmd": "pytest -q", "timeout": "60"}`],
  ['The whole call where its arguments belong', runBash, `{"name": "run_bash", "arguments": {"command": "ls"}}`],
  ['Parameters in order, without their names', invoke, `["registry", "get", ["foo"]]`],
  ['Nothing at all, for a tool that needs nothing', listDirectory, ''],
  ['Half a call: this one is not repaired', writeFile, `{"path": "blog.py", "content": "import os\\n\\ndef main(`],
]

/** `callwright demo`: shows the tour, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  parseArgs({ args: [...words], options: {} })
  const paint = paintFor(process.stdout)
  const width = Math.min(process.stdout.columns ?? 100, 110) - 4
  let read = 0
  for (const [index, [title, offered, written]] of tour.entries()) {
    const reading = readArguments(written, offered)
    if (reading.refused.length === 0) read++
    process.stdout.write(`\n${paint.bold(`${String(index + 1).padStart(2)}. ${title}`)}\n\n`)
    const lines = showCalls(written, reading, paint, width)
    const isShown = lines.some((line) => line === '')
    const shown = isShown ? lines : [written === '' ? paint.dim('(empty)') : written, '', ...lines]
    process.stdout.write(`${shown.map((line) => `    ${line}`.trimEnd()).join('\n')}\n`)
  }
  process.stdout.write(
    `\n${paint.bold(`${read} of ${tour.length} may run as they were meant, ${tour.length - read} refused.`)}\n` +
      `JSON.parse alone reads ${tour.filter(([, , written]) => parses(written)).length} of them.\n` +
      `${paint.dim('Try your own: npx callwright read --help')}\n\n`,
  )
  return 0
}

function parses(written: string): boolean {
  try {
    JSON.parse(written)
    return true
  } catch {
    return false
  }
}
