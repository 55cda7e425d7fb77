import { APICallError, type LanguageModelV4 } from '@ai-sdk/provider'
import { isObject } from '../fit/judge.ts'
import { SeenTexts } from '../read/seen.ts'
import { tool } from '../tools/tool.ts'
import { readValue } from '../value/read-value.ts'
import { ask, type ModelReply } from './ask.ts'
import { askingOf, requestOf } from './ask-model.ts'
import type { RunContext } from './context.ts'
import type { Usage } from './events.ts'
import { system, user } from './modes/messages.ts'
import type { ModeRequest } from './modes/mode.ts'
import { type ModeName, modeNames } from './modes/names.ts'
import { functionTool, native } from './modes/native.ts'
import { readReply } from './read-reply.ts'

/** What was found out about models, for as long as the process knows them. */
const remembered = new WeakMap<LanguageModelV4, ModeName>()

const WORD = 'blue'
const word = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } as const
const ready = tool({ name: 'report_ready', description: 'Says that you are ready.', input: word, run: () => '' })

/** The questions that are put to a model once, the best mode first. What none of them shows to work, text does. */
const probes: { readonly [mode in ModeName]?: { readonly request: ModeRequest; works(reply: ModelReply): boolean } } = {
  native: {
    request: {
      prompt: [user(`Call the tool report_ready with the word "${WORD}".`)],
      tools: [functionTool(ready)],
      toolChoice: { type: 'auto' },
    },
    works({ parts, finish }) {
      const { calls } = readReply(parts, finish, {
        tools: [ready],
        mode: native,
        step: 0,
        seen: new SeenTexts(),
        rules: {},
      })
      return calls.some(({ arguments: given }) => given['word'] === WORD)
    },
  },
  structured: {
    request: {
      prompt: [system('Reply with JSON of the given schema.'), user(`The word is "${WORD}".`)],
      responseFormat: {
        type: 'json',
        schema: { ...word, required: ['word'], additionalProperties: false },
        name: 'ready',
      },
    },
    works({ parts }) {
      const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
      const { value } = readValue(text.trim(), { strict: true })
      return isObject(value) && value['word'] === WORD
    },
  },
}

/** Finds out in which mode a model can be talked with, unless that is known, and takes it. */
export async function findMode(context: RunContext): Promise<void> {
  const { settings, state, tell } = context
  if (settings.tools.size === 0) return
  const known = remembered.get(settings.model)
  if (known !== undefined) {
    if (known !== state.mode) await change(context, known, 'it was found to work before')
    return
  }
  for (const mode of modeNames) {
    const probe = probes[mode]
    const { works, usage } = probe ? await answered(probe, context) : { works: true, usage: { input: 0, output: 0 } }
    if (probe) await tell({ kind: 'mode-probe', mode, works, usage })
    if (!works) continue
    remembered.set(settings.model, mode)
    if (mode !== state.mode)
      await change(context, mode, probe ? 'the model was asked, and it works' : 'any model can be asked so')
    return
  }
}

/** Takes the next mode in which the model was not yet unreadable. Says whether there was one. */
export async function changeMode(context: RunContext): Promise<boolean> {
  const { state, settings } = context
  const next = modeNames.find((name) => name !== state.mode && !state.failedModes.has(name))
  if (next === undefined) return false
  remembered.set(settings.model, next)
  await change(context, next, `the model could not be read in the mode ${state.mode}`)
  return true
}

const change = ({ tell }: RunContext, mode: ModeName, reason: string): Promise<void> =>
  tell({ kind: 'mode-change', mode, reason })

async function answered(
  probe: { readonly request: ModeRequest; works(reply: ModelReply): boolean },
  context: RunContext,
): Promise<{ works: boolean; usage: Usage }> {
  const asking = { ...askingOf(context), listener: undefined }
  try {
    const reply = await ask(context.settings.model, requestOf(context, probe.request, undefined), asking)
    return { works: probe.works(reply), usage: reply.usage }
  } catch (error) {
    context.signal.throwIfAborted()
    if (isRefusal(error)) return { works: false, usage: { input: 0, output: 0 } }
    throw error
  }
}

/** The server says that it cannot do that, in whatever words; others, such as a wrong key, end the run. */
function isRefusal(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false
  const { statusCode: status = 0, responseBody = '' } = error
  if (status === 400 || status === 404 || status === 422 || status === 501) return true
  // llama.cpp says so with a 500.
  return (
    status === 500 && /tool|function|template|response_format|schema|grammar/i.test(`${error.message} ${responseBody}`)
  )
}
