import { AgentError } from '../tools/errors.ts'
import type { RunEvent } from './events.ts'
import type { RunResult } from './result.ts'

/** What happens in a run, as it happens, and what it came to. What was read of it is not kept. */
export class RunStream<Output> implements AsyncIterable<RunEvent> {
  /** How the run ended. */
  readonly result: Promise<RunResult<Output>>
  private events: RunEvent[] = []
  private wake: (() => void) | undefined
  private hasEnded = false
  private isRead = false

  constructor(start: (onEvent: (event: RunEvent) => void) => Promise<RunResult<Output>>) {
    this.result = start((event) => {
      this.events.push(event)
      this.wake?.()
    }).finally(() => {
      this.hasEnded = true
      this.wake?.()
    })
    // Whoever reads the events sees the error there; whoever reads the result, here.
    this.result.catch(() => undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void> {
    if (this.isRead) throw new AgentError('The events of a run are read once: keep those that you need.')
    this.isRead = true
    for (;;) {
      const events = this.events
      this.events = []
      yield* events
      if (this.events.length > 0) continue
      if (this.hasEnded) break
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
    await this.result
  }
}
