import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { drawScene } from './demo/draw-scene.ts'
import { drawTable, type Played } from './demo/draw-table.ts'
import { drawKilled, killedProofs, runKilled } from './demo/killed.ts'
import { wrapped } from './demo/layout.ts'
import { runScene } from './demo/run-scene.ts'
import type { Scene } from './demo/scene.ts'
import { scenes } from './demo/scenes/index.ts'
import { drawTour } from './demo/tour.ts'
import { paintFor } from './terminal.ts'

export const summary = 'the agent at work in six short scenes'

export const help = `callwright demo [--fast] [--tour]

The agent at work in six short scenes: five with replies of the kinds that broke real agents: what the model wrote, what a
strict reader makes of it, the call that was meant, the repairs by name, the result; and one in which its process is
killed in the middle, and another goes on. The agent is the real one and talks HTTP; the model is a script on a server of this machine, so that it needs no model, no key and no network.

  --fast   without the pauses that it makes on a terminal
  --tour   ten broken argument strings instead, one after the other

Exit code: 0 every scene came out as it must, 1 one did not, 2 the command was not understood.
`

/** Where the demo is shown, and what, so that tests can give it another world. */
export interface Stage {
  readonly out: { readonly write: (text: string) => unknown; readonly isTTY?: boolean; readonly columns?: number }
  readonly scenes: readonly Scene[]
  readonly pause: (milliseconds: number) => Promise<unknown>
}

const WIDEST = 100
/** Narrower than this, nothing can be aligned. */
const NARROWEST = 60
/** Milliseconds behind a part of a scene, and behind the end of a scene. */
const BEAT = 100
const REST = 400

/** `callwright demo`: plays the scenes, and returns the exit code. */
export async function run(words: readonly string[], given: Partial<Stage> = {}): Promise<number> {
  const { values } = parseArgs({ args: [...words], options: { fast: { type: 'boolean' }, tour: { type: 'boolean' } } })
  const { out = process.stdout, pause = sleep } = given
  const paint = paintFor(out)
  const width = Math.max(NARROWEST, Math.min(out.columns ?? WIDEST, WIDEST))
  const isSlow = out.isTTY === true && !values.fast
  const show = async (lines: readonly string[], wait: number): Promise<void> => {
    out.write(`${lines.join('\n')}\n`)
    if (isSlow && wait > 0) await pause(wait)
  }
  if (values.tour) {
    for (const part of drawTour(paint, width)) await show(part, 0)
    return 0
  }
  await show(['', ...wrapped(opening, width - 4).map((line) => `    ${line}`), ''], REST)
  const played: Played[] = []
  for (const [index, scene] of (given.scenes ?? scenes()).entries()) {
    const sceneRun = await runScene(scene)
    const end = { says: 'The run ended with an answer.', holds: sceneRun.result.kind === 'answered' }
    const proofs = [...(end.holds ? [] : [end]), ...scene.proofs(sceneRun)]
    for (const part of drawScene(sceneRun, index + 1, proofs, paint, width)) await show(part, BEAT)
    played.push({ run: sceneRun, isRight: proofs.every(({ holds }) => holds) })
    await show([''], REST)
  }
  const killed = given.scenes ? undefined : await runKilled()
  if (killed) {
    for (const part of drawKilled(killed, played.length + 1, paint, width)) await show(part, BEAT)
    await show([''], REST)
  }
  await show(drawTable(played, paint), REST)
  const ends = [
    ...played.map(({ isRight, run: { scene } }) => ({ isRight, title: scene.title })),
    ...(killed
      ? [{ isRight: killedProofs(killed).every(({ holds }) => holds), title: 'The process that was killed' }]
      : []),
  ]
  const wrong = ends.filter(({ isRight }) => !isRight).map(({ title }) => title)
  const count = `${ends.length - wrong.length} of ${ends.length} scenes came out as they must.`
  await show(['', `    ${wrong.length === 0 ? paint.green(count) : paint.red(count)}`], 0)
  if (wrong.length > 0) await show([`    Not so: ${wrong.join(', ')}.`], 0)
  await show([`    ${paint.dim('Your own replies: npx callwright read --help')}`, ''], 0)
  return wrong.length === 0 ? 0 : 1
}

const opening =
  'Five scenes with replies of the kinds that broke real agents, and one in which the process is killed. The agent is the real one and talks HTTP; the model is a script on a server of this machine. Under each broken reply stands what a strict reader makes of it: JSON.parse, the schema, and nothing else.'
