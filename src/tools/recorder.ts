import type { JsonValue } from '../types.ts'
import { CallwrightError } from './errors.ts'

/**
 * Keeps what happens in runs, in its order. Whoever is about to do something says so first and waits for the answer:
 * what is not recorded is not done.
 */
export interface Recorder<Event extends { readonly kind: string } = { readonly kind: string }> {
  /** Takes a run to work on it, and gives its events: none when it is new. Throws `RunBusy` while somebody else works on it. */
  take(run: string): readonly Event[] | Promise<readonly Event[]>
  /** Resolves when the event is safe. Rejects when it is not, and then nothing more may be done. */
  append(run: string, event: Event): void | Promise<void>
  /** Lets go of a run, so that somebody else may work on it. */
  release(run: string): void | Promise<void>
  /** All events of a run, to look at; `undefined` when there is none of that id. */
  load(run: string): readonly Event[] | undefined | Promise<readonly Event[] | undefined>
}

/** A run that somebody else is working on. */
export class RunBusy extends CallwrightError {
  readonly run: string

  constructor(run: string, who: string) {
    super('RunBusy', `Run ${run} is being worked on by ${who}: wait until that has ended, or end it.`)
    this.run = run
  }

  static override isInstance(value: unknown): value is RunBusy {
    return CallwrightError.isInstance(value) && value.name === 'RunBusy'
  }
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
  const taken = new Set<string>()
  return {
    take(run) {
      if (taken.has(run)) throw new RunBusy(run, 'this process')
      taken.add(run)
      return [...(runs.get(run) ?? [])]
    },
    append(run, event) {
      const events = runs.get(run)
      if (events) events.push(event)
      else runs.set(run, [event])
    },
    release: (run) => void taken.delete(run),
    load: (run) => runs.get(run),
  }
}

/** By what a tool says more of a call than its result: a file's hash before it is written, a request's id. */
export type Record = (note: JsonValue) => Promise<void>
