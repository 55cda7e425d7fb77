import { parseArgs } from 'node:util'
import { readValue } from '../value/read-value.ts'
import { inputText } from './input.ts'
import { showReading } from './show-value.ts'
import { paintFor } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export const summary = 'read the value in a file or in what is piped in'

export const help = `callwright read --value [file]

Reads the one value that a text holds: JSON, a Python literal, or either of them broken.
Shows the value and every repair, or the reason why the text is refused.
Without a file it reads what is piped in.

  --value      read one value (the only thing this command reads so far)
  --json       print the reading as JSON, for programs
  --strict     repair nothing
  --known KEY  a key that may stand in the value; helps where quotes are not escaped (may be repeated)
  --cut        the model was cut off by its length limit: close nothing that was left open

Exit code: 0 the value was read, 1 the text was refused, 2 the command was not understood.
`

/** `callwright read`: prints a reading, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      value: { type: 'boolean' },
      json: { type: 'boolean' },
      strict: { type: 'boolean' },
      known: { type: 'string', multiple: true },
      cut: { type: 'boolean' },
    },
  })
  if (!values.value) throw new UsageError('Add --value: reading whole replies is not there yet.')
  if (positionals.length > 1) throw new UsageError(`Name one file, not ${positionals.length}.`)

  const text = await inputText(positionals[0])
  const reading = readValue(text, {
    strict: values.strict ?? false,
    finish: values.cut ? 'length' : 'unknown',
    ...(values.known ? { known: values.known } : {}),
  })
  if (values.json) process.stdout.write(`${JSON.stringify(reading, null, 2)}\n`)
  else {
    const lines = showReading(text, reading, paintFor(process.stdout), (process.stdout.columns ?? 100) - 4)
    process.stdout.write(`\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`)
  }
  return reading.problems.length === 0 ? 0 : 1
}
