/** A small coding task, end to end: the command, the workspace, the ledger, and everything taken back. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Script, startTestServer } from '../src/test/index.ts'
import { findSandbox } from '../src/tools/workspace/index.ts'

const command = fileURLToPath(new URL('../bin/callwright.js', import.meta.url))
const places: string[] = []
after(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true })
})
const sandbox = await findSandbox()
const hasShell = sandbox.kind === 'bubblewrap'
if (!hasShell) process.stderr.write(`\nNOT TESTED: commands in the workspace, because ${sandbox.why}\n\n`)

/** A folder as a person would have it. */
function project(): string {
  const place = mkdtempSync(join(tmpdir(), 'callwright-workspace-'))
  places.push(place)
  mkdirSync(join(place, 'src'))
  writeFileSync(join(place, 'src', 'blog.py'), "title = 'old'\r\nprint(title)\n")
  writeFileSync(join(place, 'run.sh'), '#!/bin/sh\necho hi\n')
  chmodSync(join(place, 'run.sh'), 0o755)
  writeFileSync(join(place, 'notes.txt'), 'ä\u2028b')
  return place
}

/** Everything in a folder, byte for byte, with its permission bits; but for the record of the runs. */
function contentOf(folder: string, under = ''): [path: string, mode: number, content: string][] {
  return readdirSync(join(folder, under))
    .sort()
    .filter((name) => name !== '.callwright')
    .flatMap((name): [string, number, string][] => {
      const path = join(under, name)
      const { mode } = lstatSync(join(folder, path))
      if (!lstatSync(join(folder, path)).isDirectory())
        return [[path, mode, readFileSync(join(folder, path), 'latin1')]]
      return [[path, mode, ''], ...contentOf(folder, path)]
    })
}

interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function callwright(folder: string, ...words: readonly string[]): Promise<Finished> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(CALLWRIGHT|OPENAI|OLLAMA)/.test(name))
  const child = spawn(process.execPath, [command, ...words], {
    cwd: folder,
    env: Object.fromEntries(kept),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

/** A model that writes, invents a parameter, edits, runs a command with a stray bracket, and tries to get out. */
const script: Script = [
  { calls: [{ name: 'read_file', arguments: '{"path": "src/blog.py"}' }] },
  {
    calls: [
      {
        name: 'write_file',
        arguments: `{"path": "tests/unit/test_blog.py", "content": "assert '$10'\\n", "line_end": "\\n", "colour": 1}`,
      },
    ],
  },
  { calls: [{ name: 'edit_file', arguments: '{"path": "src/blog.py", "old": "\'old\'", "new": "\'new\'"}' }] },
  ...(hasShell
    ? [
        {
          calls: [
            {
              name: 'run_bash',
              arguments: `{"command":"cat > cost.txt <<'EOF'\\nprice = $10\\nEOF\\nrm notes.txt; chmod 600 run.sh"],"timeout":30}`,
            },
          ],
        },
      ]
    : []),
  { calls: [{ name: 'write_file', arguments: '{"path": "../outside.txt", "content": "x"}' }] },
  { calls: [{ name: 'write_file', arguments: '{"path": ".git/hooks/pre-commit", "content": "x"}' }] },
  'It is done.',
]

describe('callwright run --workspace', () => {
  test('does a small coding task, shows it, and takes it back byte for byte', async () => {
    const folder = project()
    const before = contentOf(folder)
    await using server = await startTestServer(script)
    const words = ['--base-url', server.url, '--model', 'scripted', '--mode', 'native', '--workspace', '--key', 'task']
    const done = await callwright(folder, 'run', ...words, 'Rename the title.')
    assert.deepEqual([done.code, done.out], [0, 'It is done.\n'], done.err)
    assert.match(done.err, /Wrote tests\/unit\/test_blog\.py \(1 line, 13 bytes\)/)
    assert.match(done.err, /ignored colour, which write_file does not take/)
    assert.match(done.err, /\.\.\/outside\.txt lies outside/)
    assert.match(done.err, /Leave \.git\/hooks\/pre-commit alone/)
    assert.equal(readFileSync(join(folder, 'src/blog.py'), 'latin1'), "title = 'new'\r\nprint(title)\n")
    if (hasShell) assert.equal(readFileSync(join(folder, 'cost.txt'), 'utf8'), 'price = $10\n')
    const instructions = JSON.stringify(server.requests[0]?.messages[0])
    assert.match(instructions, /write_file for simple writes, and run_bash for complex operations/)

    const files = await callwright(folder, 'show', 'task', '--files')
    assert.match(files.out, /-title = 'old'.?\n\+title = 'new'/)
    if (hasShell) assert.match(files.out, /\+price = \$10/)

    const after = contentOf(folder)
    const undone = await callwright(folder, 'undo', 'task')
    assert.equal(undone.code, 0, undone.out + undone.err)
    assert.deepEqual(contentOf(folder), before)
    const redone = await callwright(folder, 'undo', 'task')
    assert.equal(redone.code, 0, redone.out + redone.err)
    assert.deepEqual(contentOf(folder), after)

    writeFileSync(join(folder, 'src/blog.py'), 'mine')
    const conflict = await callwright(folder, 'undo', 'task')
    assert.equal(conflict.code, 1)
    assert.match(conflict.out, /conflict +src\/blog\.py: it was changed since the run/)
    assert.equal(readFileSync(join(folder, 'src/blog.py'), 'utf8'), 'mine')
  })

  test('changes nothing with --read-only', async () => {
    const folder = project()
    const before = contentOf(folder)
    await using server = await startTestServer([
      { calls: [{ name: 'write_file', arguments: '{"path": "a", "content": "x"}' }] },
      { calls: [{ name: 'run_bash', arguments: '{"command": "echo x > a"}' }] },
      'I could not.',
    ])
    const words = ['--base-url', server.url, '--model', 'scripted', '--mode', 'native', '--read-only']
    const { code, err } = await callwright(folder, 'run', ...words, 'Write a.')
    assert.equal(code, 0, err)
    assert.match(err, /refused write_file: tool-unknown/)
    assert.deepEqual(contentOf(folder), before)
  })

  test('refuses the whole system as a workspace', async () => {
    const words = ['--base-url', 'http://127.0.0.1:9/v1', '--model', 'x', '--workspace', '--no-record']
    const { code, err } = await callwright('/', 'run', ...words, 'Go.')
    assert.equal(code, 2)
    assert.match(err, /whole system/)
  })
})
