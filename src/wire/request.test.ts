import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
  SharedV4FileData,
} from '@ai-sdk/provider'
import { chatRequestOf, warningsOf } from './request.ts'

const user: LanguageModelV4Message = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
const inputSchema = { type: 'object' as const, properties: { query: { type: 'string' as const } } }
const search = { type: 'function' as const, name: 'search', inputSchema }
const schema = { type: 'object' as const, properties: {} }
const png = 'iVBORw0KGgoAAAA'

describe('messages', () => {
  const callPart = (input: unknown): LanguageModelV4ToolCallPart => ({
    type: 'tool-call',
    toolCallId: 'a',
    toolName: 'search',
    input,
  })
  const call = (input: unknown): LanguageModelV4Message => ({ role: 'assistant', content: [callPart(input)] })
  const result = (output: LanguageModelV4ToolResultOutput): LanguageModelV4Message => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'search', output }],
  })
  const called = (input: string): object => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'search', arguments: input } }],
  })
  const told = (content: string): object => ({ role: 'tool', tool_call_id: 'a', content })
  const image = (url: string): object => ({ type: 'image_url', image_url: { url } })
  const file = (mediaType: string, data: SharedV4FileData): LanguageModelV4Message => ({
    role: 'user',
    content: [{ type: 'file', mediaType, data }],
  })

  const cases: readonly (readonly [name: string, message: LanguageModelV4Message, sent: readonly object[]])[] = [
    ['system', { role: 'system', content: 'Be brief.' }, [{ role: 'system', content: 'Be brief.' }]],
    ['user', user, [{ role: 'user', content: 'Hi' }]],
    [
      'texts alone are one text',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'text', text: 'there' },
        ],
      },
      [{ role: 'user', content: 'Hi\nthere' }],
    ],
    [
      'an image by its bytes',
      file('image/jpeg', { type: 'data', data: new Uint8Array([1, 2, 3]) }),
      [{ role: 'user', content: [image('data:image/jpeg;base64,AQID')] }],
    ],
    [
      'an image of a kind that is not said',
      file('image/*', { type: 'data', data: png }),
      [{ role: 'user', content: [image(`data:image/png;base64,${png}`)] }],
    ],
    [
      'an image by its address',
      file('image', { type: 'url', url: new URL('https://example.com/a.png') }),
      [{ role: 'user', content: [image('https://example.com/a.png')] }],
    ],
    ['a text file', file('text/plain', { type: 'data', data: 'SGk=' }), [{ role: 'user', content: 'Hi' }]],
    ['an inline text', file('text', { type: 'text', text: 'Hi' }), [{ role: 'user', content: 'Hi' }]],
    [
      'assistant, without its thoughts',
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo.' },
        ],
      },
      [{ role: 'assistant', content: 'Hello.' }],
    ],
    [
      'a call with words before it',
      { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, callPart({})] },
      [{ ...called('{}'), content: 'I look.' }],
    ],
    [
      'no call that the provider ran',
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'web', input: {}, providerExecuted: true }],
      },
      [{ role: 'assistant', content: '' }],
    ],
    ['a call', call({ query: 'é' }), [called('{"query":"é"}')]],
    ['a call whose input is JSON text', call('{"query": 1}'), [called('{"query": 1}')]],
    ['a call whose input is no JSON', call("{'query'"), [called('{}')]],
    ['a call whose input is no object', call([1]), [called('{}')]],
    ['a call without input', call(undefined), [called('{}')]],
    ['a result of text', result({ type: 'text', value: 'High.' }), [told('High.')]],
    ['a result of JSON', result({ type: 'json', value: { at: ['noon', null] } }), [told('{"at":["noon",null]}')]],
    ['an error of text', result({ type: 'error-text', value: 'No.' }), [told('No.')]],
    ['an error of JSON', result({ type: 'error-json', value: { code: 1 } }), [told('{"code":1}')]],
    ['a denial', result({ type: 'execution-denied' }), [told('The user did not allow this call.')]],
    ['a denial with a reason', result({ type: 'execution-denied', reason: 'Not now.' }), [told('Not now.')]],
    [
      'a result with an image, which comes from the user',
      result({
        type: 'content',
        value: [
          { type: 'text', text: 'See:' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
        ],
      }),
      [told('See:'), { role: 'user', content: [image(`data:image/png;base64,${png}`)] }],
    ],
    [
      'a result that is only an image',
      result({
        type: 'content',
        value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } }],
      }),
      [told('It follows below.'), { role: 'user', content: [image(`data:image/png;base64,${png}`)] }],
    ],
  ]
  for (const [name, message, sent] of cases) {
    test(name, () => assert.deepEqual(chatRequestOf({ prompt: [message] }, 'm').messages, sent))
  }

  test('results of one message become messages of their own, and images follow all of them', () => {
    const content = ['a', 'b'].map((toolCallId) => ({
      type: 'tool-result' as const,
      toolCallId,
      toolName: 'search',
      output: {
        type: 'content' as const,
        value: [{ type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: png } }],
      },
    }))
    const { messages } = chatRequestOf({ prompt: [{ role: 'tool', content }] }, 'm')
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['tool', 'tool', 'user'],
    )
  })

  test('a file that no server takes is an error that says so', () => {
    const prompt = [file('application/pdf', { type: 'data', data: 'AAAA' })]
    assert.throws(() => chatRequestOf({ prompt }, 'm'), /application\/pdf .* Give images or text/)
  })
})

describe('settings', () => {
  const base = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
  const sentTools = [{ type: 'function', function: { name: 'search', parameters: inputSchema } }]
  const cases: readonly (readonly [name: string, given: Partial<LanguageModelV4CallOptions>, sent: object])[] = [
    ['none', {}, {}],
    [
      'numbers, zero too',
      { maxOutputTokens: 9, temperature: 0, topP: 0.5, seed: 0, presencePenalty: 1, frequencyPenalty: 2 },
      { max_tokens: 9, temperature: 0, top_p: 0.5, seed: 0, presence_penalty: 1, frequency_penalty: 2 },
    ],
    ['stops', { stopSequences: ['a'] }, { stop: ['a'] }],
    ['no stops', { stopSequences: [] }, {}],
    ['effort', { reasoning: 'low' }, { reasoning_effort: 'low' }],
    ['default effort', { reasoning: 'provider-default' }, {}],
    ['tools', { tools: [search] }, { tools: sentTools }],
    [
      'tools in full',
      { tools: [{ ...search, description: 'Searches.', strict: true }] },
      {
        tools: [
          {
            type: 'function',
            function: { name: 'search', description: 'Searches.', parameters: inputSchema, strict: true },
          },
        ],
      },
    ],
    ['no tools', { tools: [], toolChoice: { type: 'auto' } }, {}],
    ['choice auto', { tools: [search], toolChoice: { type: 'auto' } }, { tools: sentTools, tool_choice: 'auto' }],
    ['choice none', { tools: [search], toolChoice: { type: 'none' } }, { tools: sentTools, tool_choice: 'none' }],
    [
      'choice of any',
      { tools: [search], toolChoice: { type: 'required' } },
      { tools: sentTools, tool_choice: 'required' },
    ],
    [
      'choice of one',
      { tools: [search], toolChoice: { type: 'tool', toolName: 'search' } },
      { tools: sentTools, tool_choice: { type: 'function', function: { name: 'search' } } },
    ],
    ['JSON', { responseFormat: { type: 'json' } }, { response_format: { type: 'json_object' } }],
    ['text', { responseFormat: { type: 'text' } }, {}],
    [
      'JSON by a schema',
      { responseFormat: { type: 'json', schema } },
      { response_format: { type: 'json_schema', json_schema: { name: 'response', schema, strict: true } } },
    ],
    [
      'JSON by a schema with a name',
      { responseFormat: { type: 'json', schema, name: 'tide', description: 'A tide.' } },
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'tide', description: 'A tide.', schema, strict: true },
        },
      },
    ],
    ['what the wire has no word for', { topK: 5, headers: { a: 'b' }, includeRawChunks: true }, {}],
  ]
  for (const [name, given, sent] of cases) {
    test(name, () => assert.deepEqual(chatRequestOf({ prompt: [user], ...given }, 'm'), { ...base, ...sent }))
  }

  test('a stream asks for the count of tokens', () => {
    const sent = chatRequestOf({ prompt: [user] }, 'm', { stream: true })
    assert.deepEqual(sent, { ...base, stream: true, stream_options: { include_usage: true } })
  })

  test('what is left out is warned of', () => {
    const own = { type: 'provider' as const, id: 'acme.web' as const, name: 'web', args: {} }
    const prompt: LanguageModelV4Message[] = [
      user,
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'search', input: '{' }] },
    ]
    const warnings = warningsOf({ prompt, tools: [own, search], topK: 5 })
    assert.deepEqual(
      warnings.map((warning) => ('feature' in warning ? warning.feature : warning.type)),
      ['tool web of a provider', 'topK', 'other'],
    )
    assert.deepEqual(warningsOf({ prompt: [user], tools: [search] }), [])
  })
})
