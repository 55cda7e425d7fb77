import { isDeepStrictEqual } from 'node:util'
import { createReader, dialects, read } from '../src/index.ts'
import type { Bar, Benchmark, Block, Table } from './benchmark.ts'
import { type BarPanel, barPlot, growthPlot } from './plot.ts'
import { middleHalf, multiple, ratios, slope } from './ratios.ts'
import {
  chunksOf,
  hermesCall,
  type JsonReply,
  prose,
  type Reply,
  smallCalls,
  taggedCall,
  technicalAnswer,
  tools,
} from './reader-inputs.ts'
import { CHECKPOINTS, limits, loadStreamers, pushAll, type Streamed, type Streamer } from './streamers.ts'
import { figure, median, race, raceAwaited } from './timing.ts'

const SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000] as const
const LARGEST = 1_000_000
const COUNTS = [100, 1_000, 10_000] as const
const MOST_CALLS = limits.calls
const STREAMS = { rounds: 9, sample: 40, budget: 15_000 }
const PROSE = { rounds: 11, sample: 40, budget: 6_000 }
const CALLS = { rounds: 9, sample: 40, budget: 5_000 }
/** So many milliseconds a program gets for one run whose time nobody knows before. */
const PATIENCE = 4_000
/** What takes longer than so many milliseconds is not run in every round. */
const QUICK = 1_000

const MOST_OF_JSONRIVER = 1
const MOST_GROWTH = 1.1
const LEAST_OF_LOOPS = 0.5
const LEAST_SPEED = 50

/** How fast whole replies are read as they come in: large calls, many calls, and prose without any. */
export const reading: Benchmark = {
  name: 'reader',
  async measure(say) {
    const streamers = await loadStreamers()
    const large = await measureLarge(streamers, say)
    const texts = measureProse(say)
    const small = await measureSmall(streamers.hermes, say)
    return {
      title: 'Reading a reply as it comes',
      bars: [...large.bars, ...texts.bars, ...small.bars],
      blocks: [intro, ...large.blocks, ...texts.blocks, ...small.blocks],
      faults: [...large.faults, ...texts.faults, ...small.faults],
    }
  },
}

interface Part {
  readonly bars: readonly Bar[]
  readonly blocks: readonly Block[]
  readonly faults: readonly string[]
}

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

async function measureLarge(
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

const isRight = ({ calls }: Pick<Streamed, 'calls'>, reply: Reply): boolean =>
  isDeepStrictEqual(
    calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
    reply.calls,
  )

const WRONG = '**wrong**'

function outcomeOf(run: Run | undefined): string {
  if (!run) return ''
  const { streamed, isRight } = run
  if (streamed.share === 1) return isRight ? 'right' : WRONG
  return `stopped after ${PATIENCE / 1000} s, with ${(streamed.share * 100).toPrecision(2)} % of the text`
}

const countOf = (count: number): string => `${count.toLocaleString('en')} ×`

const sizeName = (size: number): string => (size >= 1e6 ? `${size / 1e6} MB` : `${size / 1e3} KB`)

/** Every string that begins a call in prose, from the table of the dialects. */
const openers = dialects.flatMap(({ open }) => open)
const longestOpener = Math.max(...openers.map(({ length }) => length))

/** What finding the openers costs at least: one search for each, over the whole text. */
function loopsOver(text: string): number {
  let found = 0
  for (const opener of openers) {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) found++
  }
  return found
}

/** The same in chunks: what may be the start of an opener is kept for the next search. */
function loopsOverChunks(chunks: readonly string[]): number {
  let found = 0
  let rest = ''
  for (const chunk of chunks) {
    const text = rest + chunk
    for (const opener of openers) {
      for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) found++
    }
    rest = text.slice(-(longestOpener - 1))
  }
  return found
}

function measureProse(say: (line: string) => void): Part {
  const texts = [
    { name: 'prose', ...prose(LARGEST) },
    { name: 'a technical answer, half of it code', ...technicalAnswer(LARGEST) },
  ]
  const tasks = texts.flatMap(({ name, text }) => {
    const chunks = chunksOf(text)
    return [
      { name, text, way: 'whole', ours: () => read(text, { tools }), loops: () => loopsOver(text) },
      {
        name,
        text,
        way: 'in 4-character chunks',
        ours: () => pushAll(chunks, performance.now() + PATIENCE).reading,
        loops: () => loopsOverChunks(chunks),
      },
    ]
  })
  say(`1 MB without a call, ${tools.length} tools, ${openers.length} openers; up to ${PROSE.rounds} rounds`)
  const raced = race(
    tasks.flatMap(({ ours, loops }, index) => [
      { name: `ours ${index}`, run: ours },
      { name: `loops ${index}`, run: loops },
    ]),
    PROSE,
  )
  const measured = tasks.map((task, index) => {
    const [times, base] = [raced.get(`ours ${index}`) ?? [], raced.get(`loops ${index}`) ?? []]
    const { calls, refused, text } = task.ours()
    return {
      ...task,
      times,
      base,
      /** How much of the speed of the loops there is. */
      ratio: median(ratios(base, times)),
      speed: speedOf(task.text, median(times)),
      isRight: calls.length + refused.length === 0 && text === task.text,
      held: task.way === 'whole' ? undefined : mostHeld(chunksOf(task.text)),
    }
  })
  return {
    bars: measured
      .filter(({ name }) => name === 'prose')
      .map(({ way, ratio, speed, isRight }) => ({
        what: `1 MB of prose, 20 tools offered, no call, ${way}`,
        wanted: `at least ${LEAST_OF_LOOPS} × the speed of indexOf loops, or ${LEAST_SPEED} MB/s`,
        measured: isRight ? `${multiple(ratio)} × the loops, ${figure(speed)} MB/s` : 'wrong',
        isMet: isRight && (ratio >= LEAST_OF_LOOPS || speed >= LEAST_SPEED),
      })),
    blocks: [
      proseIntro,
      {
        kind: 'plot',
        file: 'benchmark-reader-prose.svg',
        says: 'Speed of callwright beside indexOf loops on 1 MB without a call. The table below has the same figures.',
        svg: barPlot(
          'Text without a call: speed beside indexOf loops over the openers',
          'MB/s, median of the rounds; longer is faster; each panel has its own scale',
          measured.map(
            ({ name, way, text, base, speed }): BarPanel => ({
              title: `${name}, ${way}`,
              rows: [
                { label: 'callwright', fill: 'ours', value: speed, says: `${figure(speed)} MB/s` },
                {
                  label: 'indexOf loops',
                  fill: 'strict',
                  value: speedOf(text, median(base)),
                  says: `${figure(speedOf(text, median(base)))} MB/s`,
                },
              ],
            }),
          ),
        ),
      },
      '**1 MB without a call**',
      {
        kind: 'table',
        columns: [
          'text',
          'it comes',
          'callwright, MB/s',
          'loops, MB/s',
          'callwright, × the speed of the loops',
          'held back at most',
          'outcome',
        ],
        rows: measured.map(({ name, way, text, base, ratio, speed, isRight, held }) => [
          name,
          way,
          figure(speed),
          figure(speedOf(text, median(base))),
          multiple(ratio),
          held === undefined ? '' : `${held.toLocaleString('en')} characters`,
          isRight ? 'right: all of it text' : WRONG,
        ]),
      },
    ],
    faults: measured
      .filter(({ isRight }) => !isRight)
      .map(({ name, way }) => `callwright on ${name}, ${way}: ${WRONG}`),
  }
}

/** How many characters were waited with at most, because a call might begin there. */
function mostHeld(chunks: readonly string[]): number {
  const reader = createReader({ tools })
  let [come, told, most] = [0, 0, 0]
  for (const chunk of chunks) {
    come += chunk.length
    for (const event of reader.push(chunk)) if (event.kind === 'text-delta') told += event.text.length
    most = Math.max(most, come - told)
  }
  return most
}

const speedOf = (text: string, milliseconds: number): number => Buffer.byteLength(text) / 1000 / milliseconds

/** What reading such a text costs at least: the markers found by indexOf, and JSON.parse between them; nothing is checked. */
function parsedBetweenMarkers(text: string): unknown[] {
  const [open, close] = ['<tool_call>', '</tool_call>']
  const found: unknown[] = []
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
    const end = text.indexOf(close, at)
    found.push(JSON.parse(text.slice(at + open.length, end)))
    at = end
  }
  return found
}

async function measureSmall(hermes: Streamer<Reply>, say: (line: string) => void): Promise<Part> {
  const sizes = COUNTS.map((count) => {
    const reply = smallCalls(count)
    const chunks = chunksOf(reply.text)
    const ways = {
      whole: () => read(reply.text, { tools, limits }),
      chunks: () => pushAll(chunks, performance.now() + PATIENCE).reading,
      parsed: () => parsedBetweenMarkers(reply.text),
    }
    return { count, reply, ways }
  })
  const largest = sizes.at(-1)
  say(`up to ${MOST_CALLS.toLocaleString('en')} small calls in one text; up to ${CALLS.rounds} rounds`)
  const raced = race(
    sizes.flatMap(({ count, ways }) => Object.entries(ways).map(([way, run]) => ({ name: `${way} ${count}`, run }))),
    CALLS,
  )
  const timesOf = (way: 'whole' | 'chunks' | 'parsed', count: number = MOST_CALLS) => raced.get(`${way} ${count}`) ?? []
  const exponentOf = (way: 'whole' | 'chunks' | 'parsed'): number =>
    median(
      timesOf(way).map((_, round) =>
        slope(COUNTS.map((count) => [Math.log(count), Math.log(timesOf(way, count)[round] ?? 0)])),
      ),
    )
  say(`${hermes.name} on the same: ${PATIENCE / 1000} s at most`)
  const start = performance.now()
  const theirs = largest ? await hermes.prepare(largest.reply)(start + PATIENCE) : undefined
  const theirTime = performance.now() - start

  const base = timesOf('parsed')
  const row = (program: string, how: string, way: 'whole' | 'chunks' | 'parsed', outcome: string): string[] => [
    program,
    how,
    multiple(median(ratios(timesOf(way), base))),
    ...COUNTS.map((count) => figure(((median(timesOf(way, count)) / median(timesOf(way, 100))) * 100) / count)),
    figure(exponentOf(way)),
    outcome,
  ]
  const outcome = (way: 'whole' | 'chunks'): string =>
    sizes.every(({ reply, ways }) => {
      const { calls, refused } = ways[way]()
      return refused.length === 0 && isRight({ calls }, reply) && calls.every(({ repairs }) => repairs.length === 0)
    })
      ? 'right'
      : WRONG
  const isTheirsWhole = theirs?.share === 1
  const isTheirsRight = theirs && largest && isRight(theirs, largest.reply)
  const outcomes = { whole: outcome('whole'), chunks: outcome('chunks') }
  return {
    bars: (['whole', 'chunks'] as const).map((way) => ({
      what: `growth of many small calls, ${way === 'whole' ? 'whole' : 'in 4-character chunks'}`,
      wanted: `exponent at most ${figure(MOST_GROWTH)}`,
      measured: `exponent ${figure(exponentOf(way))}`,
      isMet: exponentOf(way) <= MOST_GROWTH,
    })),
    blocks: [
      `**${MOST_CALLS.toLocaleString('en')} small calls in one text**`,
      {
        kind: 'table',
        columns: [
          'program',
          'how',
          'time, × JSON.parse between the markers',
          ...COUNTS.map((count) => `time a call, ${count.toLocaleString('en')} calls`),
          'exponent',
          'outcome',
        ],
        rows: [
          row('callwright', '`read`, the whole text', 'whole', outcomes.whole),
          row('callwright', '`push`, 4 characters a chunk', 'chunks', outcomes.chunks),
          row('JSON.parse', 'between markers found by `indexOf`, the whole text', 'parsed', 'no schema looked at'),
          [
            `${hermes.name} ${hermes.version}`,
            `${hermes.how}, 4 characters`,
            isTheirsWhole ? figure(theirTime / median(base)) : '',
            ...COUNTS.map(() => ''),
            '',
            isTheirsWhole
              ? isTheirsRight
                ? 'right'
                : WRONG
              : `stopped after ${PATIENCE / 1000} s, with ${((theirs?.share ?? 0) * 100).toPrecision(2)} % of the text`,
          ],
        ],
      },
      smallReading,
    ],
    faults: (['whole', 'chunks'] as const)
      .filter((way) => outcomes[way] === WRONG)
      .map((way) => `callwright on many small calls, ${way}: ${WRONG}`),
  }
}

const intro = `Replies as models write them, made by [bench/reader-inputs.ts](../bench/reader-inputs.ts) from a fixed seed, with ${tools.length} tools offered. The large call is a
\`write_file\` with a source file as its content (quotes, backslashes, tabs, HTML tags): once as JSON in \`<tool_call>\`, once in tags. It comes in chunks of four characters, about
one token each. JSON parsers get the same JSON in the same chunks, without the markers, and with nothing to check it against.`

const streamReading = `How to read it: the base is jsonriver; its \`parse\` takes an async iterable, so callwright is shown twice: called with each chunk, and awaited over the same iterable as
jsonriver. *Told on the way* is how many events or values came out; jsonriver's values are complete up to the last chunk. callwright ends with the call read, fitted to the tool's schema and
checked by the validator. \`parsePartialJson\` reads all that has come each time, so at every one of 250,000 chunks it would take about an hour, going by its growth: it is called at ${CHECKPOINTS} places,
evenly spread, and once more at every chunk with ${PATIENCE / 1000} s to see how far it comes.`

const growthReading = `Times are multiples of callwright's for ${sizeName(SIZES[0])} of JSON. The exponent is the slope through all sizes that were measured: 1 is linear, 2 is quadratic. Programs that
read everything anew are run once a size, as far as a run is likely to end within ${PATIENCE / 1000} s.`

const proseIntro = `Most of what models write is no call. What it costs to see that: 1 MB of text with ${tools.length} tools offered, beside loops that do nothing but search the text for the
${openers.length} openers of the dialect table by \`indexOf\`, one after the other. In chunks, the loops keep the last ${longestOpener - 1} characters for the next search. They know nothing of JSON without a marker,
of code, thoughts, channels, or labels at the start of a line, all of which callwright looks for. *Held back* is text that came and was not told at once, since a call might have begun there.`

const smallReading = `The limit of calls in a reply, 256 unless told otherwise, is set to ${MOST_CALLS.toLocaleString('en')}. *Time a call* is a multiple of that in a text of 100 calls.`
