/** What happens to the file tools while others work against them, and when their process is killed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ConfinedRoot } from '../src/tools/workspace/confined-root.ts'
import { WorkspaceRefusal } from '../src/tools/workspace/refusal.ts'
import type { JsonValue } from '../src/types.ts'
import { called, place, toolOf } from './workspace-place.ts'
import { newText, oldText, points } from './workspace-race.ts'

const program = fileURLToPath(new URL('workspace-race.ts', import.meta.url))
const isLong = Number(process.env['CALLWRIGHT_LONG'] ?? 0) > 0

/** Starts the program that swaps, and gives it back when it has begun. */
async function swapping(app: string, outside: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [program, 'swap', app, outside], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return async () => {
    const closed = new Promise((resolve) => child.on('close', resolve))
    child.kill('SIGKILL')
    await closed
  }
}

test('4 a folder that is swapped for a link all the time leads nothing out', {
  skip: process.platform !== 'linux' && 'only Linux can promise it',
}, async (t) => {
  const { app, outside, all } = place()
  mkdirSync(join(app, 'swap'))
  const before = all()
  const root = ConfinedRoot.open(app)
  const stop = await swapping(app, outside)
  const tried = (work: () => void): 'done' | 'refused' => {
    try {
      work()
      return 'done'
    } catch (error) {
      if (WorkspaceRefusal.isInstance(error)) return 'refused'
      throw error
    }
  }
  const tally = { done: 0, refused: 0 }
  try {
    const times = isLong ? 10_000 : 1_000
    for (let index = 0; index < times; index++) {
      const path = index % 4 === 0 ? 'target' : `swap/file-${index % 10}`
      tally[tried(() => root.write(path, Buffer.from('inside'), { folders: index % 20 === 0 }))]++
      tried(() => assert.notEqual(root.read('swap/secret').bytes.toString(), 'SECRET'))
      for (let again = 0; again < 5; again++) {
        tried(() => assert.notEqual(root.read('target').bytes.toString(), 'SECRET'))
      }
      tried(() => assert.ok(!root.list('swap').entries.some(({ name }) => name === 'secret')))
    }
    assert.equal(all(), before)
    assert.ok(tally.done > 0 && tally.refused > 0, JSON.stringify(tally))

    // The same race, by checks that everybody would write first: it is lost.
    let escapes = 0
    const end = Date.now() + 20_000
    while (escapes === 0 && Date.now() < end) {
      try {
        if (realpathSync(join(app, 'swap')).startsWith(`${app}/`)) writeFileSync(join(app, 'swap', 'escape'), '')
      } catch (error) {
        assert.ok(error instanceof Error && 'code' in error)
      }
      escapes = readdirSync(outside).filter((name) => name === 'escape').length
    }
    assert.equal(escapes, 1, 'the race is no race')
    t.diagnostic(`${times} writes: ${tally.done} inside, ${tally.refused} refused, none outside`)
  } finally {
    await stop()
  }
})

test('a write that is killed at any point leaves the old or the new file, and which one is known', async (t) => {
  const tried = await Promise.all(
    [null, oldText].flatMap((old) =>
      points.map(async (point) => {
        const { app } = place()
        const [file, notes] = [join(app, 'deep', 'file.txt'), join(app, '..', 'notes')]
        if (old !== null) {
          mkdirSync(dirname(file))
          writeFileSync(file, old, { mode: 0o640 })
        }
        writeFileSync(notes, '')
        const child = spawn(process.execPath, [program, 'write', app, notes, point], { stdio: 'inherit' })
        const signal = await new Promise((resolve) => child.on('close', (_, given) => resolve(given)))
        assert.equal(signal, 'SIGKILL', point)
        return { app, file, notes, old, point }
      }),
    ),
  )
  const found: string[] = []
  for (const { app, file, notes, old, point } of tried) {
    const root = ConfinedRoot.open(app)
    const recorded = readFileSync(notes, 'utf8').split('\n').filter(Boolean)
    const isThere = existsSync(file)
    const text = isThere ? readFileSync(file, 'utf8') : null
    assert.ok(text === old || text === newText, `${point}: neither old nor new`)
    const tool = toolOf(root, 'write_file')
    const input = { path: 'deep/file.txt', content: newText }
    const verdict = await tool.verify?.(
      input,
      recorded.map((line): JsonValue => JSON.parse(line)),
    )
    assert.equal(verdict, text === newText ? 'done' : 'not-done', point)
    found.push(`${point}: ${verdict}`)
    const left = isThere ? readdirSync(dirname(file)) : []
    assert.deepEqual(left, isThere ? ['file.txt'] : [], point)
    if (verdict === 'not-done') await called(root, 'write_file', input)
    assert.equal(readFileSync(file, 'utf8'), newText)
    if (old !== null) assert.equal(root.state('deep/file.txt')?.mode, 0o640)
    assert.equal(await tool.verify?.(input, []), 'not-done')
  }
  const expected = points.map((point) => `${point}: ${['renamed', 'done'].includes(point) ? 'done' : 'not-done'}`)
  assert.deepEqual(found, [...expected, ...expected])
  t.diagnostic(`${found.length} kills`)
})
