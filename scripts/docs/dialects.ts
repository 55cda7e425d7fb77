import {
  channels,
  type Dialect,
  dialects,
  lineDialects,
  type MarkupRepairRow,
  markupRepairs,
  read,
  thoughts,
  writeCalls,
} from '../../src/index.ts'
import { fenced, sentence } from './common.ts'

const search = { name: 'search', arguments: { query: 'tides', limit: 3 } }
const text = { type: 'string' }
const write = {
  name: 'write',
  input: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
}

/** Families that write without a marker of their own. */
const unmarked: readonly { readonly name: string; readonly what: string; readonly example: string }[] = [
  {
    name: 'json',
    what: 'JSON with the name of an offered tool, alone, in a list or in a fence; also with the name as the only key',
    example: '{"name": "search", "arguments": {"query": "tides", "limit": 3}}',
  },
  {
    name: 'pythonic',
    what: 'calls as in Python: Llama 3.2 and 4, Granite, and many models without a form of their own',
    example: "[search(query='tides', limit=3)]",
  },
  {
    name: 'named',
    what: 'the name of an offered tool and its arguments, as when an opener got lost',
    example: 'search{"query": "tides", "limit": 3}',
  },
  {
    name: 'lined',
    what: 'lines of `key: value` that begin with the name of an offered tool',
    example: 'tool: search\nquery: tides\nlimit: 3',
  },
  {
    name: 'named-tags',
    what: 'the name of an offered tool as a tag, with a tag for each parameter: Cline, Roo Code',
    example: '<search>\n<query>tides</query>\n<limit>3</limit>\n</search>',
  },
]

/** Families with a form that is no row of the table. */
const others = [
  {
    name: 'harmony',
    what: 'gpt-oss: messages in channels, each with a header that says who it is for',
    example: `${channels.open[0]}commentary to=functions.search <|constrain|>json${channels.message}{"query": "tides", "limit": 3}${channels.close[0]}`,
  },
  {
    name: 'react',
    what: 'ReAct: lines with labels; the action may also be an object, as JSON or as lines',
    example: 'Thought: look it up\nAction: search\nAction Input: {"query": "tides", "limit": 3}',
  },
]

/** Every dialect with a reply in it, which a test reads. */
export const shown: readonly { readonly name: string; readonly what: string; readonly example: string }[] = [
  ...[...dialects, ...lineDialects].map((dialect: Dialect) => ({
    name: dialect.name,
    what: dialect.families.join(', '),
    example: writeCalls(dialect, [search]),
  })),
  ...others,
  ...unmarked,
]

const section = ({ name, what, example }: (typeof shown)[number]): string =>
  [`### ${name}`, sentence(what), fenced(example)].join('\n\n')

function repairSection([code, row]: readonly [string, MarkupRepairRow]): string {
  const { refused } = read(row.twin, { tools: [write] })
  const [problem] = refused[0]?.problems ?? []
  const outcome = problem ? `is refused (\`${problem.code}\`).` : 'is no call.'
  return [
    `### ${code}`,
    `${sentence(row.says)} *${sentence(row.class)}*`,
    fenced(row.example),
    'Its near-twin',
    fenced(row.twin),
    outcome,
  ].join('\n\n')
}

/** The page, as it should stand in docs/dialects.md. */
export function dialectsPage(): string {
  return `<!-- Made by "npm run docs" from src/read/dialects and src/read/markup-repairs.ts. Change those. -->

# Dialects

The ways in which models write calls, each with the families known to use it and the same call, \`search(query: "tides", limit: 3)\`.
Every example on this page is a test: read whole, character by character, cut at every place, with each marker missing and doubled.

A dialect is a row of plain data; CONTRIBUTING.md says how to add one. Which opener stands before a call matters little, since models mix them: behind any of
them, what the arguments look like says how they are read. Thoughts between ${thoughts.map(({ open, close }) => `\`${open.replace('|', '\\|')}\` and \`${close.replace('|', '\\|')}\``).join(', ')} are no place
for calls.

${shown.map(section).join('\n\n')}

## Repairs of markers

What had to be overlooked to find a call is named like any other change, and can be [switched off](fitting.md#policy) like any other. The examples are calls of
\`write{path: string*, content: string*}\`.

${Object.entries<MarkupRepairRow>(markupRepairs).map(repairSection).join('\n\n')}
`
}
