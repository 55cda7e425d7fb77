import type { RunEvent } from '../agent/index.ts'
import { type Paint, visible } from './terminal.ts'

/** So much of a text is shown on its line; `--verbose` shows all. */
const BRIEF = 160

/** The lines that tell of an event, in a terminal. None for those that say nothing new. */
export function linesOf(event: RunEvent, paint: Paint, isVerbose: boolean): string[] {
  if (isVerbose) {
    const whole = exchangeOf(event, paint)
    if (whole) return whole
  }
  switch (event.kind) {
    case 'step-start': {
      const temperature = event.temperature === undefined ? '' : `, temperature ${event.temperature}`
      return [paint.dim(`step ${event.step} (${event.mode}${temperature})`)]
    }
    case 'message':
      return [`${paint.bold('message')} ${brief(event.text)}`]
    case 'setup-change':
      return [paint.yellow(`the run goes on with another setup: ${event.changes.map(visible).join(', ')}`)]
    case 'mode-probe':
      return [
        paint.dim(
          `the model was asked whether it can be talked with in the mode ${event.mode}: ${event.works ? 'yes' : 'no'}`,
        ),
      ]
    case 'mode-change':
      return [paint.dim(`mode ${event.mode}: ${event.reason}`)]
    case 'model-retry':
      return [paint.yellow(`asked again in ${event.wait / 1_000} s: ${brief(event.reason)}`)]
    case 'setting-refused':
      return [paint.dim(`the model takes no ${event.setting}`)]
    case 'observations-shrink':
      return [paint.dim(`${event.count} old observations were shortened by ${event.characters} characters`)]
    case 'call-repaired':
      return [
        paint.yellow(`repaired ${event.call.name}: ${[...new Set(event.repairs.map(({ code }) => code))].join(', ')}`),
      ]
    case 'call-refused':
      return [paint.red(`refused ${event.name ?? 'a call'}: ${event.problems.map(({ code }) => code).join(', ')}`)]
    case 'call-repeat':
      return [
        paint.yellow(
          `${event.call.name} was called the same way ${event.times} times${event.isBlocked ? ', and not run' : ''}`,
        ),
      ]
    case 'tool-start':
      return [`${paint.bold(event.call.name)} ${brief(JSON.stringify(event.call.arguments))}`]
    case 'tool-end': {
      const { name, arguments: given } = event.call
      const call = `${paint.bold(name)} ${brief(JSON.stringify(given))}`
      if (event.outcome === 'not-run') return [call, `  ${paint.yellow('not run:')} ${brief(event.observation)}`]
      return [`  ${event.outcome === 'ok' ? paint.green('→') : paint.red('→')} ${brief(event.observation)}`]
    }
    case 'feedback':
      return [paint.yellow(`told the model: ${brief(event.text)}`)]
    case 'answer-forced':
      return [paint.yellow(`the answer is asked for, because ${event.reason}`)]
    default:
      return []
  }
}

/** Requests, replies and observations in full. */
function exchangeOf(event: RunEvent, paint: Paint): string[] | undefined {
  if (event.kind === 'request') {
    const { prompt, tools, responseFormat, stopSequences } = event.request
    const messages = prompt.flatMap(({ role, content }) => [
      paint.bold(`> ${role}`),
      ...wholeLines(typeof content === 'string' ? content : content.map(partText).join('\n')),
    ])
    const beside = { tools: tools?.map(({ name }) => name), responseFormat: responseFormat?.type, stopSequences }
    return [...messages, paint.dim(`> ${JSON.stringify(beside)}`)]
  }
  if (event.kind === 'reply') {
    const { finish, usage, parts } = event
    const written = parts.flatMap((part) =>
      wholeLines(part.kind === 'call' ? `[call] ${part.name} ${part.arguments}` : `[${part.kind}] ${part.text}`),
    )
    return [
      ...written.map((line) => paint.green(line)),
      paint.dim(`< ${finish}, ${usage.input} tokens in, ${usage.output} out`),
    ]
  }
  if (event.kind === 'feedback') return wholeLines(event.text).map((line) => paint.yellow(line))
  if (event.kind === 'tool-end') return wholeLines(event.observation)
  return undefined
}

const wholeLines = (text: string): string[] => text.split('\n').map((line) => `  ${visible(line)}`)

function partText(part: { readonly type: string }): string {
  return 'text' in part && typeof part.text === 'string' ? part.text : JSON.stringify(part)
}

/** The start of a text, on one line. */
export function brief(text: string, most = BRIEF): string {
  const line = visible(text.trim().replaceAll('\n', ' ⏎ '))
  return line.length > most ? `${line.slice(0, most)}…` : line
}
