import { createInterface } from 'node:readline'
import type { ApprovalAnswer, ApprovalRequest } from '../agent/index.ts'
import type { Paint } from './terminal.ts'
import { visible } from './terminal.ts'

const answers: { readonly [word: string]: ApprovalAnswer } = {
  y: 'yes',
  yes: 'yes',
  n: 'no',
  no: 'no',
  '': 'no',
  a: 'always',
  always: 'always',
}

/** A terminal that somebody can answer on. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Asks on a terminal whether a call may run: yes, no, or always for its tool in this run. Calls are asked for one by one. */
export function askOn(terminal: Terminal, paint: Paint): (request: ApprovalRequest) => Promise<ApprovalAnswer> {
  let last: Promise<unknown> = Promise.resolve()
  return (request) => {
    const answer = last.then(() => ask(request, terminal, paint))
    last = answer.catch(() => undefined)
    return answer
  }
}

async function ask(
  { call, preview, signal }: ApprovalRequest,
  { input, output }: Terminal,
  paint: Paint,
): Promise<ApprovalAnswer> {
  const shown = [
    JSON.stringify(call.arguments, null, preview === undefined ? 2 : 0),
    ...(preview === undefined ? [] : [preview]),
  ].join('\n')
  const lines = shown.split('\n').map((line) => `    ${diffed(visible(line), paint)}`)
  output.write(`\n  ${paint.bold(`May ${call.name} run?`)}\n${lines.join('\n')}\n`)
  const reader = createInterface({ input, output, signal, prompt: '  [y]es, [n]o, [a]lways in this run: ' })
  reader.once('SIGINT', () => {
    process.emit('SIGINT')
    reader.close()
  })
  reader.prompt()
  try {
    for await (const line of reader) {
      const answer = answers[line.trim().toLowerCase()]
      if (answer) return answer
      reader.prompt()
    }
    return 'no'
  } finally {
    reader.close()
  }
}

function diffed(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint.green(line)
  return line.startsWith('-') ? paint.red(line) : line
}
