import { type FitRepairRow, fitRepairs } from '../../src/fit/repairs.ts'
import { type ArgumentRepairRow, argumentRepairs, fit, readArguments } from '../../src/index.ts'
import { classList, code, fenced, sentence } from './common.ts'

function fitSection([name, row]: readonly [string, FitRepairRow]): string {
  const [value, fitted] = row.example
  const [twin, outcome] = row.twin
  const says =
    outcome === 'refused'
      ? `is refused (\`${fit(twin, row.schema).problems[0]?.code}\`)`
      : outcome === 'unchanged'
        ? 'is taken as it is'
        : `becomes ${code(outcome.fits)}`
  return [
    `### ${name}`,
    `${sentence(row.says)} *${sentence(row.class)}*`,
    `With ${code(row.schema)}`,
    `- ${code(value)} becomes ${code(fitted)}\n- its near-twin ${code(twin)} ${says}`,
  ].join('\n\n')
}

function formSection([name, row]: readonly [string, ArgumentRepairRow]): string {
  const [text, calls] = row.example
  const [problem] = readArguments(row.twin, { name: 'example', input: row.schema }).refused.flatMap(
    ({ problems }) => problems,
  )
  return [
    `### ${name}`,
    `${sentence(row.says)} *${sentence(row.class)}*`,
    ...(text === '' ? ['An empty text'] : [fenced(text)]),
    `reads as ${calls.map(code).join(' and ')}. Its near-twin`,
    fenced(row.twin),
    `is refused (\`${problem?.code}\`).`,
  ].join('\n\n')
}

/** The page, as it should stand in docs/fitting.md. */
export function fittingPage(): string {
  return `<!-- Made by "npm run docs" from scripts/docs/fitting.ts, src/fit/repairs.ts and src/read/argument-repairs.ts. Change those. -->

# Arguments fitted to the tool

\`readArguments\` takes the text that a model sent as the arguments of one tool, reads it as [readValue](values.md) does, and fits what it found to the tool's schema.
\`fit\` is the second half alone, for a value that somebody else has read. In the reading, \`calls\` may run: one as a rule, several where the text holds several
different objects. \`refused\` have \`problems\`.

\`\`\`ts
import { readArguments } from 'callwright'

const tool = {
  name: 'run_bash',
  input: {
    type: 'object',
    properties: { command: { type: 'string' }, timeout: { type: 'integer' } },
    required: ['command'],
  },
}
const { calls } = readArguments(\`{'cmd': 'pytest -q', 'timeout': '60', 'shell': 'zsh'}\`, tool)
calls[0]?.arguments // => { command: 'pytest -q', timeout: 60 }
calls[0]?.repairs.map(({ code }) => code) // => ['python-literal', 'key-renamed', 'parameter-ignored', 'text-to-number']
\`\`\`

What cannot be fitted without a guess is in \`refused\`, with [words for the model](refusals.md):

\`\`\`ts
import { readArguments } from 'callwright'

const tool = { name: 'fetch', input: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] } }
const { calls, refused } = readArguments('{"query": "https://example.org"}', tool)
calls // => []
refused[0]?.problems[0]?.code // => 'parameter-missing'
\`\`\`

At the command line, with the tool in a file, in OpenAI's, Anthropic's, MCP's or our own form:

\`\`\`console
$ echo '{"file": "notes.md", "content": "x"}' | npx callwright read --arguments --tool docs/examples/write-file.json

  refused   write_file
            parameter-missing
            Send write_file again with "path". write_file{path: string*, content: string*} (* =
            required).
            Example: {"path":"…","content":"x"}
            You sent "file" and "content"; "file" is not a parameter, and "path" was missing.
  repaired  parameter-ignored        file: the tool has no such parameter; it was left out
\`\`\`

## The rules

1. **What validates is never touched.** It comes back as the same object.
2. Else the **cheapest class** of change wins, at each place of the value. Two different results of the same class are refused: nobody may choose.
${classList
  .split('\n')
  .map((line) => `   ${line}`)
  .join('\n')}
3. **The validator has the last word** over what comes out, and over what went in.

**Texts** are opened, or become numbers and booleans, only where the schema takes no text: a parameter that may be a string keeps its string. With no schema
at all only a text that holds an object or a list is opened, once, at the top level or as an item of a list there; \`hello\`, \`123\` and \`true\` stay texts.

**Unknown parameters** are left out and named (\`unknown: 'ignore'\`); an invented \`line_end\` or \`overwrite\` does not fail a call that says anything else. What is refused: a key that may be a slip of a parameter's name, one that another branch of a union knows, and a call of which nothing would be left. \`unknown: 'keep'\` leaves them in,
\`unknown: 'refuse'\` refuses the call. For this purpose a tool that lists its \`properties\` and says nothing of \`additionalProperties\` takes no others;
\`true\` or a schema keeps them. That is about a tool's parameters: inside of them the schema is taken at its word, and what it does not forbid stays.

**Names** are changed only for a missing one of the same meaning: the same but for case and separators, an abbreviation (\`cmd\`, \`dir\`, \`msg\`), a plural, or words that
add nothing (\`filePath\`, \`absolutePath\` and \`path\`; \`old_text\` and \`old_string\`). A plural counts only where a list is meant. \`start_line\` never becomes \`end_line\`, and \`query\` never \`url\` because it is the only one left. One
parameter under two names with two values is refused.

**Numbers as texts** keep the digits that were written: \`{"version": 3.10}\` becomes \`"3.10"\`, and an integer of twenty digits keeps all of them.

## Options

| option | for | default |
| --- | --- | --- |
| \`unknown\` | parameters that the tool does not have: \`ignore\`, \`keep\`, \`refuse\` | \`ignore\` |
| \`policy\` | verdicts by repair code, see below | all allowed |
| \`strict\` | repair nothing | \`false\` |
| \`finish\` | \`readArguments\`: why the model stopped; after \`length\` nothing is closed and no bare text is taken | \`unknown\` |
| \`validator\` | who has the last word | the one of the main entry |
| \`limits\` | \`size\` of the text, \`depth\` of the value | 16 MB, 512 |
| \`name\` | \`fit\`: the tool's name, for messages and wrappings | none |

## Schemas

Draft 7 and 2020-12: \`$ref\` within the schema (recursive ones too; nothing is fetched), \`allOf\`, \`anyOf\`, \`oneOf\`, \`if\`, tuples, \`patternProperties\`, \`enum\`, \`const\`, lists of types. A schema that cannot be used
is a problem of the call (\`schema-unusable\`). Types as Gemini and Python spell them, and OpenAPI's \`nullable\`, are understood in tools. A \`date-time\` may go without its zone.

The main entry brings the validator: @cfworker/json-schema, which makes no code from strings. Patterns are matched by re2js in time that grows with the
text alone. What cannot be matched so (look-ahead, back-references) is not checked here: whoever runs the tool has to. \`callwright/read\`, the core for browsers,
has neither; it judges by its own lights, which know everything but \`pattern\` and \`format\`. Give it a \`validator\` of your own to change that.

A **Standard Schema** (zod 4.2 or newer and others that have \`~standard.jsonSchema\`) gives its JSON Schema for fitting and judges by its own library. The arguments are typed by it:

\`\`\`ts
import { readArguments } from 'callwright'
import * as z from 'zod'

const tool = { name: 'page', input: z.object({ size: z.int().refine((n) => n % 10 === 0, 'must be a multiple of ten') }) }
readArguments('{"size": "20"}', tool).calls[0]?.arguments.size // => 20
readArguments('{"size": 25}', tool).refused[0]?.problems[0]?.code // => 'value-refused'
\`\`\`

## Policy

Every repair on this page and on [that of values](repairs.md) can be allowed, denied or made to wait for a yes, for all tools or for one. A tool's own word wins. A misspelt code is an error.

\`\`\`ts
import { readArguments } from 'callwright'

const input = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] }
const careful = { name: 'run_bash', input, policy: { '*': 'deny' } } as const
readArguments('{"cmd": "ls"}', careful).calls // => []
readArguments('{"cmd": "ls"}', { name: 'run_bash', input }, { policy: { 'key-renamed': 'ask' } }).refused[0]?.problems[0]?.code // => 'repair-asks'
\`\`\`

## Repairs of arguments

${Object.entries<FitRepairRow>(fitRepairs).map(fitSection).join('\n\n')}

## Forms of arguments

Texts that are no JSON at all, and still say what the arguments are.

${Object.entries<ArgumentRepairRow>(argumentRepairs).map(formSection).join('\n\n')}
`
}
