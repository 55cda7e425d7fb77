import type { RefusedCall } from '../types.ts'
import { valueProblems } from '../value/problems.ts'
import { fittedAnswer } from './answer.ts'
import type { ModelReply } from './ask.ts'
import { askModel } from './ask-model.ts'
import type { RunContext } from './context.ts'
import type { EndKind } from './ends.ts'
import type { FeedbackReason } from './events.ts'
import { repeats, signatureOf } from './loop-guard.ts'
import { modes } from './modes/index.ts'
import { finalRequest } from './modes/json.ts'
import type { Conversation, ModeRequest } from './modes/mode.ts'
import { changeMode } from './probe.ts'
import { isAnnouncement, type ReplyReading, readReply } from './read-reply.ts'
import { moneyOf } from './result.ts'
import { runCalls } from './run-calls.ts'
import { shrunk } from './transcript.ts'

/** How a run ended. */
export interface End {
  readonly kind: EndKind
  readonly message: string
  readonly answer?: string
  readonly output?: unknown
}

const STEP = 0.2
const HOTTEST = 1.5
/** So many replies in a row that cannot be read, and so many errors of tools, are enough. */
const MOST_UNREADABLE = 3
const MOST_ERRORS = 8

/** Works on a run until it ends: think, pick, call, see, repeat. */
export async function work(context: RunContext): Promise<End> {
  for (;;) {
    const end = context.state.pending ? await callsEnd(context) : await step(context)
    if (end) return end
  }
}

/** One turn of the model, and what follows from it. */
async function step(context: RunContext): Promise<End | undefined> {
  const { settings, state, tell } = context
  const over = budgetEnd(context)
  if (over) return over
  const reason = settings.options.stopWhen?.(state)
  if (reason !== undefined) return { kind: 'paused', message: `The run was stopped by its stop condition: ${reason}` }
  if (state.steps >= settings.limits.steps) return finalAttempt(context)
  const temperature = temperatureOf(context)
  const { mode } = state
  await tell({ kind: 'step-start', step: state.turns + 1, mode, ...(temperature === undefined ? {} : { temperature }) })
  const conversation = await conversationOf(context)
  const reading = await replyTo(context, modes[mode].request(conversation), temperature)
  return follow(reading, context)
}

function temperatureOf({ settings, state }: RunContext): number | undefined {
  if (settings.temperature === undefined || !state.takesTemperature) return undefined
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

/** Asks, records what came before anything is done with it, and reads it. */
async function replyTo(
  context: RunContext,
  request: ModeRequest,
  temperature: number | undefined,
): Promise<ReplyReading> {
  const { settings, state, tell } = context
  const start = performance.now()
  const reply = await askModel(context, request, temperature)
  const seconds = (performance.now() - start) / 1_000
  const { parts, finish, usage } = reply
  await tell({ kind: 'reply', step: state.turns, parts, finish, usage, seconds })
  return readAgain(reply, context, [...settings.tools.values()])
}

function readAgain(
  { parts, finish }: ModelReply,
  { settings, state }: RunContext,
  tools: Conversation['tools'],
): ReplyReading {
  const seen = state.entries.flatMap((entry) => (entry.kind === 'observation' ? [entry.observation.text] : []))
  return readReply(parts, finish, { tools, mode: modes[state.mode], step: state.turns, seen, rules: settings.rules })
}

/** What follows from a reply: its calls run, its answer ends the run, or the model is told what to do. */
async function follow(reading: ReplyReading, context: RunContext): Promise<End | undefined> {
  const { settings, state, tell } = context
  const { calls, refused, thought, text, signed } = reading
  for (const { repairs, dialect, ...call } of calls) {
    if (repairs.length > 0) await tell({ kind: 'call-repaired', call, dialect, repairs })
  }
  for (const { name, raw, problems } of refused) await tell({ kind: 'call-refused', name, raw, problems })
  await tell({
    kind: 'reply-read',
    ...(thought ? { thought } : {}),
    ...(text ? { text } : {}),
    ...(signed ? { signed } : {}),
    calls: calls.map(({ repairs, dialect, ...call }) => call),
    signatures: [
      ...calls.filter(({ name }) => !settings.tools.get(name)?.poll).map(signatureOf),
      ...refused.map(({ name, raw }) => `${name ?? ''} ${raw}`),
    ],
  })
  if (calls.length > 0) {
    const end = await callsEnd(context)
    if (end) return end
    return refused.length > 0 ? advise(context, 'refused', refusedText(refused)) : undefined
  }
  if (refused.length > 0) {
    const isReadable = refused.every(({ problems }) => problems.every(({ code }) => !(code in valueProblems)))
    return advise(context, isReadable ? 'refused' : 'unreadable', refusedText(refused))
  }
  return state.guard.most >= repeats.ended ? looping() : said(reading, context)
}

const refusedText = (refused: readonly RefusedCall[]): string =>
  refused
    .map(({ name, problems }) => {
      const messages = problems.map(({ message }) => message).join('\n')
      return `${messages}\nYour call${name === undefined ? '' : ` of ${name}`} was not run.`
    })
    .join('\n')

/** What follows from a reply without a call. */
async function said(reading: ReplyReading, context: RunContext): Promise<End | undefined> {
  const { answer, thought, text, isCut, isMarkedAnswer } = reading
  const { state, settings } = context
  const mode = modes[state.mode]
  const reminder = mode.reminder({
    tools: [...settings.tools.values()],
    nextStep: settings.options.nextStep ?? false,
  })
  if (isCut) {
    return advise(
      context,
      'cut',
      `${reminder}\nBe briefer, or do it in smaller parts: your last reply was cut off before its end.`,
    )
  }
  if (answer === undefined || answer.trim() === '') {
    if (thought !== undefined && text === '') {
      return advise(context, 'thought', `Go on. ${reminder}`, thought)
    }
    return advise(context, 'unreadable', `${reminder}\nYour last reply was none of this.`)
  }
  if (!isMarkedAnswer && settings.tools.size > 0 && !state.isNudged && isAnnouncement(answer)) {
    return advise(
      context,
      'announcement',
      `Do it now. ${reminder}\nYou said what you are going to do, and did not do it.`,
    )
  }
  return answeredWith(answer, 'answered', context)
}

async function answeredWith(
  answer: string,
  kind: 'answered' | 'answered-at-limit',
  context: RunContext,
): Promise<End | undefined> {
  const { output } = context.settings
  const message =
    kind === 'answered' ? 'The model answered.' : 'The model answered when it was made to, at the limit of its steps.'
  if (!output) return { kind, message, answer }
  const fitted = fittedAnswer(answer, output)
  if (fitted.kind === 'fitted') return { kind, message, answer, output: fitted.output }
  return advise(context, 'output', fitted.message)
}

/** Tells the model what to do better. After three replies in a row that cannot be read, there is another mode or the end. */
async function advise(
  context: RunContext,
  reason: FeedbackReason,
  text: string,
  thought?: string,
): Promise<End | undefined> {
  const { state, settings, tell } = context
  await tell({ kind: 'feedback', reason, text, ...(thought === undefined ? {} : { thought }) })
  if (state.errors >= MOST_ERRORS) return tooManyErrors(state.errors)
  if (state.guard.most >= repeats.ended) return looping()
  if (state.unreadable < MOST_UNREADABLE) return undefined
  const isAuto = (settings.options.mode ?? 'auto') === 'auto' && settings.tools.size > 0
  if (isAuto && (await changeMode(context))) return undefined
  return {
    kind: 'unreadable',
    message: `${MOST_UNREADABLE} replies in a row could not be read. The last advice was: ${text}`,
  }
}

/** Runs the calls of the last reply. */
async function callsEnd(context: RunContext): Promise<End | undefined> {
  const { state } = context
  if ((await runCalls(context)) === 'paused') {
    return {
      kind: 'paused',
      message: 'A call waits for approval. Go on with agent.resume(run) when somebody can give it.',
    }
  }
  if (state.guard.most >= repeats.ended) return looping()
  return state.errors >= MOST_ERRORS ? tooManyErrors(state.errors) : undefined
}

const looping = (): End => ({
  kind: 'looping',
  message: `The model made the same call ${repeats.ended} times, although it was told not to.`,
})

const tooManyErrors = (errors: number): End => ({
  kind: 'paused',
  message: `${errors} calls in a row failed.`,
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

/** The last chance to answer: no tools, no warmth. */
async function finalAttempt(context: RunContext): Promise<End> {
  const { settings, state, tell } = context
  await tell({ kind: 'answer-forced', reason: `the limit of ${settings.limits.steps} steps was reached` })
  const temperature = settings.temperature === undefined || !state.takesTemperature ? undefined : 0
  await tell({
    kind: 'step-start',
    step: state.turns + 1,
    mode: state.mode,
    ...(temperature === undefined ? {} : { temperature }),
  })
  const { answer, text } = await replyTo(context, finalRequest(await conversationOf(context)), temperature)
  const given = (answer ?? text).trim()
  const none: End = {
    kind: 'out-of-budget',
    message: `The limit of ${settings.limits.steps} steps was reached, and the model gave no answer when it was made to.`,
  }
  return given === '' ? none : ((await answeredWith(given, 'answered-at-limit', context)) ?? none)
}
