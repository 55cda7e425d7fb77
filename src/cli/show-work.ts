import type { RunEvent, RunResult } from '../agent/index.ts'
import { cleaned, type Redact } from '../tools/redact.ts'

import { shellWord } from './shell-line.ts'
import { counted, secondsText } from './show-quantity.ts'
import { linesOf } from './show-run.ts'
import { paintFor, visible } from './terminal.ts'

interface ScreenOptions {
  readonly json: boolean
  readonly verbose: boolean
  readonly redact: Redact
  /** What names the run in other commands: its id, and the ledger where that is needed. None when nothing is kept. */
  readonly name: string | undefined
}

/** Where a person sees a run at work: the answer on standard output, everything else on standard error. */
export interface Screen {
  readonly tell: (event: RunEvent) => void
  /** How the run ended. */
  readonly end: (result: RunResult<unknown>) => void
}

/** The name of a run in a command. */
export const nameOf = (run: string, flag: string): string => `${shellWord(run)}${flag}`

/** Whether a run came to an answer. */
export const isAnswered = ({ kind }: { readonly kind: string }): boolean =>
  kind === 'answered' || kind === 'answered-at-limit'

/** Pieces of a reply can be cut in the middle of a secret; the whole reply follows. */
const isPiece = ({ kind }: RunEvent): boolean => kind === 'text-delta' || kind === 'thought-delta'

export function screenFor({ json, verbose, redact, name }: ScreenOptions): Screen {
  const paint = paintFor(process.stderr)
  const write = (line: string): unknown => process.stderr.write(`${line}\n`)
  let hasBegun = false
  return {
    tell(event) {
      if (isPiece(event)) return
      const clean = cleaned(event, redact)
      if (json) {
        write(JSON.stringify(clean))
        return
      }
      if (!hasBegun && name !== undefined) write(`  ${paint.bold('run')} ${name}`)
      hasBegun = true
      for (const line of linesOf(clean, paint, verbose)) write(`  ${line}`)
    },
    end(given) {
      const result = cleaned(given, redact)
      if (json) {
        process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
        return
      }
      if (result.answer !== undefined) process.stdout.write(`${shownAnswer(result.answer)}\n`)
      if (result.kind !== 'answered')
        write(`\n${inCommands(`${result.kind}: ${result.message}\n${result.next}`, name)}`)
      if (name === undefined) return
      const { input, output } = result.usage
      const spent = [counted(result.steps, 'step'), counted(input + output, 'token'), secondsText(result.seconds)]
      const look = `callwright show ${name}`
      write(isAnswered(result) ? paint.dim(`  ${spent.join(', ')}. Look at it: ${look}`) : remedy(look, name))
    },
  }
}

const remedy = (look: string, name: string): string =>
  `Look at it:    ${look}\nGo on with it: callwright resume ${name}`

/** What an agent's words say of its functions, said of commands. */
function inCommands(text: string, name: string | undefined): string {
  if (name === undefined) return visibleLines(text)
  return visibleLines(text)
    .replaceAll('agent.continue(run, message)', `callwright resume ${name} --message TEXT`)
    .replaceAll('agent.resume(run)', `callwright resume ${name}`)
}

const shownAnswer = (answer: string): string => (process.stdout.isTTY ? visibleLines(answer) : answer)

const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** The first interrupt ends the work in good order, the second one at once. */
export async function interruptibly<Result>(use: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort(new Error('interrupted'))
  process.once('SIGINT', interrupt)
  try {
    return await use(stop.signal)
  } finally {
    process.removeListener('SIGINT', interrupt)
  }
}
