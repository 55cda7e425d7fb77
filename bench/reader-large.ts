import type { Bar, Table } from './benchmark.ts'
import { growthPlot } from './plot.ts'
import { middleHalf, multiple, ratios, slope } from './ratios.ts'
import { hermesCall, type JsonReply, taggedCall } from './reader-inputs.ts'
import { isRight, LARGEST, MOST_GROWTH, PATIENCE, type Part, WRONG } from './reader-shared.ts'
import { CHECKPOINTS, type loadStreamers, type Streamed, type Streamer } from './streamers.ts'
import { figure, median, raceAwaited } from './timing.ts'

const SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000] as const
const STREAMS = { rounds: 9, sample: 40, budget: 15_000 }
/** What takes longer than so many milliseconds is not run in every round. */
const QUICK = 1_000
const MOST_OF_JSONRIVER = 1

/** A program with the text that it gets, at one size. */
interface Run {
  readonly program: Program
  readonly size: number
  readonly streamed: Streamed
  readonly isRight: boolean
  readonly work: () => unknown
  /** Whether it is run in every round; else one run counts. */
  readonly isQuick: boolean
  /** Milliseconds, one figure a round; a run that was stopped has none. */
  times: readonly number[]
}

interface Program {
  readonly label: string
  readonly streamer: Streamer<JsonReply>
  readonly text: 'json' | 'tagged'
  readonly sizes: readonly number[]
}

/** One large call, as JSON and in tags, and how the time grows with it. */
export async function measureLarge(
  streamers: Awaited<ReturnType<typeof loadStreamers>>,
  say: (line: string) => void,
): Promise<Part> {
  const { pushed, streamed, river, streamparser, checkpoints, eachChunk, hermes, qwen3Coder } = streamers
  const program = (streamer: Streamer<JsonReply>, more: Partial<Program> = {}): Program => ({
    label: streamer.name,
    streamer,
    text: 'json',
    sizes: SIZES,
    ...more,
  })
  const base = program(river)
  const ours = program(pushed)
  const awaited = program(streamed)
  const tagged = program(pushed, { label: 'callwright, tags', text: 'tagged' })
  const json = [
    ours,
    awaited,
    base,
    program(streamparser),
    program(checkpoints, { label: `ai, ${CHECKPOINTS} times`, sizes: [LARGEST] }),
    program(eachChunk),
    program(hermes),
  ]
  const tags = [tagged, program(qwen3Coder, { label: '@ai-sdk-tool, tags', text: 'tagged' })]
  const programs = [...json, ...tags]
  const replies = new Map(SIZES.map((size) => [size as number, { json: hermesCall(size), tagged: taggedCall(size) }]))
  const replyFor = ({ text }: Program, size: number): JsonReply => ({
    json: '',
    ...(replies.get(size)?.[text] ?? { text: '', calls: [] }),
  })

  say(`one call of up to 1 MB, ${programs.length} programs, 4 characters a chunk; up to ${STREAMS.rounds} rounds`)
  const runs: Run[] = []
  for (const program of programs) runs.push(...(await firstRuns(program, replyFor)))
  const raced = runs.filter(({ isQuick }) => isQuick)
  const times = await raceAwaited(
    raced.map((run, index) => ({ name: String(index), run: () => run.work() })),
    STREAMS,
  )
  raced.forEach((run, index) => {
    run.times = times.get(String(index)) ?? []
  })

  const runOf = (program: Program, size: number = LARGEST) =>
    runs.find((run) => run.program === program && run.size === size)
  const baseTimes = runOf(base)?.times ?? []
  const ratioOf = (program: Program): number => median(ratios(runOf(program)?.times ?? [], baseTimes))
  const exponentOf = (program: Program): number => {
    const measured = runs.filter((run) => run.program === program && run.times.length > 0)
    const rounds = Math.min(...measured.map(({ times }) => times.length))
    if (measured.length < 2) return Number.NaN
    const through = (timeOf: (times: readonly number[]) => number): number =>
      slope(measured.map(({ size, times }) => [Math.log(size), Math.log(timeOf(times))]))
    // Where some sizes have one run only, there are no rounds to compare.
    if (rounds === 1) return through(median)
    return median(Array.from({ length: rounds }, (_, round) => through((times) => times[round] ?? Number.NaN)))
  }
  const speedBar = (program: Program, how: string): Bar => {
    const ratio = ratioOf(program)
    const isFine = runOf(program)?.isRight === true
    return {
      what: `1 MB call in 4-character chunks, ${how}`,
      wanted: `at most ${figure(MOST_OF_JSONRIVER)} × the time of jsonriver`,
      measured: isFine ? `${multiple(ratio)} × the time of jsonriver` : outcomeOf(runOf(program)).replaceAll('*', ''),
      isMet: isFine && ratio <= MOST_OF_JSONRIVER,
    }
  }
  const growthBar = (program: Program, what: string): Bar => {
    const exponent = exponentOf(program)
    return {
      what: `growth of ${what}, 10 KB to 1 MB`,
      wanted: `exponent at most ${figure(MOST_GROWTH)}`,
      measured: `exponent ${figure(exponent)}`,
      isMet: exponent <= MOST_GROWTH,
    }
  }
  const unit = median(runOf(ours, SIZES[0])?.times ?? [])
  const table = (listed: readonly Program[]): Table => ({
    kind: 'table',
    columns: ['program', 'how', 'time, × jsonriver', 'middle half of the rounds', 'told on the way', 'outcome'],
    rows: listed.map((program) => {
      const run = runOf(program)
      const { name, version, how } = program.streamer
      const found = ratios(run?.times ?? [], baseTimes)
      const isMeasured = found.length > 0
      return [
        `${name.replace(/,.*/, '')} ${version}`,
        how,
        isMeasured ? multiple(median(found)) : '',
        isMeasured && program !== base ? middleHalf(found) : '',
        isMeasured ? countOf(run?.streamed.told ?? 0) : '',
        outcomeOf(run),
      ]
    }),
  })
  return {
    bars: [
      speedBar(ours, 'pushed'),
      speedBar(awaited, 'awaited'),
      growthBar(ours, 'a JSON call'),
      growthBar(tagged, 'a call in tags'),
    ],
    blocks: [
      {
        kind: 'plot',
        file: 'benchmark-reader-growth.svg',
        says: 'Time over the size of one call that comes in chunks of four characters, both axes logarithmic. The table of the growth has the same figures.',
        svg: growthPlot(
          'One call in chunks of four characters: time as the call grows',
          `both axes logarithmic; 1 is callwright's time for ${sizeName(SIZES[0])}; lower is faster, and a steeper line grows faster`,
          programs
            .filter(({ sizes }) => sizes.length > 1)
            .map((program) => ({
              label: `${program.label.replace('@ai-sdk-tool/parser', '@ai-sdk-tool')}`,
              isOurs: program.streamer.fill === 'ours',
              isDashed: program.text === 'tagged',
              points: runs
                .filter((run) => run.program === program && run.times.length > 0)
                .map(({ size, times }) => [size, median(times) / unit] as const),
            })),
          sizeName,
        ),
      },
      '**one call of 1 MB, JSON in the envelope of Hermes, 4 characters a chunk**',
      table(json),
      streamReading,
      '**the same call in tags, as Qwen3-Coder writes it, 4 characters a chunk**',
      table(tags),
      '**time as the call grows**',
      {
        kind: 'table',
        columns: ['program', ...SIZES.map(sizeName), 'exponent'],
        rows: programs
          .filter(({ sizes }) => sizes.length > 1)
          .map((program) => [
            `${program.label} (${program.text === 'json' ? 'JSON' : 'tags'})`,
            ...SIZES.map((size) => {
              const { times = [] } = runOf(program, size) ?? {}
              return times.length === 0 ? '' : figure(median(times) / unit)
            }),
            figure(exponentOf(program)),
          ]),
      },
      growthReading,
    ],
    faults: runs
      .filter(({ program, streamed, isRight }) => program.streamer.fill === 'ours' && streamed.share === 1 && !isRight)
      .map(({ program, size }) => `${program.label} on a call of ${sizeName(size)}: ${WRONG}`),
  }
}

/** The first run of a program at each size. Where it is slow, a size at which it is not likely to end in time is left out. */
async function firstRuns(program: Program, replyFor: (program: Program, size: number) => JsonReply): Promise<Run[]> {
  const runs: Run[] = []
  for (const size of program.sizes) {
    const before = runs.at(-1)
    const slow = before && !before.isQuick ? (before.times[0] ?? PATIENCE) : 0
    if (before && size !== LARGEST && slow * (size / before.size) ** 2 > PATIENCE) continue
    const reply = replyFor(program, size)
    const work = program.streamer.prepare(reply)
    let found = await bounded(work)
    // The first run is cold: what was nearly quick gets a second one.
    if (found.time >= QUICK && found.time < 2 * QUICK) found = await bounded(work)
    const { streamed, time } = found
    const isWhole = streamed.share === 1
    const right = isRight(streamed, reply)
    const isQuick = isWhole && time < QUICK
    runs.push({ program, size, work, isQuick, streamed, isRight: right, times: isWhole ? [time] : [] })
  }
  return runs
}

async function bounded(
  work: ReturnType<Streamer<JsonReply>['prepare']>,
): Promise<{ streamed: Streamed; time: number }> {
  const start = performance.now()
  const streamed = await work(start + PATIENCE)
  return { streamed, time: performance.now() - start }
}

function outcomeOf(run: Run | undefined): string {
  if (!run) return ''
  const { streamed, isRight } = run
  if (streamed.share === 1) return isRight ? 'right' : WRONG
  return `stopped after ${PATIENCE / 1000} s, with ${(streamed.share * 100).toPrecision(2)} % of the text`
}

const countOf = (count: number): string => `${count.toLocaleString('en')} ×`

const sizeName = (size: number): string => (size >= 1e6 ? `${size / 1e6} MB` : `${size / 1e3} KB`)

const streamReading = `How to read it: the base is jsonriver; its \`parse\` takes an async iterable, so callwright is shown twice: called with each chunk, and awaited over the same iterable as
jsonriver. *Told on the way* is how many events or values came out; jsonriver's values are complete up to the last chunk. callwright ends with the call read, fitted to the tool's schema and
checked by the validator. \`parsePartialJson\` reads all that has come each time, so at every one of 250,000 chunks it would take about an hour, going by its growth: it is called at ${CHECKPOINTS} places,
evenly spread, and once more at every chunk with ${PATIENCE / 1000} s to see how far it comes.`

const growthReading = `Times are multiples of callwright's for ${sizeName(SIZES[0])} of JSON. The exponent is the slope through all sizes that were measured: 1 is linear, 2 is quadratic. Programs that
read everything anew are run once a size, as far as a run is likely to end within ${PATIENCE / 1000} s.`
