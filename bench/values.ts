import { isDeepStrictEqual } from 'node:util'
import type { Bar, Benchmark, Table } from './benchmark.ts'
import { type Input, makeInputs } from './inputs.ts'
import { ask } from './judge.ts'
import { type BarPanel, barPlot, type Fill } from './plot.ts'
import { loadReaders, type Reader } from './readers.ts'
import { figure, median, race, timesAsFast } from './timing.ts'

const RACE = { rounds: 21, sample: 40, budget: 18_000 }

/** What a reader made of a large input. What it refuses, or gives up at once with an empty value, has no speed. */
type Outcome = 'right' | 'wrong' | 'empty' | 'refuses'

interface Measured {
  readonly reader: Reader
  readonly outcome: Outcome
  /** Milliseconds a run, one figure a round. */
  readonly times: readonly number[]
}

interface Goal {
  readonly what: string
  readonly peer: string
  readonly factor: number
}

const goals: { readonly [input in 'valid' | 'python' | 'cut']: Goal } = {
  valid: { what: 'valid JSON arguments, 1 MB', peer: 'JSON.parse', factor: 0.8 },
  python: { what: 'Python dict, 1 MB, and right', peer: 'jsonrepair', factor: 3 },
  cut: { what: 'truncated JSON, 100 KB', peer: 'jsonrepair', factor: 2 },
}

/** How fast whole texts become values: the lowest layer, against JSON.parse and its peers. */
export const values: Benchmark = {
  name: 'values',
  async measure(say) {
    const readers = await loadReaders()
    const inputs = makeInputs()
    const measured = {
      valid: measureInput(inputs.valid, readers, say),
      python: measureInput(inputs.python, readers, say),
      cut: measureInput(inputs.cut, readers, say),
    }
    const kinds = ['valid', 'python', 'cut'] as const
    const ours = kinds.map((kind) => of(measured[kind], 'callwright'))
    return {
      title: 'Speed on large texts',
      bars: kinds.map((kind) => barOf(goals[kind], measured[kind])),
      blocks: [
        intro,
        {
          kind: 'plot',
          file: 'benchmark-values.svg',
          says: 'Speed of callwright, JSON.parse and four peers on valid JSON, a Python dict and truncated JSON. The tables below have the same figures.',
          svg: barPlot(
            'Text to value: speed on large texts',
            'MB/s, median of the rounds; longer is faster; each panel has its own scale',
            kinds.map((kind) => panelOf(inputs[kind], measured[kind], goals[kind])),
          ),
        },
        ...kinds.flatMap((kind) => [`**${inputs[kind].name}**`, tableOf(inputs[kind], measured[kind])]),
        reading,
      ],
      faults: kinds
        .filter((_, index) => ours[index]?.outcome === 'wrong' || ours[index]?.outcome === 'empty')
        .map((kind) => `callwright read a wrong value from: ${inputs[kind].name}`),
    }
  },
}

function measureInput(input: Input, readers: readonly Reader[], say: (line: string) => void): Measured[] {
  const outcomes = readers.map((reader) => ({ reader, outcome: outcomeOf(reader, input) }))
  const runners = outcomes.filter(({ outcome }) => outcome === 'right' || outcome === 'wrong')
  say(`${input.name}: ${runners.length} of ${readers.length} readers read it; up to ${RACE.rounds} rounds`)
  const times = race(
    runners.map(({ reader }) => ({ name: reader.name, run: () => reader.read(input.text) })),
    RACE,
  )
  return outcomes.map(({ reader, outcome }) => ({ reader, outcome, times: times.get(reader.name) ?? [] }))
}

/** Whether the value is right; a cut text may be refused as long as its value is there to be shown. */
function outcomeOf(reader: Reader, { text, right }: Input): Outcome {
  const { value } = ask(reader, text)
  if (value === undefined) return 'refuses'
  if (right.some((one) => isDeepStrictEqual(value, one))) return 'right'
  return Object.keys(value as object).length === 0 ? 'empty' : 'wrong'
}

const speed = ({ text }: Input, milliseconds: number): number => Buffer.byteLength(text) / 1000 / milliseconds

const of = (measured: readonly Measured[], name: string) => measured.find(({ reader }) => reader.name === name)

const wanted = ({ factor, peer }: Goal): string => `at least ${factor} × ${peer}`

function barOf(goal: Goal, measured: readonly Measured[]): Bar {
  const ours = of(measured, 'callwright')
  const theirs = of(measured, goal.peer)
  const ratio = timesAsFast(ours?.times ?? [], theirs?.times ?? [])
  const isRight = ours?.outcome === 'right'
  return {
    what: goal.what,
    wanted: wanted(goal),
    measured: isRight ? `${figure(ratio)} × ${goal.peer}` : `${ours?.outcome}`,
    isMet: isRight && ratio >= goal.factor,
  }
}

function tableOf(input: Input, measured: readonly Measured[]): Table {
  const ours = of(measured, 'callwright')
  return {
    kind: 'table',
    columns: ['reader', 'MB/s, median', 'MB/s, best', 'callwright is', 'value'],
    rows: measured.map(({ reader, outcome, times }) => {
      const isOurs = reader === ours?.reader
      const ratio = isOurs || !ours ? '' : `${figure(timesAsFast(ours.times, times))} × as fast`
      const speeds = [median(times), Math.min(...times)].map((time) => figure(speed(input, time)))
      const [middle = '', best = ''] = times.length === 0 ? [] : speeds
      return [
        `${reader.name} ${reader.version}`,
        middle,
        best,
        times.length > 0 && ours?.times.length ? ratio : '',
        outcomes[outcome],
      ]
    }),
  }
}

const outcomes: { readonly [outcome in Outcome]: string } = {
  right: 'right',
  wrong: '**wrong**',
  empty: '**wrong**: empty',
  refuses: 'refuses',
}

function panelOf(input: Input, measured: readonly Measured[], goal: Goal): BarPanel {
  const theirs = of(measured, goal.peer)
  const rows = measured.map(({ reader, outcome, times }) => {
    const { name } = reader
    if (outcome === 'refuses') return { label: name, fill: 'peer' as const, says: 'refuses' }
    if (outcome === 'empty') return { label: name, fill: 'peer' as const, says: 'wrong value: empty' }
    const value = speed(input, median(times))
    const fill: Fill =
      outcome === 'wrong' ? 'wrong' : name === 'callwright' ? 'ours' : name === 'JSON.parse' ? 'strict' : 'peer'
    return { label: name, fill, value, says: `${figure(value)} MB/s${outcome === 'wrong' ? ', wrong value' : ''}` }
  })
  const goalValue = speed(input, median(theirs?.times ?? [])) * goal.factor
  return { title: input.name, rows, goal: { value: goalValue, says: wanted(goal) } }
}

const intro = `Three texts, made by [bench/inputs.ts](../bench/inputs.ts) from a fixed seed: the arguments of a \`write_file\` call with a
source file of about 300 KB and 700 KB of rows (nested objects, numbers, booleans, text with escapes); the same value as Python's
\`repr\` writes it; and a smaller one of the kind that ends inside a string. Every reader is called as its own documentation shows.
jsonrepair returns text, so \`JSON.parse\` of its result is part of its time.`

const reading = `How to read it: MB are millions of bytes of UTF-8. All readers run in one process, in up to ${RACE.rounds} rounds; each round runs every reader
for at least ${RACE.sample} ms, beginning with another one each time. "Callwright is" is the median of the ratios in the rounds, so that noise of the machine
hits both sides. *wrong* means: the value differs from the one that the text was made of, and nothing says so. Where that value is empty, and where a
reader refuses (it throws or returns nothing), there is no speed to show. A truncated text is right when all that was there comes out, with or without the
last, open string; callwright also reports it as a problem, and the value is for display only.`
