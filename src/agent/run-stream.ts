import type { RunEvent } from './events.ts'
import type { RunResult } from './result.ts'

/** What happens in a run, as it happens, and what it came to. */
export class RunStream<Output> implements AsyncIterable<RunEvent> {
  /** How the run ended. */
  readonly result: Promise<RunResult<Output>>
  private readonly events: RunEvent[] = []
  private wake: (() => void) | undefined
  private hasEnded = false

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
    for (let told = 0; ; told++) {
      while (told >= this.events.length) {
        if (this.hasEnded) {
          await this.result
          return
        }
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
      }
      const event = this.events[told]
      if (event) yield event
    }
  }
}
