import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { tool } from '../index.ts'
import { written } from './demo/layout.ts'
import { runScene } from './demo/run-scene.ts'
import type { Scene } from './demo/scene.ts'
import { scenes } from './demo/scenes/index.ts'
import { run } from './demo.ts'
import { widthOf } from './terminal.ts'

const command = fileURLToPath(new URL('../../bin/callwright.js', import.meta.url))

/** The command in a process of its own; one that takes too long is ended, and has no exit code. */
const piped = (...words: string[]) =>
  spawnSync(process.execPath, [command, 'demo', ...words], { encoding: 'utf8', timeout: 30_000 })

/** The command on a stage of the test's own, where pauses are counted and not made. */
async function shown(words: readonly string[], stage: { scenes?: Scene[]; columns?: number; isTTY?: boolean }) {
  let text = ''
  let paused = 0
  const { scenes: given, ...rest } = stage
  const out = {
    ...rest,
    write(piece: string) {
      text += piece
    },
  }
  const pause = async (milliseconds: number) => {
    paused += milliseconds
  }
  const code = await run(words, { out, pause, ...(given ? { scenes: given } : {}) })
  return { code, text, paused }
}

const widestOf = (text: string): number => Math.max(...stripVTControlCharacters(text).split('\n').map(widthOf))

describe('piped', () => {
  const { status, stdout, stderr } = piped()

  test('ends well, soon, and without escape codes', () => {
    assert.deepEqual([status, stderr], [0, ''])
    assert.ok(!stdout.includes('\x1b'))
    assert.ok(widestOf(stdout) <= 100)
  })

  const proofs: readonly (readonly [title: string, ...lines: (string | RegExp)[]])[] = [
    [
      'The single-quoted action',
      /step 1 .*\n.*'numbered': True\}\}\n +\^ python-literal\n/,
      /strict +JSON\.parse: Expected property name or '\}' in JSON at position 1.*\n.*the final answer is: Thought:/,
      'call      read_file {"path":"parser.py","numbered":true}',
      'answers: json.loads, in line 4.',
      '✓ The history holds the call as JSON',
    ],
    [
      'The invented parameter',
      'strict    The schema of write_file: "overwrite": not a parameter; "language": not a parameter',
      '[note: ignored language, which write_file does not take]',
      '[changed: blog.py (new)]',
      /strict +HTTP 500: error parsing tool call: raw='\{"command".*\n.*err=invalid character '\]' after object/,
      'repaired  closer-dropped',
      '✓ Both files are on the disk, byte for byte',
    ],
    [
      'The reply cut in half',
      'step 1    thinks: One note is enough.',
      'strict    JSON.parse: Unterminated string',
      'refused   save_note truncated',
      'temperature 0.9, up from 0.7',
      'repaired  comma-trailing',
      '✓ One note was saved, and it is the whole one.',
    ],
    [
      'The secret backwards',
      'by head   aQueu9ScN  9 letters, wrong from letter 5 on',
      'by tool   aQue9ScN   8 letters, all of them right',
      '✓ The answer is the secret backwards.',
    ],
    [
      'The object sent as a text',
      /\n +~+ text-opened\n/,
      'strict    The schema of invoke_artifact: "args[1]": Instance type "string" is invalid.',
      'args      ["register",{"id":"foo"}]',
      String.raw`comment   "{\"id\": \"foo\"}"`,
      /too far .* comment: Instance type\s+"object" is invalid/,
    ],
    [
      'The process that was killed',
      /killed +process \d+ by SIGKILL, between an effect and its record/,
      /ledger +10 events are safe; the last one says that send_invitation/,
      'told    its outcome is unknown: look whether it was done',
      'sent      Ada, Bob, Carol',
      '✓ 3 invitations went out, each once',
    ],
  ]
  for (const [index, [title, ...lines]] of proofs.entries()) {
    test(title, () => {
      const start = stdout.indexOf(` ${index + 1}  ${title} ──`)
      const [next = 'replies read by'] = proofs[index + 1] ?? []
      const part = stdout.slice(start, stdout.indexOf(next, start))
      assert.ok(start >= 0)
      for (const line of lines) {
        if (typeof line === 'string') assert.ok(part.includes(line), `${line} is missing in:\n${part}`)
        else assert.match(part, line)
      }
    })
  }

  test('the table', () => {
    const rows = stdout.slice(stdout.indexOf('replies read by')).split('\n').slice(2, 7)
    assert.deepEqual(
      rows.map((row) => row.trim().split(/ {2,}/)),
      [
        ['✓ The single-quoted action', '1 of 2', '2 of 2', '1', '2', '0.7'],
        ['✓ The invented parameter', '1 of 3', '3 of 3', '2', '3', '0.7'],
        ['✓ The reply cut in half', '2 of 4', '3 of 4', '1', '4', '0.7 to 0.9'],
        ['✓ The secret backwards', '3 of 3', '3 of 3', '0', '3', '0.7'],
        ['✓ The object sent as a text', '1 of 2', '2 of 2', '1', '2', '0.7'],
      ],
    )
    assert.match(stdout, /\n {4}6 of 6 scenes came out as they must\.\n/)
  })

  test('--tour', () => {
    const { status, stdout } = piped('--tour')
    assert.equal(stdout.match(/^ ?\d+\. /gm)?.length, 10)
    assert.match(stdout, /9 of 10 may run as they were meant, 1 refused\.\nJSON\.parse alone reads 5 of them\./)
    assert.equal(status, 0)
  })
})

const scene = (changes: Partial<Scene>): Scene => ({
  title: 'A scene',
  mission: '000',
  story: 'A story.',
  task: 'A task.',
  mode: 'native',
  tools: [],
  script: ['An answer.'],
  proofs: () => [],
  ...changes,
})

describe('on a stage', () => {
  for (const columns of [60, 80, 100, 200]) {
    test(`it fits into ${columns} columns`, async () => {
      const { code, text } = await shown(['--fast'], { columns, isTTY: true })
      assert.equal(code, 0)
      assert.ok(widestOf(text) <= Math.max(80, Math.min(columns, 100)), `${widestOf(text)} columns`)
    })
  }

  test('on a terminal it takes some ten seconds, and no pause is made elsewhere or with --fast', async () => {
    const { paused } = await shown([], { isTTY: true })
    assert.ok(paused > 5_000 && paused < 15_000, `${paused} ms`)
    assert.equal((await shown(['--fast'], { isTTY: true })).paused, 0)
    assert.equal((await shown([], {})).paused, 0)
  })

  test('a scene that does not come out as it must is named, and the exit code is 1', async () => {
    const wrong = scene({ title: 'A wrong one', proofs: () => [{ says: 'The sky is green.', holds: false }] })
    const { code, text } = await shown([], { scenes: [scene({}), wrong] })
    assert.equal(code, 1)
    assert.match(text, /✗ The sky is green\.\n/)
    assert.match(text, /✓ A scene .*\n.*✗ A wrong one /)
    assert.match(text, /1 of 2 scenes came out as they must\.\n.*Not so: A wrong one\./)
  })

  test('a run that ends without an answer is wrong, whatever else holds', async () => {
    const { code, text } = await shown([], { scenes: [scene({ script: [] })] })
    assert.equal(code, 1)
    assert.match(text, /✗ The run ended with an answer\./)
  })

  test('control characters of a model are made visible', async () => {
    const nasty = '\x1b[2J\x07\u202e'
    const speak = tool({ name: 'speak', description: 'Speaks.', input: { type: 'object' }, run: () => nasty })
    const calls = [{ name: 'speak', arguments: `{"text": "${nasty}",}` }]
    const { text } = await shown([], { scenes: [scene({ tools: [speak], script: [{ calls }, nasty] })] })
    assert.equal(text.match(/␛\[2J␇�/g)?.length, 3)
    assert.deepEqual(
      [...nasty]
        .filter((character) => character < ' ' || character > '~')
        .filter((character) => text.includes(character)),
      [],
    )
  })
})

describe('a scene', () => {
  test('runs as a stream over HTTP on this machine, and leaves no server behind', async () => {
    const { requests } = await runScene(scene({}))
    assert.deepEqual(
      requests.map(({ stream }) => stream),
      [true],
    )
    const host = requests[0]?.headers['host'] ?? ''
    assert.match(host, /^127\.0\.0\.1:\d+$/)
    await assert.rejects(fetch(`http://${host}/v1/models`))
  })

  test('each comes from a document of its own', () => {
    assert.deepEqual(
      scenes().map(({ mission }) => mission),
      ['000', '001', '002', '003', '004'],
    )
  })
})

describe('what a model wrote, with marks', () => {
  const cases: readonly (readonly [text: string, spans: readonly (readonly [number, number])[], lines: string[]])[] = [
    ['abc', [], ['abc']],
    ['', [], ['']],
    ['a\n\nb', [[3, 4]], ['a', '', 'b', '^ x']],
    ['{"a": 1,}', [[7, 8]], ['{"a": 1,}', '       ^ x']],
    ['abcdefgh ijklm', [[9, 13]], ['abcdefgh ', 'ijklm', '~~~~ x']],
    ['abcdefghijkl', [[8, 12]], ['abcdefghijkl', '      x ~~~~']],
    [
      'abcdefghijklmno',
      [
        [0, 2],
        [4, 6],
        [13, 14],
      ],
      ['abcdefghijkl', '~~  ~~ x', 'mno', ' ^ x'],
    ],
  ]
  for (const [text, spans, lines] of cases) {
    test(JSON.stringify(text), () => {
      const marks = spans.map((span) => ({ span, label: 'x' }))
      assert.deepEqual(
        written(text, marks, 12, (row) => row),
        lines,
      )
    })
  }
})
