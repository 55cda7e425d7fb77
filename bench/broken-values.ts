import type { Benchmark } from './benchmark.ts'
import { type BrokenCase, brokenCases } from './broken-cases.ts'
import { ask, judge, type Verdict } from './judge.ts'
import { type Fill, stackPlot } from './plot.ts'
import { loadReaders, type Reader } from './readers.ts'
import { code } from './tables.ts'

const verdicts: readonly { readonly verdict: Verdict & Fill; readonly says: string; readonly sign: string }[] = [
  { verdict: 'read', says: 'right value', sign: '✓' },
  { verdict: 'refused-rightly', says: 'rightly refused', sign: '✓ refused' },
  { verdict: 'refused', says: 'refused, though readable', sign: 'refused' },
  { verdict: 'cut-taken', says: 'cut off taken as whole', sign: '**cut taken**' },
  { verdict: 'wrong', says: 'wrong value', sign: '**wrong**' },
]

interface Judged {
  readonly one: BrokenCase
  readonly reader: Reader
  readonly verdict: Verdict
  readonly value: unknown
}

const isSilent = ({ verdict }: Judged): boolean => verdict === 'wrong' || verdict === 'cut-taken'

/** What becomes of small broken texts: who is right, who refuses, and who returns a wrong value without a word. */
export const brokenValues: Benchmark = {
  name: 'broken-values',
  async measure(say) {
    const readers = await loadReaders()
    say(`${brokenCases.length} small texts, ${readers.length} readers`)
    const judged: Judged[] = brokenCases.flatMap((one) =>
      readers.map((reader) => {
        const answer = ask(reader, one.text)
        return { one, reader, verdict: judge(answer, one), value: answer.value }
      }),
    )
    const countsOf = (reader: Reader) =>
      verdicts.map(({ verdict }) => judged.filter((row) => row.reader === reader && row.verdict === verdict).length)

    return {
      title: 'Small broken texts',
      bars: [],
      blocks: [
        intro,
        {
          kind: 'plot',
          file: 'benchmark-broken-values.svg',
          says: 'For each reader, how many of the small broken texts it read right, refused, or read wrong. The table below has the same counts.',
          svg: stackPlot(
            `What becomes of ${brokenCases.length} small broken texts`,
            'number of texts by outcome; hatched is what a program would run without knowing',
            verdicts.map(({ verdict, says }) => ({ fill: verdict, says })),
            readers.map((reader) => ({ label: reader.name, counts: countsOf(reader) })),
          ),
        },
        {
          kind: 'table',
          columns: ['reader', ...verdicts.map(({ says }) => says)],
          rows: readers.map((reader) => [`${reader.name} ${reader.version}`, ...countsOf(reader).map(String)]),
        },
        rule,
        {
          kind: 'table',
          folded: 'Every text, what is right, and what each reader made of it; wrong values in full',
          columns: ['kind', 'text', 'right', ...readers.map(({ name }) => name)],
          rows: brokenCases.map((one) => [
            one.kind,
            code(one.text),
            rightText(one),
            ...readers.map((reader) => {
              const row = judged.find((row) => row.one === one && row.reader === reader)
              const sign = verdicts.find(({ verdict }) => verdict === row?.verdict)?.sign ?? ''
              return row && isSilent(row) ? `${sign} ${code(written(row.value))}` : sign
            }),
          ]),
        },
      ],
      faults: judged
        .filter((row) => row.reader.name === 'callwright' && isSilent(row))
        .map(({ one, value }) => `callwright read ${JSON.stringify(value)} from: ${one.text}`),
    }
  },
}

function rightText({ right, mayRefuse, isCut, mustTell }: BrokenCase): string {
  if (isCut) return 'refuse or mark as partial'
  const values = right.map((value) => code(written(value)))
  if (mustTell !== undefined) values[0] += `, telling that ${mustTell} stood there`
  if (mayRefuse || values.length === 0) values.push('refuse')
  return values.join(' or ')
}

const written = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (Number.isNaN(member) ? 'NaN' : member)).replace('"NaN"', 'NaN')

const intro = `${brokenCases.length} texts of the kinds that models write: quotes, commas and brackets gone wrong, Python literals, unescaped backslashes, words around
the value, and texts that were cut off. They were written by hand for this page ([bench/broken-cases.ts](../bench/broken-cases.ts)) by people who know what
callwright repairs, so its own score proves little; what the peers return in silence is worth a look.`

const rule = `The rule: a reader is *wrong* only when it returns a value that differs from every right one as if it were good. A throw is a refusal; so is a value
that comes with a problem, or with the reader's own mark that something is missing (callwright's \`problems\` and \`complete\`, best-effort-json-parser's
\`onExtraToken\`). That callwright names its repairs does not excuse a wrong value; only for the integer that no number can hold is a value right when
the exact digits are told with it. A key that holds \`undefined\` counts as absent. For a text that was cut off, a value without a mark has a column of its own,
*cut off taken as whole*: to show what has come so far is what partial-json and best-effort-json-parser are for, and there it is no fault. It is one when
the value is run as a tool call.`
