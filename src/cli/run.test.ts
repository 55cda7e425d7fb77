/** `callwright run` as a person types it, against a real server of this machine. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Script, startTestServer } from '../test/index.ts'
import { askOn } from './ask-approval.ts'
import { paintFor } from './terminal.ts'

const command = fileURLToPath(new URL('../../bin/callwright.js', import.meta.url))
const entry = new URL('../index.ts', import.meta.url).href
const folder = mkdtempSync(join(tmpdir(), 'callwright-run-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const tools = join(folder, 'tools.mjs')
writeFileSync(
  tools,
  `import { tool } from ${JSON.stringify(entry)}
const text = { type: 'string' }
export const lookUp = tool({
  name: 'look_up', description: 'Looks a word up.', kind: 'pure',
  input: { type: 'object', properties: { word: text }, required: ['word'] },
  run: ({ word }) => word + ' means \\u001b[31mred',
})
export default [tool({
  name: 'erase', description: 'Erases a file.', needsApproval: true,
  input: { type: 'object', properties: { path: text }, required: ['path'] },
  run: ({ path }) => 'erased ' + path,
})]
`,
)

interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the command without any of the person's own settings. */
function callwright(words: readonly string[], input = ''): Promise<Finished> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(CALLWRIGHT|OPENAI|OLLAMA)/.test(name))
  const child = spawn(process.execPath, [command, 'run', ...words], { cwd: folder, env: Object.fromEntries(kept) })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

async function withServer<Result>(script: Script, use: (words: string[]) => Promise<Result>): Promise<Result> {
  await using server = await startTestServer(script)
  return await use(['--base-url', server.url, '--model', 'scripted', '--tools', tools])
}

const script: Script = [
  { calls: [{ name: 'look_up', arguments: `{'word': 'rot', 'language': 'de'}` }] },
  { calls: [{ name: 'erase', arguments: '{"path": "a"}' }] },
  'Red.',
]

describe('callwright run', { concurrency: 2 }, () => {
  test('the answer goes to standard output, what happens to standard error, and control characters are made visible', async () => {
    const { code, out, err } = await withServer(script, (words) =>
      callwright([...words, '--mode', 'native', 'Translate rot.']),
    )
    assert.deepEqual([code, out], [0, 'Red.\n'])
    assert.match(err, /step 1 \(native, temperature 0\.7\)/)
    assert.match(err, /repaired look_up: python-literal, parameter-ignored/)
    assert.match(err, /rot means ␛\[31mred/)
    assert.match(err, /erase .*\n.*not run: Go on without erase/)
    assert.ok(!err.includes('\u001b'))
  })

  test('--json prints the result, and the events as lines', async () => {
    const { code, out, err } = await withServer(script, (words) =>
      callwright([...words, '--mode', 'native', '--json', '-'], 'Go.'),
    )
    const result = JSON.parse(out)
    assert.deepEqual([code, result.kind, result.answer, result.steps], [0, 'answered', 'Red.', 3])
    const kinds = err
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).kind)
    assert.deepEqual([kinds[0], kinds.at(-1)], ['run-start', 'run-end'])
  })

  test('--verbose shows the whole exchange', async () => {
    const { err } = await withServer(script, (words) =>
      callwright([...words, '--mode', 'native', '--verbose', 'Translate rot.']),
    )
    assert.match(err, /> user\n +Translate rot\./)
    assert.match(err, /\[call\] look_up \{'word': 'rot', 'language': 'de'\}/)
    assert.match(err, /\[text\] Red\./)
  })

  test('--save-replies keeps what the model said, and --replay needs no model', async () => {
    const file = join(folder, 'replies.jsonl')
    const first = await withServer(script, (words) =>
      callwright([...words, '--mode', 'native', '--save-replies', file, 'Go.']),
    )
    const second = await callwright(['--replay', file, '--tools', tools, '--mode', 'native', 'Go.'])
    assert.deepEqual([first.code, second.code, second.out], [0, 0, 'Red.\n'])
    assert.equal(readFileSync(file, 'utf8').trimEnd().split('\n').length, 3)
    const third = await callwright(['--replay', file, '--tools', tools, '--mode', 'native', 'Something else.'])
    assert.equal(third.code, 1)
    assert.match(third.err, /failed: /)
  })

  test('callwright.yaml says the rest', async () => {
    await using server = await startTestServer(['{"answer": "As told."}'])
    const file = join(folder, 'settings.yaml')
    writeFileSync(
      file,
      `model: scripted\nbaseURL: ${server.url}\nmode: json\ninstructions: Be terse.\ntools: [${tools}]\nlimits:\n  steps: 2\n`,
    )
    const { code, out } = await callwright(['--config', file, 'Go.'])
    assert.deepEqual([code, out], [0, 'As told.\n'])
    assert.match(JSON.stringify(server.requests[0]?.messages), /Be terse\..*look_up\{word: string\*\}/)
  })

  test('a run without an answer says how it ended and what to do, and exits with 1', async () => {
    const cut = '{"tool": "look_up", "arguments": {"wo'
    const { code, out, err } = await withServer([cut, cut, cut], (words) =>
      callwright([...words, '--mode', 'json', 'Go.']),
    )
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /unreadable: 3 replies in a row could not be read/)
    assert.match(err, /Try another mode/)
  })

  const mistakes: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown mode', ['--mode', 'xml', 'Go.'], /--mode takes auto, native, structured, json, react, and not xml/],
    ['steps that are none', ['--steps', 'many', 'Go.'], /--steps takes a whole number above 0/],
    ['a task without quotes', ['Do', 'it'], /put quotes around it/],
    ['a module that is not there', ['--tools', 'nowhere.ts', 'Go.'], /There is no file .*nowhere\.ts/],
    [
      'a module without tools',
      ['--tools', command.replace('callwright.js', '../scripts/docs/common.ts'), 'Go.'],
      /exports no tool/,
    ],
    ['a recording that is not there', ['--replay', 'nowhere.jsonl', 'Go.'], /nowhere\.jsonl/],
    ['a file with an unknown key', ['--config', 'wrong.yaml', 'Go.'], /limit.*line 1.*limits|line 1.*limit.*limits/s],
  ]
  writeFileSync(join(folder, 'wrong.yaml'), 'limit: 3\n')
  for (const [name, words, message] of mistakes) {
    test(`${name} is said, with exit code 2`, async () => {
      const { code, err } = await callwright(words)
      assert.equal(code, 2)
      assert.match(err, message)
    })
  }
})

describe('approval on a terminal', () => {
  const request = {
    run: 'r',
    hash: 'h',
    signal: new AbortController().signal,
    call: { id: 'c', name: 'erase', arguments: { path: 'a\u001b[2J' } },
    preview: '--- a\u001b[2J\n+ nothing',
  }
  const cases = [
    ['y\n', 'yes'],
    ['a\n', 'always'],
    ['\n', 'no'],
    ['perhaps\nno\n', 'no'],
  ] as const
  for (const [typed, wanted] of cases) {
    test(`${JSON.stringify(typed)} is ${wanted}`, async () => {
      const input = new PassThrough()
      const output = new PassThrough()
      const answer = askOn({ input, output }, paintFor({}))(request)
      input.write(typed)
      assert.equal(await answer, wanted)
      const shown = String(output.read())
      assert.match(shown, /May erase run\?/)
      assert.ok(!shown.includes('\u001b[2J'))
    })
  }

  test('an input that ends is a no', async () => {
    const input = new PassThrough()
    const answer = askOn({ input, output: new PassThrough() }, paintFor({}))(request)
    input.end()
    assert.equal(await answer, 'no')
  })
})
