import { isObject } from '../fit/judge.ts'
import type { Call, Problem, Reading } from '../types.ts'
import { readValue } from '../value/read-value.ts'
import { readProblem } from './problems.ts'
import { type ReadOptions, read } from './read.ts'
import { namesOf, readOffered } from './read-arguments.ts'
import { type OfferedTool, offeredTools } from './tools.ts'

/** The errors of servers that hold what the model wrote: where it begins, and where it ends. */
const errors: readonly { readonly start: RegExp; readonly end: string | undefined }[] = [
  // Ollama: the arguments of a call, without its name (ollama 12884, 17638).
  { start: /error parsing tool call: raw='/, end: "', err=" },
  // llama.cpp: the rest of the reply (llama.cpp 21771, 20532).
  { start: /Failed to parse input at pos \d+: /, end: undefined },
]
/** So deep, and in so many texts, what the model wrote is looked for. */
const DEEPEST = 6
const MOST_TEXTS = 200
/** Repairs that say that the arguments are rather those of another tool. */
const misfits = new Set(['parameter-ignored', 'key-renamed', 'arguments-unwrapped'])

/**
 * Reads the call out of a server's error that says it could not: an error object of any client, a body, or an error
 * event of a stream. `undefined` when the error holds nothing that a model wrote.
 *
 * @example
 * const reading = rescue(error, { tools })
 * if (reading) for (const call of reading.calls) await run(call)
 */
export function rescue(error: unknown, options: ReadOptions): Reading | undefined {
  const written = rescuedText(error)
  return written === undefined ? undefined : readRescued(written, options)
}

/** What a model wrote, where an error holds it. */
export const rescuedText = (error: unknown): string | undefined =>
  textsIn(error)
    .map(writtenIn)
    .find((text) => text !== undefined)

/** Reads what a server could not: a whole reply, or the arguments of a call without its name. */
export function readRescued(written: string, options: ReadOptions): Reading {
  const reading = read(written, options)
  if (reading.calls.length + reading.refused.length > 0) return reading
  return argumentsAlone(written, options) ?? reading
}

/** What a model wrote, out of the message of an error. */
function writtenIn(message: string): string | undefined {
  for (const { start, end } of errors) {
    const found = start.exec(message)
    if (!found) continue
    const rest = message.slice(found.index + found[0].length)
    const to = end === undefined ? -1 : rest.indexOf(end)
    return to < 0 ? rest : rest.slice(0, to)
  }
  return undefined
}

/** Arguments without a name belong to the one tool that takes them as they are. */
function argumentsAlone(written: string, options: ReadOptions): Reading | undefined {
  const { value, problems } = readValue(written, { container: true })
  if (!written.trimStart().startsWith('{') && !isObject(value)) return undefined
  if (problems.length > 0 || !isObject(value)) return refusedReading(written, problems)
  const tools = offeredTools(options.tools)
  const keys = Object.keys(value)
  const takers = tools.filter((tool) => keys.length > 0 && keys.every((key) => namesOf(tool).has(key)))
  const readings = takers.map((tool: OfferedTool) => readOffered(written, tool, options))
  const [only, ...others] = readings.filter(({ calls }) => calls.length > 0 && calls.every(fits))
  if (only && others.length === 0) return only
  const names = tools.map(({ name }) => name)
  return refusedReading(written, [readProblem('name-missing', names)])
}

function refusedReading(raw: string, problems: readonly Problem[]): Reading {
  const span = [0, raw.length] as const
  const refused = { repairs: [], problems, dialect: 'arguments', raw, span }
  const complete = problems.every(({ code }) => code !== 'truncated')
  return { calls: [], refused: [refused], text: '', parts: [{ kind: 'refused', raw, span }], complete }
}

const fits = ({ repairs }: Call): boolean => repairs.every(({ code }) => !misfits.has(code))

/** What an error says of the request: the history in it may quote an older error, or have been made to look like one. */
const sent = /^(?:request.*|config|options|prompt|messages|input|params)$/i

/** The texts in an error, those inside of JSON and of events first: there they stand as they were written. */
function textsIn(error: unknown): string[] {
  const texts: string[] = []
  const seen = new Set<unknown>()
  const visit = (value: unknown, depth: number): void => {
    if (depth > DEEPEST || texts.length > MOST_TEXTS || seen.has(value)) return
    seen.add(value)
    if (typeof value === 'string') {
      const held = parsedIn(value)
      for (const inner of held) visit(inner, depth + 1)
      // What stands in JSON is looked at there: some of it says what was sent.
      if (held.length === 0) texts.push(value)
    } else if (typeof value === 'object' && value !== null) {
      const message = value instanceof Error ? [value.message, value.cause] : []
      const fields = Object.entries(value).flatMap(([key, inner]) => (sent.test(key) ? [] : [inner]))
      for (const inner of [...message, ...fields]) visit(inner, depth + 1)
    }
  }
  visit(error, 0)
  return texts
}

/** The JSON that a text is, or that its events and lines hold. */
function parsedIn(text: string): unknown[] {
  const lines = [text, ...text.split('\n', MOST_TEXTS)].map((line) => line.replace(/^data:\s*/, ''))
  return lines.filter((line) => line.trimStart().startsWith('{')).flatMap(parsed)
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
