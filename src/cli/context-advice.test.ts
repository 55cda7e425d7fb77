import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ListedModel } from '../models/model-list.ts'
import { contextFinding } from './context-advice.ts'

describe('a context', () => {
  type Kind = Parameters<typeof contextFinding>[1]
  const said = (model: Omit<ListedModel, 'name'>, kind: Kind = 'ollama', isChosen = true, name = 'm:1b'): string => {
    const finding = contextFinding({ name, ...model }, kind, isChosen)
    return finding ? [finding.message, ...(finding.type ?? [])].join(' | ') : 'nothing'
  }

  test('is enough, or so small that it is told', () => {
    const cases: readonly (readonly [contextNow: number, context: number | undefined, isTold: boolean])[] = [
      [8191, undefined, true],
      [8192, undefined, false],
      [8192, 8192, false],
      [8192, 16_384, false],
      [8192, 32_768, true],
      [16_384, 40_960, false],
      [16_384, 131_072, true],
      [32_768, 1_000_000, false],
    ]
    for (const [contextNow, context, isTold] of cases) {
      const model = context === undefined ? { contextNow } : { contextNow, context }
      assert.equal(said(model) !== 'nothing', isTold, `${contextNow} of ${context}`)
    }
  })

  test('is made larger in the way of each server', () => {
    const small = { contextNow: 4096, context: 131_072 }
    const begin = 'm:1b takes only 4,096 tokens as it is served, though it could take 131,072 tokens.'
    const cases: readonly (readonly [Kind, end: string])[] = [
      [
        'ollama',
        'What is longer is cut without a word. Stop Ollama, and start it with more: | OLLAMA_CONTEXT_LENGTH=32768 ollama serve',
      ],
      ['lm-studio', 'What is longer is cut or refused. Load it with more: | lms load m:1b --context-length 32768'],
      [
        'llama-cpp',
        'What is longer is refused. Start the server with more: | llama-server -m MODEL.gguf -c 32768 -np 1',
      ],
      ['vllm', 'What is longer is refused. Start the server with more: | vllm serve m:1b --max-model-len 32768'],
      ['other', 'What is longer is cut or refused. Start the server with more.'],
    ]
    for (const [kind, end] of cases) assert.equal(said(small, kind), `${begin} ${end}`)
    assert.match(said({ contextNow: 2048, context: 16_384 }), /OLLAMA_CONTEXT_LENGTH=16384 /)
  })

  test('that the model itself sets needs a copy of the model', () => {
    const lines =
      "make a copy with more, and take that as the model: | printf '%s\\n' 'FROM m:1b' 'PARAMETER num_ctx 32768' > larger.modelfile | ollama create m:1b-32k -f larger.modelfile"
    const fixed = { contextNow: 4096, contextFixed: true } as const
    assert.equal(
      said(fixed),
      `m:1b takes only 4,096 tokens as it is served. Its own num_ctx says so, and what is longer is cut without a word: ${lines}`,
    )
    assert.match(said(fixed, 'ollama', true, 'm'), /ollama create m:latest-32k /)
  })

  test('that nobody knows is told of the model that is used, with Ollama', () => {
    assert.equal(
      said({ context: 40_960 }),
      'm:1b is not loaded, so nobody can say how much it will take. Ollama gives 4,096 tokens on most machines and cuts ' +
        'what is longer without a word. If it was not started with more, stop it and start it so: | OLLAMA_CONTEXT_LENGTH=32768 ollama serve',
    )
    assert.equal(said({ context: 40_960 }, 'ollama', false), 'nothing')
    assert.equal(said({ context: 40_960 }, 'lm-studio'), 'nothing')
  })

  test('that the model cannot have is told of the model that is used', () => {
    const small = 'm:1b takes 2,048 tokens at most, which a few tool results fill: take another model.'
    assert.equal(said({ context: 2048, contextNow: 2048 }, 'vllm'), small)
    assert.equal(said({ context: 2048, contextNow: 2048 }, 'vllm', false), 'nothing')
  })
})
