import type { LocalServer } from '../models/local-servers.ts'
import type { ListedModel } from '../models/model-list.ts'
import { settingLine, shellWord } from './shell-line.ts'
import { visible } from './terminal.ts'

/** Something that a person should know, and lines to type against it. */
export interface Finding {
  readonly kind: 'problem' | 'warning'
  readonly message: string
  readonly type?: readonly string[]
}

/** Below this a few tool results fill the context, and the server cuts the task off without a word. */
const SMALL = 8192
/** What is advised, and enough whatever the model could take. */
const ENOUGH = 32_768
/** What Ollama gives a model on a machine with less than 24 GiB of video memory. */
const OLLAMA_DEFAULT = 4096

/** How a server is told to give a model so many tokens. */
const remedies: { readonly [Kind in LocalServer['kind']]: (model: ListedModel, tokens: number) => readonly string[] } =
  {
    ollama: ({ name, contextFixed }, tokens) =>
      contextFixed
        ? ollamaCopy(name, tokens)
        : [settingLine({ OLLAMA_CONTEXT_LENGTH: String(tokens) }, 'ollama serve')],
    'lm-studio': ({ name }, tokens) => [`lms load ${shellWord(name)} --context-length ${tokens}`],
    'llama-cpp': (_, tokens) => [`llama-server -m MODEL.gguf -c ${tokens} -np 1`],
    vllm: ({ name }, tokens) => [`vllm serve ${shellWord(name)} --max-model-len ${tokens}`],
    other: () => [],
  }

/** A copy of a model with more context: the only way past a num_ctx of its own. Ollama reads no Modelfile from a pipe. */
function ollamaCopy(name: string, tokens: number): readonly string[] {
  const copy = `${name.includes(':') ? name : `${name}:latest`}-${Math.round(tokens / 1024)}k`
  const lines = [`FROM ${name}`, `PARAMETER num_ctx ${tokens}`].map((line) => shellWord(line))
  const written =
    process.platform === 'win32'
      ? `${lines.join(', ')} | Set-Content larger.modelfile`
      : `printf '%s\\n' ${lines.join(' ')} > larger.modelfile`
  return [written, `ollama create ${shellWord(copy)} -f larger.modelfile`]
}

/** What there is to say of a model's context: that it is small, or that nobody knows yet. */
export function contextFinding(model: ListedModel, kind: LocalServer['kind'], isChosen: boolean): Finding | undefined {
  const { context, contextNow, contextFixed } = model
  const name = visible(model.name)
  if (context !== undefined && context < SMALL) {
    const message = `${name} takes ${tokens(context)} at most, which a few tool results fill: take another model.`
    return isChosen ? { kind: 'warning', message } : undefined
  }
  const wanted = Math.min(ENOUGH, context ?? ENOUGH)
  if (contextNow === undefined) {
    if (kind !== 'ollama' || !isChosen) return undefined
    const message =
      `${name} is not loaded, so nobody can say how much it will take. Ollama gives ${tokens(OLLAMA_DEFAULT)} on most ` +
      'machines and cuts what is longer without a word. If it was not started with more, stop it and start it so:'
    return { kind: 'warning', message, type: remedies.ollama(model, wanted) }
  }
  const isFarBelow = contextNow < ENOUGH && context !== undefined && contextNow * 4 <= context
  if (contextNow >= SMALL && !isFarBelow) return undefined
  const own = context !== undefined && context > contextNow ? `, though it could take ${tokens(context)}` : ''
  const type = remedies[kind](model, wanted)
  const cause = contextFixed
    ? 'Its own num_ctx says so, and what is longer is cut without a word: make a copy with more, and take that as the model:'
    : remedyWords[kind]
  const message = `${name} takes only ${tokens(contextNow)} as it is served${own}. ${cause}`
  return { kind: 'warning', message, ...(type.length > 0 ? { type } : {}) }
}

const remedyWords: { readonly [Kind in LocalServer['kind']]: string } = {
  ollama: 'What is longer is cut without a word. Stop Ollama, and start it with more:',
  'lm-studio': 'What is longer is cut or refused. Load it with more:',
  'llama-cpp': 'What is longer is refused. Start the server with more:',
  vllm: 'What is longer is refused. Start the server with more:',
  other: 'What is longer is cut or refused. Start the server with more.',
}

/** A number of tokens, for people. */
export const tokens = (count: number): string => `${count.toLocaleString('en-US')} tokens`
