import { parseArgs } from 'node:util'
import {
  createReader,
  type ReadEvent,
  type ReadOptions,
  read,
  readArguments,
  readValue,
  type UnknownParameters,
} from '../index.ts'
import { inputText } from './input.ts'
import { showCalls, showReading, showReply } from './show-value.ts'
import { type Paint, paintFor } from './terminal.ts'
import { toolIn, toolsIn } from './tool-file.ts'
import { UsageError } from './usage-error.ts'

export const summary = 'read a reply as the calls it means, or one value, or the arguments of one tool'

export const help = `callwright read --tools tools.json [file]
callwright read --arguments --tool tool.json [file]
callwright read --value [file]

Reads what a model wrote and shows it with every repair, or the reason why it is refused.
Without a file, or with -, it reads what is piped in.

  --tools FILE     the tools that were offered, as JSON: OpenAI's, Anthropic's, MCP's or our own form
  --stream         read what is piped in as it comes, and print the events, one JSON a line
  --seen FILE      a text that the model was given: a call that stands in it word for word is an echo
  --arguments      the text is the arguments of one tool: they are read and fitted to its schema
  --tool FILE      the tool, or a list of tools with --name NAME
  --unknown WHAT   a parameter that the tool does not have: ignore (default), keep or refuse
  --value          the text is one value: JSON, a Python literal, or either of them broken
  --known KEY      with --value: a key that may stand in it; helps where quotes are not escaped (may be repeated)
  --json           print the reading as JSON, for programs
  --strict         repair nothing
  --cut            the model was cut off by its length limit: close nothing that was left open

Exit code: 0 it was read, 1 something was refused, 2 the command was not understood.
`

/** `callwright read`: prints a reading, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      value: { type: 'boolean' },
      arguments: { type: 'boolean' },
      tool: { type: 'string' },
      tools: { type: 'string' },
      stream: { type: 'boolean' },
      seen: { type: 'string' },
      name: { type: 'string' },
      unknown: { type: 'string' },
      json: { type: 'boolean' },
      strict: { type: 'boolean' },
      known: { type: 'string', multiple: true },
      cut: { type: 'boolean' },
    },
  })
  const modes = ['value', 'arguments', 'tools'] as const
  const [mode, other] = modes.filter((name) => values[name] !== undefined)
  if (mode === undefined)
    throw new UsageError('Add --tools with a file that holds the tools, or --arguments, or --value.')
  if (other !== undefined) throw new UsageError(`Take --${mode} or --${other}, not both.`)
  const misplaced = misplacedOption(mode, values)
  if (misplaced) throw new UsageError(`--${misplaced} goes with --${placeOf[misplaced]}.`)
  if (positionals.length > 1) throw new UsageError(`Name one file, not ${positionals.length}.`)
  const common = { strict: values.strict ?? false, finish: values.cut ? 'length' : 'unknown' } as const

  if (values.arguments) {
    if (values.tool === undefined) throw new UsageError('Add --tool with a file that holds the tool.')
    const tool = await toolIn(values.tool, values.name)
    const unknown = unknownOf(values.unknown)
    const text = await inputText(positionals[0])
    const reading = readArguments(text, tool, { ...common, unknown })
    print(values.json, reading, (paint, width) => showCalls(text, reading, paint, width))
    return reading.refused.length === 0 ? 0 : 1
  }
  if (values.tools !== undefined) {
    const seen = values.seen === undefined ? [] : [await inputText(values.seen)]
    const options = { ...common, tools: await toolsIn(values.tools), unknown: unknownOf(values.unknown), seen }
    return values.stream ? streamed(options) : replied(await inputText(positionals[0]), options, values.json)
  }
  const text = await inputText(positionals[0])
  const reading = readValue(text, { ...common, ...(values.known ? { known: values.known } : {}) })
  print(values.json, reading, (paint, width) => showReading(text, reading, paint, width))
  return reading.problems.length === 0 ? 0 : 1
}

/** Options that only one of the three ways of reading has. */
const placeOf = {
  tool: 'arguments',
  name: 'arguments',
  stream: 'tools',
  seen: 'tools',
  known: 'value',
} as const

function misplacedOption(mode: string, values: { readonly [name: string]: unknown }): keyof typeof placeOf | undefined {
  const names = Object.keys(placeOf) as (keyof typeof placeOf)[]
  return names.find((name) => values[name] !== undefined && placeOf[name] !== mode)
}

function replied(text: string, options: ReadOptions, asJson: boolean | undefined): number {
  const reading = read(text, options)
  print(asJson, reading, (paint, width) => showReply(text, reading, paint, width))
  return reading.refused.length === 0 ? 0 : 1
}

/** Reads standard input as it comes; every event is a line of JSON. */
async function streamed(options: ReadOptions): Promise<number> {
  const reader = createReader(options)
  const tell = (events: readonly ReadEvent[]): void => {
    for (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`)
  }
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) tell(reader.push(chunk))
  const { events, reading } = reader.end(options.finish ? { finish: options.finish } : {})
  tell(events)
  return reading.refused.length === 0 ? 0 : 1
}

function unknownOf(word: string | undefined): UnknownParameters {
  if (word === undefined || word === 'ignore') return 'ignore'
  if (word === 'keep' || word === 'refuse') return word
  throw new UsageError(`--unknown takes ignore, keep or refuse, and not ${word}.`)
}

function print(asJson: boolean | undefined, reading: object, show: (paint: Paint, width: number) => string[]): void {
  if (asJson) process.stdout.write(`${JSON.stringify(reading, null, 2)}\n`)
  else {
    const lines = show(paintFor(process.stdout), (process.stdout.columns ?? 100) - 4)
    process.stdout.write(`\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`)
  }
}
