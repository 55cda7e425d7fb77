import { type FitProblemRow, fitProblems } from '../../src/fit/problems.ts'
import { fit, read, type Tool } from '../../src/index.ts'
import { type ReadProblemRow, readProblems } from '../../src/read/problems.ts'
import { valueProblems } from '../../src/value/problems.ts'
import { readValue } from '../../src/value/read-value.ts'
import { code, fenced, quoted } from './common.ts'

function valueSection([name, row]: readonly [string, { readonly message: string; readonly example: string }]): string {
  const told =
    row.example === ''
      ? row.message.replace('{detail}', '…').replace('{place}', 'line 1, column 1')
      : (readValue(row.example).problems[0]?.message ?? '')
  return [`### ${name}`, ...(row.example === '' ? [] : [fenced(row.example)]), quoted(told)].join('\n\n')
}

function fitSection([name, row]: readonly [string, FitProblemRow]): string {
  const { example, schema } = row
  if (example === undefined) {
    return [`### ${name}`, quoted(`Send example again ${row.remedy}. … ${row.reason}.`)].join('\n\n')
  }
  const { problems } = fit(example, schema, { name: 'example' })
  return [`### ${name}`, code(example), quoted(problems.map(({ message }) => message).join('\n'))].join('\n\n')
}

const search: Tool = {
  name: 'search',
  input: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}

function readSection([name, row]: readonly [string, ReadProblemRow]): string {
  if (row.example === '') return [`### ${name}`, quoted(row.message.replace('{detail}', '256'))].join('\n\n')
  const [problem] = read(row.example, { tools: [search] }).refused.flatMap(({ problems }) => problems)
  return [`### ${name}`, fenced(row.example), quoted(problem?.message ?? '')].join('\n\n')
}

/** The page, as it should stand in docs/refusals.md. */
export function refusalsPage(): string {
  return `<!-- Made by "npm run docs" from src/value/problems.ts, src/read/problems.ts and src/fit/problems.ts. Change those. -->

# Refusals

A text or value with a problem is not used, and a call with one does not run. A problem has its \`code\`, its \`path\` in the value or
\`span\` in the text where there is one, and a \`message\` for whoever wrote the text, which is a model as a rule. So the message puts the remedy first: a
model's memory of its mistakes is short, and cut at its end.

For arguments, the first problem tells the whole story: what to send, the tool's schema on one line with a star at what is required, one
example that would be accepted, then what was wrong. Each further problem adds a sentence. Joined by line breaks they are
one message, within 400 characters when that can be done:

\`\`\`ts
import { fit } from 'callwright'

const text = { type: 'string' }
const schema = { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] }
const { problems } = fit({ file: 'notes.md', content: 'x' }, schema, { name: 'write_file' })
problems.map(({ message }) => message).join('\\n').split('\\n').length // => 3
problems[0]?.message.split('\\n')[0] // => 'Send write_file again with "path". write_file{path: string*, content: string*} (* = required).'
problems[0]?.message.split('\\n')[1] // => 'Example: {"path":"…","content":"x"}'
problems[0]?.message.split('\\n')[2] // => 'You sent "file" and "content"; "file" is not a parameter, and "path" was missing.'
\`\`\`

## What is never done

- A required parameter is never filled with a default, with a value from an earlier call, or with anything that was not sent.
- A number or date is never picked out of prose, and a key never renamed because its type would fit.
- Of two plausible readings none is chosen.
- A call that was cut off is never closed into one that looks whole; brackets alone may be missing at the end.
- An integer of more digits than a JavaScript number holds never runs as another number (\`integer-inexact\`). Where the schema takes a text its
  digits become the text; \`policy: { 'integer-large': 'allow' }\` lets it pass, rounded.

## Problems of texts

${Object.entries(valueProblems).map(valueSection).join('\n\n')}

## Problems of replies

${Object.entries<ReadProblemRow>(readProblems).map(readSection).join('\n\n')}

## Problems of arguments

${Object.entries<FitProblemRow>(fitProblems).map(fitSection).join('\n\n')}
`
}
