import { readArguments, type Tool } from '../../index.ts'
import { parsed } from '../../wire/json.ts'
import { showCalls } from '../show-value.ts'
import type { Paint } from '../terminal.ts'

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

/** The tour as a person sees it, stop by stop. */
export function drawTour(paint: Paint, width: number): string[][] {
  const readings = tour.map(([, offered, written]) => readArguments(written, offered))
  const read = readings.filter(({ refused }) => refused.length === 0).length
  const strict = tour.filter(([, , written]) => parsed(written) !== undefined).length
  const stops = readings.map((reading, index) => {
    const [title, , written] = tour[index] ?? ['', undefined, '']
    const lines = showCalls(written, reading, paint, width - 4)
    const isShown = lines.some((line) => line === '')
    const shown = isShown ? lines : [written === '' ? paint.dim('(empty)') : written, '', ...lines]
    const head = paint.bold(`${String(index + 1).padStart(2)}. ${title}`)
    return ['', head, '', ...shown.map((line) => `    ${line}`.trimEnd())]
  })
  return [
    ...stops,
    [
      '',
      paint.bold(`${read} of ${tour.length} may run as they were meant, ${tour.length - read} refused.`),
      `JSON.parse alone reads ${strict} of them.`,
      paint.dim('Try your own: npx callwright read --help'),
      '',
    ],
  ]
}
