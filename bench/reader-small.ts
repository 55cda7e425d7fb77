import { read } from '../src/index.ts'
import { multiple, ratios, slope } from './ratios.ts'
import { chunksOf, type Reply, smallCalls, tools } from './reader-inputs.ts'
import { isRight, MOST_GROWTH, PATIENCE, type Part, WRONG } from './reader-shared.ts'
import { limits, pushAll, type Streamer } from './streamers.ts'
import { figure, median, race } from './timing.ts'

const COUNTS = [100, 1_000, 10_000] as const
const MOST_CALLS = limits.calls
const CALLS = { rounds: 9, sample: 40, budget: 5_000 }

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

/** Many small calls in one text. */
export async function measureSmall(hermes: Streamer<Reply>, say: (line: string) => void): Promise<Part> {
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

const smallReading = `The limit of calls in a reply, 256 unless told otherwise, is set to ${MOST_CALLS.toLocaleString('en')}. *Time a call* is a multiple of that in a text of 100 calls.`
