/**
 * Programs that the tests of the workspace start beside themselves:
 *
 *   node test/workspace-race.ts swap FOLDER OUTSIDE    swaps FOLDER/swap for a link to OUTSIDE and back, again and again,
 *                                                      and FOLDER/target for a link to OUTSIDE/secret
 *   node test/workspace-race.ts write FOLDER NOTES POINT    writes a file by the tool, and kills itself at one point
 */
import { appendFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfinedRoot } from '../src/tools/workspace/confined-root.ts'
import { writeFileTool } from '../src/tools/workspace/write-file.ts'
import type { JsonValue } from '../src/types.ts'

/** The points of a write by the tool, in their order. */
export const points = [
  'before the note',
  'after the note',
  'begun',
  'opened',
  'written',
  'synced',
  'renamed',
  'done',
] as const

export const oldText = 'old\n'.repeat(20_000)
export const newText = 'new\n'.repeat(30_000)

/** The tool has changed the place meanwhile: then the next round swaps it. */
function tried(step: () => void): void {
  try {
    step()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

function swap(folder: string, outside: string): void {
  const place = join(folder, 'swap')
  const [target, ready] = [join(folder, 'target'), join(folder, 'ready')]
  process.stdout.write('ready\n')
  for (let round = 0; ; round++) {
    const away = join(folder, `away-${round}`)
    tried(() => renameSync(place, away))
    tried(() => symlinkSync(outside, place))
    tried(() => unlinkSync(place))
    tried(() => renameSync(away, place))
    if (round % 4 !== 0) continue
    writeFileSync(ready, 'inside')
    renameSync(ready, target)
    symlinkSync(join(outside, 'secret'), ready)
    renameSync(ready, target)
  }
}

async function write(folder: string, notes: string, at: string): Promise<void> {
  const reach = (point: string): void => {
    if (point === at) process.kill(process.pid, 'SIGKILL')
  }
  const tool = writeFileTool(ConfinedRoot.open(folder, { atPoint: reach }))
  await tool.run(
    { path: 'deep/file.txt', content: newText },
    {
      run: 'run',
      call: 'call',
      key: 'run/call',
      signal: new AbortController().signal,
      record: async (note: JsonValue) => {
        reach('before the note')
        appendFileSync(notes, `${JSON.stringify(note)}\n`, { flush: true })
        reach('after the note')
      },
    },
  )
}

if (import.meta.main) {
  const [task, folder = '', other = '', point = ''] = process.argv.slice(2)
  if (task === 'swap') swap(folder, other)
  else await write(folder, other, point)
}
