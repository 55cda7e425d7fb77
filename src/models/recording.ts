import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { partsOf, ReplyCollector } from '../wire/whole-reply.ts'
import { firstDifference, recordedRequest } from './recorded-request.ts'
import { linesOf, type RecordedReply, restoredError, savedError, savedReply, writtenLine } from './recording-line.ts'

/**
 * Wraps a model so that each request and its reply go to a file, a line of JSON each, for `replayedReplies`. Headers
 * and keys are not written.
 *
 * @example
 * const model = savedReplies(openAICompatible({ baseURL, model: 'qwen3' }), 'recordings/tides.jsonl')
 */
export function savedReplies(model: LanguageModelV4, file: string): LanguageModelV4 {
  mkdirSync(dirname(file), { recursive: true })
  const saving = (call: LanguageModelV4CallOptions): Save => {
    const request = recordedRequest(call)
    return (reply) => appendFileSync(file, writtenLine({ model: model.modelId, request, reply }))
  }
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(call) {
      const save = saving(call)
      const result = await orSaved(model.doGenerate(call), save)
      save({ kind: 'reply', ...savedReply(result) })
      return result
    },
    async doStream(call) {
      const save = saving(call)
      const result = await orSaved(model.doStream(call), save)
      return { ...result, stream: watched(result.stream, save) }
    },
  }
}

type Save = (reply: RecordedReply) => void

/** What was promised. A failure is saved on its way. */
async function orSaved<Result>(promise: PromiseLike<Result>, save: Save): Promise<Result> {
  try {
    return await promise
  } catch (error) {
    save({ kind: 'error', error: savedError(error) })
    throw error
  }
}

/** The stream itself; when it has ended, was cancelled or broke, what came of it is saved. */
function watched(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  save: Save,
): ReadableStream<LanguageModelV4StreamPart> {
  const collector = new ReplyCollector()
  const { reply } = collector
  const reader = stream.getReader()
  const saveAll = (failure = reply.failure): void => {
    const saved = savedReply(reply)
    save(failure ? { kind: 'broken', ...saved, error: savedError(failure.error) } : { kind: 'reply', ...saved })
  }
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        saveAll({ error })
        throw error
      })
      if (done) {
        saveAll()
        return controller.close()
      }
      collector.push(value)
      controller.enqueue(value)
    },
    cancel(reason) {
      saveAll()
      return reader.cancel(reason)
    },
  })
}

export interface ReplayOptions {
  /** Whether a request must be the same as the recorded one. Default true. */
  readonly check?: boolean
}

/**
 * A model that gives the replies of a recording, in their order. A request whose messages or tools are not those that
 * were recorded is an error that names the first difference.
 *
 * @example
 * const model = replayedReplies('recordings/tides.jsonl')
 */
export function replayedReplies(file: string, { check = true }: ReplayOptions = {}): LanguageModelV4 {
  const lines = linesOf(readRecording(file), file)
  let asked = 0
  const next = (call: LanguageModelV4CallOptions): RecordedReply => {
    const line = lines[asked++]
    if (!line) {
      const replies = lines.length === 1 ? '1 reply' : `${lines.length} replies`
      throw new Error(`The recording ${file} has ${replies}, and this is request ${asked}. Record it anew.`)
    }
    const difference = check ? firstDifference(line.request, recordedRequest(call)) : undefined
    if (difference === undefined) return line.reply
    const remedy = 'Record it anew, or give { check: false }.'
    throw new Error(`Request ${asked} is not the one in the recording ${file}: ${difference}. ${remedy}`)
  }
  return {
    specificationVersion: 'v4',
    provider: 'recording',
    modelId: lines[0]?.model ?? 'recording',
    supportedUrls: { '*/*': [/^/] },
    async doGenerate(call) {
      const reply = next(call)
      if (reply.kind !== 'reply') throw restoredError(reply.error)
      return { ...savedReply(reply), warnings: [] }
    },
    async doStream(call) {
      const reply = next(call)
      if (reply.kind === 'error') throw restoredError(reply.error)
      const failure = reply.kind === 'broken' ? { failure: { error: restoredError(reply.error) } } : {}
      return { stream: ReadableStream.from(partsOf({ ...savedReply(reply), ...failure })) }
    },
  }
}

function readRecording(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`There is no recording at ${file}. Make one with savedReplies(model, file).`, { cause: error })
  }
}
