import { randomUUID } from 'node:crypto'
import { AgentError, messageOf } from '../tools/errors.ts'
import type { JsonSchema, StandardSchema } from '../types.ts'
import { ModelTimeout } from './ask.ts'
import type { RunContext } from './context.ts'
import type { End } from './ends.ts'
import { isRecorded, type RunEvent } from './events.ts'
import { work } from './loop.ts'
import { findMode } from './probe.ts'
import { type RunResult, resultOf } from './result.ts'
import { RunStream } from './run-stream.ts'
import { type AgentOptions, type OutputOf, type Settings, settingsOf } from './settings.ts'
import { changesIn, hashOf, setupOf } from './setup.ts'
import { apply, type RunState, stateOf } from './state.ts'
import { after } from './wait.ts'

/** For one run. */
export interface RunOptions {
  /** Stops everything at once. */
  readonly signal?: AbortSignal
  /** Is told what happens, in its order. docs/agent.md draws it. */
  readonly onEvent?: (event: RunEvent) => void
  /** A name for the run. The same key is the same run: it is gone on with, or its answer given again. Default: a random one. */
  readonly key?: string
}

/** Works on tasks with tools. */
export interface Agent<Output = undefined> {
  /** Works on a task until it is done, or cannot be. Never throws for what a model, a tool or a server does. */
  run(task: string, options?: RunOptions): Promise<RunResult<Output>>
  /** The same, with all that happens as an async iterable. */
  stream(task: string, options?: Omit<RunOptions, 'onEvent'>): RunStream<Output>
  /** Goes on with an ended run by a message: a second question, or the answer to one. */
  continue(run: string, message: string, options?: Omit<RunOptions, 'key'>): Promise<RunResult<Output>>
  /** Goes on with a run where it was left, such as one that waits for approval. */
  resume(run: string, options?: Omit<RunOptions, 'key'>): Promise<RunResult<Output>>
}

/**
 * Makes an agent: a loop in which a model thinks, calls tools and sees what they give, until it answers.
 *
 * @example
 * const agent = createAgent({ model: openAICompatible({ baseURL, model: 'qwen3:8b' }), tools: [readFile] })
 * const result = await agent.run('What does notes.md say?')
 * if (result.kind === 'answered') console.log(result.answer)
 */
export function createAgent<const Output extends JsonSchema | StandardSchema | undefined = undefined>(
  options: AgentOptions<Output>,
): Agent<OutputOf<Output>> {
  const settings = settingsOf(options)
  const setup = setupOf(settings)
  const first = settings.options.mode ?? 'auto'

  const start = async (task: string, given: RunOptions = {}): Promise<RunResult<OutputOf<Output>>> => {
    if (typeof task !== 'string' || task.trim() === '') {
      throw new AgentError('Give the agent a task: a text that says what to do.')
    }
    return runOf<OutputOf<Output>>(settings, given.key ?? randomUUID(), given, async (context) => {
      const { state, tell } = context
      const taskHash = hashOf(task)
      if (state.run !== '') {
        if (state.taskHash === taskHash) return resumed(context)
        throw new AgentError(
          `The key ${context.run} is that of another task: take another key, or go on with agent.continue.`,
        )
      }
      const mode = first === 'auto' ? 'native' : first
      const run = context.run
      const model = settings.model.modelId
      await tell({ kind: 'run-start', run, task, taskHash, mode, model, setup, at: Date.now() })
      if (first === 'auto') await findMode(context)
    })
  }

  /** What is said when a run is gone on with, unless it has its answer. */
  const resumed = async (context: RunContext): Promise<void> => {
    const { state, tell } = context
    if (state.answer !== undefined) return
    await tell({ kind: 'run-resume', model: settings.model.modelId, at: Date.now() })
    // Before the first reply nothing is known yet: the server may not even have been there.
    if (first === 'auto' && state.turns === 0) await findMode(context)
    if (first !== 'auto' && first !== state.mode) {
      await tell({ kind: 'mode-change', mode: first, reason: 'the agent is set up for it' })
    }
    const changes = changesIn(state.setup, setup)
    if (changes.length > 0) await tell({ kind: 'setup-change', setup, changes })
  }

  const goOn = (run: string, given: RunOptions, message?: string): Promise<RunResult<OutputOf<Output>>> =>
    runOf<OutputOf<Output>>(settings, run, given, async (context) => {
      if (context.state.run === '') {
        throw new AgentError(`There is no run ${run}: check the id, and that the recorder is the same.`)
      }
      if (message !== undefined) await context.tell({ kind: 'message', text: message })
      await resumed(context)
    })

  return {
    run: start,
    stream: (task, given = {}) => new RunStream((onEvent) => start(task, { ...given, onEvent })),
    continue: async (run, message, given = {}) => goOn(run, given, message),
    resume: async (run, given = {}) => goOn(run, given),
  }
}

/** The time of a run is up. */
class OutOfTime extends Error {}

/** Takes a run, works on it, and says how it ended, whatever happens. */
async function runOf<Output>(
  settings: Settings,
  run: string,
  options: RunOptions,
  begin: (context: RunContext) => Promise<void>,
): Promise<RunResult<Output>> {
  const { recorder } = settings
  const state = stateOf(await recorder.take(run))
  try {
    return await worked<Output>(settings, run, state, options, begin)
  } finally {
    await recorder.release(run)
  }
}

async function worked<Output>(
  settings: Settings,
  run: string,
  state: RunState,
  { signal, onEvent }: RunOptions,
  begin: (context: RunContext) => Promise<void>,
): Promise<RunResult<Output>> {
  const startedAt = performance.now()
  const stop = new AbortController()
  const abort = (): void => stop.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  const { seconds } = settings.limits
  const left = seconds === undefined ? undefined : Math.max(0, seconds - state.seconds) * 1_000
  const callOff = after(left ?? Number.POSITIVE_INFINITY, () => stop.abort(new OutOfTime()))
  let broken: { readonly error: unknown } | undefined
  const tell = async (event: RunEvent): Promise<void> => {
    if (isRecorded(event)) {
      const saved = settings.recorder.append(run, event)
      if (saved) await saved
      apply(state, event)
    }
    try {
      onEvent?.(event)
    } catch (error) {
      broken ??= { error }
      stop.abort(error)
    }
  }
  const context: RunContext = { settings, run, state, signal: stop.signal, tell, wantsDeltas: onEvent !== undefined }
  let end: End & { readonly error?: unknown }
  try {
    await begin(context)
    end = await work(context)
  } catch (error) {
    if (AgentError.isInstance(error)) throw error
    end = endOf(error, settings, stop.signal)
  } finally {
    signal?.removeEventListener('abort', abort)
    callOff()
  }
  if (state.end === undefined) end = await ended(end, tell)
  // A listener that throws is a mistake of the program, and not of the run.
  if (broken) throw broken.error
  const prices = settings.options.prices
  return resultOf<Output>(end, state, { seconds: (performance.now() - startedAt) / 1_000, prices })
}

/** Tells the end. When even that cannot be recorded, the run has failed for that reason, unless it had before. */
async function ended(
  end: End & { readonly error?: unknown },
  tell: RunContext['tell'],
): Promise<End & { readonly error?: unknown }> {
  const { kind, message, answer } = end
  try {
    await tell({ kind: 'run-end', end: kind, message, ...(answer === undefined ? {} : { answer }), at: Date.now() })
    return end
  } catch (error) {
    return kind === 'failed' ? end : { kind: 'failed', message: messageOf(error), error }
  }
}

/** How a run ends that something was thrown in. */
function endOf(error: unknown, { limits }: Settings, signal: AbortSignal): End & { readonly error?: unknown } {
  if (signal.aborted && signal.reason instanceof OutOfTime) {
    return { kind: 'out-of-budget', message: `The run took longer than limits.seconds, which is ${limits.seconds}.` }
  }
  if (signal.aborted) return { kind: 'aborted', message: 'The run was aborted.', error }
  if (ModelTimeout.isInstance(error)) return { kind: 'timed-out', message: error.message, error }
  return { kind: 'failed', message: messageOf(error), error }
}
