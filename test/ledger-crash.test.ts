/** A process is killed at every point of a run, and another one goes on: every effect happens once. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { effects, linesOf, sent, workOn } from './crash-task.ts'

const program = fileURLToPath(new URL('crash-task.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'callwright-crash-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Starts the task in a process of its own. */
function started(words: readonly string[]): Promise<{ signal: NodeJS.Signals | null; output: string }> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  return new Promise((resolve) => child.on('close', (_, signal) => resolve({ signal, output })))
}

const counted = (lines: readonly string[]): { [line: string]: number } => {
  const counts: { [line: string]: number } = {}
  for (const line of lines) counts[line] = (counts[line] ?? 0) + 1
  return counts
}

test('a run that is killed at any point goes on with no effect repeated and none lost', async (t) => {
  const whole = await started([folder, 'whole', '-1'])
  const points = Number(/answered after (\d+) points:/.exec(whole.output)?.[1])
  assert.ok(points > 60, whole.output)
  const runs = Array.from({ length: points }, (_, at) => `killed-at-${at}`)
  let next = 0
  let killed = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < points; at = next++) {
      const run = runs[at] ?? ''
      const { signal } = await started([folder, run, String(at)])
      assert.equal(signal, 'SIGKILL', run)
      killed++
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  assert.equal(killed, points)

  for (const run of runs) {
    const result = await workOn({ folder, run, point: () => undefined })
    assert.deepEqual([result.kind, result.answer], ['answered', 'All done.'], run)
  }
  const done = counted(linesOf(join(folder, 'effects.txt')))
  const keys = counted(linesOf(join(folder, 'keys.txt')).map((key) => key.split('/')[0] ?? ''))
  for (const run of ['whole', ...runs]) {
    assert.deepEqual(
      effects.map((effect) => done[`${run} ${effect}`]),
      effects.map(() => 1),
      run,
    )
    assert.equal(keys[run], sent.length, run)
  }
  t.diagnostic(`${points} points, ${points} kills, ${(effects.length + sent.length) * runs.length} effects, each once`)
})

const long = Number(process.env['CALLWRIGHT_LONG'] ?? 0)

test('a run that is killed again and again at random goes on too', {
  skip: long === 0 && 'runs in npm run test:long',
}, async (t) => {
  const place = mkdtempSync(join(tmpdir(), 'callwright-random-'))
  t.after(() => rmSync(place, { recursive: true, force: true }))
  let kills = 0
  const work = async (name: string): Promise<void> => {
    for (let tries = 0; tries < 8; tries++) {
      const child = spawn(process.execPath, [program, place, name, '-1'], { stdio: ['ignore', 'ignore', 'inherit'] })
      const timer = setTimeout(() => child.kill('SIGKILL'), 80 + Math.random() * 300)
      const signal = await new Promise((resolve) => child.on('close', (_, given) => resolve(given)))
      clearTimeout(timer)
      if (signal === null) return
      kills++
    }
  }
  const runs = Array.from({ length: long }, (_, index) => `random-${index}`)
  for (let index = 0; index < runs.length; index += 2) await Promise.all(runs.slice(index, index + 2).map(work))
  for (const run of runs) {
    const result = await workOn({ folder: place, run, point: () => undefined })
    assert.equal(result.answer, 'All done.', run)
  }
  const done = counted(linesOf(join(place, 'effects.txt')))
  for (const run of runs) for (const effect of effects) assert.equal(done[`${run} ${effect}`], 1, `${run} ${effect}`)
  t.diagnostic(`${kills} random kills of ${runs.length} runs, ${runs.length * effects.length} effects, each once`)
})
