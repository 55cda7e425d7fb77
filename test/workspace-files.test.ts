/** What attackers try with the file tools: nothing outside is read or written, and each try leaves an entry. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createAgent, openLedger, type RunEvent } from '../src/index.ts'
import { scriptedModel } from '../src/test/index.ts'
import { ConfinedRoot, type ConfinedRootOptions } from '../src/tools/workspace/confined-root.ts'
import { fileTools } from '../src/tools/workspace/file-tools.ts'
import { WorkspaceRefusal } from '../src/tools/workspace/refusal.ts'
import type { JsonObject } from '../src/types.ts'
import { called, codesOf, type Place, place } from './workspace-place.ts'

const isRoot = process.geteuid?.() === 0
const isOrdinary = process.env['CALLWRIGHT_AS_USER'] === '1'
const isLong = Number(process.env['CALLWRIGHT_LONG'] ?? 0) > 0

const reads = (path: string): [string, JsonObject][] => [
  ['read_file', { path }],
  ['list_dir', { path }],
  ['search_files', { path, pattern: 'S' }],
]
const writes = (path: string): [string, JsonObject][] => [
  ['write_file', { path, content: 'pwned' }],
  ['write_file', { path, content: 'pwned', append: true }],
  ['edit_file', { path, old: 'SECRET', new: 'pwned' }],
]

/** Attacks on paths: by their number in the list, what is tried, and the code of the refusal. */
const attacks: readonly (readonly [
  name: string,
  path: string | ((place: Place) => string),
  code: string,
  prepare?: (place: Place) => void,
])[] = [
  ['1 up', '../outside/secret', 'outside'],
  ['1 up from inside', 'src/../../outside/secret', 'outside'],
  ['1 up by a back-slash', '..\\outside\\secret', 'outside'],
  ['1 absolute', ({ outside }) => join(outside, 'secret'), 'outside'],
  ['1 absolute, through the root', ({ app }) => `${app}/../outside/secret`, 'outside'],
  ['1 of a drive', 'C:\\outside\\secret', 'outside'],
  ['1 of the home folder', '~/secret', 'outside'],
  ['1 of another home folder', '~root/.ssh/id_rsa', 'outside'],
  ['1 a URL', ({ outside }) => `file://${outside}/secret`, 'outside'],
  ['1 a URL of the root', ({ app }) => `file://${app}/src/main.py`, 'outside'],
  ['1 a zero byte', 'src/main.py\0.txt', 'name'],
  ['1 a zero byte before a way out', 'src\0/../../outside/secret', 'name'],
  ['1 a control character', 'src/\u001b[2Kmain.py', 'name'],
  ['1 half a character', 'src/\ud800', 'name'],
  ['1 a long name', 'x'.repeat(256), 'name'],
  ['1 a long path', 'x/'.repeat(100_000), 'name'],
  ['2 a sibling by its prefix', ({ sibling }) => join(sibling, 'secret'), 'outside'],
  ['2 a sibling from inside', '../app-evil/secret', 'outside'],
  ['3 a link to a file', 'link', 'link', ({ app, outside }) => symlinkSync(join(outside, 'secret'), join(app, 'link'))],
  ['3 a link to a folder', 'way/secret', 'link', ({ app, outside }) => symlinkSync(outside, join(app, 'way'))],
  ['3 a relative link', 'way/secret', 'link', ({ app }) => symlinkSync('../outside', join(app, 'way'))],
  ['3 a link that dangles', 'link', 'link', ({ app, outside }) => symlinkSync(join(outside, 'new'), join(app, 'link'))],
  [
    '3 a chain of links',
    'one',
    'link',
    ({ app, outside }) => {
      symlinkSync(join(outside, 'secret'), join(app, 'two'))
      symlinkSync('two', join(app, 'one'))
    },
  ],
  [
    '3 a loop of links',
    'one/x',
    'link',
    ({ app }) => {
      symlinkSync('two', join(app, 'one'))
      symlinkSync('one', join(app, 'two'))
    },
  ],
  ['3 a link that stays inside', 'link', 'link', ({ app }) => symlinkSync('src/main.py', join(app, 'link'))],
  ['6 a device', '/dev/stdin', 'outside'],
  ['6 the memory', '/proc/self/mem', 'outside'],
  ['22 the ledger', '.callwright/ledger.db', 'protected'],
  ['22 the ledger, spelled otherwise', '.Callwright/ledger.db-wal', 'protected'],
]

for (const walk of ['by-descriptor', 'by-path'] as const) {
  const options: ConfinedRootOptions = walk === 'by-path' ? { walk } : {}
  describe(`a path that leads out is refused, ${walk}`, () => {
    for (const [name, path, code, prepare] of attacks) {
      test(name, async () => {
        const made = place()
        mkdirSync(join(made.app, '.callwright'))
        writeFileSync(join(made.app, '.callwright', 'ledger.db'), 'SECRET')
        prepare?.(made)
        const before = made.all()
        const root = ConfinedRoot.open(made.app, options)
        assert.equal(root.confinement, process.platform === 'linux' ? walk : 'by-path')
        const given = typeof path === 'string' ? path : path(made)
        for (const [tool, input] of [...reads(given), ...writes(given)]) {
          const { result, isRefused, notes } = await called(root, tool, input)
          assert.ok(isRefused, `${tool}: ${result}`)
          assert.doesNotMatch(result, /SECRET/)
          assert.deepEqual(codesOf(notes), [code], `${tool}: ${result}`)
        }
        assert.throws(() => root.remove(given), WorkspaceRefusal.isInstance)
        assert.equal(made.all(), before)
        assert.equal(readFileSync(join(made.app, '.callwright', 'ledger.db'), 'utf8'), 'SECRET')
        assert.equal(existsSync(join(made.outside, 'new')), false)
      })
    }
  })
}

test('1 what only looks like a way out is a name inside', async () => {
  const { app, all } = place()
  const before = all()
  const root = ConfinedRoot.open(app)
  for (const path of ['%2e%2e%2foutside', '..%c0%afoutside', '...', 'src/..../x', '$HOME', '`id`', '-rf']) {
    const { isRefused } = await called(root, 'write_file', { path, content: 'x' })
    assert.deepEqual([isRefused, readFileSync(join(app, path), 'utf8')], [false, 'x'], path)
  }
  const inside = await called(root, 'write_file', { path: `${app}/src/./a/../b.py`, content: 'x' })
  assert.match(inside.result, /^Wrote src\/b\.py .*\n\[note: took .* as src\/b\.py/)
  assert.equal(all(), before)
})

test('3 a search and a list do not go through links', async () => {
  const { app, outside } = place()
  symlinkSync(outside, join(app, 'way'))
  const root = ConfinedRoot.open(app)
  const found = await called(root, 'search_files', { pattern: 'SECRET' })
  assert.match(found.result, /^No line matches/)
  const { result } = await called(root, 'list_dir', { depth: 9 })
  assert.deepEqual(result.split('\n'), ['src/', 'src/main.py (9 bytes)', 'way (a link, not followed)'])
})

test('5 a hard link to a file outside is not written', async () => {
  const { app, outside, all } = place()
  linkSync(join(outside, 'secret'), join(app, 'alias'))
  const before = all()
  const root = ConfinedRoot.open(app)
  for (const [tool, input] of writes('alias')) {
    const { isRefused, notes } = await called(root, tool, input)
    assert.deepEqual([isRefused, codesOf(notes)], [true, ['hard-link']], tool)
  }
  assert.throws(() => root.remove('alias'), { code: 'hard-link' })
  assert.equal(all(), before)
})

test('6 pipes, sockets and devices are neither opened nor waited for', async (t) => {
  const { app } = place()
  const special = ['pipe', 'socket']
  execFileSync('mkfifo', [join(app, 'pipe')])
  const server = createServer()
  await new Promise((resolve) => server.listen(join(app, 'socket'), () => resolve(undefined)))
  t.after(() => server.close())
  if (isRoot && spawnSync('mknod', [join(app, 'device'), 'c', '1', '5']).status === 0) special.push('device')
  else t.diagnostic('no device: only root can make one')
  const root = ConfinedRoot.open(app)
  for (const path of special) {
    for (const [tool, input] of [['read_file', { path }] as const, ...writes(path)]) {
      const { isRefused, notes } = await called(root, tool, input)
      assert.deepEqual([isRefused, codesOf(notes)], [true, ['special-file']], `${tool} ${path}`)
    }
  }
  const { result } = await called(root, 'search_files', { pattern: '.' })
  assert.equal(result, 'src/main.py:1: print(1)')
})

test('7 and 8 what runs by itself later is not written, however its name is spelled, also where there is none', async () => {
  const { app } = place()
  const root = ConfinedRoot.open(app)
  const paths = [
    '.git/hooks/pre-commit',
    '.git/config',
    '.git',
    'src/.git',
    'vendor/lib/.git/config',
    '.GIT/config',
    '.Git/hooks/post-checkout',
    '.g\u200cit/config',
    '.git\u200b/config',
    '\ufeff.git/config',
    '.gi\u00adt/config',
    '.ｇｉｔ/config',
    '.git./config',
    '.git /config',
    '.git. ./config',
    '.git::$INDEX_ALLOCATION/config',
    'GIT~1/config',
    '.gitattributes',
    '.gitmodules',
    'HEAD',
    'bare/HEAD',
    '.github/workflows/release.yml',
    '.GitHub/Workflows/release.yml',
    '.husky/pre-commit',
    '.vscode/tasks.json',
    '.idea/workspace.xml',
    '.mcp.json',
    '.claude/settings.json',
    '.envrc',
    '.npmrc',
    '.bashrc',
    '.zprofile',
    '.profile.',
    '.callwright-1-000000000000.tmp',
  ]
  for (const path of paths) {
    const { isRefused, notes } = await called(root, 'write_file', { path, content: 'x' })
    assert.deepEqual([isRefused, codesOf(notes)], [true, ['protected']], path)
  }
  assert.deepEqual(readdirSync(app), ['src'])
  assert.ok(!fileTools(root).some(({ name }) => /rename|move|link|chmod/.test(name)))
  for (const path of ['.gitignore', '.github/CODEOWNERS', 'git/config', 'head.py', 'HEAD/index.ts', 'environment.md']) {
    const { isRefused, result } = await called(root, 'write_file', { path, content: 'x' })
    assert.equal(isRefused, false, `${path}: ${result}`)
  }
})

test('8 what git keeps may be read', async () => {
  const { app } = place()
  mkdirSync(join(app, '.git'))
  writeFileSync(join(app, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  const { result } = await called(ConfinedRoot.open(app), 'read_file', { path: '.git/HEAD' })
  assert.equal(result, 'ref: refs/heads/main\n')
})

test('17 files with secrets are neither read nor written, unless that is allowed', async () => {
  const { app } = place()
  for (const name of ['.env', '.env.local', '.ENV']) writeFileSync(join(app, name), 'KEY=SECRET\n')
  const root = ConfinedRoot.open(app)
  for (const path of ['.env', '.env.local', '.ENV', 'src/../.env', '.env.production']) {
    for (const [tool, input] of [['read_file', { path }] as const, ...writes(path)]) {
      const { isRefused, result, notes } = await called(root, tool, input)
      assert.deepEqual([isRefused, codesOf(notes)], [true, ['secret']], `${tool} ${path}: ${result}`)
    }
  }
  const found = await called(root, 'search_files', { pattern: 'SECRET' })
  assert.match(found.result, /^No line matches/)
  const allowing = ConfinedRoot.open(app, { readable: ['.env'] })
  assert.equal((await called(allowing, 'read_file', { path: '.env' })).result, 'KEY=SECRET\n')
  assert.equal((await called(allowing, 'edit_file', { path: '.env', old: 'SECRET', new: 'x' })).isRefused, false)
  assert.equal((await called(allowing, 'read_file', { path: '.env.local' })).isRefused, true)
})

test('18 too much, too deep and too hard is refused, or done in bounded time', async () => {
  const { app } = place()
  const root = ConfinedRoot.open(app)
  const content = 'x'.repeat(isLong ? 200_000_000 : 20_000_000)
  assert.match((await called(root, 'write_file', { path: 'big', content })).result, /^Write less at once/)
  assert.equal(existsSync(join(app, 'big')), false)
  assert.match(
    (await called(root, 'write_file', { path: 'd/'.repeat(101), content: '' })).result,
    /^Send a shorter path/,
  )
  // Each of these takes longer than anybody's life where patterns are matched by going back.
  writeFileSync(join(app, 'letters'), `${'a'.repeat(50_000)}!`)
  writeFileSync(join(app, 'a'.repeat(200)), '')
  assert.match((await called(root, 'search_files', { pattern: '(a+)+$' })).result, /^No line matches/)
  const glob = `${'*a'.repeat(60)}*b`
  assert.match((await called(root, 'list_dir', { glob })).result, /^Nothing in the workspace matches/)
  const old = `${'a\n'.repeat(100_000)}b`
  writeFileSync(join(app, 'lines'), 'a\n'.repeat(200_000))
  assert.match((await called(root, 'edit_file', { path: 'lines', old, new: '' })).result, /^(?:Send old|Read lines)/)
})

test('22 the ledger is out of reach wherever it is kept', async () => {
  const { app } = place()
  mkdirSync(join(app, 'state'))
  for (const name of ['ledger.db', 'ledger.db-wal', 'other']) writeFileSync(join(app, 'state', name), 'SECRET')
  const root = ConfinedRoot.open(app, { keep: [join(app, 'state', 'ledger.db')] })
  for (const path of ['state/ledger.db', 'state/ledger.db-wal', 'STATE/Ledger.db', 'state/ledger.db-shm']) {
    for (const [tool, input] of [['read_file', { path }] as const, ...writes(path)]) {
      const { isRefused, notes } = await called(root, tool, input)
      assert.deepEqual([isRefused, codesOf(notes)], [true, ['protected']], `${tool} ${path}`)
    }
  }
  assert.equal((await called(root, 'list_dir', { path: 'state' })).result, 'state/other (6 bytes)')
  assert.equal((await called(root, 'search_files', { pattern: 'SECRET' })).result, 'state/other:1: SECRET')
})

test('a folder that is no workspace is refused', () => {
  const { app } = place()
  for (const name of ['.callwright/runs', '.git/hooks', '.CallWright']) mkdirSync(join(app, name), { recursive: true })
  writeFileSync(join(app, 'file'), '')
  const folders = [
    '/',
    dirname(homedir()),
    '/proc',
    '/proc/self/fd',
    '/dev',
    join(app, 'none'),
    join(app, 'file'),
    join(app, '.callwright'),
    join(app, '.callwright', 'runs'),
    join(app, '.CallWright'),
    join(app, '.git', 'hooks'),
  ]
  if (existsSync(homedir())) folders.push(homedir(), `${homedir()}/.`)
  for (const folder of folders) assert.throws(() => ConfinedRoot.open(folder), WorkspaceRefusal.isInstance, folder)
  const keep = [join(app, 'src')]
  assert.throws(() => ConfinedRoot.open(join(app, 'src'), { keep }), { code: 'root' })
  assert.equal(ConfinedRoot.open(app, { keep }).stat('file')?.kind, 'file')
})

test('a root that is replaced by another folder or by a link is not used any more', () => {
  const { app, outside, all } = place()
  const before = all()
  for (const walk of [undefined, 'by-path'] as const) {
    const root = ConfinedRoot.open(app, walk ? { walk } : {})
    renameSync(app, `${app}-away`)
    mkdirSync(app)
    assert.throws(() => root.write('x', Buffer.from('x')), { code: 'root' })
    rmSync(app, { recursive: true })
    symlinkSync(outside, app)
    assert.throws(() => root.write('x', Buffer.from('x')), { code: 'link' })
    rmSync(app)
    renameSync(`${app}-away`, app)
    root.write('x', Buffer.from('x'))
  }
  assert.equal(all(), before)
})

test('what the system does not permit is refused, and a read-only file is not replaced', async () => {
  const { app } = place()
  writeFileSync(join(app, 'fixed'), 'old', { mode: 0o444 })
  writeFileSync(join(app, 'closed'), 'old', { mode: 0o000 })
  mkdirSync(join(app, 'shut'), { mode: 0o555 })
  const root = ConfinedRoot.open(app)
  const codes: unknown[] = []
  for (const path of ['fixed', 'closed', 'shut/new']) {
    codes.push(...codesOf((await called(root, 'write_file', { path, content: 'new' })).notes))
  }
  // Root is permitted everything; for it these are plain changes.
  const refused = ['permission', 'permission', 'permission']
  assert.deepEqual(codes, isRoot ? [undefined, undefined, undefined] : refused)
})

test('nothing stays open, whatever happens', { skip: process.platform !== 'linux' && 'counts in /proc' }, async () => {
  const { app, outside } = place()
  symlinkSync(outside, join(app, 'way'))
  const root = ConfinedRoot.open(app)
  const open = (): number => readdirSync('/proc/self/fd').length
  const before = open()
  for (const path of ['src/main.py', 'src', 'way/secret', 'none/none', 'src/main.py/x', 'a/b/c', '.git/x', 'x\0']) {
    for (const [tool, input] of [...reads(path), ...writes(path)]) await called(root, tool, input)
  }
  assert.equal(open(), before)
})

test('each refusal of an attack stands in the ledger', async () => {
  const { app, outside } = place()
  symlinkSync(outside, join(app, 'way'))
  const ledger = openLedger<RunEvent>(join(app, '.callwright', 'ledger.db'))
  const root = ConfinedRoot.open(app, { keep: [join(app, '.callwright')] })
  const paths = ['../outside/secret', 'way/secret', '.git/config', '.callwright/ledger.db', '.env']
  const replies = paths.map((path) => ({ calls: [{ name: 'write_file', arguments: { path, content: 'x' } }] }))
  const agent = createAgent({
    model: scriptedModel([...replies, 'Done.']),
    tools: fileTools(root),
    mode: 'native',
    recorder: ledger,
  })
  const { run } = await agent.run('Attack.')
  const events = ledger.load(run) ?? []
  const notes = events.flatMap((event) => (event.kind === 'tool-note' ? [event.note] : []))
  const outcomes = events.flatMap((event) => (event.kind === 'tool-end' ? [event.outcome] : []))
  ledger.close()
  assert.deepEqual(codesOf(notes), ['outside', 'link', 'protected', 'protected', 'secret'])
  assert.deepEqual(outcomes, Array(5).fill('error'))
})

test('all of this holds for an ordinary user too', { skip: (!isRoot || isOrdinary) && 'is run by root' }, () => {
  const { NODE_TEST_CONTEXT, ...rest } = process.env
  const { status, stdout } = spawnSync(process.execPath, ['--test', fileURLToPath(import.meta.url)], {
    uid: 65_534,
    gid: 65_534,
    env: { ...rest, CALLWRIGHT_AS_USER: '1', HOME: '/nonexistent' },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout)
  assert.ok(Number(/tests (\d+)/.exec(stdout)?.[1]) > 60, stdout)
})
