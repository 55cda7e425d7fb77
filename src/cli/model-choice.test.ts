import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closedPort, listOf, type Reply, serve } from '../../test/model-servers.ts'
import type { LocalServer } from '../models/local-servers.ts'
import { nearestName } from '../tools/nearest-name.ts'
import { shownURL, tidyBaseURL } from './base-url.ts'
import { chooseModel, type ModelChoice, type ModelWish } from './model-choice.ts'
import { settingLine, shellWord } from './shell-line.ts'
import { UsageError } from './usage-error.ts'

const server = (kind: LocalServer['kind'], port: number, ...names: readonly string[]): LocalServer => ({
  kind,
  name: kind === 'ollama' ? 'Ollama' : 'vLLM',
  url: `http://127.0.0.1:${port}/v1`,
  models: names.map((name) => ({ name })),
})

/** The choice, by default on a machine where nothing runs and nothing is set. */
const choose = (wish: ModelWish, ...servers: readonly LocalServer[]): Promise<ModelChoice> =>
  chooseModel({ environment: {}, findServers: async () => servers, ...wish })

/** The choice on one line: model, server, where they were said, the variable of the key. */
async function inShort(wish: ModelWish, ...servers: readonly LocalServer[]): Promise<string> {
  const choice = await choose(wish, ...servers)
  if (choice.kind === 'missing') return 'missing'
  const { model, baseURL, modelFrom, from, keyFrom } = choice
  return `${model} (${modelFrom}) at ${baseURL} (${from})${keyFrom === undefined ? '' : ` with ${keyFrom}`}`
}

async function message(wish: ModelWish, ...servers: readonly LocalServer[]): Promise<string> {
  const choice = await choose(wish, ...servers)
  assert.equal(choice.kind, 'missing')
  return choice.kind === 'missing' ? choice.message : ''
}

const all = {
  CALLWRIGHT_BASE_URL: 'http://callwright.example/v1',
  CALLWRIGHT_MODEL: 'ours',
  CALLWRIGHT_API_KEY: 'secret-ours',
  OPENAI_BASE_URL: 'http://openai.example/v1',
  OPENAI_API_KEY: 'secret-openai',
}
const { OPENAI_API_KEY } = all

describe('flags before the file, the file before the environment, that before a local server', () => {
  const flags = { model: 'flagged', baseURL: 'http://flag.example/v1/' }
  const config = { model: 'filed', baseURL: 'http://file.example/v1' }
  const local = server('ollama', 1, 'local')
  const cases: readonly (readonly [ModelWish, string])[] = [
    [{ flags, config, environment: all }, 'flagged (flag) at http://flag.example/v1 (flag)'],
    [{ config, environment: all }, 'filed (file) at http://file.example/v1 (file)'],
    [{ environment: all }, 'ours (environment) at http://callwright.example/v1 (environment) with CALLWRIGHT_API_KEY'],
    [{}, 'local (only model) at http://127.0.0.1:1/v1 (local server)'],
    // Model and server may be said in different places.
    [{ flags: { model: 'flagged' }, config }, 'flagged (flag) at http://file.example/v1 (file)'],
    [{ flags: { baseURL: 'http://flag.example' }, config }, 'filed (file) at http://flag.example/v1 (flag)'],
    [{ config: { model: 'local' } }, 'local (file) at http://127.0.0.1:1/v1 (local server)'],
    [
      { flags: { model: '', baseURL: ' ' }, environment: { CALLWRIGHT_MODEL: ' ' } },
      'local (only model) at http://127.0.0.1:1/v1 (local server)',
    ],
    // OpenAI's own server is meant only by its key and a model together.
    [
      { flags: { model: 'm' }, environment: { OPENAI_API_KEY } },
      'm (flag) at https://api.openai.com/v1 (environment) with OPENAI_API_KEY',
    ],
    [{ environment: { OPENAI_API_KEY } }, 'local (only model) at http://127.0.0.1:1/v1 (local server)'],
    [
      { flags: { model: 'm' }, environment: { ...all, CALLWRIGHT_BASE_URL: '' } },
      'm (flag) at http://openai.example/v1 (environment) with OPENAI_API_KEY',
    ],
  ]
  for (const [wish, expected] of cases) {
    test(expected, async () => assert.equal(await inShort(wish, local), expected))
  }

  test('local servers are not looked for when a server is named', async () => {
    const findServers = () => Promise.reject(new Error('looked'))
    const choice = await chooseModel({ flags, environment: {}, findServers })
    assert.equal(choice.kind, 'found')
  })
})

describe('a key goes only to the server that it is for', () => {
  const at = (baseURL: string): { readonly model: string; readonly baseURL: string } => ({ model: 'm', baseURL })
  const cases: readonly (readonly [behaviour: string, ModelWish, key: string | undefined])[] = [
    ['not to another server', { flags: at('http://other.example/v1'), environment: all }, undefined],
    [
      'to the same server by another path',
      { flags: at('http://openai.example/v2'), environment: all },
      'secret-openai',
    ],
    ['not to another port', { flags: at('http://openai.example:81/v1'), environment: all }, undefined],
    ['not by another scheme', { flags: at('https://openai.example/v1'), environment: all }, undefined],
    [
      'of ours to any that is named',
      { flags: at('http://other.example'), environment: { CALLWRIGHT_API_KEY: ' k\n' } },
      'k',
    ],
    [
      'of the file to the server of the file',
      {
        flags: { model: 'm' },
        config: { baseURL: 'http://a.example', apiKeyFrom: 'MINE' },
        environment: { ...all, MINE: 'k' },
      },
      'k',
    ],
    [
      'of the file to no other server',
      {
        flags: at('http://b.example'),
        config: { baseURL: 'http://a.example', apiKeyFrom: 'MINE' },
        environment: { MINE: 'k' },
      },
      undefined,
    ],
    [
      'of the file to any server, where the file names none',
      { flags: at('http://b.example'), config: { apiKeyFrom: 'MINE' }, environment: { MINE: 'k' } },
      'k',
    ],
    [
      'not to a server that nobody named',
      { flags: { model: 'm' }, environment: { CALLWRIGHT_API_KEY: 'k' } },
      undefined,
    ],
  ]
  for (const [behaviour, wish, key] of cases) {
    test(behaviour, async () => {
      const choice = await choose(wish, server('vllm', 2, 'm'))
      assert.equal(choice.kind === 'found' ? choice.apiKey : 'missing', key)
    })
  }

  test('that is not set is asked for, where the file names it', async () => {
    const wish = { flags: at('http://b.example'), config: { apiKeyFrom: 'MINE' }, environment: all }
    assert.equal(
      await message(wish),
      'The file says apiKeyFrom: MINE, and MINE is not set: set it, or take the line out.',
    )
  })
})

describe('a server without a model', () => {
  const listing = async (reply: Reply) => {
    const { address, asked } = await serve({ '/v1/models': reply })
    return { baseURL: `${address}/v1`, asked }
  }

  test('is asked, with its key, and its only model is taken', async () => {
    const { baseURL, asked } = await listing(listOf('only'))
    const wish = { flags: { baseURL }, environment: { CALLWRIGHT_API_KEY: 'k' } }
    assert.equal(await inShort(wish), `only (only model) at ${baseURL} (flag) with CALLWRIGHT_API_KEY`)
    assert.equal(asked[0]?.authorization, 'Bearer k')
  })

  test('with several, the lines to choose one', async () => {
    const { baseURL } = await listing(listOf('a', "b's"))
    assert.equal(
      await message({ flags: { baseURL }, command: 'callwright bench' }),
      [
        'There are 2 models. Choose one:',
        '',
        `  callwright bench --base-url ${baseURL} --model a`,
        `  callwright bench --base-url ${baseURL} --model 'b'\\''s'`,
        '',
        'To keep the choice, write model and baseURL into callwright.yaml.',
      ].join('\n'),
    )
  })

  test('and none, or no list, or no answer', async () => {
    const said = async (reply: Reply) => {
      const { baseURL } = await listing(reply)
      return (await message({ flags: { baseURL }, timeout: reply.hangs ? 150 : 5000 })).replace(baseURL, 'URL')
    }
    assert.equal(await said(listOf()), 'URL has no model.')
    assert.equal(
      await said({ status: 401, json: {} }),
      'No model is named, and URL lists its models only with a key (HTTP 401): set CALLWRIGHT_API_KEY, or add --model NAME.',
    )
    assert.equal(
      await said({ status: 404, text: '' }),
      'No model is named, and URL does not list its models (HTTP 404): check the URL, which most often ends in /v1, or add --model NAME.',
    )
    assert.equal(
      await said({ hangs: 'before' }),
      'No model is named, and URL cannot be asked for its models: no answer within 0.15 s. Check the URL, or add --model NAME.',
    )
  })

  test('and no URL at all', async () => {
    const wanted = 'must be a URL with http:// or https://, such as http://127.0.0.1:11434/v1.'
    await assert.rejects(choose({ flags: { baseURL: 'localhost:1' } }), new UsageError(`--base-url ${wanted}`))
    const environment = { OPENAI_BASE_URL: 'nowhere' }
    assert.equal(await message({ environment }), `The base URL in OPENAI_BASE_URL ${wanted}`)
  })

  test('a secret in the URL is not shown', async () => {
    const port = await closedPort()
    const said = await message({ flags: { baseURL: `http://me:secret@127.0.0.1:${port}/v1?key=secret` } })
    assert.match(said, /127\.0\.0\.1:\d+\/v1 cannot be asked for its models: nothing listens there\./)
    assert.doesNotMatch(said, /secret/)
    assert.equal(shownURL('http://me:secret@host/'), 'http://host')
    assert.equal(tidyBaseURL('http://me:secret@host/v1/?key=secret#top'), 'http://me:secret@host/v1?key=secret')
  })
})

describe('on local servers', () => {
  const ollama = server('ollama', 1, 'qwen3:8b', 'llama3.2:latest')
  const vllm = server('vllm', 2, 'qwen3:8b')

  test('a model is found by its name, with or without the tag that Ollama adds', async () => {
    assert.match(
      await inShort({ flags: { model: 'llama3.2' } }, ollama, vllm),
      /^llama3\.2:latest \(flag\) at http:\/\/127\.0\.0\.1:1\//,
    )
    assert.match(await inShort({ flags: { model: 'llama3.2:latest' } }, ollama), /^llama3\.2:latest \(flag\)/)
    assert.equal(await inShort({ flags: { model: 'llama3' } }, ollama), 'missing')
  })

  test('several models are shown with the lines that choose them', async () => {
    const said = await message({}, ollama, vllm)
    assert.match(
      said,
      /^There are 3 models\. Choose one:\n\n {2}callwright run --base-url http:\/\/127\.0\.0\.1:1\/v1 --model qwen3:8b\n/,
    )
    assert.match(await message({ flags: { model: 'qwen3:8b' } }, ollama, vllm), /^There are 2 models\. Choose one:/)
    const many = await message({}, server('vllm', 2, ...Array.from({ length: 25 }, (_, index) => `m${index}`)))
    assert.match(many, /--model m19\n {2}… and 5 more\n/)
  })

  test('a model that none of them has', async () => {
    assert.equal(
      await message({ flags: { model: 'qwen3:8' } }, server('ollama', 1, 'qwen3:8b')),
      [
        'No local server has the model qwen3:8. Did you mean qwen3:8b? These are there:',
        '',
        '  callwright run --base-url http://127.0.0.1:1/v1 --model qwen3:8b',
        '',
        'Or get it:',
        '',
        '  ollama pull qwen3:8',
      ].join('\n'),
    )
    assert.match(
      await message({ flags: { model: 'gpt' } }, vllm),
      /^No local server has the model gpt\. These are there:\n[^O]+$/,
    )
  })

  test('what servers say cannot become a command or move the cursor', async () => {
    const said = await message({}, server('vllm', 2, 'a; rm -rf ~', '\x1b[2Jb'))
    assert.match(said, /--model 'a; rm -rf ~'\n.*--model '␛\[2Jb'\n/)
  })

  test('nothing at all: what to do', async () => {
    assert.equal(
      await message({}),
      [
        'No model is named, and no model server was found on this machine. Do one of these:',
        '',
        '  ollama serve                                      start Ollama, from https://ollama.com',
        '  ollama pull qwen3:8b                              get a model for Ollama',
        '  callwright run --base-url URL --model NAME        take any server that speaks as OpenAI does',
        '  export OPENAI_API_KEY=KEY CALLWRIGHT_MODEL=NAME   take a model of OpenAI',
        '  callwright demo                                   see what it does, without a model',
      ].join('\n'),
    )
    const environment = { OPENAI_API_KEY }
    const withKey = await message({ environment })
    assert.match(withKey, /callwright run --model NAME +take a model of OpenAI: OPENAI_API_KEY is set\n/)
    assert.doesNotMatch(withKey, /secret/)
    assert.match(
      await message({ flags: { model: 'm' } }),
      /^No base URL is named, and no model server.*\n\n.*\n {2}ollama pull m /,
    )
  })

  test('servers that have nothing to offer say why', async () => {
    const said = await message(
      {},
      server('ollama', 1),
      { ...server('vllm', 2), state: 'locked' },
      { ...server('vllm', 3), state: 'loading' },
    )
    assert.match(
      said,
      /^Ollama at http:\/\/127\.0\.0\.1:1\/v1 has no model\. vLLM at \S+ wants a key\. vLLM at \S+ is still loading its model\. Do one/,
    )
    assert.doesNotMatch(said, /ollama serve/)
  })
})

test('words and lines as shells take them', () => {
  const cases: readonly (readonly [word: string, posix: string, windows: string])[] = [
    ['qwen3:8b', 'qwen3:8b', 'qwen3:8b'],
    ['', "''", "''"],
    ['a b', "'a b'", "'a b'"],
    ["it's", "'it'\\''s'", "'it''s'"],
    ['$(x)', "'$(x)'", "'$(x)'"],
  ]
  for (const [word, posix, windows] of cases) {
    assert.deepEqual([shellWord(word, 'linux'), shellWord(word, 'win32')], [posix, windows])
  }
  assert.equal(settingLine({ A: '1', B: 'x y' }, 'run', 'linux'), "A=1 B='x y' run")
  assert.equal(settingLine({ A: '1' }, '', 'darwin'), 'export A=1')
  assert.equal(settingLine({ A: '1', B: "it's" }, 'run', 'win32'), "$env:A = '1'; $env:B = 'it''s'; run")
})

test('the nearest name', () => {
  const known = ['model', 'baseURL', 'apiKeyFrom', 'steps', 'tokens']
  const cases: readonly (readonly [name: string, nearest: string | undefined])[] = [
    ['Model', 'model'],
    ['base_url', 'baseURL'],
    ['baseUrl', 'baseURL'],
    ['modle', 'model'],
    ['modell', 'model'],
    ['mdl', undefined],
    ['step', 'steps'],
    ['maxTokens', 'tokens'],
    ['x', undefined],
    ['', undefined],
    ['temperature', undefined],
  ]
  for (const [name, nearest] of cases) assert.equal(nearestName(name, known), nearest, name)
})
