import { createHash } from 'node:crypto'
import { AgentError, messageOf, ToolRetry } from '../tools/errors.ts'
import { REDACTED } from '../tools/redact.ts'
import type { RunnableTool } from '../tools/tool.ts'
import type { JsonValue } from '../types.ts'
import type { RunContext } from './context.ts'
import type { RunCall } from './events.ts'
import { repeats, signatureOf } from './loop-guard.ts'
import { cutFor, type Observed, observed } from './observe.ts'
import type { ApprovalAnswer } from './settings.ts'
import { after, unlessAborted } from './wait.ts'

/**
 * Runs the calls of a reply that have no result yet: those of pure tools side by side, others in their order. Says
 * `paused` when somebody will answer later whether one may run.
 */
export async function runCalls(context: RunContext): Promise<'done' | 'paused'> {
  const { pending } = context.state
  const calls = pending?.calls.filter(({ id }) => !pending.observations.has(id)) ?? []
  for (const group of groupsOf(calls, context)) {
    const ended = await Promise.allSettled(group.map((call) => runCall(call, context)))
    // Whatever one of them throws, the others have ended, and are recorded, before it is thrown.
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    if (ended.some((one) => one.status === 'fulfilled' && one.value === 'paused')) return 'paused'
  }
  return 'done'
}

/** Calls that may run at the same time stand together. */
function groupsOf(calls: readonly RunCall[], { settings }: RunContext): RunCall[][] {
  const groups: RunCall[][] = []
  let isOpen = false
  for (const call of calls) {
    const isPure = settings.tools.get(call.name)?.kind === 'pure'
    const last = groups.at(-1)
    if (isPure && isOpen && last) last.push(call)
    else groups.push([call])
    isOpen = isPure
  }
  return groups
}

async function runCall(call: RunCall, context: RunContext): Promise<'done' | 'paused'> {
  const { settings, state } = context
  const tool = settings.tools.get(call.name)
  if (JSON.stringify(call.arguments).includes(REDACTED)) {
    await notRun(call, context, secretGone(call))
    return 'done'
  }
  if (tool && state.pending?.started.has(call.id)) return interrupted(call, tool, context)
  const times = !tool || tool.poll ? 0 : state.guard.timesOf(signatureOf(call))
  const obstacle = tool ? await obstacleTo(call, tool, times, context) : `There is no tool ${call.name} any more.`
  if (obstacle === LATER) return 'paused'
  if (obstacle !== undefined || !tool) await notRun(call, context, obstacle ?? '')
  else await perform(call, tool, context, times === repeats.noted ? repeated(call) : '')
  return 'done'
}

const LATER = Symbol('somebody will say later')

/** Why a call is not to run, in words for the model. */
async function obstacleTo(
  call: RunCall,
  tool: RunnableTool,
  times: number,
  context: RunContext,
): Promise<string | typeof LATER | undefined> {
  const { settings, tell, signal } = context
  if (times >= repeats.noted) await tell({ kind: 'call-repeat', call, times, isBlocked: times >= repeats.blocked })
  if (times >= repeats.blocked) return blocked(call, times)
  const { beforeCall } = settings.options
  const reason = beforeCall && (await unlessAborted(signal, () => beforeCall(structuredClone(call))))
  return typeof reason === 'string' ? reason : approval(call, tool, context)
}

const secretGone = ({ name }: RunCall): string =>
  `Send ${name} again with all it needs: its arguments held a secret, which the record does not keep.`

/** A call that was begun in another process, and never heard of again: its tool's kind says what it may mean. */
async function interrupted(call: RunCall, tool: RunnableTool, context: RunContext): Promise<'done' | 'paused'> {
  const { settings, state } = context
  const notes = state.pending?.notes.get(call.id) ?? []
  const found = tool.kind === 'verifiable' ? await verified(call, tool, notes, context.signal) : undefined
  if (tool.kind === 'pure' || tool.kind === 'idempotent' || found === 'not-done') {
    await perform(call, tool, context, '')
    return 'done'
  }
  if (found === undefined && settings.options.unknownOutcome === 'pause') return 'paused'
  const [outcome, text] = found === 'done' ? (['ok', wasDone(call)] as const) : (['unknown', unclear(call)] as const)
  await context.tell({ kind: 'tool-end', call, outcome, result: text, observation: text, seconds: 0 })
  return 'done'
}

/** What a tool finds out of a call of its own; nothing where it cannot, or takes too long. */
async function verified(
  call: RunCall,
  tool: RunnableTool,
  notes: readonly JsonValue[],
  signal: AbortSignal,
): Promise<'done' | 'not-done' | 'conflict' | undefined> {
  const late = new AbortController()
  const callOff = after(tool.timeout, () => late.abort(new TimeIsUp()))
  try {
    return await unlessAborted(AbortSignal.any([signal, late.signal]), async () => tool.verify?.(call.arguments, notes))
  } catch {
    // What cannot be found out is unknown, whatever the reason; an abort of the run is told by the next line.
    signal.throwIfAborted()
    return undefined
  } finally {
    callOff()
  }
}

const wasDone = ({ name }: RunCall): string =>
  `${name} was done: the run was interrupted behind it, and that was found out.`

const unclear = ({ name }: RunCall): string =>
  `Look whether it was done before you call ${name} again: the run was interrupted while it was at work, and its outcome is unknown.`

/** Runs a call: says so first, and what came of it afterwards. */
async function perform(call: RunCall, tool: RunnableTool, context: RunContext, note: string): Promise<void> {
  const { settings, state, tell, signal } = context
  const key = `${state.run}/${call.id}`
  await tell({ kind: 'tool-start', call, key })
  signal.throwIfAborted()
  const start = performance.now()
  const { outcome, ...seen } = await outcomeOf(call, tool, key, context)
  const seconds = (performance.now() - start) / 1_000
  const end = async (shown: string): Promise<void> => {
    const texts = [shown, state.notes.get(call.id) ?? '', note]
    const observation = texts.filter((text) => text !== '').join('\n')
    const files = seen.files.length > 0 ? { files: seen.files } : {}
    await tell({ kind: 'tool-end', call, outcome, result: seen.result, observation, ...files, seconds })
  }
  const { afterCall } = settings.options
  try {
    const result = { outcome, result: seen.result }
    const replaced = afterCall && (await unlessAborted(signal, () => afterCall(structuredClone(call), result)))
    await end(typeof replaced === 'string' ? cutFor(replaced, tool) : seen.observation)
  } catch (error) {
    // What was done is recorded, whatever a hook throws.
    if (state.pending && !state.pending.observations.has(call.id)) await end(seen.observation)
    throw error
  }
}

const repeated = ({ name }: RunCall): string =>
  `[note: you have made this very call of ${name} before; do not make it a third time]`

const blocked = ({ name }: RunCall, times: number): string =>
  `Do something else, or answer with what you know: this very call of ${name} was made ${times} times, and its result stands above. It was not run again.`

/** A call that is not run has a result all the same: the reason, in words for the model. */
async function notRun(call: RunCall, { tell }: RunContext, reason: string): Promise<void> {
  await tell({ kind: 'tool-end', call, outcome: 'not-run', result: reason, observation: reason, seconds: 0 })
}

/** Nothing when a call may run, else why not in words for the model. */
async function approval(
  call: RunCall,
  tool: RunnableTool,
  { settings, state, tell, signal }: RunContext,
): Promise<string | typeof LATER | undefined> {
  let preview: { readonly preview?: string }
  try {
    if (!tool.needsApproval(call.arguments)) return undefined
    if (state.allowed.has(call.name) || state.approved.has(call.id)) return undefined
    const shown = tool.preview && (await unlessAborted(signal, async () => tool.preview?.(call.arguments)))
    preview = shown === undefined ? {} : { preview: shown }
  } catch (error) {
    signal.throwIfAborted()
    return `${call.name} failed before it ran: ${messageOf(error)}`
  }
  const { approve } = settings.options
  if (!approve) {
    return `Go on without ${call.name}, and say in the answer what you would have done with it: nobody is here to approve its calls.`
  }
  const hash = createHash('sha256').update(signatureOf(call)).digest('hex')
  await tell({ kind: 'approval-ask', call, hash, ...preview })
  const asked = { run: state.run, call: structuredClone(call), hash, ...preview, signal }
  const answer: ApprovalAnswer = await unlessAborted(signal, () => approve(asked))
  if (!answers.has(answer)) {
    throw new AgentError(`approve answers yes, no, always or later, and not ${String(answer)}.`)
  }
  await tell({ kind: 'approval-answer', call, hash, answer })
  if (answer === 'yes' || answer === 'always') return undefined
  if (answer === 'later') return LATER
  return `Do it another way, or ask why: the person did not allow this call of ${call.name}.`
}

const answers: ReadonlySet<unknown> = new Set(['yes', 'no', 'always', 'later'] satisfies ApprovalAnswer[])

async function outcomeOf(
  call: RunCall,
  tool: RunnableTool,
  key: string,
  { state, signal, tell }: RunContext,
): Promise<Observed & { readonly outcome: 'ok' | 'error' }> {
  const stop = new AbortController()
  const abort = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const callOff = after(tool.timeout, () => stop.abort(new TimeIsUp()))
  let isOver = false
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true })
  })
  try {
    const given = tool.run(call.arguments, {
      run: state.run,
      call: call.id,
      key,
      signal: stop.signal,
      record: async (note) => {
        if (isOver) throw new Error(`This call of ${call.name} is over: nothing more is recorded of it.`)
        await tell({ kind: 'tool-note', call: call.id, note })
      },
    })
    return { outcome: 'ok', ...observed(await Promise.race([given, stopped]), tool) }
  } catch (error) {
    signal.throwIfAborted()
    return { outcome: 'error', ...observed(failure(error, tool), tool) }
  } finally {
    signal.removeEventListener('abort', abort)
    isOver = true
    callOff()
  }
}

/** A tool's time is up. */
class TimeIsUp extends Error {}

function failure(error: unknown, { name, timeout, kind }: RunnableTool): string {
  if (ToolRetry.isInstance(error)) return error.message
  if (!(error instanceof TimeIsUp)) return `${name} failed: ${messageOf(error)}`
  const effect = kind === 'pure' ? '' : ' Look whether it was done before you call it again: its outcome is unknown.'
  return `${name} was given up after ${timeout / 1_000} s.${effect}`
}
