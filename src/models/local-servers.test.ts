import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { closedPort, listOf, ollama as ollamaRoutes, type Reply, type Routes, serve } from '../../test/model-servers.ts'
import { findLocalServers, type LocalServer, type LocalServerKind, localServers } from './local-servers.ts'
import { listModels } from './model-list.ts'
import { ollamaAddress } from './ollama-address.ts'

/** Long enough for a machine that is busy, and for servers that hang as short as can be. */
const timeout = 5000
const SHORT = 100

/** What is found of one server, without its address. */
async function found(kind: LocalServerKind, routes: Routes): Promise<Omit<LocalServer, 'url'> | undefined> {
  const { port, address } = await serve(routes)
  const hangs = Object.values(routes).some((reply) => 'hangs' in reply)
  const options = { ports: { [kind]: port }, environment: {}, timeout: hangs ? SHORT : timeout }
  const [server, other] = await findLocalServers(options)
  assert.equal(other, undefined)
  if (server === undefined) return undefined
  const { url, ...rest } = server
  assert.equal(url, `${address}/v1`)
  return rest
}

describe('Ollama', () => {
  const models = async (...given: Parameters<typeof ollamaRoutes>[0]) =>
    (await found('ollama', ollamaRoutes(given)))?.models

  test('is found with its version', async () => {
    const server = await found('ollama', ollamaRoutes([], '0.13.1'))
    assert.deepEqual(server, { kind: 'ollama', name: 'Ollama', version: '0.13.1', models: [] })
  })

  test('a model that is loaded has the context that it was loaded with', async () => {
    assert.deepEqual(await models({ name: 'qwen3:8b', context: 40_960, loaded: 4096 }), [
      { name: 'qwen3:8b', context: 40_960, contextNow: 4096, tools: true },
    ])
  })

  test('one that is not loaded has no context now', async () => {
    const [model] = (await models({ name: 'qwen3:8b' })) ?? []
    assert.deepEqual(model, { name: 'qwen3:8b', context: 40_960, tools: true })
  })

  test('num_ctx of the model counts before it is loaded, up to what the model can take', async () => {
    const parameters =
      'stop                           "<|im_end|>"\nnum_ctx                        16384\ntemperature 1'
    assert.deepEqual(
      await models(
        { name: 'a', parameters },
        { name: 'b', parameters, context: 8192 },
        { name: 'c', parameters, loaded: 16_384 },
        { name: 'd', parameters, loaded: 4096 },
        { name: 'e', parameters: 'num_ctx many' },
      ),
      [
        { name: 'a', context: 40_960, contextNow: 16_384, contextFixed: true, tools: true },
        { name: 'b', context: 8192, contextNow: 8192, contextFixed: true, tools: true },
        { name: 'c', context: 40_960, contextNow: 16_384, contextFixed: true, tools: true },
        { name: 'd', context: 40_960, contextNow: 4096, tools: true },
        { name: 'e', context: 40_960, tools: true },
      ],
    )
  })

  test('a model in its cloud has all of its context; one that only embeds is none of ours', async () => {
    assert.deepEqual(
      await models(
        { name: 'glm:cloud', cloud: true, context: 200_000, capabilities: ['completion'] },
        { name: 'nomic-embed-text', capabilities: ['embedding'] },
      ),
      [{ name: 'glm:cloud', context: 200_000, contextNow: 200_000, tools: false }],
    )
  })

  test('every model is asked about itself by name', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `model-${index}`)
    const { port, asked } = await serve(ollamaRoutes(names.map((name) => ({ name }))))
    await findLocalServers({ ports: { ollama: port }, environment: {}, timeout })
    const shown = asked.filter(({ path }) => path === '/api/show').map(({ body }) => JSON.parse(body).model)
    assert.deepEqual(shown.sort(), names.sort())
  })

  test('models that say nothing of themselves are there all the same, however many they are', async () => {
    const names = Array.from({ length: 100 }, (_, index) => ({ name: `model-${index}` }))
    const routes: Routes = { ...ollamaRoutes(names), '/api/show': { hangs: 'before' } }
    const { port, asked } = await serve(routes)
    const [server] = await findLocalServers({ ports: { ollama: port }, environment: {}, timeout: 2 * SHORT })
    assert.deepEqual(server?.models, names)
    const shown = asked.filter(({ path }) => path === '/api/show')
    assert.ok(shown.length >= 8 && shown.length < 60, `${shown.length} were asked`)
  })

  test('entries of its lists that are no models are passed over', async () => {
    const routes: Routes = {
      ...ollamaRoutes([{ name: 'a' }]),
      '/api/tags': { json: { models: [null, 1, {}, { name: 7 }, { name: 'a' }] } },
      '/api/ps': { json: { models: [null, { name: 'a', context_length: -1 }] } },
    }
    assert.deepEqual((await found('ollama', routes))?.models, [{ name: 'a', context: 40_960, tools: true }])
  })
})

describe('the others', () => {
  const cases: readonly (readonly [
    behaviour: string,
    kind: LocalServerKind,
    Routes,
    Omit<LocalServer, 'url'> | undefined,
  ])[] = [
    [
      'LM Studio: models, loaded and not, without those that only embed',
      'lm-studio',
      {
        '/api/v0/models': listOf(
          {
            id: 'a',
            type: 'llm',
            state: 'loaded',
            max_context_length: 32_768,
            loaded_context_length: 4096,
            capabilities: ['tool_use'],
          },
          { id: 'b', type: 'vlm', state: 'not-loaded', max_context_length: 131_072, capabilities: [] },
          { id: 'text-embedding', type: 'embeddings', max_context_length: 2048 },
        ),
        '/v1/models': listOf('a', 'b', 'text-embedding'),
      },
      {
        kind: 'lm-studio',
        name: 'LM Studio',
        models: [
          { name: 'a', context: 32_768, contextNow: 4096, tools: true },
          { name: 'b', context: 131_072, tools: false },
        ],
      },
    ],
    [
      'LM Studio: behind a token',
      'lm-studio',
      { '/api/v0/models': { status: 401, json: { error: 'no' } } },
      { kind: 'lm-studio', name: 'LM Studio', state: 'locked', models: [] },
    ],
    [
      'llama.cpp: the context of a slot, and what its template can do',
      'llama-cpp',
      {
        '/health': { json: { status: 'ok' } },
        '/props': {
          json: {
            default_generation_settings: { n_ctx: 8192 },
            build_info: 'b8681',
            chat_template_caps: { supports_tool_calls: true },
          },
        },
        '/v1/models': listOf({ id: 'qwen.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 262_144 } }),
      },
      {
        kind: 'llama-cpp',
        name: 'llama.cpp',
        version: 'b8681',
        models: [{ name: 'qwen.gguf', context: 262_144, contextNow: 8192, tools: true }],
      },
    ],
    [
      'llama.cpp: as a router, whose properties are those of no model',
      'llama-cpp',
      {
        '/props': { json: { default_generation_settings: { n_ctx: 512 }, role: 'router' } },
        '/v1/models': listOf('a', { id: 'b', meta: { n_ctx: 4096 } }),
      },
      { kind: 'llama-cpp', name: 'llama.cpp', models: [{ name: 'a' }, { name: 'b', contextNow: 4096 }] },
    ],
    [
      'llama.cpp: while it loads',
      'llama-cpp',
      {
        '/health': { status: 503, json: { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } } },
        '/v1/models': listOf('a'),
      },
      { kind: 'llama-cpp', name: 'llama.cpp', state: 'loading', models: [] },
    ],
    [
      'llama.cpp: behind a key',
      'llama-cpp',
      { '/props': { json: { default_generation_settings: {} } }, '/v1/models': { status: 401, json: {} } },
      { kind: 'llama-cpp', name: 'llama.cpp', state: 'locked', models: [] },
    ],
    [
      'vLLM: the length that it was started for',
      'vllm',
      {
        '/version': { json: { version: '0.11.0' } },
        '/v1/models': listOf({ id: 'm', owned_by: 'vllm', max_model_len: 8096 }),
      },
      { kind: 'vllm', name: 'vLLM', version: '0.11.0', models: [{ name: 'm', contextNow: 8096 }] },
    ],
    [
      'vLLM: behind a key',
      'vllm',
      { '/version': { json: { version: '0.11.0' } }, '/v1/models': { status: 401, json: { error: 'Unauthorized' } } },
      { kind: 'vllm', name: 'vLLM', version: '0.11.0', state: 'locked', models: [] },
    ],
    [
      'another server that lists models',
      'vllm',
      {
        '/v1/models': listOf(
          { id: 'm', owned_by: 'sglang', context_length: 1000, supported_parameters: ['tools'] },
          { id: '' },
        ),
      },
      { kind: 'other', name: 'A server', models: [{ name: 'm', context: 1000, tools: true }] },
    ],
    ['a list with an error', 'vllm', { '/v1/models': { status: 500, json: { data: [{ id: 'm' }] } } }, undefined],
    ['a web page', 'vllm', { '/v1/models': { text: '<!doctype html>' }, '/version': { text: '{' } }, undefined],
    [
      'JSON of something else',
      'llama-cpp',
      { '/v1/models': { json: { data: { id: 'm' } } }, '/props': { json: [] } },
      undefined,
    ],
    [
      'an error for everything',
      'lm-studio',
      { '/api/v0/models': { json: { error: 'Unexpected endpoint' } } },
      undefined,
    ],
    [
      'tags that are no list',
      'ollama',
      { '/api/version': { json: { version: '1' } }, '/api/tags': { json: { models: 3 } } },
      undefined,
    ],
    [
      'a server that never answers',
      'vllm',
      { '/v1/models': { hangs: 'before' }, '/version': { hangs: 'before' } },
      undefined,
    ],
    ['one that stops in the middle', 'vllm', { '/v1/models': { hangs: 'inside', text: '{"data": [' } }, undefined],
  ]
  for (const [behaviour, kind, routes, expected] of cases) {
    test(behaviour, async () => assert.deepEqual(await found(kind, routes), expected))
  }
})

test('where nothing listens, nothing is found', async () => {
  const ports = Object.fromEntries(await Promise.all(localServers.map(async ({ kind }) => [kind, await closedPort()])))
  assert.deepEqual(await findLocalServers({ ports, environment: {}, timeout }), [])
})

test('only the ports that are given are asked, and one that hangs holds up no other', async () => {
  const slow = await serve({ '/api/tags': { hangs: 'before' } })
  const quick = await serve({ '/v1/models': listOf({ id: 'm', owned_by: 'vllm' }) })
  const ports = { ollama: slow.port, vllm: quick.port }
  const servers = await findLocalServers({ ports, environment: {}, timeout: 2 * SHORT })
  assert.deepEqual(
    servers.map(({ name }) => name),
    ['vLLM'],
  )
})

test('the usual ports', () => {
  assert.deepEqual(
    localServers.map(({ name, port }) => `${name} ${port}`),
    ['Ollama 11434', 'LM Studio 1234', 'llama.cpp 8080', 'vLLM 8000'],
  )
})

describe('OLLAMA_HOST', () => {
  test('is where Ollama is looked for, and a server is told once', async () => {
    const { port, address } = await serve(ollamaRoutes([{ name: 'a' }]))
    const environment = { OLLAMA_HOST: `127.0.0.1:${port}` }
    const ports = { ollama: await closedPort(), vllm: port }
    const servers = await findLocalServers({ ports, environment, timeout })
    assert.deepEqual(
      servers.map(({ kind, url }) => [kind, url]),
      [['ollama', `${address}/v1`]],
    )
  })

  const cases: readonly (readonly [value: string | undefined, address: string | undefined])[] = [
    [undefined, undefined],
    ['', undefined],
    ['127.0.0.1', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    [':8080', 'http://127.0.0.1:8080'],
    ['[::]:8080', 'http://[::1]:8080'],
    ['[::1]', 'http://[::1]:11434'],
    ['::1', 'http://[::1]:11434'],
    ['models.example', 'http://models.example:11434'],
    ['http://models.example', 'http://models.example:80'],
    ['https://models.example/', 'https://models.example:443'],
    ['http://models.example:1234/path', 'http://models.example:1234'],
    ['"models.example:1"', 'http://models.example:1'],
    ['models.example:99999', 'http://models.example:11434'],
    ['constructor', 'http://constructor:11434'],
    ['ftp://models.example', undefined],
    ['not a host', undefined],
  ]
  for (const [value, address] of cases) {
    test(`${value ?? 'unset'} is ${address ?? 'nothing'}`, () => assert.equal(ollamaAddress(value), address))
  }
})

describe('a server that is asked for its list says', () => {
  const list = async (reply: Reply) => {
    const { address } = await serve({ '/v1/models': reply })
    return listModels(`${address}/v1`, { timeout: reply.hangs ? SHORT : timeout })
  }

  test('its models, with the key that is sent', async () => {
    const { address, asked } = await serve({ '/v1/models': listOf('a') })
    assert.deepEqual(await listModels(`${address}/v1`, { apiKey: 'k' }), { kind: 'listed', models: [{ name: 'a' }] })
    assert.equal(asked[0]?.authorization, 'Bearer k')
    await listModels(`${address}/v1`)
    assert.equal(asked[1]?.authorization, undefined)
  })

  test('that it is locked, or that it has no list', async () => {
    assert.deepEqual(await list({ status: 401, json: {} }), { kind: 'locked', status: 401 })
    assert.deepEqual(await list({ status: 403, text: '' }), { kind: 'locked', status: 403 })
    assert.deepEqual(await list({ status: 404, text: '' }), { kind: 'no list', status: 404 })
    assert.deepEqual(await list({ text: '<html>' }), { kind: 'no list', status: 200 })
    assert.deepEqual(await list({ status: 500, json: { data: [] } }), { kind: 'no list', status: 500 })
  })

  /** A server of bytes, which need not be HTTP. */
  async function bytes(answer: string | undefined): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => (answer === undefined ? socket.resetAndDestroy() : socket.end(answer)))
    })
    after(() => server.close())
    return new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    )
  }

  test('nothing, for a reason', async () => {
    const reason = async (url: string, apiKey = 'k') => {
      const answer = await listModels(url, { apiKey, timeout })
      return answer.kind === 'silent' ? answer.reason : answer.kind
    }
    assert.equal(await reason(`http://127.0.0.1:${await closedPort()}`), 'nothing listens there')
    assert.equal(await reason(`http://127.0.0.1:${await bytes(undefined)}`), 'the connection was cut')
    assert.equal(
      await reason(`http://127.0.0.1:${await bytes('SSH-2.0\r\n')}`),
      'what listens there does not speak HTTP',
    )
    assert.equal(
      await reason(`https://127.0.0.1:${await bytes('no\r\n\r\n')}`),
      'what listens there does not speak HTTPS',
    )
    assert.equal(await reason(`http://${'a'.repeat(64)}.invalid`), 'the name of the host leads nowhere')
    assert.equal(await reason('http://127.0.0.1:1', 'a\nb'), 'the key holds a character that cannot be sent')
    assert.deepEqual(await list({ hangs: 'before' }), { kind: 'silent', reason: 'no answer within 0.1 s' })
    assert.deepEqual(await list({ text: ' '.repeat(17_000_000) }), { kind: 'silent', reason: 'the answer is too long' })
  })
})
