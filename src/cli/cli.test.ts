/** The command line, run as a process the way a person or a script runs it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../bin/callwright.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'callwright-cli-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function callwright(words: readonly string[], input?: string | Buffer) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], { input, encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('callwright read --value', () => {
  test('shows the value and underlines the repairs; exit code 0', () => {
    const { status, stdout, stderr } = callwright(['read', '--value'], `{'path': 'a.py', "force": true}`)
    assert.equal(stderr, '')
    assert.equal(
      stdout,
      [
        '',
        `  {'path': 'a.py', "force": true}`,
        '   ~~~~~~ quotes-single',
        '           ~~~~~~',
        '',
        '  value     { "path": "a.py", "force": true }',
        '  repaired  quotes-single ×2         a string stands in single quotes',
        '',
        '',
      ].join('\n'),
    )
    assert.equal(status, 0)
  })

  test('says why a text is refused and shows what there is; exit code 1', () => {
    const { status, stdout } = callwright(['read', '--value'], `{"path": "a.py", "content": "import os`)
    assert.match(stdout, /refused {3}truncated/)
    assert.match(stdout, /the text ends inside "content"\s+\(line 1, column 39\)/)
    assert.match(stdout, /so far {4}\{ "path": "a.py", "content": "import os" \}/)
    assert.equal(status, 1)
  })

  test('says of an empty text that there is nothing in it', () => {
    const { status, stdout } = callwright(['read', '--value'], '')
    assert.equal(stdout, '\n  refused   no-value\n            Send one JSON value: the text holds no value.\n\n')
    assert.equal(status, 1)
  })

  test('reads a file, and prints JSON for programs', () => {
    const file = join(folder, 'value.txt')
    writeFileSync(file, '{"a": 1,}')
    const { status, stdout } = callwright(['read', '--value', '--json', file])
    const { value, repairs, problems, complete } = JSON.parse(stdout)
    assert.deepEqual({ value, problems, complete }, { value: { a: 1 }, problems: [], complete: true })
    assert.deepEqual(repairs, [{ code: 'comma-trailing', path: [], span: [7, 8], before: ',', after: '' }])
    assert.equal(status, 0)
  })

  test('--strict repairs nothing, --cut closes nothing, --known helps', () => {
    assert.equal(callwright(['read', '--value', '--strict'], `{'a': 1}`).status, 1)
    assert.equal(callwright(['read', '--value'], `{"a": "b"`).status, 0)
    assert.equal(callwright(['read', '--value', '--cut'], `{"a": "b"`).status, 1)
    const nested = `{"content": "{"a": "b", "c": "d"}", "path": "x"}`
    assert.equal(callwright(['read', '--value'], nested).status, 1)
    assert.equal(callwright(['read', '--value', '--known', 'content', '--known', 'path'], nested).status, 0)
  })

  test('makes control characters of the text visible', () => {
    const { stdout } = callwright(['read', '--value'], `{"a": "\x1b[31mred\x07\u202e", b: 1}`)
    for (const hidden of ['\x1b', '\x07', '\u202e']) assert.ok(!stdout.includes(hidden))
    assert.match(stdout, /␛\[31mred␇\ufffd/)
  })

  test('a long text with repairs all over is shown in part', () => {
    const { stdout, status } = callwright(['read', '--value'], `[\n${"'a', true,\n".repeat(500)}1]`)
    assert.equal(status, 0)
    assert.match(stdout, /… and 488 more lines with repairs/)
  })
})

describe('callwright read --arguments', () => {
  const parameters = {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
  }
  const tools: { readonly [name: string]: unknown } = {
    'openai.json': { type: 'function', function: { name: 'read_file', parameters } },
    'anthropic.json': { name: 'read_file', input_schema: parameters },
    'mcp.json': {
      tools: [
        { name: 'other', inputSchema: {} },
        { name: 'read_file', inputSchema: parameters },
      ],
    },
    'ours.json': [{ name: 'read_file', input: parameters }],
  }
  const fileOf = (name: string): string => join(folder, name)
  for (const [name, tool] of Object.entries(tools)) writeFileSync(fileOf(name), JSON.stringify(tool))

  test('shows the call, its parameters and what was repaired; exit code 0', () => {
    const words = ['read', '--arguments', '--tool', fileOf('openai.json')]
    const { status, stdout, stderr } = callwright(words, `{filePath: 'a.py', "limit": "3", "line_end": null}`)
    assert.equal(stderr, '')
    assert.equal(
      stdout,
      [
        '',
        `  {filePath: 'a.py', "limit": "3", "line_end": null}`,
        '   ~~~~~~~~ key-bare',
        '             ~~~~~~ quotes-single',
        '',
        '  call      read_file',
        '            path   "a.py"',
        '            limit  3',
        '  repaired  key-bare                 a key stands without quotes',
        '            quotes-single            a string stands in single quotes',
        '            key-renamed              filePath → path: a name that is kin to the one that is missing stands for it',
        '            parameter-ignored        line_end: the tool has no such parameter; it was left out',
        '            text-to-number           limit: a text spells the number that the schema asks for',
        '',
        '',
      ].join('\n'),
    )
    assert.equal(status, 0)
  })

  test('takes tools in every form, and one of several by its name', () => {
    for (const name of Object.keys(tools)) {
      const words = ['read', '--arguments', '--json', '--tool', fileOf(name), '--name', 'read_file']
      const { status, stdout } = callwright(words, `{"path": "a.py", "limit": "3"}`)
      assert.deepEqual(JSON.parse(stdout).calls[0].arguments, { path: 'a.py', limit: 3 })
      assert.equal(status, 0)
    }
  })

  test('a refusal is shown as the model reads it; exit code 1', () => {
    const words = ['read', '--arguments', '--tool', fileOf('anthropic.json')]
    const { status, stdout } = callwright(words, '{"limit": "many"}')
    assert.match(stdout, /refused {3}read_file\n +parameter-missing\n +Send read_file again with "path"/)
    assert.equal(status, 1)
    assert.equal(callwright([...words, '--strict'], `{"path": "a", "limit": "3"}`).status, 1)
    assert.equal(callwright([...words, '--unknown', 'refuse'], `{"path": "a", "x": 1}`).status, 1)
    assert.equal(callwright([...words, '--cut'], `{"path": "a"`).status, 1)
  })

  test('what is wrong with the tool is told in a line, with exit code 2', () => {
    writeFileSync(fileOf('broken.json'), '{"name": "x",')
    writeFileSync(fileOf('nameless.json'), '{"input": {}}')
    writeFileSync(fileOf('empty.json'), '\n')
    writeFileSync(fileOf('schema.json'), '{"type": "object", "properties": {}}')
    const cases: readonly (readonly [words: readonly string[], complaint: RegExp])[] = [
      [[], /^Add --tool with a file/],
      [['--tool', fileOf('none.json')], /^There is no file/],
      [['--tool', fileOf('broken.json')], /broken\.json is not JSON/],
      [['--tool', fileOf('nameless.json')], /A tool needs a name; this one has input/],
      [['--tool', fileOf('mcp.json')], /holds several tools: add --name with one of other, read_file/],
      [['--tool', fileOf('mcp.json'), '--name', 'x'], /holds no tool named x: it has other, read_file/],
      [['--tool', fileOf('ours.json'), '--unknown', 'drop'], /takes ignore, keep or refuse, and not drop/],
      [['--tool', fileOf('ours.json'), '--value'], /^Take --value or --arguments, not both/],
      [['--tool', fileOf('empty.json')], /empty\.json is empty: it should hold a tool/],
      [['--tool', fileOf('schema.json')], /It looks like a schema: put it under "input"/],
    ]
    for (const [words, complaint] of cases) {
      const { status, stderr } = callwright(['read', '--arguments', ...words], '{}')
      assert.match(stderr, complaint)
      assert.equal(status, 2)
    }
    assert.match(callwright(['read', '--value', '--tool', 'x'], '{}').stderr, /^--tool goes with --arguments/)
  })
})

describe('callwright read --tools', () => {
  const parameters = {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path'],
  }
  const tools = join(folder, 'tools.json')
  writeFileSync(tools, JSON.stringify([{ name: 'write_file', input_schema: parameters }]))
  const reply = `I'll write it.\n<tool_call>{"name": "write_file", "arguments": {'path': "a.py", "line_end": 1}}</tool_call>\n`

  test('shows the reply with what was found marked in place, and the calls; exit code 0', () => {
    const { status, stdout } = callwright(['read', '--tools', tools], reply)
    assert.equal(
      stdout,
      [
        '',
        `  I'll write it.`,
        `  <tool_call>{"name": "write_file", "arguments": {'path': "a.py", "line_end": 1}}</tool_call>`,
        '  ^ hermes   ^ python-literal',
        '',
        '',
        '  call      write_file',
        '            path  "a.py"',
        '  repaired  python-literal           the text is a Python literal, and was read as CPython reads it',
        '            parameter-ignored        line_end: the tool has no such parameter; it was left out',
        '',
        '  1 call may run.',
        '',
        '',
      ].join('\n'),
    )
    assert.equal(status, 0)
  })

  test('a call that was cut is refused, by its name; exit code 1', () => {
    const { status, stdout } = callwright(['read', '--tools', tools], reply.slice(0, 75))
    assert.match(stdout, /refused {3}write_file\n +truncated/)
    assert.match(stdout, /0 calls may run, 1 refused\./)
    assert.equal(status, 1)
  })

  test('--stream prints events as they come, --json the reading, --seen knows an echo', () => {
    const events = callwright(['read', '--tools', tools, '--stream'], reply).stdout.trim().split('\n')
    const kinds = events.map((line) => JSON.parse(line).kind)
    assert.deepEqual([kinds[0], kinds.at(-2)], ['text-delta', 'call-end'])
    const reading = JSON.parse(callwright(['read', '--tools', tools, '--json'], reply).stdout)
    assert.deepEqual(reading.calls[0].arguments, { path: 'a.py' })
    const seen = join(folder, 'seen.txt')
    writeFileSync(seen, reply)
    assert.equal(callwright(['read', '--tools', tools, '--seen', seen], reply).status, 1)
  })

  test('options that do not belong are told', () => {
    assert.match(callwright(['read', '--tools', tools, '--name', 'x'], '').stderr, /^--name goes with --arguments/)
    assert.match(callwright(['read', '--value', '--stream'], '').stderr, /^--stream goes with --tools/)
    assert.match(callwright(['read', '--tools', tools, '--value'], '').stderr, /^Take --value or --tools, not both/)
  })
})

describe('callwright report', () => {
  const text = { type: 'string', description: 'a secret' }
  const tools = join(folder, 'report-tools.json')
  const parameters = {
    type: 'object',
    properties: { path: text, mode: { enum: ['append', 'new'] } },
    required: ['path'],
  }
  writeFileSync(tools, JSON.stringify([{ name: 'write_file', description: 'Ours', parameters }]))

  test('the words go, and what decides how it is read stays', () => {
    const reply = `I'll write for Bob at 5:30.\n<tool_call>{'name': 'write_file', 'arguments': {'path': 'bob\\n2.md', "mode": "append"}}</tool_call>`
    const { status, stdout } = callwright(['report', '--tools', tools], reply)
    const report = JSON.parse(stdout)
    assert.equal(
      report.text,
      `I'll xxxxx xxx Xxx xx 1:11.\n<tool_call>{'name': 'write_file', 'arguments': {'path': 'xxx\\n1.xx', "mode": "append"}}</tool_call>`,
    )
    assert.deepEqual(report.found.calls[0].arguments, { path: 'xxx\n1.xx', mode: 'append' })
    assert.deepEqual([status, report.expect, /secret|Ours/.test(stdout)], [0, null, false])
  })

  test('a case that is read otherwise says so, with exit code 1; --keep keeps the words', () => {
    const strict = join(folder, 'report-strict.json')
    const digits = {
      type: 'object',
      properties: { id: { type: 'string', pattern: '^[a-f0-9]{4}$' } },
      required: ['id'],
    }
    writeFileSync(strict, JSON.stringify([{ name: 'find', parameters: digits }]))
    const reply = '<tool_call>{"name": "find", "arguments": {"id": "ab12"}}</tool_call>'
    assert.equal(callwright(['report', '--tools', strict], reply).status, 1)
    assert.equal(callwright(['report', '--tools', strict, '--keep'], reply).status, 0)
  })

  test('without tools it says what to add', () => {
    const { status, stderr } = callwright(['report'], 'x')
    assert.deepEqual([status, stderr.startsWith('Add --tools')], [2, true])
  })
})

describe('what is not understood is told in a line, with exit code 2', () => {
  const cases: readonly (readonly [words: readonly string[], complaint: RegExp])[] = [
    [['read'], /^Add --tools with a file that holds the tools/],
    [['read', '--value', '--jsn'], /^Unknown option '--jsn'\.\nSee: callwright read --help\n$/],
    [['read', '--value', join(folder, 'none.txt')], /^There is no file .*none\.txt: check the name\./],
    [['read', '--value', folder], /is a folder: name a file/],
    [['read', '--value', 'a', 'b'], /^Name one file, not 2/],
    [
      ['dance'],
      /^There is no command dance: it is one of read, run, runs, show, resume, undo, doctor, report, demo\.\nSee: callwright --help\n$/,
    ],
    [['demo', 'fast'], /Unexpected argument 'fast'/],
  ]
  for (const [words, complaint] of cases) {
    test(words.join(' ').replace(folder, 'FOLDER'), () => {
      const { status, stdout, stderr } = callwright(words, '')
      assert.match(stderr, complaint)
      assert.equal(stdout, '')
      assert.equal(status, 2)
    })
  }

  test('bytes that are no UTF-8', () => {
    const { status, stderr } = callwright(['read', '--value'], Buffer.from([0x7b, 0xff, 0x7d]))
    assert.match(stderr, /is not UTF-8: convert it first/)
    assert.equal(status, 2)
  })
})

describe('help and the tour', () => {
  test('--help of all and of each command', () => {
    assert.match(
      callwright(['--help']).stdout,
      /callwright read .*\n.*callwright run .*\n.*callwright runs .*\n.*callwright show .*\n.*callwright resume .*\n.*callwright undo .*\n.*callwright doctor .*\n.*callwright report .*\n.*callwright demo/,
    )
    assert.match(callwright(['read', '--help']).stdout, /Exit code: 0/)
    assert.match(callwright(['demo', '--help']).stdout, /no key and no network/)
    assert.match(callwright(['--version']).stdout, /^\d+\.\d+\.\d+\n$/)
  })
})

test('an old Node is told what to do', () => {
  const old = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); await import(${JSON.stringify(`file://${command}`)})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', old], { encoding: 'utf8' })
  assert.match(stderr, /needs Node 22\.18 or newer; this is Node 20\.20\.2\.\nIn a checkout, "npx callwright" uses/)
  assert.equal(status, 1)
})
