import type { LanguageModelV4CallOptions, LanguageModelV4Middleware } from '@ai-sdk/provider'
import { checkPolicy } from '../read/check-policy.ts'
import type { CallwrightOptions } from './options.ts'
import { prompted } from './prompted.ts'
import { readResult } from './read-content.ts'
import { readParts } from './read-stream.ts'
import { Reply, toolsOf } from './reply.ts'

/**
 * Makes a middleware that reads the calls which a model meant: those in its text, in whatever dialect, and those of the
 * provider whose input is malformed or does not fit. Without tools in a request, nothing is changed.
 *
 * @example
 * const model = wrapLanguageModel({ model: ollama('qwen3'), middleware: callwright() })
 * const { text } = await generateText({ model, tools, prompt, stopWhen: isStepCount(5) })
 */
export function callwright(options: CallwrightOptions = {}): LanguageModelV4Middleware {
  checkPolicy(options.policy)
  /** What was asked for, by what the model was sent instead of it. */
  const requests = new WeakMap<object, { readonly request: LanguageModelV4CallOptions; readonly example: string }>()

  const replyTo = (sent: LanguageModelV4CallOptions): Reply | undefined => {
    const { request = sent, example = '' } = requests.get(sent) ?? {}
    const tools = toolsOf(request)
    const seen = [options.seen ?? [], example.includes('…') ? example : []].flat()
    return tools.length > 0 ? new Reply(tools, request, { ...options, seen }) : undefined
  }

  return {
    specificationVersion: 'v4',
    ...(options.prompted && {
      async transformParams({ params }) {
        const { sent, example } = prompted(params)
        requests.set(sent, { request: params, example })
        return sent
      },
    }),
    async wrapGenerate({ doGenerate, params }) {
      const reply = replyTo(params)
      const result = await doGenerate()
      return reply ? readResult(result, reply) : result
    },
    async wrapStream({ doStream, params }) {
      const reply = replyTo(params)
      const result = await doStream()
      return reply ? { ...result, stream: result.stream.pipeThrough(readParts(reply)) } : result
    },
  }
}
