/** What run_bash does for a model, with a sandbox and without one. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { findSandbox } from '../src/tools/workspace/sandbox.ts'
import {
  alsoAsUser,
  folderFor,
  longTime,
  pathsOf,
  processesWith,
  SECRET,
  shellIn,
  skip,
} from './workspace-shell-setup.ts'

alsoAsUser(import.meta.url, 13)

describe('run_bash does its work', { skip, concurrency: 4 }, () => {
  test('exit code, time, and both streams in their order', async () => {
    const { text } = await shellIn().run('echo one; echo two >&2; echo three > /dev/stdout; exit 3')
    assert.match(text, /^exit code 3, \d\.\d s\none\ntwo\nthree$/)
    assert.match((await shellIn().run('true')).text, /^exit code 0, \d\.\d s; no output$/)
  })

  test('standard input is closed', async () => {
    assert.match((await shellIn().run('cat; read -r line; echo "read $?"')).text, /\nread 1$/)
  })

  test('a command arrives byte for byte, also one of 300 KB', async () => {
    const { run, at } = shellIn()
    const line = `price = $10 \`id\` "a" 'b' \\n \\\\ %s \${x} !! ä 😀 \t\r|&;<>(){}[]*?~#\n`
    for (const [name, content] of [
      ['small.txt', line],
      ['large.txt', line.repeat(4_500)],
    ] as const) {
      const { text } = await run(`cat > ${name} <<'EOF'\n${content}EOF`)
      assert.match(text, /^exit code 0/)
      assert.equal(readFileSync(at(name), 'utf8'), content)
    }
  })

  test('an unquoted heredoc runs as it is, with a note', async () => {
    const { run, at } = shellIn()
    const { text } = await run('cat > a.py <<EOF\nprice = $10\nEOF')
    assert.equal(readFileSync(at('a.py'), 'utf8'), 'price = 0\n')
    assert.match(text, /\[note: use write_file to write files, or <<'EOF': the shell replaced \$1 /)
  })

  test('what is no text for a shell is refused', async () => {
    assert.match((await shellIn().run('  ')).text, /^Send the command to run/)
    assert.match((await shellIn().run('echo a\0b')).text, /^Send the command without the NUL/)
    assert.match((await shellIn().run('echo \ud800')).text, /^Send the command anew/)
  })

  test('the rung is recorded before, and each change behind', async () => {
    const { run, at } = shellIn()
    writeFileSync(at('old.txt'), 'old')
    writeFileSync(at('kept.txt'), 'kept')
    const { text, notes } = await run('echo new > new.txt; echo changed > old.txt; mkdir empty; chmod 755 kept.txt')
    assert.deepEqual(
      notes.map(({ kind }) => kind),
      ['shell', 'file-change', 'file-change', 'file-change', 'shell-end'],
    )
    assert.equal(notes[0]?.['rung'], 'bubblewrap')
    assert.deepEqual(pathsOf(notes), ['kept.txt', 'new.txt', 'old.txt'])
    assert.deepEqual(notes.at(-1)?.['foldersMade'], ['empty'])
    assert.match(text, /\[changed: kept\.txt, new\.txt \(new\), old\.txt\]/)
  })

  test('a second command is compared with what the first one left', async () => {
    const { run } = shellIn()
    await run('echo 1 > a')
    assert.deepEqual(pathsOf((await run('echo 2 > b')).notes), ['b'])
    assert.deepEqual(pathsOf((await run('echo 3 > a')).notes), ['a'])
    assert.deepEqual(pathsOf((await run('cat a b')).notes), [])
  })

  test('beyond the bounds, that changes are not tracked is said', async () => {
    const { run, at } = shellIn({ snapshotLimits: { files: 1 } })
    for (const name of ['a', 'b']) writeFileSync(at(name), '')
    const { text, notes } = await run('echo x > a')
    assert.match(text, /\[what it changed is not tracked and cannot be undone: there are more than 1 files\]/)
    assert.match(String(notes.at(-1)?.['untracked']), /more than 1 files/)
  })

  test('programs of the system and Node are there', async () => {
    const { text } = await shellIn().run(
      'node -p 6*7 && printf "b\\na\\n" | sort | head -1 && pwd && id -un && echo $HOME',
    )
    assert.match(text, new RegExp(`\\n42\\na\\n${tmpdir()}/callwright-shell-\\w+\\n(root|user)\\n/tmp/home$`))
  })

  test('the machine outside is not seen', async () => {
    const secret = join(folderFor('outside'), 'secret')
    writeFileSync(secret, SECRET)
    const { run, at } = shellIn()
    symlinkSync(secret, at('link'))
    const { text } = await run(
      `cat ${secret} link /etc/shadow /root/.bashrc; ls /home /root /var /run/docker.sock /sys; ls -A /tmp`,
    )
    assert.doesNotMatch(text, new RegExp(SECRET))
    assert.equal(text.match(/No such file or directory/g)?.length, 9, text)
  })
})

describe('without a sandbox', () => {
  test('nothing runs, and it is said what to install', async () => {
    const none = await findSandbox({ folders: ['/nowhere'] })
    const { run, root } = shellIn({ sandbox: none })
    const { text, notes } = await run('touch x')
    assert.match(text, /^Go on with the other tools.*runs nothing without a sandbox.*--unsafe-shell/s)
    if (process.platform === 'linux') assert.match(text, /install.* bubblewrap/)
    assert.deepEqual(readdirSync(root), [])
    assert.deepEqual([notes[0]?.['rung'], notes[0]?.['refused']], ['none', true])
  })

  test('it runs when somebody has accepted that: recorded, without the secrets of the environment', async () => {
    const unsafe = await findSandbox({ folders: ['/nowhere'], unsafeShell: true })
    const mark = longTime()
    const { run } = shellIn({ sandbox: unsafe })
    const { text, notes } = await run(`env; pwd; echo x > a; sleep ${mark} & echo done`)
    assert.match(text, /^exit code 0.*done/s)
    assert.doesNotMatch(text, new RegExp(SECRET))
    assert.equal(notes[0]?.['rung'], 'unsafe')
    assert.deepEqual(pathsOf(notes), ['a'])
    assert.deepEqual(processesWith(mark), [])
    assert.match((await run(`sleep ${mark}`, 1)).text, /^Send a larger timeout/)
  })

  test('a read-only workspace refuses, because nobody could hold it', async () => {
    const unsafe = await findSandbox({ folders: ['/nowhere'], unsafeShell: true })
    assert.match((await shellIn({ sandbox: unsafe, mode: 'read-only' }).run('ls')).text, /^Go on with the other tools/)
  })
})
