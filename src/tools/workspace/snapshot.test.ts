import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type SnapshotOptions, takeSnapshot, WorkspaceTooLarge } from './snapshot.ts'
import { changesBetween } from './snapshot-changes.ts'
import { hashOf } from './undo-plan.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'snapshot-'))
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src/a.txt'), 'a\n')
  writeFileSync(join(root, 'b.bin'), Buffer.from([0, 255, 1]))
})
afterEach(() => rmSync(root, { recursive: true }))

const at = (path: string): string => join(root, path)

async function changed(action: () => void, options: SnapshotOptions = {}) {
  const before = await takeSnapshot(root, options)
  action()
  return changesBetween(before, await takeSnapshot(root, { ...options, previous: before }))
}

describe('what changed', () => {
  test('nothing', async () => {
    const { changes, folders, unkept } = await changed(() => undefined)
    assert.deepEqual([changes, folders, unkept], [[], { made: [], gone: [] }, []])
  })

  test('a new file, with the folders that were made for it', async () => {
    const { changes } = await changed(() => {
      mkdirSync(at('x/y'), { recursive: true })
      writeFileSync(at('x/y/new.txt'), 'new', { mode: 0o640 })
    })
    const after = { hash: hashOf(Buffer.from('new')), mode: 0o640, size: 3 }
    assert.deepEqual(changes, [
      { kind: 'file-change', stage: 'found', path: 'x/y/new.txt', before: null, after, folders: ['x', 'x/y'] },
    ])
  })

  test('another content: the old one is kept', async () => {
    const { changes } = await changed(() => writeFileSync(at('b.bin'), 'text'))
    assert.deepEqual(
      changes.map(({ path, before }) => [path, Buffer.from(before?.content ?? '', 'base64')]),
      [['b.bin', Buffer.from([0, 255, 1])]],
    )
  })

  test('another content of the same size and time', async () => {
    const { changes } = await changed(() => {
      writeFileSync(at('src/a.txt'), 'b\n')
      utimesSync(at('src/a.txt'), 1_000, 1_000)
      writeFileSync(at('src/a.txt'), 'c\n')
      utimesSync(at('src/a.txt'), 1_000, 1_000)
    })
    assert.deepEqual(
      changes.map(({ path }) => path),
      ['src/a.txt'],
    )
  })

  test('permission bits alone', async () => {
    const { changes } = await changed(() => chmodSync(at('src/a.txt'), 0o755))
    assert.deepEqual(
      changes.map(({ before, after }) => [before?.hash === after?.hash, after?.mode]),
      [[true, 0o755]],
    )
  })

  test('gone files and folders, and a move', async () => {
    const { changes, folders } = await changed(() => {
      renameSync(at('b.bin'), at('c.bin'))
      rmSync(at('src'), { recursive: true })
    })
    assert.deepEqual(
      changes.map(({ path, before, after }) => [path, before === null, after === null]),
      [
        ['b.bin', false, true],
        ['c.bin', true, false],
        ['src/a.txt', false, true],
      ],
    )
    assert.deepEqual(folders, { made: [], gone: ['src'] })
  })

  test('a link is no file: it is not followed, and said to be what cannot be kept', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'))
    writeFileSync(join(outside, 'secret'), 'secret')
    const { changes, unkept } = await changed(() => {
      symlinkSync(outside, at('folder'))
      symlinkSync(join(outside, 'secret'), at('file'))
    })
    rmSync(outside, { recursive: true })
    assert.deepEqual(changes, [])
    assert.deepEqual(
      unkept.map(({ path }) => path),
      ['file', 'folder'],
    )
  })

  test('a file that became a link', async () => {
    const { changes, unkept } = await changed(() => {
      rmSync(at('b.bin'))
      symlinkSync('/etc/passwd', at('b.bin'))
    })
    assert.deepEqual([changes[0]?.after, unkept[0]?.reason], [null, 'it is a link to /etc/passwd'])
  })

  test('a large file is seen, and its content not kept', async () => {
    writeFileSync(at('large'), Buffer.alloc(2_000_000))
    const { changes, unkept } = await changed(() => appendFileSync(at('large'), 'x'))
    assert.deepEqual(
      changes.map(({ before }) => [before?.size, before?.content]),
      [[2_000_000, undefined]],
    )
    assert.match(unkept[0]?.reason ?? '', /not kept/)
  })

  test('what holds a secret is not kept, nor what may not be read', async () => {
    writeFileSync(at('.env'), 'KEY=1')
    writeFileSync(at('notes'), 'the key is canary-1')
    const options = { secrets: ['canary-1'], isHidden: (path: string) => path === '.env' }
    const { changes } = await changed(() => {
      writeFileSync(at('.env'), '')
      writeFileSync(at('notes'), '')
    }, options)
    assert.deepEqual(
      changes.map(({ path, before }) => [path, before?.content]),
      [
        ['.env', undefined],
        ['notes', undefined],
      ],
    )
  })

  test('node_modules and .git are not looked into, and that is said', async () => {
    mkdirSync(at('src/node_modules'))
    const before = await takeSnapshot(root)
    writeFileSync(at('src/node_modules/x.js'), '')
    const after = await takeSnapshot(root, { previous: before })
    assert.deepEqual([changesBetween(before, after).changes, after.skipped], [[], ['src/node_modules']])
  })
})

describe('bounds', () => {
  test('too many files, or too many bytes: changes are not tracked, and that is said', async () => {
    for (const [limits, reason] of [
      [{ files: 1 }, /more than 1 files/],
      [{ bytes: 1 }, /more than 0 MB/],
    ] as const) {
      const { changes, beyond } = await changed(() => writeFileSync(at('b.bin'), ''), { limits })
      assert.deepEqual(changes, [])
      assert.match(beyond ?? '', reason)
    }
  })

  test('a workspace without end is refused', async () => {
    await assert.rejects(takeSnapshot(root, { limits: { entries: 2 } }), WorkspaceTooLarge)
  })

  test('so much content is kept and no more', async () => {
    const { files } = await takeSnapshot(root, { limits: { keptBytes: 3 } })
    assert.deepEqual(
      [...files.values()].map(({ content }) => content?.length),
      [3, undefined],
    )
  })
})

test('a file with a name elsewhere is known, one whose names are all here is not', async () => {
  const outside = `${root}-outside`
  writeFileSync(outside, 'x')
  linkSync(outside, at('alias'))
  linkSync(at('b.bin'), at('src/b.bin'))
  const { aliased } = await takeSnapshot(root)
  rmSync(outside)
  assert.deepEqual(aliased, ['alias'])
})

test('what was not changed for a while is not read again', async () => {
  const first = await takeSnapshot(root)
  const old = new Map([...first.files].map(([path, file]) => [path, { ...file, isSettled: true, hash: 'as it was' }]))
  const second = await takeSnapshot(root, { previous: { ...first, files: old } })
  assert.deepEqual(
    [...second.files.values()].map(({ hash }) => hash),
    ['as it was', 'as it was'],
  )
  const third = await takeSnapshot(root, { previous: first })
  assert.equal(third.files.get('b.bin')?.hash, hashOf(readFileSync(at('b.bin'))))
  assert.ok(existsSync(root))
})
