/** Which test stands for which attack of docs/workspace.md, and that there is one for each. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type ChangeGroup,
  ConfinedRoot,
  type FileChange,
  fileTools,
  undoFiles,
  undoSteps,
} from '../src/tools/workspace/index.ts'
import { runsLater } from '../src/tools/workspace/runs-later.ts'
import { placeOf } from '../src/tools/workspace/workspace-path.ts'

/** Attacks by their numbers, each with files of tests and the beginnings of their names. */
const table: { readonly [attack: string]: readonly (readonly [file: string, test: string])[] } = {
  '1 paths that lead out': [
    ['workspace-files', '1 what only looks like a way out'],
    ['workspace-files', 'each refusal of an attack'],
  ],
  '2 a sibling with the same beginning': [['workspace-files', "['2 "]],
  '3 links': [['workspace-files', '3 a search and a list do not go through links']],
  '4 a folder that is swapped for a link': [['workspace-files-race', '4 a folder that is swapped']],
  '5 hard links': [
    ['workspace-files', '5 a hard link'],
    ['workspace-shell', 'a file with a second name outside'],
  ],
  '6 pipes, devices, sockets': [['workspace-files', '6 pipes, sockets and devices']],
  '7 twins of protected names': [['workspace-files', '7 and 8 what runs by itself later']],
  '8 hooks of git where there is none': [
    ['workspace-files', '7 and 8 what runs by itself later'],
    ['workspace-shell', 'what is protected and missing'],
  ],
  '9 secrets of the agent': [['workspace-shell', 'no secret of the agent is in any environment']],
  '10 bombs and what is left behind': [
    ['workspace-shell', 'processes are limited'],
    ['workspace-shell', 'what is left behind ends'],
  ],
  '11 around the list of commands': [['workspace-shell', 'a list of commands holds']],
  '12 the network': [['workspace-shell', 'there is no network']],
  '13 rights inside of the sandbox': [['workspace-shell', 'no rights, no mounts']],
  "14 undo of what is not the run's any more": [
    ['workspace-attacks', '14 an undo'],
    ['workspace-files-race', 'a write that is killed at any point'],
  ],
  '15 what somebody runs later': [['workspace-attacks', '15 what somebody runs later']],
  '17 secrets in files': [
    ['workspace-files', '17 files with secrets'],
    ['ledger', 'neither what was named nor'],
  ],
  '18 too much': [['workspace-files', '18 too much, too deep']],
  '22 the ledger': [['workspace-files', '22 the ledger is out of reach']],
}

test('each attack has its tests', () => {
  for (const [attack, tests] of Object.entries(table)) {
    for (const [file, name] of tests) {
      const source = readFileSync(new URL(`${file}.test.ts`, import.meta.url), 'utf8')
      assert.ok(source.includes(name), `${attack}: ${file} has no test "${name}"`)
    }
  }
})

test('14 an undo touches nothing when a file is not what was left, or its folder has become a link', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-undo-'))
  const outside = mkdtempSync(join(tmpdir(), 'callwright-outside-'))
  try {
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'src/a.txt'), 'old')
    writeFileSync(join(folder, 'b.txt'), 'old')
    const root = ConfinedRoot.open(folder)
    const changes = ['src/a.txt', 'b.txt'].map((path): FileChange => {
      const before = root.keptState(path)
      root.write(path, Buffer.from('new'))
      return { kind: 'file-change', stage: 'intent', path, before, after: root.state(path) }
    })
    renameSync(join(folder, 'src'), join(outside, 'src'))
    symlinkSync(join(outside, 'src'), join(folder, 'src'))
    const recorded: unknown[] = []
    const report = await undoFiles(root, undoSteps([{ by: 'run', changes }]), (made) => void recorded.push(made))
    assert.deepEqual(
      [report.isDone, report.files.map(({ fate }) => fate), recorded],
      [false, ['conflict', 'restored'], []],
    )
    assert.equal(readFileSync(join(outside, 'src/a.txt'), 'utf8'), 'new')
    assert.equal(readFileSync(join(folder, 'b.txt'), 'utf8'), 'new')
  } finally {
    for (const place of [folder, outside]) rmSync(place, { recursive: true, force: true })
  }
})

test('14 an undo is decided file by file, knows names as they are, and what somebody else did in between', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-undo-'))
  try {
    const root = ConfinedRoot.open(folder)
    const groups: ChangeGroup[] = []
    const write = (path: string, text: string): void => {
      const place = placeOf(path.split('/'))
      const before = root.keptState(place)
      const { folders } = root.planWrite(place)
      root.write(place, Buffer.from(text))
      groups.push({
        by: 'run',
        changes: [{ kind: 'file-change', stage: 'intent', path, before, after: root.state(place), folders }],
      })
    }
    const undo = async (file?: string) => {
      const steps = undoSteps(groups).filter(({ path }) => file === undefined || path === file)
      return undoFiles(root, steps, (changes) => void groups.push({ by: 'undo', changes }))
    }
    const content = (path: string): string => readFileSync(join(folder, path), 'utf8')
    for (const path of ['a', 'b']) writeFileSync(join(folder, path), 'old')
    mkdirSync(join(folder, 'd'))
    writeFileSync(join(folder, 'd/b'), 'mine')
    write('a', 'new')
    write('b', 'new')
    write('d\\b', 'a name with a back-slash')
    assert.equal((await undo('a')).isDone, true)
    assert.deepEqual([content('a'), content('b')], ['old', 'new'])
    assert.equal((await undo('b')).isDone, true)
    assert.deepEqual([content('a'), content('b')], ['old', 'old'])
    assert.equal((await undo('d\\b')).isDone, true)
    assert.equal(content('d/b'), 'mine')

    write('a', 'newer')
    writeFileSync(join(folder, 'a'), 'by hand')
    write('a', 'newest')
    const report = await undo('a')
    assert.deepEqual([report.isDone, report.files[0]?.fate], [false, 'conflict'])
    assert.equal(content('a'), 'newest')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('15 what somebody runs later is flagged in the record', async () => {
  for (const path of ['package.json', 'sub/Makefile', 'setup.py', 'run.sh', 'a.test.ts', 'tests/test_a.py'])
    assert.ok(runsLater(path), path)
  for (const path of ['a.py', 'README.md', 'contest.ts', 'src/latest.js']) assert.ok(!runsLater(path), path)
  const folder = mkdtempSync(join(tmpdir(), 'callwright-later-'))
  try {
    const write = fileTools(ConfinedRoot.open(folder)).find(({ name }) => name === 'write_file')
    const notes: unknown[] = []
    const { signal } = new AbortController()
    const context = { run: 'r', call: 'c', key: 'k', signal, record: async (note: unknown) => void notes.push(note) }
    await write?.run({ path: 'Makefile', content: 'all:\n\trm -rf ~\n' }, context)
    assert.equal(Reflect.get(Object(notes[0]), 'runsLater'), true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
