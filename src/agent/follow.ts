import { valueProblems } from '../value/problems.ts'
import { fittedAnswer } from './answer.ts'
import type { RunContext } from './context.ts'
import type { EventOf, ReadCall, RefusedRunCall } from './events.ts'
import { signatureOf } from './loop-guard.ts'
import { modes } from './modes/index.ts'
import { isAnnouncement, type ReplyReading, readReply } from './read-reply.ts'

/** What follows from a reply: calls that run, the answer, or what the model is told. It depends on nothing but the record. */
export function follow({ parts, finish }: EventOf<'reply'>, context: RunContext): EventOf<'reply-read'> {
  const { settings, state } = context
  const tools = [...settings.tools.values()]
  const mode = modes[state.mode]
  const reading = readReply(parts, finish, { tools, mode, step: state.turns, seen: state.seen, rules: settings.rules })
  const { thought, text, signed } = reading
  const refused = reading.refused.map(({ name, raw, problems }) => ({
    ...(name === undefined ? {} : { name }),
    raw,
    problems,
  }))
  const calls = reading.calls.map(({ repairs, dialect, ...call }) => ({ call, dialect, repairs }))
  return {
    kind: 'reply-read',
    ...(thought ? { thought } : {}),
    ...(text ? { text } : {}),
    ...(signed ? { signed } : {}),
    ...(state.isForced
      ? { calls: [], refused: [], signatures: [], ...forced(reading, context) }
      : { calls, refused, signatures: signaturesOf(calls, refused, context), ...meaning(reading, refused, context) }),
  }
}

const signaturesOf = (
  calls: readonly ReadCall[],
  refused: readonly RefusedRunCall[],
  { settings }: RunContext,
): string[] => [
  ...calls.flatMap(({ call }) => (settings.tools.get(call.name)?.poll ? [] : [signatureOf(call)])),
  ...refused.map(({ name, raw }) => `${name ?? ''} ${raw}`),
]

type Meaning = Pick<EventOf<'reply-read'>, 'answer' | 'output' | 'outputRepairs' | 'advice'>

/** In the last attempt nothing runs, and what is said is the answer, if it is one. */
function forced(reading: ReplyReading, context: RunContext): Meaning {
  const { answer, text, calls, refused, isCut, isMarkedAnswer } = reading
  const given = (answer ?? text).trim()
  const isNone =
    given === '' || isCut || calls.length + refused.length > 0 || (!isMarkedAnswer && isAnnouncement(given))
  return isNone ? {} : answered(given, reading, context)
}

function meaning(reading: ReplyReading, refused: readonly RefusedRunCall[], context: RunContext): Meaning {
  if (reading.isContradiction) {
    const text = 'Send a call, or the final answer, and not both: a call stood behind an answer, and nothing was run.'
    return { advice: { reason: 'refused', text } }
  }
  if (refused.length > 0) {
    const isReadable = refused.every(({ problems }) => problems.every(({ code }) => !(code in valueProblems)))
    const reason = isReadable || reading.calls.length > 0 ? 'refused' : 'unreadable'
    return { advice: { reason, text: refusedText(refused) } }
  }
  return reading.calls.length > 0 ? {} : said(reading, context)
}

const refusedText = (refused: readonly RefusedRunCall[]): string =>
  refused
    .map(({ name, problems }) => {
      const messages = problems.map(({ message }) => message).join('\n')
      return `${messages}\nYour call${name === undefined ? '' : ` of ${name}`} was not run.`
    })
    .join('\n')

/** What a reply without a call means. */
function said(reading: ReplyReading, context: RunContext): Meaning {
  const { answer = '', written, thought, text, isCut, isMarkedAnswer } = reading
  const { state, settings } = context
  const tools = [...settings.tools.values()]
  const reminder = modes[state.mode].reminder({ tools, nextStep: settings.options.nextStep ?? false })
  if (isCut) {
    const remedy = 'Be briefer, or do it in smaller parts: your last reply was cut off before its end.'
    return { advice: { reason: 'cut', text: `${reminder}\n${remedy}` } }
  }
  if (settings.output && written !== '') {
    const fitted = answered(answer === '' ? written : answer, reading, context)
    if (fitted.answer !== undefined) return fitted
  }
  if (answer.trim() === '') {
    if (thought !== undefined && text === '')
      return { advice: { reason: 'thought', text: `Go on. ${reminder}`, thought } }
    return { advice: { reason: 'unreadable', text: `${reminder}\nYour last reply was none of this.` } }
  }
  if (!isMarkedAnswer && tools.length > 0 && !state.isNudged && isAnnouncement(answer)) {
    const fault = 'You said what you are going to do, and did not do it.'
    return { advice: { reason: 'announcement', text: `Do it now. ${reminder}\n${fault}` } }
  }
  return answered(answer, reading, context)
}

function answered(answer: string, reading: ReplyReading, { settings }: RunContext): Meaning {
  if (!settings.output) return { answer }
  const fitted = fittedAnswer(reading.answer, reading.written, settings.output)
  if (fitted.kind === 'unfit') return { advice: { reason: 'output', text: fitted.message } }
  const repairs = fitted.repairs.length > 0 ? { outputRepairs: fitted.repairs } : {}
  return { answer, output: fitted.output, ...repairs }
}
