import { APICallError, type LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { createReader, type Reader } from '../read/read.ts'
import { rescuedText } from '../read/rescue.ts'
import { messageOf } from '../tools/errors.ts'
import type { ReadEvent } from '../types.ts'
import { validator } from '../validate/validator.ts'
import { type Asking, ask, type DeltaListener, type ModelReply } from './ask.ts'
import type { RunContext } from './context.ts'
import type { ModeRequest } from './modes/mode.ts'

/**
 * Asks the model of a run. What the server could not read is taken out of its error, and a temperature that the model
 * does not take is left out from then on.
 */
export async function askModel(
  context: RunContext,
  request: ModeRequest,
  temperature: number | undefined,
): Promise<ModelReply> {
  const { settings, state, tell } = context
  const sent = requestOf(context, request, state.takesTemperature ? temperature : undefined)
  const { headers, ...shown } = sent
  await tell({ kind: 'request', step: state.turns + 1, request: shown })
  try {
    return await ask(settings.model, sent, askingOf(context))
  } catch (error) {
    const written = rescuedText(error)
    if (written !== undefined && !isQuoted(written, sent)) {
      return { parts: [{ kind: 'rescued', text: written }], finish: 'unknown', usage: { input: 0, output: 0 } }
    }
    if (temperature === undefined || !isAboutTemperature(error)) throw error
    await tell({ kind: 'setting-refused', setting: 'temperature' })
    return askModel(context, request, undefined)
  }
}

/** What a server says back to us of our own request is no reply, however it is escaped. */
const isQuoted = (written: string, { prompt }: LanguageModelV4CallOptions): boolean =>
  plain(JSON.stringify(prompt)).includes(plain(written))

const plain = (text: string): string => text.replace(/[\\\s]/g, '')

/** A request with what is the same in all modes. */
export const requestOf = (
  { settings }: RunContext,
  request: ModeRequest,
  temperature: number | undefined,
): LanguageModelV4CallOptions => ({
  ...request,
  ...settings.options.request,
  ...(temperature === undefined ? {} : { temperature }),
})

export function askingOf(context: RunContext): Asking {
  const { settings, signal, tell, wantsDeltas } = context
  const { timeouts, retries, retryDelay, streaming } = settings
  return {
    signal,
    timeouts,
    retries,
    retryDelay,
    streaming,
    listener: wantsDeltas ? () => listenerOf(context) : undefined,
    onRetry: (reason, wait) => tell({ kind: 'model-retry', reason, wait }),
    holdsReply: (error) => rescuedText(error) !== undefined,
  }
}

/** Tells the text and the thoughts of a reply as they come, without the calls in it. */
function listenerOf({ settings, tell }: RunContext): DeltaListener {
  let reader: Reader | undefined
  const tellAll = (events: readonly ReadEvent[]): void => {
    for (const event of events) if (event.kind === 'text-delta' || event.kind === 'thought-delta') void tell(event)
  }
  return {
    delta(kind, text) {
      if (kind === 'thought') void tell({ kind: 'thought-delta', text })
      else {
        reader ??= createReader({ validator, ...settings.rules, tools: [...settings.tools.values()] })
        tellAll(reader.push(text))
      }
    },
    end: () => tellAll(reader?.end().events ?? []),
  }
}

/** Models that think refuse to be given a temperature. */
function isAboutTemperature(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false
  const isRefusal = error.statusCode === 400 || error.statusCode === 422
  return isRefusal && /temperature/i.test(`${messageOf(error)} ${error.responseBody ?? ''}`)
}
