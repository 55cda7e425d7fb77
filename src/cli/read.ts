import { parseArgs } from 'node:util'
import { readArguments, readValue, type UnknownParameters } from '../index.ts'
import { inputText } from './input.ts'
import { showCalls, showReading } from './show-value.ts'
import { type Paint, paintFor } from './terminal.ts'
import { toolIn } from './tool-file.ts'
import { UsageError } from './usage-error.ts'

export const summary = "read a value, or a tool's arguments, from a file or what is piped in"

export const help = `callwright read --value [file]
callwright read --arguments --tool tool.json [file]

Reads what a text holds and shows it with every repair, or the reason why it is refused.
Without a file it reads what is piped in.

  --value          the text is one value: JSON, a Python literal, or either of them broken
  --arguments      the text is the arguments of one tool: they are read and fitted to its schema
  --tool FILE      the tool, or a list of tools, as JSON: in OpenAI's, Anthropic's, MCP's or our own form
  --name NAME      which tool of the list
  --unknown WHAT   a parameter that the tool does not have: ignore (default), keep or refuse
  --json           print the reading as JSON, for programs
  --strict         repair nothing
  --known KEY      with --value: a key that may stand in it; helps where quotes are not escaped (may be repeated)
  --cut            the model was cut off by its length limit: close nothing that was left open

Exit code: 0 it was read, 1 it was refused, 2 the command was not understood.
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
      name: { type: 'string' },
      unknown: { type: 'string' },
      json: { type: 'boolean' },
      strict: { type: 'boolean' },
      known: { type: 'string', multiple: true },
      cut: { type: 'boolean' },
    },
  })
  if (!values.value === !values.arguments) {
    const complaint = values.value ? 'Take --value or --arguments, not both' : 'Add either --value or --arguments'
    throw new UsageError(`${complaint}: reading whole replies is not there yet.`)
  }
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
  const misplaced = (['tool', 'name', 'unknown'] as const).find((option) => values[option] !== undefined)
  if (misplaced) throw new UsageError(`--${misplaced} goes with --arguments.`)
  const text = await inputText(positionals[0])
  const reading = readValue(text, { ...common, ...(values.known ? { known: values.known } : {}) })
  print(values.json, reading, (paint, width) => showReading(text, reading, paint, width))
  return reading.problems.length === 0 ? 0 : 1
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
