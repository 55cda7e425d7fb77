import type { JsonValue } from '../types.ts'

/**
 * Keeps what happens in runs, in its order. Whoever is about to do something says so first and waits for the answer:
 * what is not recorded is not done.
 */
export interface Recorder<Event extends { readonly kind: string } = { readonly kind: string }> {
  /** Resolves when the event is safe. Rejects when it is not, and then nothing more may be done. */
  append(run: string, event: Event): void | Promise<void>
  /** All events of a run; `undefined` when there is none of that id. */
  load(run: string): readonly Event[] | undefined | Promise<readonly Event[] | undefined>
}

/**
 * A recorder that forgets with the process.
 *
 * @example
 * const recorder = memoryRecorder()
 * const agent = createAgent({ model, tools, recorder })
 */
export function memoryRecorder<Event extends { readonly kind: string }>(): Recorder<Event> {
  const runs = new Map<string, Event[]>()
  return {
    append(run, event) {
      const events = runs.get(run)
      if (events) events.push(event)
      else runs.set(run, [event])
    },
    load: (run) => runs.get(run),
  }
}

/** By what a tool says more of a call than its result: a file's hash before it is written, a request's id. */
export type Record = (note: JsonValue) => Promise<void>
