import { parseArgs } from 'node:util'
import {
  type Agent,
  type AgentOptions,
  createAgent,
  type ModeName,
  modeNames,
  type RunEvent,
  type RunResult,
} from '../agent/index.ts'
import { openAICompatible, replayedReplies, savedReplies } from '../models/index.ts'
import { AgentError } from '../tools/index.ts'
import { askOn } from './ask-approval.ts'
import { type Config, loadConfig } from './config.ts'
import { inputText } from './input.ts'
import { chooseModel } from './model-choice.ts'
import { linesOf } from './show-run.ts'
import { paintFor, visible } from './terminal.ts'
import { toolsOf } from './tool-modules.ts'
import { UsageError } from './usage-error.ts'

export const summary = 'let a model work on a task with your tools'

export const help = `callwright run [options] TASK

Works on a task: the model thinks, calls tools and sees what they give, until it answers. The answer goes to standard
output, what happens on the way to standard error. Without a task, or with -, it is what is piped in.

  --model NAME         the model; callwright doctor says which would be taken
  --base-url URL       a server that speaks OpenAI's Chat Completions; keys come from the environment
  --tools FILE         a module that exports tools (may be repeated)
  --mode MODE          auto (default), native, structured, json or react
  --instructions TEXT  who the agent is and what it should heed
  --steps NUMBER       model turns before it must answer. Default 10
  --config FILE        settings. Default: callwright.yaml, where there is one
  --verbose            show the whole exchange
  --json               print how the run ended as JSON, and what happens as JSON lines on standard error
  --save-replies FILE  keep what the model says, to replay it
  --replay FILE        take the model's replies from such a file; needs no model

Calls of tools that need approval are asked for on the terminal, and are not run where there is none.
Exit code: 0 it was answered, 1 it was not, 2 the command was not understood.
`

/** `callwright run`: works on a task, and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      model: { type: 'string' },
      'base-url': { type: 'string' },
      tools: { type: 'string', multiple: true },
      mode: { type: 'string' },
      instructions: { type: 'string' },
      steps: { type: 'string' },
      config: { type: 'string' },
      verbose: { type: 'boolean' },
      json: { type: 'boolean' },
      'save-replies': { type: 'string' },
      replay: { type: 'string' },
    },
  })
  if (positionals.length > 1) throw new UsageError('Give one task: put quotes around it.')
  if (values.replay !== undefined && values['save-replies'] !== undefined) {
    throw new UsageError('Take --replay or --save-replies, not both.')
  }
  const config = (await loadConfig(process.cwd(), values.config))?.config ?? {}
  const tools = await toolsOf([...(values.tools ?? config.tools ?? [])])
  const mode = modeOf(values.mode) ?? config.mode
  const steps = stepsOf(values.steps) ?? config.limits?.steps
  const task = positionals[0] === undefined || positionals[0] === '-' ? await inputText(undefined) : positionals[0]
  const flags = { model: values.model, baseURL: values['base-url'] }
  const model = values.replay === undefined ? await modelOf(flags, config) : replayed(values.replay)
  if (typeof model === 'string') {
    process.stderr.write(`${model}\n`)
    return 1
  }
  const instructions = values.instructions ?? config.instructions
  const paint = paintFor(process.stderr)
  const isAsking = config.approve !== 'never' && process.stdin.isTTY && process.stderr.isTTY
  const options: AgentOptions = {
    ...settingsIn(config),
    model: values['save-replies'] === undefined ? model : savedReplies(model, values['save-replies']),
    tools,
    limits: { ...config.limits, ...(steps === undefined ? {} : { steps }) },
    ...(mode === undefined ? {} : { mode }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(isAsking ? { approve: askOn({ input: process.stdin, output: process.stderr }, paint) } : {}),
  }
  const tell = (event: RunEvent): void => {
    const lines = values.json
      ? [JSON.stringify(event)]
      : linesOf(event, paint, values.verbose ?? false).map((line) => `  ${line}`)
    for (const line of lines) process.stderr.write(`${line}\n`)
  }
  const result = await interruptibly((signal) => agentOf(options).run(task, { signal, onEvent: tell }))
  print(result, values.json ?? false)
  return result.kind === 'answered' || result.kind === 'answered-at-limit' ? 0 : 1
}

/** Mistakes in the settings of an agent are those of the command line. */
function agentOf(options: AgentOptions): Agent {
  try {
    return createAgent(options)
  } catch (error) {
    if (AgentError.isInstance(error)) throw new UsageError(error.message)
    throw error
  }
}

function settingsIn({ policy, temperature, context, prices }: Config): Partial<AgentOptions> {
  return {
    ...(policy ? { policy } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(context === undefined ? {} : { context }),
    ...(prices ? { prices } : {}),
  }
}

/** The model to talk to, or why there is none. */
async function modelOf(
  flags: { readonly model: string | undefined; readonly baseURL: string | undefined },
  config: Config,
): Promise<ReturnType<typeof openAICompatible> | string> {
  const choice = await chooseModel({ flags, config })
  if (choice.kind === 'missing') return choice.message
  const { baseURL, model, apiKey } = choice
  return openAICompatible({ baseURL, model, ...(apiKey === undefined ? {} : { apiKey }) })
}

function replayed(file: string): ReturnType<typeof replayedReplies> {
  try {
    return replayedReplies(file)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function modeOf(word: string | undefined): ModeName | 'auto' | undefined {
  if (word === undefined || word === 'auto') return word
  const mode = modeNames.find((name) => name === word)
  if (!mode) throw new UsageError(`--mode takes auto, ${modeNames.join(', ')}, and not ${word}.`)
  return mode
}

function stepsOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  const steps = Number(word)
  if (!Number.isInteger(steps) || steps < 1)
    throw new UsageError(`--steps takes a whole number above 0, and not ${word}.`)
  return steps
}

/** The first interrupt ends the run in good order, the second one at once. */
async function interruptibly<Result>(use: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort(new Error('interrupted'))
  process.once('SIGINT', interrupt)
  try {
    return await use(stop.signal)
  } finally {
    process.removeListener('SIGINT', interrupt)
  }
}

function print(result: RunResult<unknown>, asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  else if (result.answer !== undefined)
    process.stdout.write(`${process.stdout.isTTY ? visibleLines(result.answer) : result.answer}\n`)
  if (!asJson && result.kind !== 'answered')
    process.stderr.write(`\n${result.kind}: ${result.message}\n${result.next}\n`)
}

const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')
