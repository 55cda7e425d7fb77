import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APICallError } from '@ai-sdk/provider'
import { rescue } from '../read/rescue.ts'
import { call, choice, exchange, partsOf, type Shown, shown } from './completion.test.ts'
import { readCompletion } from './response.ts'
import { wholeReply } from './whole-reply.ts'

describe('a whole completion', () => {
  const cases: readonly (readonly [name: string, message: object, content: readonly Shown[]])[] = [
    ['text', { content: 'Hi' }, ['Hi']],
    ['nothing', { content: null }, []],
    ['no content', {}, []],
    ['an empty text', { content: '' }, []],
    ['parts', { content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, 7, { type: 'x' }] }, ['ab']],
    ['a refusal', { content: null, refusal: 'No.' }, ['No.']],
    ['reasoning_content', { content: 'Hi', reasoning_content: 'Hm.' }, [['thought', 'Hm.'], 'Hi']],
    ['reasoning', { content: 'Hi', reasoning: 'Hm.' }, [['thought', 'Hm.'], 'Hi']],
    ['both, said once', { content: 'Hi', reasoning: 'Hm.', reasoning_content: 'Hm.' }, [['thought', 'Hm.'], 'Hi']],
    ['reasoning that is no text', { content: 'Hi', reasoning: { effort: 'low' } }, ['Hi']],
    [
      'thoughts in parts',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'Hi' },
        ],
      },
      [['thought', 'Hm.'], 'Hi'],
    ],
    ['a call', { content: null, tool_calls: [call('add', '{"a":1}', { id: 'x' })] }, [['x', 'add', '{"a":1}']]],
    ['a call without id', { tool_calls: [call('add', '{}')] }, [['?', 'add', '{}']]],
    ['arguments as an object', { tool_calls: [call('add', { a: 1 }, { id: 'x' })] }, [['x', 'add', '{"a":1}']]],
    ['no arguments', { tool_calls: [call('add', undefined, { id: 'x' })] }, [['x', 'add', '']]],
    ['null for arguments', { tool_calls: [call('add', null, { id: 'x' })] }, [['x', 'add', '']]],
    ['a call without a name', { tool_calls: [call(undefined, '{}', { id: 'x' })] }, [['x', '', '{}']]],
    [
      'two calls of one id',
      { tool_calls: [call('a', '{}', { id: 'x' }), call('a', '{}', { id: 'x' })] },
      [
        ['x', 'a', '{}'],
        ['?', 'a', '{}'],
      ],
    ],
    [
      'calls that lack everything but their place',
      { tool_calls: [call('a', ''), call('a', ''), call(undefined, '{}')] },
      [
        ['?', 'a', ''],
        ['?', 'a', ''],
        ['?', '', '{}'],
      ],
    ],
    ['no list of calls', { content: 'Hi', tool_calls: null }, ['Hi']],
  ]
  for (const [name, message, content] of cases) {
    test(name, async () => {
      const body = choice({ message }, 'stop')
      const reply = readCompletion(JSON.stringify(body), exchange)
      assert.deepEqual(shown(reply), content)
      const hasCalls = content.some((part) => Array.isArray(part) && part[0] !== 'thought')
      assert.deepEqual(reply.finishReason, { unified: hasCalls ? 'tool-calls' : 'stop', raw: 'stop' })
      assert.deepEqual(shown(wholeReply(await partsOf([body]))), content, 'the same as an event')
    })
  }

  const finishes: readonly (readonly [raw: unknown, unified: string])[] = [
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['content_filter', 'content-filter'],
    ['eos', 'stop'],
    ['max_tokens', 'length'],
    ['error', 'error'],
    ['something', 'other'],
    [null, 'other'],
    [undefined, 'other'],
  ]
  for (const [raw, unified] of finishes) {
    test(`finish_reason ${raw}`, () => {
      const body = JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: raw }] })
      assert.deepEqual(readCompletion(body, exchange).finishReason, { unified, raw: raw ?? undefined })
    })
  }

  test('a call that was cut stays cut, whatever it holds', () => {
    const body = JSON.stringify(choice({ message: { tool_calls: [call('a', '{')] } }, 'length'))
    assert.equal(readCompletion(body, exchange).finishReason.unified, 'length')
  })

  test('usage and who answered', () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    }
    const body = { ...choice({ message: { content: 'Hi' } }), id: 'c', model: 'm', created: 60, usage }
    const reply = readCompletion(JSON.stringify(body), exchange)
    assert.deepEqual(reply.usage, {
      inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
      outputTokens: { total: 7, text: 5, reasoning: 2 },
      raw: usage,
    })
    assert.deepEqual(reply.response, { id: 'c', modelId: 'm', timestamp: new Date(60_000) })
  })

  test('usage that nobody counted is not zero', () => {
    const { usage } = readCompletion(JSON.stringify(choice({ message: { content: 'Hi' } })), exchange)
    assert.deepEqual(usage, {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    })
  })

  const none: readonly (readonly [name: string, body: string, message: RegExp])[] = [
    ['a web page', '<html>\n <b>Welcome</b>', /no chat completion.*base URL.*"<html> <b>Welcome<\/b>"/],
    ['a long page', `<p>${'x'.repeat(5000)}`, /"<p>x{197}…"$/],
    ['nothing', '', /ended without a word/],
    ['an object of another kind', '{"object":"list"}', /"\{"object":"list"\}"/],
    ['no choice', '{"choices":[]}', /no chat completion/],
    ['a list', '[1]', /"\[1\]"/],
    ['an error', '{"error":{"message":"Out of memory"}}', /could not finish its reply. It said: Out of memory$/],
    ['an error that is a text', '{"error":"Out of memory"}', /It said: Out of memory$/],
    ['an error without words', '{"error":{"code":7}}', /It said: \{"code":7\}$/],
    ['the error itself', '{"object":"error","message":"Too long","code":400}', /It said: Too long$/],
  ]
  for (const [name, body, message] of none) {
    test(`${name} is none`, () => {
      assert.throws(
        () => readCompletion(body, { ...exchange, status: 200 }),
        (error) => {
          assert.ok(APICallError.isInstance(error))
          assert.match(error.message, message)
          assert.deepEqual([error.url, error.statusCode, error.isRetryable], [exchange.url, 200, false])
          if (!body.startsWith('{"error')) return true
          assert.equal(error.responseBody, body)
          return true
        },
      )
    })
  }

  test('an error tells by its own code whether to try again', () => {
    const codes = [429, '503', 400, 'rate_limit'].map((code) => {
      try {
        return readCompletion(JSON.stringify({ error: { message: 'No.', code } }), exchange)
      } catch (error) {
        return APICallError.isInstance(error) && error.isRetryable
      }
    })
    assert.deepEqual(codes, [true, true, false, false])
  })

  test('a call can be rescued out of the error of a server that could not read it', () => {
    const content = 'x'.repeat(3000)
    const message = `Failed to parse input at pos 0: <tool_call>{"name":"add","arguments":{"a":"${content}"}}</tool_call>`
    const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } }]
    assert.throws(
      () => readCompletion(JSON.stringify({ error: { message } }), exchange),
      (error) => rescue(error, { tools })?.calls[0]?.arguments['a'] === content,
    )
  })
})
