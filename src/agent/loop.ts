import { outputOf } from './answer.ts'
import { askModel } from './ask-model.ts'
import type { RunContext } from './context.ts'
import type { End } from './ends.ts'
import type { Advice, EventOf } from './events.ts'
import { follow } from './follow.ts'
import { repeats } from './loop-guard.ts'
import { modes } from './modes/index.ts'
import { finalRequest } from './modes/json.ts'
import type { Conversation } from './modes/mode.ts'
import { changeMode } from './probe.ts'
import { moneyOf } from './result.ts'
import { runCalls } from './run-calls.ts'
import { shrunk } from './transcript.ts'

const STEP = 0.2
const HOTTEST = 1.5
/** So many replies in a row that cannot be read, and so many errors of tools, are enough. */
const MOST_UNREADABLE = 3
const MOST_ERRORS = 8

/**
 * Works on a run until it ends: think, pick, call, see, repeat. What is next follows from the state alone, so that a run
 * that was stopped anywhere goes on there.
 */
export async function work(context: RunContext): Promise<End> {
  const { state } = context
  for (;;) {
    let end: End | undefined
    if (state.unread) await read(state.unread, context)
    else if (state.pending) end = await callsEnd(context)
    else if (state.advice) end = await adviceEnd(state.advice, context)
    else if (state.answer !== undefined) end = answerEnd(state.answer, context)
    else if (state.isOver) end = noAnswer(context)
    else end = await step(context)
    if (end) return end
  }
}

/** One turn of the model. */
async function step(context: RunContext): Promise<End | undefined> {
  const { settings, state, tell } = context
  const over = budgetEnd(context)
  if (over) return over
  const reason = settings.options.stopWhen?.(state)
  if (typeof reason === 'string')
    return { kind: 'paused', message: `The run was stopped by its stop condition: ${reason}` }
  const isFinal = state.steps >= settings.limits.steps
  if (isFinal && !state.isForced) {
    await tell({ kind: 'answer-forced', reason: `the limit of ${settings.limits.steps} steps was reached` })
  }
  const temperature = temperatureOf(context, isFinal)
  const { mode } = state
  const warmth = temperature === undefined ? {} : { temperature }
  const step = state.turns + 1
  await tell({ kind: 'step-start', step, mode, ...warmth })
  const conversation = await conversationOf(context)
  const request = isFinal ? finalRequest(conversation) : modes[mode].request(conversation)
  const start = performance.now()
  const { parts, finish, usage } = await askModel(context, request, temperature)
  const seconds = (performance.now() - start) / 1_000
  await tell({ kind: 'reply', step, parts, finish, usage, seconds })
  return undefined
}

/** Warmer with each reply that could not be read; cold for the last attempt. */
function temperatureOf({ settings, state }: RunContext, isFinal: boolean): number | undefined {
  if (settings.temperature === undefined || !state.takesTemperature) return undefined
  if (isFinal) return 0
  const raised = settings.temperature + STEP * state.unreadable
  return Math.round(Math.min(raised, Math.max(HOTTEST, settings.temperature)) * 100) / 100
}

/** What a request is made from; old observations are shortened when the context is nearly full. */
async function conversationOf({ settings, state, tell }: RunContext): Promise<Conversation> {
  const { entries, count, characters } = shrunk(state.entries, settings.context)
  if (count > 0) await tell({ kind: 'observations-shrink', count, characters })
  return {
    instructions: settings.instructions,
    tools: [...settings.tools.values()],
    entries,
    output: settings.output?.schema,
    nextStep: settings.options.nextStep ?? false,
  }
}

/** Reads the last reply, and tells what was found in it. */
async function read(reply: EventOf<'reply'>, context: RunContext): Promise<void> {
  const reading = follow(reply, context)
  for (const call of reading.calls) if (call.repairs.length > 0) await context.tell({ kind: 'call-repaired', ...call })
  for (const call of reading.refused) await context.tell({ kind: 'call-refused', ...call })
  await context.tell(reading)
}

/** Runs the calls of the last reply. */
async function callsEnd(context: RunContext): Promise<End | undefined> {
  if ((await runCalls(context)) === 'paused') {
    return {
      kind: 'paused',
      message: `A call waits: ${waiting(context)}.`,
    }
  }
  return stuckEnd(context)
}

/** Which call waits, and for what. */
function waiting({ state }: RunContext): string {
  const call = state.pending?.calls.find(({ id }) => !state.pending?.observations.has(id))
  const name = call?.name ?? ''
  return call && state.pending?.started.has(call.id)
    ? `nobody knows whether ${name} was done; look, and say so with agent.continue(run, message)`
    : `${name} needs approval; agent.resume(run) asks for it again`
}

/** Tells the model what to do better. After three replies in a row that cannot be read, there is another mode or the end. */
async function adviceEnd(advice: Advice, context: RunContext): Promise<End | undefined> {
  const { state, settings, tell } = context
  await tell({ kind: 'feedback', ...advice })
  const stuck = stuckEnd(context)
  if (stuck || state.unreadable < MOST_UNREADABLE) return stuck
  const isAuto = (settings.options.mode ?? 'auto') === 'auto' && settings.tools.size > 0
  if (isAuto && (await changeMode(context))) return undefined
  return {
    kind: 'unreadable',
    message: `${MOST_UNREADABLE} replies in a row could not be read. The last advice was: ${advice.text}`,
  }
}

/** The end of a run that gets nowhere. */
function stuckEnd({ state }: RunContext): End | undefined {
  if (state.guard.most >= repeats.ended) {
    return {
      kind: 'looping',
      message: `The model made the same call ${repeats.ended} times, although it was told not to.`,
    }
  }
  return state.errors >= MOST_ERRORS ? { kind: 'paused', message: `${state.errors} calls in a row failed.` } : undefined
}

function answerEnd(answer: string, { state, settings }: RunContext): End {
  const kind = state.isForced ? 'answered-at-limit' : 'answered'
  const how = state.isForced ? ' when it was made to, at the limit of its steps' : ''
  const output = settings.output ? { output: outputOf(state.output, settings.output) } : {}
  return { kind, message: `The model answered${how}.`, answer, ...output }
}

const noAnswer = ({ settings }: RunContext): End => ({
  kind: 'out-of-budget',
  message: `The limit of ${settings.limits.steps} steps was reached, and the model gave no answer when it was made to.`,
})

/** The budget that is used up, if one is. */
function budgetEnd({ settings, state }: RunContext): End | undefined {
  const { tokens, money } = settings.limits
  const { input, output } = state.usage
  const spent = moneyOf(state.usage, settings.options.prices)
  if (tokens !== undefined && input + output >= tokens) {
    return { kind: 'out-of-budget', message: `${input + output} tokens were used, and limits.tokens is ${tokens}.` }
  }
  if (money !== undefined && spent !== undefined && spent >= money) {
    return { kind: 'out-of-budget', message: `${spent} was spent, and limits.money is ${money}.` }
  }
  return undefined
}
