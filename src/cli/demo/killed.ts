import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLedger, type RunEvent, type RunResult } from '../../index.ts'
import { type Paint, widthOf } from '../terminal.ts'
import { invite, KEY, ledgerIn, sentIn } from './killed-task.ts'
import { labelled, roomIn, wrapped } from './layout.ts'
import type { Proof } from './scene.ts'

/** What the last scene showed: a process that was killed in the middle of a run, and another that went on. */
export interface Killed {
  readonly pid: number
  readonly signal: NodeJS.Signals | null
  /** What the killed process left in the ledger. */
  readonly left: readonly RunEvent[]
  /** What the other one did. */
  readonly after: readonly RunEvent[]
  readonly result: RunResult
  readonly sent: readonly string[]
}

/** Starts a process that kills itself in the middle of a run, and goes on with that run in this one. */
export async function runKilled(): Promise<Killed> {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-demo-'))
  try {
    const { pid, signal } = await killedIn(folder)
    const ledger = openLedger<RunEvent>(ledgerIn(folder), { readOnly: true })
    const left = ledger.load(KEY) ?? []
    ledger.close()
    const after: RunEvent[] = []
    const result = await invite(folder, { killsItself: false, onEvent: (event) => after.push(event) })
    return { pid, signal, left, after, result, sent: sentIn(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function killedIn(folder: string): Promise<{ pid: number; signal: NodeJS.Signals | null }> {
  const program = fileURLToPath(
    new URL(`./killed-process${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
  )
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (_, signal) => resolve({ pid: child.pid ?? 0, signal }))
  })
}

/** What the scene proves. */
export const killedProofs = ({ signal, result, sent }: Killed): Proof[] => [
  { says: 'The process was killed by SIGKILL: it could clean up nothing.', holds: signal === 'SIGKILL' },
  {
    says: `${sent.length} invitations went out, each once, and the answer came from another process.`,
    holds: sent.length === 3 && new Set(sent).size === 3 && result.answer !== undefined,
  },
]

/** The scene as a person sees it, part by part. */
export function drawKilled(killed: Killed, number: number, paint: Paint, width: number): string[][] {
  const room = roomIn(width)
  const head = ` ${number}  The process that was killed `
  const mode = ' native mode, with a ledger'
  const rule = '─'.repeat(Math.max(2, width - widthOf(head) - widthOf(mode)))
  const story = 'A run is a list of events in one file. Whoever opens the file goes on where the last process stopped.'
  const last = killed.left.at(-1)
  const begun =
    last?.kind === 'tool-start'
      ? `${last.call.name} ${JSON.stringify(last.call.arguments)} was begun, and has no result`
      : ''
  const proofs = killedProofs(killed)
  return [
    [`${paint.bold(head)}${paint.dim(rule + mode)}`, ...wrapped(story, width - 4).map((line) => `    ${line}`)],
    ['', ...labelled('first', paint.bold, stepsOf(killed.left, paint))],
    labelled('killed', paint.red, [`process ${killed.pid} by ${killed.signal}, between an effect and its record`]),
    labelled(
      'ledger',
      paint.dim,
      wrapped(`${killed.left.length} events are safe; the last one says that ${begun}.`, room),
    ),
    ['', ...labelled('second', paint.bold, stepsOf(killed.after, paint))],
    ['', ...labelled('sent', paint.dim, [killed.sent.join(', ')])],
    ...proofs.map(({ says, holds }, index) => [
      ...(index === 0 ? [''] : []),
      ...wrapped(says, width - 6).map(
        (line, at) => `    ${at > 0 ? ' ' : holds ? paint.green('✓') : paint.red('✗')} ${line}`,
      ),
    ]),
  ]
}

/** What happened, a line for each call and its end. */
function stepsOf(events: readonly RunEvent[], paint: Paint): string[] {
  return events.flatMap((event) => {
    if (event.kind === 'tool-start') return [`call    ${event.call.name} ${JSON.stringify(event.call.arguments)}`]
    if (event.kind === 'tool-end' && event.outcome === 'unknown')
      return [paint.yellow('told    its outcome is unknown: look whether it was done')]
    if (event.kind === 'tool-end') return [paint.dim(`result  ${event.observation}`)]
    return event.kind === 'run-end' && event.answer !== undefined ? [`answers ${event.answer}`] : []
  })
}
