import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Reading, read, type ToolLike } from '../index.ts'
import { redact } from '../read/redact.ts'
import { offeredTool } from '../read/tools.ts'
import { inputText } from './input.ts'
import { toolsIn } from './tool-file.ts'
import { UsageError } from './usage-error.ts'

export const summary = 'make a small case of a reply that was read wrongly, without what it says'

export const help = `callwright report --tools tools.json [file]

Makes a case out of a reply that was read wrongly, to attach to an issue: the reply with every letter and digit replaced
that does not decide how it is read, the tools without their descriptions, and what came out. Put the calls that were
meant under "expect" (an empty list where there is none); in test/reports/ it is then a test of this project.
Look it over before you send it: names of tools and parameters stay as they are.

  --tools FILE     the tools that were offered, as JSON
  --keep           keep the words of the reply as they are

Exit code: 0 the case is read as the reply is, 1 it is not (then --keep may be needed), 2 the command was not understood.
`

/** `callwright report`: prints a case as JSON, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { tools: { type: 'string' }, keep: { type: 'boolean' } },
  })
  if (values.tools === undefined) throw new UsageError('Add --tools with a file that holds the tools.')
  if (positionals.length > 1) throw new UsageError(`Name one file, not ${positionals.length}.`)
  const given = await toolsIn(values.tools)
  const text = await inputText(positionals[0])
  const tools = given.map(bareTool)
  const shown = values.keep ? text : redact(text, given.map(offeredTool))
  const reading = read(shown, { tools })
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const report = { callwright: version, text: shown, tools, found: foundIn(reading), expect: null }
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  if (shapeOf(reading) === shapeOf(read(text, { tools }))) return 0
  process.stderr.write('The case is read otherwise than the reply. Try --keep, if its words may be seen.\n')
  return 1
}

/** A tool without the words that describe it. */
function bareTool(tool: ToolLike): { readonly name: string; readonly input: unknown } {
  const { name, schema } = offeredTool(tool)
  const input: unknown = JSON.parse(
    JSON.stringify(schema, (key, value) =>
      ['description', 'title', 'examples', 'default', '$comment'].includes(key) && typeof value !== 'object'
        ? undefined
        : value,
    ),
  )
  return { name, input }
}

const foundIn = ({ calls, refused }: Reading): object => ({
  calls: calls.map(({ name, arguments: given, dialect, repairs }) => ({
    name,
    arguments: given,
    dialect,
    repairs: repairs.map(({ code }) => code),
  })),
  refused: refused.map(({ name, dialect, problems }) => ({
    name,
    dialect,
    problems: problems.map(({ code }) => code),
  })),
})

/** What must not change when words are replaced. */
const shapeOf = ({ calls, refused, parts }: Reading): string =>
  JSON.stringify([
    parts.map(({ kind, span }) => [kind, span]),
    calls.map(({ name, dialect, arguments: given, repairs }) => [
      ...[name, dialect, Object.keys(given), repairs.map(({ code }) => code)],
    ]),
    refused.map(({ name, dialect, problems }) => [name, dialect, problems.map(({ code }) => code)]),
  ])
