import type { JsonObject, JsonSchema, Tool } from '../src/types.ts'
import { codeLines, flat, seeded, writeJson } from './inputs.ts'

/** A reply that holds calls, and what they are. */
export interface Reply {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[]
}

/** A call whose envelope is JSON: the JSON alone is what a JSON parser gets. */
export interface JsonReply extends Reply {
  readonly json: string
}

/** A schema of required texts, and of other parameters. */
const textOf = (names: readonly string[], others: { readonly [name: string]: JsonSchema } = {}): JsonSchema => ({
  type: 'object',
  properties: { ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])), ...others },
  required: names,
})

const schemas: { readonly [name: string]: JsonSchema } = {
  write_file: textOf(['path', 'content']),
  read_file: textOf(['path'], { line: { type: 'integer' } }),
  edit_file: textOf(['path', 'old_text', 'new_text']),
  delete_file: textOf(['path']),
  move_file: textOf(['from', 'to']),
  list_directory: textOf(['path']),
  make_directory: textOf(['path']),
  search_files: textOf(['pattern', 'path']),
  run_command: textOf(['command'], { timeout: { type: 'number' } }),
  run_tests: textOf(['target']),
  open_page: textOf(['url']),
  search_web: textOf(['query']),
  send_message: textOf(['recipient', 'text']),
  list_messages: textOf(['folder']),
  create_event: textOf(['title', 'start', 'end']),
  list_events: textOf(['day']),
  query_database: textOf(['statement']),
  get_weather: textOf(['city']),
  convert_currency: textOf(['amount', 'from', 'to']),
  ask_user: textOf(['question']),
}

/** The twenty tools that are offered in every text of this benchmark. */
export const tools: readonly Tool[] = Object.entries(schemas).map(([name, input]) => ({
  name,
  description: name.replace('_', ' '),
  input,
}))

/** Source code as a model writes it into a file: quotes, backslashes, tabs, and tags that are no markers. */
const sourceLines = [
  ...codeLines,
  '  return <li key={row.id} className="row">{row.name}</li>',
  '  const path = folder + "\\" + name.replace(/"/g, "\\"")',
  'export function Rows({ rows }: { rows: readonly Row[] }) {',
  '<p>The total is <b>12</b>; see <a href="#notes">the notes</a>.</p>',
]

/** Lines at random until `isLong` says that they are enough. */
function linesUntil(seed: number, lines: readonly string[], isLong: (length: number) => boolean): string {
  const random = seeded(seed)
  const chosen: string[] = []
  for (let length = 0; !isLong(length); length += JSON.stringify(chosen.at(-1)).length) {
    chosen.push(lines[Math.floor(random() * lines.length)] as string)
  }
  return chosen.join('\n')
}

const fileCall = (size: number, seed: number): Reply['calls'][number] => ({
  name: 'write_file',
  arguments: {
    path: 'src/reports/monthly.tsx',
    content: linesUntil(seed, sourceLines, (length) => length >= size - 120),
  },
})

/** One `write_file` call in the envelope of Hermes: about `size` characters. */
export function hermesCall(size: number): JsonReply {
  const call = fileCall(size, 11)
  const json = flat(writeJson(call))
  return { json, text: flat(`<tool_call>\n${json}\n</tool_call>`), calls: [call] }
}

/** The same call as Qwen3-Coder writes it: every parameter in a tag, and nothing escaped. */
export function taggedCall(size: number): Reply {
  // without escapes the same code is shorter
  const call = fileCall(size * 1.11, 11)
  const parameters = Object.entries(call.arguments).map(
    ([name, value]) => `<parameter=${name}>\n${value}\n</parameter>`,
  )
  const text = `<tool_call>\n<function=${call.name}>\n${parameters.join('\n')}\n</function>\n</tool_call>`
  return { text: flat(text), calls: [call] }
}

/** Small calls of several tools, one behind the other. */
export function smallCalls(count: number): Reply {
  const made = [
    (id: number) => ({ name: 'read_file', arguments: { path: `src/part-${id}.ts`, line: id } }),
    (id: number) => ({ name: 'run_command', arguments: { command: `grep -n "row ${id}" *.py`, timeout: 60 } }),
    (id: number) => ({ name: 'get_weather', arguments: { city: id % 2 === 0 ? 'Köln' : 'Málaga' } }),
  ]
  const calls = Array.from({ length: count }, (_, id) => (made[id % made.length] as (typeof made)[0])(id))
  return { text: flat(calls.map((call) => `<tool_call>\n${writeJson(call)}\n</tool_call>`).join('\n')), calls }
}

const vocabulary = (
  'the a of to and in that it is was for on with as this be are by from at which one all there when can more has been if no out so what up ' +
  'about into than them other some time could these two first then any like now over such our most after also before through where much ' +
  'report figures month total column value reader author city river bridge winter harvest village letter window garden train station ' +
  "question answer reason example method result change measure record archive it's don't that's café naïve über"
).split(' ')

/** Prose in paragraphs, lists and headings, that speaks of tools now and then and calls none. */
export function prose(size: number): Reply {
  const random = seeded(23)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const words = (count: number) => Array.from({ length: count }, () => pick(vocabulary)).join(' ')
  const sentence = () => {
    const start = words(1)
    const rest = words(4 + Math.floor(random() * 9))
    const middle =
      random() < 0.4 ? `, ${words(4)}` : random() < 0.1 ? ` (${words(3)})` : random() < 0.05 ? ` [${1}]` : ''
    const tool = random() < 0.01 ? ` with \`${pick(tools).name}\`` : ''
    return `${start.charAt(0).toUpperCase()}${start.slice(1)} ${rest}${middle}${tool}${pick(['.', '.', '.', '?', ':'])}`
  }
  const sentences = (count: number) => Array.from({ length: count }, sentence).join(' ')
  const paragraphs: string[] = []
  for (let length = 0; length < size; length += (paragraphs.at(-1) ?? '').length + 2) {
    const kind = random()
    if (kind < 0.06) paragraphs.push(`## ${words(4)}`)
    else if (kind < 0.16) paragraphs.push(Array.from({ length: 4 }, () => `- ${sentence()}`).join('\n'))
    else paragraphs.push(sentences(2 + Math.floor(random() * 5)))
  }
  return { text: flat(paragraphs.join('\n\n').slice(0, size)), calls: [] }
}

const documentLines = [
  ...sourceLines,
  'server = { "port": 8080, "hosts": ["a.example", "b.example"] }',
  'const { rows, total } = await load({ month: 3, folder: "reports" })',
  'if (list[0] !== undefined && map[key]?.length > 2) { count += 1 }',
]

/** A technical answer: as much code in fences as prose around it, so that many signs might begin something. */
export function technicalAnswer(size: number): Reply {
  const paragraphs = prose(size / 2).text.split('\n\n')
  const code = linesUntil(29, documentLines, (length) => length >= size / 1.8).split('\n')
  const share = Math.ceil(code.length / paragraphs.length)
  const mixed = paragraphs.map((paragraph, index) => {
    const lines = code.slice(index * share, (index + 1) * share)
    return lines.length === 0 ? paragraph : `${paragraph}\n\n\`\`\`tsx\n${lines.join('\n')}\n\`\`\``
  })
  return { text: flat(mixed.join('\n\n')), calls: [] }
}

/** The pieces in which a text comes: four characters each, about one token. */
export function chunksOf(text: string): string[] {
  const chunks: string[] = []
  for (let index = 0; index < text.length; index += CHUNK) chunks.push(text.slice(index, index + CHUNK))
  return chunks
}

const CHUNK = 4
