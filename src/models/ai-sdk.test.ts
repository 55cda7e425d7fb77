/** The real AI SDK over a real connection. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APICallError, generateText, isStepCount, Output, streamText, tool } from 'ai'
import { z } from 'zod'
import { startTestServer } from '../test/index.ts'
import { key, modelAt } from './odd-server.test.ts'

describe('the AI SDK', () => {
  const asked: unknown[] = []
  const tools = {
    search: tool({
      description: 'Searches.',
      inputSchema: z.object({ query: z.string() }),
      execute: async ({ query }) => {
        asked.push(query)
        return { page: 'High at noon.' }
      },
    }),
  }
  const script = [
    {
      thought: 'Hm.',
      text: 'I look.',
      calls: [
        { name: 'search', arguments: { query: 'tides' } },
        { name: 'search', arguments: { query: 'moon' } },
      ],
      usage: { input: 5, output: 4 },
    },
    { text: 'At noon, as every day.', usage: { input: 9, output: 2 } },
  ]
  const run = { tools, instructions: 'Be brief.', prompt: 'When is the tide?', stopWhen: isStepCount(5), maxRetries: 0 }

  for (const name of ['generateText', 'streamText'] as const) {
    test(`runs tools with ${name}, and counts tokens`, async () => {
      asked.length = 0
      await using server = await startTestServer(script, { chunk: 3 })
      const options = { ...run, model: modelAt(server.url) }
      const result = name === 'generateText' ? await generateText(options) : streamText(options)
      assert.equal(await result.text, 'At noon, as every day.')
      const [first] = await result.steps
      assert.deepEqual([first?.reasoningText, first?.text, first?.finishReason], ['Hm.', 'I look.', 'tool-calls'])
      assert.deepEqual(asked, ['tides', 'moon'])
      const { inputTokens, outputTokens } = await result.usage
      assert.deepEqual([inputTokens, outputTokens], [14, 6])
      assert.deepEqual(
        server.requests[1]?.messages.map(({ role }) => role),
        ['system', 'user', 'assistant', 'tool', 'tool'],
      )
      assert.equal(server.requests[1]?.messages.at(-1)?.content, '{"page":"High at noon."}')
    })
  }

  test('asks for an object by its schema', async () => {
    await using server = await startTestServer(['{"at":"noon"}'])
    const { output } = await generateText({
      model: modelAt(server.url),
      prompt: 'When?',
      output: Output.object({ schema: z.object({ at: z.string() }) }),
    })
    assert.deepEqual(output, { at: 'noon' })
    assert.equal(server.requests[0]?.response_format?.type, 'json_schema')
  })

  test('sees the error of a server, and a stream that breaks', async () => {
    await using server = await startTestServer([{ error: { status: 400 } }, { text: 'Hello, you.', breakAfter: 2 }])
    const options = { model: modelAt(server.url), prompt: 'Hi', maxRetries: 0 }
    await assert.rejects(generateText(options), (error) => APICallError.isInstance(error) && error.statusCode === 400)
    const errors: unknown[] = []
    const result = streamText({ ...options, onError: ({ error }) => void errors.push(error) })
    assert.equal(await result.text, 'Hello, you.')
    assert.equal(await result.finishReason, 'error')
    assert.ok(APICallError.isInstance(errors[0]) && !String(errors[0]).includes(key))
  })

  test('tries again when a server says so', async () => {
    const error = { status: 429, headers: { 'retry-after-ms': '1' } }
    await using server = await startTestServer([{ error }, 'Hi'])
    const { text } = await generateText({ model: modelAt(server.url), prompt: 'Hi' })
    assert.deepEqual([text, server.requests.length], ['Hi', 2])
  })

  test('ends a request with its signal', async () => {
    await using server = await startTestServer([{ delay: 60_000 }])
    const abortSignal = AbortSignal.timeout(20)
    await assert.rejects(generateText({ model: modelAt(server.url), prompt: 'Hi', abortSignal }), /Timeout/i)
  })
})
