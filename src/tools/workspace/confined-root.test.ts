import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { called, codesOf } from '../../../test/workspace-place.ts'
import { ConfinedRoot, MOST_KEPT } from './confined-root.ts'
import { stateOf } from './file-state.ts'
import { fileTools } from './file-tools.ts'
import type { WritePoint } from './held-files.ts'

const here = mkdtempSync(join(tmpdir(), 'callwright-root-'))
after(() => rmSync(here, { recursive: true, force: true }))
const made = (): string => mkdtempSync(join(here, 'app-'))
const bytes = (text: string): Buffer => Buffer.from(text)

for (const walk of [undefined, 'by-path'] as const) {
  const options = walk ? { walk } : {}
  describe(`a confined root, ${walk ?? 'as the system can best'}`, () => {
    test('writes, reads, says what there is, and removes', () => {
      const root = ConfinedRoot.open(made(), options)
      assert.deepEqual(root.write('a/b/c.bin', Buffer.from([0, 255, 10])), ['a', 'a/b'])
      assert.deepEqual(root.write('a/b/d', bytes('')), [])
      assert.deepEqual([...root.read('a/b/c.bin').bytes], [0, 255, 10])
      assert.deepEqual([...root.read('a/b/c.bin', { offset: 1, limit: 1 }).bytes], [255])
      assert.deepEqual([...root.read('a/b/c.bin', { offset: 9 }).bytes], [])
      assert.deepEqual(
        root.list('a/b').entries.map(({ name, kind, size }) => [name, kind, size]),
        [
          ['c.bin', 'file', 3],
          ['d', 'file', 0],
        ],
      )
      assert.deepEqual([root.stat('a/b')?.kind, root.stat('a/x'), root.stat('x/y/z')], ['folder', undefined, undefined])
      assert.throws(() => root.removeFolder('a'), { code: 'not-empty' })
      assert.deepEqual([root.remove('a/b/c.bin'), root.remove('a/b/c.bin'), root.remove('x/y')], [true, false, false])
      root.remove('a/b/d')
      root.removeFolder('a/b')
      root.removeFolder('a')
      assert.deepEqual(readdirSync(root.folder), [])
    })

    test('keeps the permission bits of a file, and gives a new one the usual ones', () => {
      const folder = made()
      const root = ConfinedRoot.open(folder, options)
      writeFileSync(join(folder, 'run.sh'), 'old')
      writeFileSync(join(folder, 'plain'), '')
      chmodSync(join(folder, 'run.sh'), 0o750)
      assert.equal(root.planWrite('run.sh').mode, 0o750)
      root.write('run.sh', bytes('new'))
      root.write('new', bytes('new'))
      root.write('given', bytes('new'), { mode: 0o4711 })
      const modes = ['run.sh', 'new', 'given'].map((name) => statSync(join(folder, name)).mode & 0o7777)
      assert.deepEqual(modes, [0o750, statSync(join(folder, 'plain')).mode & 0o777, 0o711])
      assert.equal(root.planWrite('other').mode, modes[1])
    })

    test('a write with a condition is not made when the file is another', () => {
      const root = ConfinedRoot.open(made(), options)
      const { hash } = stateOf(bytes('one'), 0)
      root.write('x', bytes('one'), { ifHash: null })
      assert.throws(() => root.write('x', bytes('two'), { ifHash: null }), { code: 'changed' })
      root.write('x', bytes('two'), { ifHash: hash })
      assert.throws(() => root.write('x', bytes('three'), { ifHash: hash }), { code: 'changed' })
      assert.throws(() => root.remove('x', { ifHash: hash }), { code: 'changed' })
      assert.equal(root.read('x').bytes.toString(), 'two')
    })

    test('a write that fails leaves nothing behind', () => {
      const folder = made()
      const points: readonly WritePoint[] = ['begun', 'opened', 'written', 'synced']
      for (const fatal of points) {
        const atPoint = (point: WritePoint): void => {
          if (point === fatal) throw new Error('full')
        }
        const root = ConfinedRoot.open(folder, { ...options, atPoint })
        assert.throws(() => root.write('x', bytes('x')), /full/)
        assert.deepEqual(readdirSync(folder), [], fatal)
      }
    })

    test('a folder in place of a file, and a file in place of a folder, are said so', () => {
      const root = ConfinedRoot.open(made(), options)
      root.write('d/f', bytes('x'))
      assert.throws(() => root.write('d', bytes('x')), { code: 'not-a-file' })
      assert.throws(() => root.write('n/', bytes('x')), { code: 'not-a-file' })
      assert.throws(() => root.write('.', bytes('x')), { code: 'not-a-file' })
      assert.throws(() => root.write('d/f/g', bytes('x')), { code: 'not-a-folder' })
      assert.throws(() => root.read('d'), { code: 'not-a-file' })
      assert.throws(() => root.list('d/f'), { code: 'not-a-folder' })
      assert.throws(() => root.write('n/f', bytes('x'), { folders: false }), { code: 'missing', path: 'n/f' })
    })
  })
}

test('what a file was is kept up to a megabyte', () => {
  const root = ConfinedRoot.open(made())
  root.write('small', Buffer.alloc(MOST_KEPT, 'x'))
  root.write('large', Buffer.alloc(MOST_KEPT + 1, 'x'))
  const { content = '', ...small } = root.keptState('small') ?? { hash: '' }
  assert.deepEqual(small, root.state('small'))
  assert.ok(Buffer.from(content, 'base64').equals(root.read('small').bytes))
  assert.deepEqual(root.keptState('large'), root.state('large'))
  assert.equal(root.keptState('none'), null)
})

test('what dead processes have left is swept, and what belongs to live ones stays', () => {
  const folder = made()
  const root = ConfinedRoot.open(folder)
  // No process has the highest number that there can be.
  const [dead, alive] = ['.callwright-4194304-0123456789ab.tmp', `.callwright-${process.pid}-0123456789ab.tmp`]
  for (const name of [dead, alive, '.callwright-x.tmp', 'x']) writeFileSync(join(folder, name), 'x')
  assert.deepEqual(
    root.list('.').entries.map(({ name }) => name),
    ['x'],
  )
  root.sweep('x')
  assert.deepEqual(readdirSync(folder).sort(), [alive, '.callwright-x.tmp', 'x'].sort())
})

test('names that nobody could write down are met on a walk all the same', () => {
  const folder = made()
  mkdirSync(join(folder, 'a\\b'))
  writeFileSync(join(folder, 'a\\b', 'c\nd'), 'x')
  const root = ConfinedRoot.open(folder)
  const parts = ['a\\b', 'c\nd']
  const place = { path: parts.join('/'), parts, note: '', isFolder: false }
  assert.equal(root.read(place).bytes.toString(), 'x')
  assert.equal(readFileSync(join(folder, ...parts), 'utf8'), 'x')
})

test('modes: nothing is written in a read-only workspace, and only what is allowed in one with a list', async () => {
  const app = made()
  mkdirSync(join(app, 'src'))
  writeFileSync(join(app, 'src', 'main.py'), '')
  const looking = ConfinedRoot.open(app, { mode: 'read-only' })
  assert.deepEqual(
    fileTools(looking).map(({ name, kind }) => [name, kind]),
    ['read_file', 'list_dir', 'search_files'].map((name) => [name, 'pure']),
  )
  assert.throws(() => looking.write('x', Buffer.from('x')), { code: 'read-only' })
  assert.throws(() => looking.remove('src/main.py'), { code: 'read-only' })
  const root = ConfinedRoot.open(app, { mode: 'allowlist', writable: ['src/**/*.py', '**'], protect: ['src/main.*'] })
  assert.equal((await called(root, 'write_file', { path: 'src/a/b.py', content: '' })).isRefused, false)
  for (const path of ['.git/config', 'src/main.py', 'src/MAIN.py']) {
    assert.deepEqual(codesOf((await called(root, 'write_file', { path, content: '' })).notes), ['protected'], path)
  }
  const narrow = ConfinedRoot.open(app, { mode: 'allowlist', writable: ['src/**/*.py'] })
  for (const path of ['src/a.ts', 'a.py', 'src', 'src/../b.py', 'src/x.py/../../c']) {
    assert.deepEqual(codesOf((await called(narrow, 'write_file', { path, content: '' })).notes), ['not-allowed'], path)
  }
})

test('no file of the workspace tools touches the file system but those that confine it', () => {
  const folder = new URL('.', import.meta.url)
  const confining = ['held-files.ts', 'held-folder.ts', 'root-identity.ts']
  /** What sets up the sandbox, and looks at the whole workspace around a command: no tool's way to a file. */
  const around = [
    'command-rules.ts',
    'sandbox-arguments.ts',
    'sandbox-guard.ts',
    'sandbox-placeholders.ts',
    'sandbox.ts',
    'shell-limits.ts',
    'shell-process.ts',
    'shell-scratch.ts',
    'shell-turn.ts',
    'snapshot-walk.ts',
    'snapshot.ts',
  ]
  const touching = /['"](?:node:)?fs(?:\/promises)?['"]|\bimport\(|\brequire\(|getBuiltinModule|process\.binding/
  const found = readdirSync(folder).filter(
    (name) => /(?<!\.test)\.ts$/.test(name) && touching.test(readFileSync(new URL(name, folder), 'utf8')),
  )
  assert.deepEqual(
    found.filter((name) => !around.includes(name)),
    confining,
  )
})
