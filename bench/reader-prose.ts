import { createReader, dialects, read } from '../src/index.ts'
import { type BarPanel, barPlot } from './plot.ts'
import { multiple, ratios } from './ratios.ts'
import { chunksOf, prose, technicalAnswer, tools } from './reader-inputs.ts'
import { LARGEST, PATIENCE, type Part, WRONG } from './reader-shared.ts'
import { pushAll } from './streamers.ts'
import { figure, median, race } from './timing.ts'

const PROSE = { rounds: 11, sample: 40, budget: 6_000 }
const LEAST_OF_LOOPS = 0.5
const LEAST_SPEED = 50

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

/** Text without a call, beside loops that only search for the openers. */
export function measureProse(say: (line: string) => void): Part {
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

const proseIntro = `Most of what models write is no call. What it costs to see that: 1 MB of text with ${tools.length} tools offered, beside loops that do nothing but search the text for the
${openers.length} openers of the dialect table by \`indexOf\`, one after the other. In chunks, the loops keep the last ${longestOpener - 1} characters for the next search. They know nothing of JSON without a marker,
of code, thoughts, channels, or labels at the start of a line, all of which callwright looks for. *Held back* is text that came and was not told at once, since a call might have begun there.`
