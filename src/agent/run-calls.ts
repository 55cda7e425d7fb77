import { createHash } from 'node:crypto'
import { messageOf, ToolRetry } from '../tools/errors.ts'
import { REDACTED } from '../tools/redact.ts'
import type { RunnableTool } from '../tools/tool.ts'
import type { RunContext } from './context.ts'
import type { RunCall } from './events.ts'
import { repeats, signatureOf } from './loop-guard.ts'
import { cutFor, type Observed, observed } from './observe.ts'
import type { ApprovalAnswer } from './settings.ts'

/**
 * Runs the calls of a reply that have no result yet: those of pure tools side by side, others in their order. Says
 * `paused` when somebody will answer later whether one may run.
 */
export async function runCalls(context: RunContext): Promise<'done' | 'paused'> {
  const { pending } = context.state
  const calls = pending?.calls.filter(({ id }) => !pending.observations.has(id)) ?? []
  for (const group of groupsOf(calls, context)) {
    const answers = await Promise.all(group.map((call) => runCall(call, context)))
    if (answers.includes('paused')) return 'paused'
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
  const { settings, state, tell } = context
  const tool = settings.tools.get(call.name)
  if (!tool) {
    await notRun(call, context, `There is no tool ${call.name} any more.`)
    return 'done'
  }
  if (JSON.stringify(call.arguments).includes(REDACTED)) {
    await notRun(
      call,
      context,
      `Send ${call.name} again with all it needs: its arguments held a secret, which the record does not keep.`,
    )
    return 'done'
  }
  if (state.pending?.started.has(call.id)) return interrupted(call, tool, context)
  const times = tool.poll ? 0 : state.guard.timesOf(signatureOf(call))
  if (times >= repeats.noted) await tell({ kind: 'call-repeat', call, times, isBlocked: times >= repeats.blocked })
  if (times >= repeats.blocked) {
    await notRun(call, context, blocked(call, times))
    return 'done'
  }
  const reason = await settings.options.beforeCall?.(call)
  if (reason !== undefined) {
    await notRun(call, context, reason)
    return 'done'
  }
  const answer = await approval(call, tool, context)
  if (answer === 'later') return 'paused'
  if (answer !== 'yes') {
    await notRun(call, context, answer)
    return 'done'
  }
  await perform(call, tool, context, times === repeats.noted ? repeated(call) : '')
  return 'done'
}

/** A call that was begun in another process, and never heard of again: its tool's kind says what it may mean. */
async function interrupted(call: RunCall, tool: RunnableTool, context: RunContext): Promise<'done' | 'paused'> {
  const { settings, state } = context
  const notes = state.pending?.notes.get(call.id) ?? []
  const found = tool.kind === 'verifiable' ? await tool.verify?.(call.arguments, notes) : undefined
  if (tool.kind === 'pure' || tool.kind === 'idempotent' || found === 'not-done') {
    await perform(call, tool, context, '')
    return 'done'
  }
  if (found === undefined && settings.options.unknownOutcome === 'pause') return 'paused'
  const [outcome, text] = found === 'done' ? (['ok', wasDone(call)] as const) : (['unknown', unclear(call)] as const)
  await context.tell({ kind: 'tool-end', call, outcome, result: text, observation: text, seconds: 0 })
  return 'done'
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
  const replaced = await settings.options.afterCall?.(call, { outcome, result: seen.result })
  const shown = replaced === undefined ? seen.observation : cutFor(replaced, tool)
  const texts = [shown, state.notes.get(call.id) ?? '', note]
  const observation = texts.filter((text) => text !== '').join('\n')
  const files = seen.files.length > 0 ? { files: seen.files } : {}
  await tell({ kind: 'tool-end', call, outcome, result: seen.result, observation, ...files, seconds })
}

const repeated = ({ name }: RunCall): string =>
  `[note: you have made this very call of ${name} before; do not make it a third time]`

const blocked = ({ name }: RunCall, times: number): string =>
  `Do something else, or answer with what you know: this very call of ${name} was made ${times} times, and its result stands above. It was not run again.`

/** A call that is not run has a result all the same: the reason, in words for the model. */
async function notRun(call: RunCall, { tell }: RunContext, reason: string): Promise<void> {
  await tell({ kind: 'tool-end', call, outcome: 'not-run', result: reason, observation: reason, seconds: 0 })
}

/** `yes`, `later`, or why not in words for the model. */
async function approval(call: RunCall, tool: RunnableTool, { settings, state, tell }: RunContext): Promise<string> {
  if (!tool.needsApproval(call.arguments) || state.allowed.has(call.name)) return 'yes'
  const { approve } = settings.options
  if (!approve) {
    return `Go on without ${call.name}, and say in the answer what you would have done with it: nobody is here to approve its calls.`
  }
  const hash = createHash('sha256').update(signatureOf(call)).digest('hex')
  const preview = tool.preview ? { preview: await tool.preview(call.arguments) } : {}
  await tell({ kind: 'approval-ask', call, hash, ...preview })
  const answer: ApprovalAnswer = await approve({ run: state.run, call, hash, ...preview })
  await tell({ kind: 'approval-answer', call, hash, answer })
  if (answer === 'yes' || answer === 'always') return 'yes'
  return answer === 'later'
    ? 'later'
    : `Do it another way, or ask why: the person did not allow this call of ${call.name}.`
}

async function outcomeOf(
  call: RunCall,
  tool: RunnableTool,
  key: string,
  { state, signal, tell }: RunContext,
): Promise<Observed & { readonly outcome: 'ok' | 'error' }> {
  const stop = new AbortController()
  const abort = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => stop.abort(new TimeIsUp()), tool.timeout)
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true })
  })
  try {
    const given = tool.run(call.arguments, {
      run: state.run,
      call: call.id,
      key,
      signal: stop.signal,
      record: (note) => tell({ kind: 'tool-note', call: call.id, note }),
    })
    return { outcome: 'ok', ...observed(await Promise.race([given, stopped]), tool) }
  } catch (error) {
    signal.throwIfAborted()
    return { outcome: 'error', ...observed(failure(error, tool), tool) }
  } finally {
    signal.removeEventListener('abort', abort)
    clearTimeout(timer)
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
