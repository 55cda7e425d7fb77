import type { Repair, RunEvent } from '../../index.ts'
import type { StrictReading, Turn, TurnCall, TurnRefusal } from './scene.ts'

/** What happened in a run, reply by reply. */
export function turnsOf(events: readonly RunEvent[], strict: readonly StrictReading[]): Turn[] {
  const turns: Turn[] = []
  for (const stretch of stretchesOf(events)) turns.push(turnOf(stretch, strict[turns.length] ?? { kind: 'read' }))
  return turns
}

/** The events from each start of a step to the next. */
function stretchesOf(events: readonly RunEvent[]): RunEvent[][] {
  const stretches: RunEvent[][] = []
  for (const event of events) {
    if (event.kind === 'step-start') stretches.push([event])
    else stretches.at(-1)?.push(event)
  }
  return stretches
}

function turnOf(events: readonly RunEvent[], strict: StrictReading): Turn {
  const repaired = new Map<string, { readonly dialect: string; readonly repairs: readonly Repair[] }>()
  const calls: TurnCall[] = []
  const refused: TurnRefusal[] = []
  let turn: Turn = { step: 0, temperature: undefined, parts: [], calls, refused, strict }
  for (const event of events) {
    switch (event.kind) {
      case 'step-start':
        turn = { ...turn, step: event.step, temperature: event.temperature }
        break
      case 'reply':
        turn = { ...turn, parts: event.parts }
        break
      case 'call-repaired':
        repaired.set(event.call.id, event)
        break
      case 'call-refused':
        refused.push(event)
        break
      case 'reply-read':
        if (event.thought !== undefined) turn = { ...turn, thought: event.thought }
        break
      case 'tool-end': {
        const { call, outcome, observation } = event
        const { dialect, repairs } = repaired.get(call.id) ?? { dialect: '', repairs: [] }
        calls.push({ call, outcome, observation, dialect, repairs })
        break
      }
      case 'run-end':
        if (event.answer !== undefined) turn = { ...turn, answer: event.answer }
    }
  }
  return turn
}
