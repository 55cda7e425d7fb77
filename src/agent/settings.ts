import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { checkPolicy } from '../read/check-policy.ts'
import { type OfferedTool, offeredTool } from '../read/tools.ts'
import { AgentError, messageOf } from '../tools/errors.ts'
import type { InputOf } from '../tools/infer.ts'
import { unknownKey } from '../tools/known-keys.ts'
import { memoryRecorder, type Recorder } from '../tools/recorder.ts'
import { type RunnableTool, schemaMistake } from '../tools/tool.ts'
import type { JsonSchema, StandardSchema } from '../types.ts'
import type { Timeouts } from './ask.ts'
import type { Outcome, RunCall, RunEvent } from './events.ts'
import { type ModeName, modeNames } from './modes/names.ts'
import type { ReadingRules } from './read-reply.ts'
import type { RunState } from './state.ts'

/** What bounds a run. Without a number, nothing does, but for the steps. */
export interface RunLimits {
  /** Model turns for a task or message. Default 10. */
  readonly steps?: number
  /** Tokens of the whole run, in and out. */
  readonly tokens?: number
  /** Seconds of the whole run. */
  readonly seconds?: number
  /** Money of the whole run, in whatever the prices are in. */
  readonly money?: number
}

/** What a million tokens cost. */
export interface Prices {
  readonly input: number
  readonly output: number
}

/** What somebody is asked before a call runs. The answer is for this very call: the hash is of its name and arguments. */
export interface ApprovalRequest {
  readonly run: string
  readonly call: RunCall
  readonly hash: string
  /** What the call would change, where its tool can say. */
  readonly preview?: string
  /** Aborted when the run is: nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** `always` is for this tool in this run, `later` pauses the run until somebody can answer. */
export type ApprovalAnswer = 'yes' | 'no' | 'always' | 'later'

/** How an agent is set up. */
export interface AgentOptions<Output extends JsonSchema | StandardSchema | undefined = undefined> extends ReadingRules {
  /** Who answers: any model of the AI SDK, or `openAICompatible({ baseURL, model })`. */
  readonly model: LanguageModelV4
  readonly tools?: readonly RunnableTool[]
  /** How to talk with the model. Default `auto`, which finds out what it can and remembers. */
  readonly mode?: ModeName | 'auto'
  /** Who the agent is and what it should heed. */
  readonly instructions?: string
  readonly limits?: RunLimits
  readonly prices?: Prices
  /** Where the temperature starts, or `false` to leave it to the provider. Default 0.7. */
  readonly temperature?: number | false
  /** Tokens that fit into the model's context: near it, old observations are shortened. Default 32,000. */
  readonly context?: number
  readonly timeouts?: Timeouts
  /** Tries after errors of the provider that may pass. Default 2. */
  readonly retries?: number
  /** Milliseconds before the first of them, when the server names no time. Default 500. */
  readonly retryDelay?: number
  /** Whether replies are asked for as streams, which show sooner that a model is stuck. Default true. */
  readonly streaming?: boolean
  /** What the final answer must be, when it is more than text. */
  readonly output?: Output
  /** In the structured mode, also asks for the current state, a plan, and whether the task is completed. */
  readonly nextStep?: boolean
  /** Asks somebody. Without it, calls that need approval are not run. */
  readonly approve?: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>
  /** Sees each call before it runs; returns a reason, in words for the model, to not run it. */
  readonly beforeCall?: (call: RunCall) => string | undefined | Promise<string | undefined>
  /** Sees each result; may return what the model is shown in its place. */
  readonly afterCall?: (call: RunCall, result: CallResult) => string | undefined | Promise<string | undefined>
  /** Is asked before each step; a text pauses the run, and is the reason. */
  readonly stopWhen?: (state: Readonly<RunState>) => string | undefined
  /**
   * What to do on resume with a call that was begun and never heard of again, when its tool is of the kind `once`: tell
   * the model that the outcome is unknown, or pause the run for a person to look. Default `tell`.
   */
  readonly unknownOutcome?: 'tell' | 'pause'
  /** Keeps what happens. Default: in memory. */
  readonly recorder?: Recorder<RunEvent>
  /** More for each request, such as `maxOutputTokens` or `providerOptions`. */
  readonly request?: Partial<
    Pick<LanguageModelV4CallOptions, 'maxOutputTokens' | 'seed' | 'topP' | 'headers' | 'providerOptions' | 'reasoning'>
  >
}

/** What became of a call. */
export interface CallResult {
  readonly outcome: Outcome
  /** What the tool gave, whole. */
  readonly result: string
}

/** The type of a final answer. */
export type OutputOf<Output> = Output extends undefined ? undefined : InputOf<Output>

/** Options that were found good, with everything in its place. */
export interface Settings {
  readonly options: AgentOptions<JsonSchema | StandardSchema | undefined>
  readonly model: LanguageModelV4
  readonly tools: ReadonlyMap<string, RunnableTool>
  readonly instructions: string
  readonly limits: RunLimits & { readonly steps: number }
  readonly temperature: number | undefined
  readonly context: number
  readonly timeouts: Required<Timeouts>
  readonly retries: number
  readonly retryDelay: number
  readonly streaming: boolean
  readonly output: OfferedTool | undefined
  readonly rules: ReadingRules
  readonly recorder: Recorder<RunEvent>
}

/** What an agent is told where nobody tells it anything else. */
export const defaultInstructions = 'Do the task that the user gives you, step by step, and answer when it is done.'

/** Checks options, so that what is wrong is said before anything runs. */
export function settingsOf(options: AgentOptions<JsonSchema | StandardSchema | undefined>): Settings {
  if (typeof options !== 'object' || options === null)
    throw new AgentError('createAgent takes an object: { model, tools }.')
  const { model, tools = [], mode = 'auto', temperature = 0.7, limits = {}, policy, strict, unknown } = options
  if (typeof model !== 'object' || model === null || typeof model.doGenerate !== 'function') {
    throw new AgentError(
      "Give the agent a model: openAICompatible({ baseURL, model }), or one of the AI SDK's providers, such as openai('gpt-5').",
    )
  }
  if (mode !== 'auto' && !modeNames.includes(mode)) {
    throw new AgentError(`mode is auto or one of ${modeNames.join(', ')}, and not ${String(mode)}.`)
  }
  checkOptions(options)
  checkPolicy(policy)
  const { steps = 10 } = limits
  checkNumbers({ 'limits.steps': steps, context: options.context })
  checkNumbers({ 'limits.tokens': limits.tokens, 'limits.seconds': limits.seconds, 'limits.money': limits.money })
  checkNumbers({ ...options.timeouts })
  checkNumbers({ retries: options.retries, retryDelay: options.retryDelay }, 0)
  checkNumbers({ temperature: temperature === false ? 0 : temperature, ...options.prices }, 0)
  if (limits.money !== undefined && !options.prices) {
    throw new AgentError('limits.money needs prices: { input, output }, what a million tokens cost.')
  }
  return {
    options,
    model,
    tools: byName(tools),
    instructions: options.instructions ?? defaultInstructions,
    limits: { ...limits, steps },
    temperature: temperature === false ? undefined : temperature,
    context: options.context ?? 32_000,
    timeouts: { firstToken: 120_000, idle: 60_000, total: 600_000, ...options.timeouts },
    retries: options.retries ?? 2,
    retryDelay: options.retryDelay ?? 500,
    streaming: options.streaming ?? true,
    output: options.output === undefined ? undefined : outputOf(options.output),
    rules: {
      ...(policy ? { policy } : {}),
      ...(strict === undefined ? {} : { strict }),
      ...(unknown ? { unknown } : {}),
      ...(options.callsInThought ? { callsInThought: true } : {}),
      ...(options.thinking ? { thinking: true } : {}),
    },
    recorder: options.recorder ?? memoryRecorder<RunEvent>(),
  }
}

/** Every option, and those inside of options: a misspelt one must not be one that is left out. */
const known = {
  '': [
    ...['model', 'tools', 'mode', 'instructions', 'limits', 'prices', 'temperature', 'context', 'timeouts', 'retries'],
    ...['retryDelay', 'streaming', 'output', 'nextStep', 'approve', 'beforeCall', 'afterCall', 'stopWhen', 'recorder'],
    ...['unknownOutcome', 'request', 'policy', 'strict', 'unknown', 'callsInThought', 'thinking'],
  ],
  limits: ['steps', 'tokens', 'seconds', 'money'],
  timeouts: ['firstToken', 'idle', 'total'],
  prices: ['input', 'output'],
} as const

function checkOptions(options: AgentOptions<JsonSchema | StandardSchema | undefined>): void {
  for (const [place, names] of Object.entries(known)) {
    const given = place === '' ? options : options[place as 'limits' | 'timeouts' | 'prices']
    const wrong = given && unknownKey(given, names)
    if (wrong !== undefined) throw new AgentError(`${place === '' ? '' : `${place}: `}${wrong}`)
  }
  const { recorder, output, tools } = options
  if (recorder !== undefined && typeof recorder.take !== 'function') {
    throw new AgentError('recorder is what openLedger(file) or memoryRecorder() returns.')
  }
  if (tools !== undefined && !Array.isArray(tools)) throw new AgentError('tools is a list of what tool({ … }) returns.')
  const mistake = output === undefined ? undefined : schemaMistake(output)
  if (mistake !== undefined) throw new AgentError(`output: ${mistake}`)
}

function byName(tools: readonly RunnableTool[]): Map<string, RunnableTool> {
  const found = new Map<string, RunnableTool>()
  for (const tool of tools) {
    if (typeof tool?.run !== 'function' || typeof tool.name !== 'string' || tool.schema === undefined) {
      throw new AgentError('Make the tools of an agent with tool({ name, description, input, run }).')
    }
    if (found.has(tool.name)) throw new AgentError(`Two tools are named ${tool.name}: rename one of them.`)
    found.set(tool.name, tool)
  }
  return found
}

function outputOf(output: JsonSchema | StandardSchema): OfferedTool {
  try {
    return offeredTool({ name: 'answer', input: output })
  } catch (error) {
    if (error instanceof TypeError) throw new AgentError(`output: ${messageOf(error)}`, { cause: error })
    throw error
  }
}

function checkNumbers(numbers: { readonly [name: string]: number | undefined }, least?: number): void {
  for (const [name, value] of Object.entries(numbers)) {
    const isGood = typeof value === 'number' && (least === undefined ? value > 0 : value >= least)
    if (value === undefined || isGood) continue
    throw new AgentError(
      `${name} is a number ${least === undefined ? 'above 0' : `from ${least} on`}, and not ${JSON.stringify(value) ?? String(value)}.`,
    )
  }
}
