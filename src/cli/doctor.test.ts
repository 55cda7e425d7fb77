import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import {
  closedPort,
  type FakeServer,
  listOf,
  ollama,
  type Reply,
  type Routes,
  serve,
} from '../../test/model-servers.ts'
import { type Diagnosis, run, type World } from './doctor.ts'
import { UsageError } from './usage-error.ts'

const root = mkdtempSync(join(tmpdir(), 'callwright-doctor-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** A folder with this callwright.yaml, or with none. */
function folderWith(config?: string): string {
  const folder = mkdtempSync(join(root, 'folder-'))
  if (config !== undefined) writeFileSync(join(folder, 'callwright.yaml'), config)
  return folder
}

/** Runs the doctor in a world where nothing is but what is given. */
async function doctor(words: readonly string[], world: Partial<World> = {}): Promise<{ code: number; shown: string }> {
  let shown = ''
  const code = await run(words, {
    environment: {},
    folder: root,
    nodeVersion: '24.1.0',
    sandbox: async () => ({ kind: 'bubblewrap', name: 'bubblewrap 0.9.0', why: 'It works.', type: [] }),
    ports: {},
    timeouts: { local: 5000, named: 5000 },
    out: { write: (text: string) => (shown += text) },
    ...world,
  })
  return { code, shown }
}

const asJSON = async (words: readonly string[], world?: Partial<World>): Promise<Diagnosis> =>
  JSON.parse((await doctor([...words, '--json'], world)).shown)

/** What is found wrong, on one line each. */
const findings = async (words: readonly string[], world?: Partial<World>): Promise<string[]> =>
  (await asJSON(words, world)).findings.map(({ kind, message, type = [] }) =>
    [`${kind}: ${message}`, ...type].join(' | '),
  )

/** Screens with the ports of this run replaced. */
const withoutPorts = (text: string): string => text.replace(/(127\.0\.0\.1):\d+/g, '$1:PORT')

const screen = (...lines: readonly string[]): string => `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`

describe('what a person sees', () => {
  test('one model, with too little context', async () => {
    const { port } = await serve(ollama([{ name: 'qwen3:8b', loaded: 4096 }]))
    const { code, shown } = await doctor([], { ports: { ollama: port } })
    assert.equal(
      withoutPorts(shown),
      screen(
        'node      24.1.0 (22.18 or newer is needed)',
        'file      no callwright.yaml in this folder',
        'variables none is set',
        'servers   Ollama 0.13.1 at http://127.0.0.1:PORT/v1',
        '            qwen3:8b  4,096 of 40,960 tokens, calls tools',
        'shell     bubblewrap 0.9.0 confines the commands of an agent',
        'model     qwen3:8b at http://127.0.0.1:PORT/v1',
        '          the server is found on this machine, and it is the only model there',
        '',
        'warning   qwen3:8b takes only 4,096 tokens as it is served, though it could take 40,960 tokens.',
        '          What is longer is cut without a word. Stop Ollama, and start it with more:',
        '',
        '            OLLAMA_CONTEXT_LENGTH=32768 ollama serve',
        '',
        'A model can be used, 1 warning.',
      ),
    )
    assert.equal(code, 0)
  })

  test('no sandbox for commands', async () => {
    const none = async () => ({
      kind: 'none' as const,
      name: 'none',
      why: 'There is no bubblewrap.',
      type: ['apt install bubblewrap'],
    })
    const { shown } = await doctor([], { sandbox: none })
    assert.match(shown, /shell {5}run_bash refuses to run: There is no bubblewrap\.\n +apt install bubblewrap/)
  })

  test('nothing', async () => {
    const { code, shown } = await doctor([])
    assert.match(
      shown,
      /servers {3}no model server was found on this machine\n {2}shell {5}bubblewrap 0\.9\.0 confines .*\n\n {2}missing {3}No model is named/,
    )
    assert.match(shown, /\n {14}callwright demo +see what it does, without a model\n/)
    assert.match(shown, /\n {2}No model can be used: 1 problem\.\n\n$/)
    assert.equal(code, 1)
  })

  test('many servers and models, and a choice to make', async () => {
    const many = Array.from({ length: 14 }, (_, index) => ({ id: `m${index}`, owned_by: 'vllm' }))
    const loading = { status: 503, json: { error: { message: 'Loading model' } } }
    const ports = {
      ollama: (await serve(ollama([]))).port,
      'lm-studio': (await serve({ '/api/v0/models': { status: 401, json: {} } })).port,
      'llama-cpp': (await serve({ '/health': loading })).port,
      vllm: (await serve({ '/v1/models': listOf(...many), '/version': { json: { version: '0.11' } } })).port,
    }
    const { code, shown } = await doctor([], { ports })
    const servers = withoutPorts(shown).split('\n').slice(4, 13)
    assert.deepEqual(servers, [
      '  servers   Ollama 0.13.1 at http://127.0.0.1:PORT/v1',
      '              no model',
      '            LM Studio at http://127.0.0.1:PORT/v1',
      '              wants a key to list its models',
      '            llama.cpp at http://127.0.0.1:PORT/v1',
      '              still loading its model: try again in a moment',
      '            vLLM 0.11 at http://127.0.0.1:PORT/v1',
      '              m0',
      '              m1',
    ])
    assert.match(shown, /\n {14}m11\n {14}… and 2 more\n/)
    assert.match(
      shown,
      /missing {3}There are 14 models\. Choose one:\n\n {14}callwright run --base-url \S+ --model m0\n/,
    )
    assert.equal(code, 1)
  })

  test('colour in a terminal only, and nothing from a server that could confuse it', async () => {
    const name = '\x1b[2J\u202equiet'
    const { port } = await serve(
      ollama(
        [
          { name, capabilities: ['completion'] },
          { name: 'b', loaded: 40_960 },
        ],
        '\x07',
      ),
    )
    const world = { ports: { ollama: port } }
    const plain = (await doctor([], world)).shown
    assert.ok(!['\x1b', '\x07', '\u202e'].some((hidden) => plain.includes(hidden)))
    assert.match(
      plain,
      /Ollama ␇ at .*\n +␛\[2J\ufffdquiet {2}not loaded, up to 40,960 tokens, does not call tools by itself\n/,
    )
    assert.match(plain, /\n +b {10,}40,960 tokens, calls tools\n/)
    let painted = ''
    await doctor([], { ...world, out: { isTTY: true, write: (text) => (painted += text) } })
    assert.equal(painted.includes('\x1b[32mnode\x1b[0m'), !process.env['NO_COLOR'])
    assert.ok(!painted.includes('\x1b[2J'))
  })

  test('an old Node', async () => {
    const { port } = await serve({ '/v1/models': listOf('m') })
    const words = ['--base-url', `http://127.0.0.1:${port}/v1`]
    for (const [nodeVersion, expected] of [
      ['20.9.0', 1],
      ['22.17.9', 1],
      ['22.18.0', 0],
      ['23.0.0', 0],
    ] as const) {
      assert.equal((await doctor(words, { nodeVersion })).code, expected, nodeVersion)
    }
    const { shown } = await doctor(words, { nodeVersion: '20.9.0' })
    assert.match(shown, /node {6}20\.9\.0 is too old: install Node 22\.18 or newer, from https:\/\/nodejs\.org\n/)
    assert.match(shown, /No model can be used: 1 problem\./)
  })
})

describe('the file', () => {
  test('is named, and what it says is used', async () => {
    const { address } = await serve({ '/v1/models': listOf('m', 'n') })
    const folder = folderWith(`model: m\nbaseURL: ${address}/v1\napiKeyFrom: MINE`)
    const { code, shown } = await doctor([], { folder, environment: { MINE: 'secret-value' } })
    assert.match(shown, /\n {2}file {6}callwright\.yaml\n {2}variables MINE is set\n/)
    assert.match(
      shown,
      /\n {2}model {5}m at \S+\/v1\n {12}named in the file, with the key in MINE\n\n {2}A model can be used\.\n\n$/,
    )
    assert.doesNotMatch(shown, /secret/)
    assert.equal(code, 0)
  })

  test('that is wrong is told with every problem, and no model is chosen', async () => {
    const { port } = await serve(
      ollama([
        { name: 'a', loaded: 4096 },
        { name: 'b', loaded: 4096 },
      ]),
    )
    const folder = folderWith('modle: a\nmode: b')
    const { code, shown } = await doctor([], { folder, ports: { ollama: port } })
    assert.match(
      shown,
      /file {6}callwright\.yaml cannot be used:\n {12}line 1, column 1: There is no key "modle": did you mean model\?\n {12}line 2, column 7: mode must/,
    )
    assert.doesNotMatch(shown, /\n {2}model/)
    assert.match(shown, /No model can be used: 2 problems, 1 warning\./)
    assert.equal(code, 1)
    const { config, ready } = await asJSON([], { folder })
    assert.deepEqual([config.file, config.problems.length, ready], ['callwright.yaml', 2, false])
  })

  test('that is named and not there', async () => {
    const { code, shown } = await doctor(['--config', 'none.yaml'])
    assert.match(shown, /file {6}There is no file \S+none\.yaml:\s+check the name\.\n/)
    assert.equal(code, 1)
  })
})

describe('why it is this model', () => {
  const why = async (words: readonly string[], world: Partial<World>): Promise<string> =>
    /\n {2}model .*\n {12}(.*)\n/.exec((await doctor(words, world)).shown)?.[1] ?? ''
  const start = (): Promise<FakeServer> =>
    serve(
      ollama([
        { name: 'a', loaded: 40_960 },
        { name: 'b', loaded: 40_960 },
      ]),
    )

  test('in words', async () => {
    const server = await start()
    const baseURL = `${server.address}/v1`
    const ports = { ollama: server.port }
    const environment = { CALLWRIGHT_BASE_URL: baseURL, CALLWRIGHT_MODEL: 'a', CALLWRIGHT_API_KEY: 'secret' }
    assert.equal(await why(['--base-url', baseURL, '--model', 'a'], {}), 'named by an option')
    assert.equal(await why([], { environment }), 'named by a variable, with the key in CALLWRIGHT_API_KEY')
    assert.equal(
      await why(['--model', 'b'], { ports }),
      'the model is named by an option, the server found on this machine',
    )
    const folder = folderWith('model: b')
    assert.equal(
      await why(['--base-url', baseURL], { folder }),
      'the model is named in the file, the server named by an option',
    )
  })

  test('and as JSON, with the names of variables and no value of any', async () => {
    const server = await start()
    const environment = {
      OPENAI_BASE_URL: `http://me:secret@127.0.0.1:${server.port}/v1?key=secret`,
      OPENAI_API_KEY: 'secret',
      OLLAMA_CONTEXT_LENGTH: '9999',
      OLLAMA_HOST: '',
      HOME: 'x',
    }
    const { code, shown } = await doctor(['--json', '--model', 'a'], { environment })
    const diagnosis: Diagnosis = JSON.parse(shown)
    assert.deepEqual(diagnosis.variables, ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OLLAMA_CONTEXT_LENGTH'])
    assert.deepEqual(diagnosis.node, { version: '24.1.0', needed: '22.18', enough: true })
    assert.deepEqual(diagnosis.model, {
      name: 'a',
      baseURL: `${server.address}/v1`,
      from: 'environment',
      modelFrom: 'flag',
      keyFrom: 'OPENAI_API_KEY',
    })
    assert.doesNotMatch(shown, /secret|9999/)
    assert.equal(code, 0)
    const screens = await doctor(['--model', 'a'], { environment })
    assert.match(screens.shown, /variables OPENAI_BASE_URL, OPENAI_API_KEY and OLLAMA_CONTEXT_LENGTH are set\n/)
    assert.doesNotMatch(screens.shown, /secret|9999/)
  })
})

describe('the server that was chosen', () => {
  const check = async (routes: Routes, environment = {}, path = '/v1'): Promise<string[]> => {
    const { address } = await serve(routes)
    const hangs = Object.values(routes).some((reply) => 'hangs' in reply)
    const timeouts = { local: 5000, named: hangs ? 150 : 5000 }
    const found = await findings(['--base-url', address + path, '--model', 'm'], { environment, timeouts })
    return found.map((line) => line.replaceAll(address, 'URL'))
  }
  const models = (reply: Reply): Routes => ({ '/v1/models': reply })

  test('has the model', async () => assert.deepEqual(await check(models(listOf('a', 'm'))), []))

  test('does not have it', async () => {
    assert.deepEqual(await check(models(listOf('a', 'b'))), ['problem: URL/v1 has no model m: it has a, b.'])
    assert.deepEqual(await check(models(listOf())), ['problem: URL/v1 has no model m: it has none.'])
    const many = 'abcdefghij'.split('').map((name) => `${name}-large`)
    assert.match((await check(models(listOf(...many)))).join(), /it has a-large, .*, h-large and 2 more\.$/)
    assert.deepEqual(await check(models(listOf('M', 'b'))), [
      'problem: URL/v1 has no model m: it has M, b. Type one of these: | callwright run --base-url URL/v1 --model M',
    ])
  })

  test('does not have it, but Ollama could, or another server does', async () => {
    const first = await serve(ollama([{ name: 'a' }]))
    const second = await serve({ '/v1/models': listOf({ id: 'm', owned_by: 'vllm' }) })
    const ports = { ollama: first.port, vllm: second.port }
    assert.deepEqual(await findings(['--base-url', `${first.address}/v1`, '--model', 'm'], { ports }), [
      `problem: ${first.address}/v1 has no model m: it has a. Type one of these: | callwright run --base-url ${second.address}/v1 --model m | ollama pull m`,
    ])
  })

  test('wants a key, or another one', async () => {
    const locked = models({ status: 401, json: {} })
    const set = 'Set one: | export CALLWRIGHT_API_KEY=KEY'
    assert.deepEqual(await check(locked), [`problem: URL/v1 wants a key (HTTP 401). ${set}`])
    assert.deepEqual(await check(locked, { OPENAI_API_KEY: 'k' }), [
      `problem: URL/v1 wants a key (HTTP 401). OPENAI_API_KEY is not sent there: it is not for this server. ${set}`,
    ])
    assert.deepEqual(await check(locked, { CALLWRIGHT_API_KEY: 'k' }), [
      'problem: URL/v1 refuses the key in CALLWRIGHT_API_KEY (HTTP 401): check that it is the right one.',
    ])
  })

  test('has no list, is elsewhere, or is something else', async () => {
    assert.deepEqual(await check({}), [
      'warning: URL/v1 answers, but does not list its models (HTTP 404): whether it has this one is not known.',
    ])
    assert.deepEqual(await check({ '/api/v1/models': listOf('m') }, {}, '/api'), [
      'problem: URL/api lists no models, but URL/api/v1 does: add /v1 to the base URL.',
    ])
    assert.deepEqual(await check(models(listOf('m')), {}, ''), [])
    assert.deepEqual(await check(models(listOf('m')), {}, '/v1/chat/completions'), [])
    const other = (status: number) =>
      `problem: URL/v1 answers, but not as a model server does (HTTP ${status}): check the base URL.`
    assert.deepEqual(await check(models({ text: '<html>' })), [other(200)])
    assert.deepEqual(await check(models({ status: 502, text: 'Bad Gateway' })), [other(502)])
  })

  test('does not answer', async () => {
    const port = await closedPort()
    const words = ['--base-url', `http://127.0.0.1:${port}/v1`, '--model', 'm']
    assert.deepEqual(await findings(words), [
      `problem: http://127.0.0.1:${port}/v1 does not answer: nothing listens there. Start the server, or check the base URL.`,
    ])
    assert.equal((await doctor(words)).code, 1)
    assert.match(
      (await check(models({ hangs: 'inside', text: '{' }))).join(),
      /does not answer: no answer within 0\.15 s\./,
    )
  })

  test('says that the model cannot call tools, where the file wants it to', async () => {
    const { port } = await serve(ollama([{ name: 'm', loaded: 40_960, capabilities: ['completion'] }]))
    const world = { ports: { ollama: port }, folder: folderWith('mode: native') }
    assert.deepEqual(await findings([], world), [
      'warning: The server says that m cannot call tools, and the file says mode: native. Write mode: auto.',
    ])
    assert.deepEqual(await findings([], { ...world, folder: folderWith('mode: auto') }), [])
  })

  test('is known by whichever name the machine calls itself', async () => {
    const { port } = await serve(ollama([{ name: 'm', loaded: 4096 }]))
    const words = ['--base-url', `http://localhost:${port}/v1`, '--model', 'm']
    assert.match((await findings(words, { ports: { ollama: port } })).join(), /Stop Ollama, and start it with more:/)
    assert.deepEqual(await findings(words, { ports: {} }), [])
  })

  test('tells the context of a model by its list, where it is none of those we know', async () => {
    const said = await check(models(listOf({ id: 'm', max_model_len: 2048 })))
    assert.match(
      said.join(),
      /m takes only 2,048 tokens as it is served\. What is longer is cut or refused\. Start the server with more\.$/,
    )
  })
})

test('what is not understood is thrown', async () => {
  await assert.rejects(doctor(['--base-url', 'nowhere', '--model', 'm']), UsageError)
  await assert.rejects(doctor(['fast']), { code: 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL' })
})
