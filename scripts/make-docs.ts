/**
 * Writes docs/repairs.md from the code's own lists, so that the page cannot say anything else than the code does.
 * A test fails when the page is not what this makes: run `npm run docs` after a change of the lists.
 */
import { writeFileSync } from 'node:fs'
import { valueProblems } from '../src/value/problems.ts'
import { readValue } from '../src/value/read-value.ts'
import { type ValueRepairRow, valueRepairs } from '../src/value/repairs.ts'

const classes = {
  lossless: 'can mean nothing else',
  renamed: 'a near-miss key stands for the missing one',
  interpretive: 'the usual meaning was taken; a near-twin of the text is refused',
} as const

const fenced = (text: string): string => `\`\`\`\`text\n${shown(text)}\n\`\`\`\``

/** Characters that an editor would hide or eat. */
const shown = (text: string): string => text.replaceAll('\ufeff', '\\ufeff').replaceAll('\u00a0', '\\u00a0')

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function repairSection([code, row]: readonly [string, ValueRepairRow]): string {
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

function problemSection([code, row]: readonly [
  string,
  { readonly message: string; readonly example: string },
]): string {
  const told =
    row.example === ''
      ? row.message.replace('{detail}', '…').replace('{place}', 'line 1, column 1')
      : (readValue(row.example).problems[0]?.message ?? '')
  return [`### ${code}`, ...(row.example === '' ? [] : [fenced(row.example)]), `> ${shown(told)}`].join('\n\n')
}

/** The page, as it should stand in docs/repairs.md. */
export function repairsPage(): string {
  const rows = Object.entries(valueRepairs)
  return `<!-- Made by "npm run docs" from src/value/repairs.ts and src/value/problems.ts. Change those. -->

# Repairs and refusals of values

\`readValue\` makes a change only under one of the ${rows.length} names below, and says so: each repair has its \`code\`, its \`path\` in the
value, its \`span\` in the text, and what stood there \`before\` and \`after\`. Any code can be switched off:
\`policy: { 'word-bare': 'deny' }\` refuses what needs it, \`strict: true\` refuses all of them. What cannot be read without a
guess is refused with a [problem](#problems). Every example on this page is a test.

A repair is of one of these classes:

${Object.entries(classes)
  .map(([name, says]) => `- **${name}**: ${says}`)
  .join('\n')}

## Repairs

${rows.map(repairSection).join('\n\n')}

## Problems

A value with a problem is not used. The message says what to do, then what is wrong and where.

${Object.entries(valueProblems).map(problemSection).join('\n\n')}
`
}

if (import.meta.main) {
  writeFileSync(new URL('../docs/repairs.md', import.meta.url), repairsPage())
  process.stdout.write('Written: docs/repairs.md\n')
}
