import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createAgent, openLedger, type RunEvent, tool } from '../src/index.ts'
import { scriptedModel } from '../src/test/index.ts'
import type { Benchmark } from './benchmark.ts'
import { middleHalf, multiple, ratios } from './ratios.ts'
import { type Contender, figure, median, raceAwaited } from './timing.ts'

const RACE = { rounds: 15, sample: 250, budget: 20_000 }
const STEPS = 10
const event: RunEvent = {
  kind: 'tool-end',
  call: { id: 'call00100', name: 'read_file', arguments: { path: 'notes.md' } },
  outcome: 'ok',
  result: 'x'.repeat(200),
  observation: 'x'.repeat(200),
  seconds: 0.001,
}

/** What it costs to keep everything: beside appends of the same text without a ledger, and beside runs that keep nothing. */
export const ledgers: Benchmark = {
  name: 'ledger',
  async measure(say) {
    const folder = mkdtempSync(join(tmpdir(), 'callwright-bench-'))
    try {
      say('appends and runs, with and without a ledger')
      const appends = await raceAwaited(appendersIn(folder), RACE)
      const runs = await raceAwaited(runnersIn(folder), RACE)
      const share = ratios(appends.get('ledger') ?? [], appends.get('raw') ?? [])
      const perSecond = (name: string): string => figure(1_000 / median(appends.get(name) ?? []))
      const perRun = (name: string): string => figure(median(runs.get(name) ?? []))
      const cost = ratios(runs.get('ledger') ?? [], runs.get('memory') ?? [])
      return {
        title: 'The cost of the ledger',
        bars: [],
        blocks: [
          `One event of ${JSON.stringify(event).length} bytes, appended and on the disk (write-ahead log, full synchronisation) before the next: by the ledger, which also takes secrets out, fences off old owners and keeps its place, and by a bare
\`INSERT\` of the same text through \`node:sqlite\` into a table of two columns, in the same run. Then runs of ${STEPS} steps with a scripted model in the same process, recorded in a file and in memory.`,
          {
            kind: 'table',
            columns: ['what', 'events a second', 'time, × raw', 'middle half of the rounds'],
            rows: [
              ['raw append through node:sqlite', perSecond('raw'), '1', ''],
              ['append to the ledger', perSecond('ledger'), multiple(median(share)), middleHalf(share)],
            ],
          },
          {
            kind: 'table',
            columns: [`a run of ${STEPS} steps`, 'ms', 'time, × in memory', 'middle half of the rounds'],
            rows: [
              ['recorded in memory', perRun('memory'), '1', ''],
              ['recorded in the ledger', perRun('ledger'), multiple(median(cost)), middleHalf(cost)],
            ],
          },
        ],
        faults: [],
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function appendersIn(folder: string): Contender[] {
  const raw = new DatabaseSync(join(folder, 'raw.db'))
  raw.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE events (sequence INTEGER PRIMARY KEY, body TEXT)',
  )
  const insert = raw.prepare('INSERT INTO events (body) VALUES (?)')
  const ledger = openLedger<RunEvent>(join(folder, 'ledger.db'))
  ledger.take('run')
  return [
    { name: 'raw', run: () => insert.run(JSON.stringify(event)) },
    { name: 'ledger', run: () => ledger.append('run', event) },
  ]
}

function runnersIn(folder: string): Contender[] {
  const look = tool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] },
    kind: 'pure',
    run: ({ at }) => `seen ${at}`,
  })
  const script = (_: unknown, index: number) =>
    index % STEPS === STEPS - 1 ? 'Done.' : { calls: [{ name: 'look', arguments: { at: index } }] }
  const ledger = openLedger<RunEvent>(join(folder, 'runs.db'))
  const options = { tools: [look], mode: 'native', streaming: false } as const
  const kept = createAgent({ ...options, model: scriptedModel(script), recorder: ledger })
  return [
    // A new agent each time: what is kept in memory is let go.
    { name: 'memory', run: () => createAgent({ ...options, model: scriptedModel(script) }).run('Look.') },
    { name: 'ledger', run: () => kept.run('Look.') },
  ]
}
