import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Config, ConfigError, loadConfig, parseConfig } from './config.ts'
import { UsageError } from './usage-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'callwright-config-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'tools.ts'), '')

describe('what a file says', () => {
  const cases: readonly (readonly [source: string, config: Config])[] = [
    ['', {}],
    ['# nothing yet\n', {}],
    ['{}', {}],
    ['model: qwen3:8b', { model: 'qwen3:8b' }],
    ['model: "4"', { model: '4' }],
    ['baseURL: http://127.0.0.1:11434/v1', { baseURL: 'http://127.0.0.1:11434/v1' }],
    ['apiKeyFrom: MY_KEY_2', { apiKeyFrom: 'MY_KEY_2' }],
    ['instructions: |\n  One.\n  Two.\n', { instructions: 'One.\nTwo.\n' }],
    ['tools: [./tools.ts]', { tools: [join(folder, 'tools.ts')] }],
    ['mode: react', { mode: 'react' }],
    ['policy: { "*": ask, quotes-single: deny }', { policy: { '*': 'ask', 'quotes-single': 'deny' } }],
    [
      'limits: { steps: 10, tokens: 5000, seconds: 0.5, money: 2 }',
      { limits: { steps: 10, tokens: 5000, seconds: 0.5, money: 2 } },
    ],
    ['temperature: 0', { temperature: 0 }],
    ['temperature: false', { temperature: false }],
    ['context: 32768', { context: 32_768 }],
    ['prices: { input: 0, output: 1.5 }', { prices: { input: 0, output: 1.5 } }],
    ['approve: never', { approve: 'never' }],
    ['ledger: runs/ledger.db', { ledger: join(folder, 'runs/ledger.db') }],
    ['ledger: /var/runs.db', { ledger: '/var/runs.db' }],
    ['model: &name a\ninstructions: *name', { model: 'a', instructions: 'a' }],
  ]
  for (const [source, config] of cases) {
    test(JSON.stringify(source), () => assert.deepEqual(parseConfig(source, folder), { config, problems: [] }))
  }
})

describe('what is wrong with it, line:column', () => {
  const keys =
    'model, baseURL, apiKeyFrom, instructions, tools, mode, policy, limits, temperature, context, prices, workspace, approve, ledger'
  const secret =
    '1:1 A key does not belong in this file: put it in an environment variable and name that, such as "apiKeyFrom: OPENAI_API_KEY".'
  const variable =
    '1:13 apiKeyFrom must be the name of an environment variable in capitals, such as OPENAI_API_KEY, and not the key itself.'
  const cases: readonly (readonly [source: string, ...problems: readonly string[]])[] = [
    // Keys.
    ['modle: a', '1:1 There is no key "modle": did you mean model?'],
    ['base_url: a', '1:1 There is no key "base_url": did you mean baseURL?'],
    ['steps: 3', '1:1 There is no key "steps": did you mean limits.steps?'],
    ['weather: a', `1:1 There is no key "weather": the keys are ${keys}.`],
    ['limits:\n  maxSteps: 3', '2:3 There is no key "maxSteps" in limits: did you mean steps?'],
    [
      'prices: { input: 1, output: 2, cached: 0 }',
      '1:32 There is no key "cached" in prices: the keys are input, output.',
    ],
    ['constructor: 1', `1:1 There is no key "constructor": the keys are ${keys}.`],
    ['__proto__: { model: a }', `1:1 There is no key "__proto__": the keys are ${keys}.`],
    ['"a\\e\\u202e": 1', `1:1 There is no key "a\\u001b\ufffd": the keys are ${keys}.`],
    ['? [a]\n: b', '1:3 A key must be a name.'],
    ['model: a\nmodel: b', '2:1 This key stands here twice: keep one of them.'],
    ['apiKey: sk-live-123', secret],
    ['api_key: sk-live-123', secret],
    ['token: sk-live-123', secret],
    // Values.
    ['model: 4', '1:8 model must be a text, and not 4. Put it in quotes: "4".'],
    ['model: yes\nmode: true', '2:7 mode must be auto, native, structured, json or react, and not true.'],
    ['model:', '1:7 model must be a text, and nothing stands there.'],
    ['{model}', '1:2 model must be a text, and nothing stands there.'],
    ['model: "  "', '1:8 model must be a text, and not "  ".'],
    ['model: [a]', '1:8 model must be a text, and not a list.'],
    ['model: { a: b }', '1:8 model must be a text, and not keys and values.'],
    ['model: *other', '1:8 model must be a text, and nothing stands there.'],
    ['baseURL: localhost:1', '1:10 baseURL must be a URL with http:// or https://, such as http://127.0.0.1:11434/v1.'],
    ['apiKeyFrom: sk-live-123', variable],
    ['apiKeyFrom: lower', variable],
    ['apiKeyFrom: 123456', '1:13 apiKeyFrom must be a text.'],
    ['tools: ./tools.ts', '1:8 tools must be a list, and not "./tools.ts".'],
    ['tools: [./none.ts]', `1:9 tools[0] names a file that is not there: ${join(folder, 'none.ts')}`],
    ['tools: [./tools.ts, 3]', '1:21 tools[1] must be a text, and not 3. Put it in quotes: "3".'],
    ['mode: fast', '1:7 mode must be auto, native, structured, json or react, and not "fast".'],
    [
      `mode: ${'x'.repeat(99)}`,
      `1:7 mode must be auto, native, structured, json or react, and not "${'x'.repeat(59)}….`,
    ],
    ['policy: deny', '1:9 policy must hold keys and values, and not "deny".'],
    [
      'policy:\n  quote-single: deny',
      '2:3 The policy names "quote-single", which is no repair: did you mean quotes-single?',
    ],
    ['policy: { quotes-single: no }', '1:26 policy.quotes-single must be allow, deny or ask, and not "no".'],
    ['limits: 3', '1:9 limits must hold keys and values (steps, tokens, seconds, money), and not 3.'],
    ['limits: { steps: 1.5 }', '1:18 limits.steps must be a whole number of at least 1, and not 1.5.'],
    ['limits: { tokens: 1_000 }', '1:19 limits.tokens must be a whole number of at least 1, and not "1_000".'],
    ['limits: { seconds: 0 }', '1:20 limits.seconds must be a number above 0, and not 0.'],
    ['limits: { money: .inf }', '1:18 limits.money must be a number above 0, and not Infinity.'],
    ['limits: &a { steps: *a }', '1:21 limits.steps must be a whole number of at least 1, and not keys and values.'],
    ['temperature: 3', '1:14 temperature must be a number from 0 to 2 or false, and not 3.'],
    ['temperature: true', '1:14 temperature must be a number from 0 to 2 or false, and not true.'],
    ['context: -1', '1:10 context must be a whole number of at least 1, and not -1.'],
    [
      'prices: { input: x }',
      '1:9 prices.output is missing: add it.',
      '1:18 prices.input must be a number of at least 0, and not "x".',
    ],
    ['prices: { input: 1 }', '1:9 prices.output is missing: add it.'],
    ['ledger: false', '1:9 ledger must be a text, and not false. Put it in quotes: "false".'],
    ['approve: always', '1:10 approve must be ask or never, and not "always".'],
    // The whole.
    ['- model', `1:1 The file must hold keys and values (${keys}), and not a list.`],
    ['model', `1:1 The file must hold keys and values (${keys}), and not "model".`],
    ['model: a\n\tmode: b', '2:1 A tab cannot indent in YAML: use spaces.'],
    ['model: a\n---\nmodel: b', '2:1 A second document begins here: keep one, without "---".'],
    ['model: "a', '1:10 This is not YAML: Missing closing "quote.'],
    [
      'limits: [',
      '1:10 This is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ].',
    ],
    ['model: !secret a', '1:8 This is not YAML: Unresolved tag: !secret.'],
    // All at once, in the order of the file.
    [
      'mode: x\nlimits:\n  stpes: 1\ncontext: a',
      '1:7 mode must be auto, native, structured, json or react, and not "x".',
      '3:3 There is no key "stpes" in limits: did you mean steps?',
      '4:10 context must be a whole number of at least 1, and not "a".',
    ],
  ]
  for (const [source, ...problems] of cases) {
    test(JSON.stringify(source).slice(0, 60), () => {
      const said = parseConfig(source, folder).problems.map(
        ({ line, column, message }) => `${line}:${column} ${message}`,
      )
      assert.deepEqual(said, problems)
    })
  }
})

describe('the file', () => {
  const inFolder = (name: string, files: { readonly [name: string]: string | Buffer }): string => {
    const path = join(folder, name)
    mkdirSync(path)
    for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content)
    return path
  }
  const complaint = async (path: string, named?: string): Promise<string> => {
    const error: unknown = await loadConfig(path, named).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof UsageError)
    return error.message
  }

  test('is callwright.yaml or callwright.yml of the folder, or the one that is named, or none', async () => {
    const yaml = inFolder('yaml', { 'callwright.yaml': '\ufeffmodel: a', 'other.yaml': 'model: c' })
    const yml = inFolder('yml', { 'callwright.yml': 'model: b' })
    assert.deepEqual(await loadConfig(yaml), { file: 'callwright.yaml', config: { model: 'a' } })
    assert.deepEqual(await loadConfig(yml), { file: 'callwright.yml', config: { model: 'b' } })
    assert.deepEqual(await loadConfig(yaml, 'other.yaml'), { file: 'other.yaml', config: { model: 'c' } })
    assert.equal(await loadConfig(inFolder('none', {})), undefined)
  })

  test('is the place from which its tools are named', async () => {
    const path = inFolder('tools', { 'a.yaml': 'tools: [../tools.ts]' })
    const loaded = await loadConfig(tmpdir(), join(path, 'a.yaml'))
    assert.deepEqual(loaded?.config.tools, [join(folder, 'tools.ts')])
  })

  test('with problems is refused, with all of them', async () => {
    const path = inFolder('bad', { 'callwright.yaml': 'modle: a\nmode: b', 'one.yaml': 'modle: a' })
    const message =
      'has 2 problems:\n  line 1, column 1: There is no key "modle": did you mean model?\n  line 2, column 7: mode must'
    assert.ok((await complaint(path)).startsWith(`callwright.yaml ${message}`))
    assert.match(await complaint(path, 'one.yaml'), /^one\.yaml has a problem:\n {2}line 1, column 1: There is no key/)
    await assert.rejects(loadConfig(path), (error) => error instanceof ConfigError && error.problems.length === 2)
  })

  test('that is not there, there twice, or no text is told', async () => {
    const path = inFolder('twice', { 'callwright.yaml': '', 'callwright.yml': '', 'latin.yaml': Buffer.from([0xe9]) })
    assert.equal(await complaint(path), 'There are both callwright.yaml and callwright.yml: keep one of them.')
    assert.match(await complaint(path, 'none.yaml'), /^There is no file .*none\.yaml: check the name\.$/)
    assert.match(await complaint(path, 'latin.yaml'), /latin\.yaml is not UTF-8/)
  })
})

test('the example of docs/cli.md says nothing wrong, and every key', () => {
  const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
  const { config, problems } = parseConfig(example.replace('[./tools.ts]', '[]'), '/')
  assert.deepEqual(problems, [])
  assert.deepEqual(Object.keys(config).length, 14)
})
