import { readValue } from '../../src/value/read-value.ts'
import { type ValueRepairRow, valueRepairs } from '../../src/value/repairs.ts'
import { classList, fenced, sentence } from './common.ts'

function section([code, row]: readonly [string, ValueRepairRow]): string {
  const [text, value] = row.example
  const [twin, outcome] = row.twin
  const twinReads = JSON.stringify(readValue(twin).value)
  const twinSays =
    outcome === 'refused'
      ? `is refused (\`${readValue(twin).problems[0]?.code}\`)`
      : outcome === 'unchanged'
        ? 'is JSON and read as it stands'
        : `reads as \`${twinReads}\``
  return [
    `### ${code}`,
    `${sentence(row.says)} *${sentence(row.class)}*`,
    fenced(text),
    `reads as \`${JSON.stringify(value)}\`. Its near-twin`,
    fenced(twin),
    `${twinSays}.`,
  ].join('\n\n')
}

/** The page, as it should stand in docs/repairs.md. */
export function repairsPage(): string {
  const rows = Object.entries(valueRepairs)
  return `<!-- Made by "npm run docs" from src/value/repairs.ts. Change that. -->

# Repairs of values

\`readValue\` makes a change only under one of the ${rows.length} names below, and says so: each repair has its \`code\`, its \`path\` in the
value, its \`span\` in the text, and what stood there \`before\` and \`after\`. Any code can be switched off:
\`policy: { 'word-bare': 'deny' }\` refuses what needs it, \`strict: true\` refuses all of them. What cannot be read without a
guess is refused with a [problem](refusals.md). Every example on this page is a test. [fitting.md](fitting.md) has the repairs that
arguments get on top of these.

A repair is of one of these classes:

${classList}

## Repairs

${rows.map(section).join('\n\n')}
`
}
