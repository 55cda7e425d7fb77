import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfinedRoot, fileTools } from '../src/tools/workspace/index.ts'
import type { Benchmark } from './benchmark.ts'
import { middleHalf, multiple, ratios } from './ratios.ts'
import { type Contender, figure, median, raceAwaited } from './timing.ts'

const RACE = { rounds: 25, sample: 120, budget: 20_000 }
const content = 'x = 1\n'.repeat(700)

/** What a write costs that cannot leave its folder and can be undone, beside a plain one that is as safe against crashes. */
export const workspaces: Benchmark = {
  name: 'workspace',
  async measure(say) {
    const folder = mkdtempSync(join(tmpdir(), 'callwright-bench-'))
    try {
      say('writes of a small file, confined and plain')
      const times = await raceAwaited(writersIn(folder), RACE)
      const share = ratios(times.get('tool') ?? [], times.get('plain') ?? [])
      const rows = [
        ['write, fsync, rename by node:fs', figure(median(times.get('plain') ?? [])), '1', ''],
        ['write_file', figure(median(times.get('tool') ?? [])), multiple(median(share)), middleHalf(share)],
      ]
      return {
        title: 'The cost of a confined write',
        bars: [
          {
            what: 'write_file of 4 KB',
            wanted: 'at most 3 × a plain write, fsync and rename',
            measured: `${multiple(median(share))} ×`,
            isMet: median(share) <= 3,
          },
        ],
        blocks: [
          `A file of ${content.length.toLocaleString('en')} bytes in place of another, again and again: by \`write_file\`, which walks to it without following links, keeps what it was, hashes both, records its intent, synchronises file and folder; and by \`node:fs\` with a temporary file, \`fsync\` and \`rename\`.`,
          { kind: 'table', columns: ['what', 'ms', 'time, × plain', 'middle half of the rounds'], rows },
        ],
        faults: [],
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function writersIn(folder: string): Contender[] {
  const write = fileTools(ConfinedRoot.open(folder)).find(({ name }) => name === 'write_file')
  const { signal } = new AbortController()
  const context = { run: 'r', call: 'c', key: 'k', signal, record: async () => undefined }
  let count = 0
  return [
    {
      name: 'plain',
      run() {
        const place = join(folder, 'plain.py')
        const file = openSync(`${place}.new`, 'w')
        writeSync(file, `${content}${count++}`)
        fsyncSync(file)
        closeSync(file)
        renameSync(`${place}.new`, place)
      },
    },
    { name: 'tool', run: () => write?.run({ path: 'tool.py', content: `${content}${count++}` }, context) },
  ]
}
