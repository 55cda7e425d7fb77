import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { statusError } from '../wire/errors.ts'
import { chatRequestOf, warningsOf } from '../wire/request.ts'
import { completionParts, readEvents } from '../wire/response.ts'
import { decodeEvents } from '../wire/sse.ts'
import { readableOf } from '../wire/stream.ts'
import { ReplyCollector } from '../wire/whole-reply.ts'
import { checkedEndpoint, type Endpoint, type OpenAICompatibleOptions } from './endpoint.ts'
import { type Answer, post } from './http.ts'

/**
 * A model behind any server that speaks Chat Completions: Ollama, vLLM, llama.cpp, LM Studio, OpenRouter and their
 * like. There is no limit to how long a reply may take; give an `abortSignal` for that.
 *
 * @example
 * const model = openAICompatible({ baseURL: 'http://127.0.0.1:11434/v1', model: 'qwen3' })
 * const { text } = await generateText({ model, prompt: 'Hello' })
 */
export function openAICompatible(options: OpenAICompatibleOptions): LanguageModelV4 {
  const endpoint = checkedEndpoint(options)
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId: options.model,
    supportedUrls: { 'image/*': [/^https?:\/\//] },
    async doGenerate(call) {
      const answer = await ask(endpoint, call, false)
      const collector = new ReplyCollector()
      for await (const part of await partsOf(answer, call, [])) collector.push(part)
      const { failure, response, ...reply } = collector.reply
      if (failure) throw failure.error
      return {
        ...reply,
        warnings: warningsOf(call),
        request: requestOf(answer),
        response: { ...response, headers: answer.headers },
      }
    },
    async doStream(call) {
      const answer = await ask(endpoint, call, true)
      const parts = await partsOf(answer, call, warningsOf(call))
      const stream = readableOf(parts, () => answer.close())
      return { stream, request: requestOf(answer), response: { headers: answer.headers } }
    },
  }
}

async function ask(endpoint: Endpoint, call: LanguageModelV4CallOptions, stream: boolean): Promise<Answer> {
  const { url, shownURL, model, extraBody, connectTimeout } = endpoint
  const request = { ...chatRequestOf(call, model, { stream }), ...extraBody }
  const body = JSON.stringify(request)
  const { headers, secrets } = endpoint.headersFor(call.headers ?? {})
  const answer = await post(
    { url, headers, body, connectTimeout, signal: call.abortSignal },
    { url: shownURL, request, secrets },
  )
  if (answer.status >= 200 && answer.status < 300) return answer
  throw statusError(answer.exchange, await answer.text())
}

const requestOf = ({ exchange: { url, request } }: Answer) => ({ url, body: request })

/** The parts of an answer, by what it is rather than by what was asked for: some servers stream always, some never. */
async function partsOf(
  answer: Answer,
  { includeRawChunks = false }: LanguageModelV4CallOptions,
  warnings: SharedV4Warning[],
): Promise<AsyncGenerator<LanguageModelV4StreamPart, void, undefined>> {
  const { exchange, headers, bytes } = answer
  const options = { warnings, includeRawChunks }
  if (headers['content-type']?.includes('event-stream')) return readEvents(decodeEvents(bytes), exchange, options)
  const body = await answer.text()
  if (/^\s*(?:data|event|id|retry)?:/.test(body)) {
    return readEvents(decodeEvents(oneByOne([Buffer.from(body)])), exchange, options)
  }
  return oneByOne([{ type: 'stream-start' as const, warnings }, ...completionParts(body, exchange)])
}

async function* oneByOne<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  for (const item of items) yield item
}
