/** An event as a store keeps it: text, and what is needed to find it again. */
export interface StoredEvent {
  readonly sequence: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly kind: string
  /** JSON. */
  readonly body: string
}

/** What a list shows of a run without reading it. */
export interface RunRow {
  readonly run: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Who works on it, while somebody does. */
  readonly owner: string | undefined
  /** How it ended; `undefined` while it has not. */
  readonly end: string | undefined
  readonly task: string
  readonly model: string
  readonly events: number
  readonly bytes: number
  /** How it was started, for whoever goes on with it: JSON. */
  readonly settings: string | undefined
}

/** What a run is begun with, as far as a list shows it. */
export interface RunHead {
  readonly task: string
  readonly model: string
}

/** What is said of a run for lists; `end: null` says that it goes on. */
export type RunDescription = Partial<RunHead> & { readonly end?: string | null; readonly settings?: string }

/**
 * Where runs are kept. Append-only: an event, once there, is never changed, and each has its place. Whoever works on a run
 * takes it first and is given an epoch; with the epoch of an earlier taker nothing can be appended any more.
 *
 * Everything is safe on the disk when the call returns. `storeChecks` of `callwright/test` says what every store must do.
 */
export interface RunStore {
  /** Takes a run for an owner, new or not. Throws `RunBusy` while another owner that is alive has it, unless forced. */
  take(run: string, owner: string, options?: { readonly force?: boolean }): number
  /**
   * Appends an event at its place, together with what a list shows of the run from then on. Throws `RunLost` when the run
   * has been taken by another since.
   */
  append(run: string, epoch: number, event: StoredEvent, head?: RunDescription): void
  /** Lets go of a run. Nothing happens when it was taken by another since. */
  release(run: string, epoch: number): void
  /** What a list shows of a run, once it is known. */
  describe(run: string, epoch: number, head: RunDescription): void
  /** The events of a run from a place on; `undefined` when there is no such run. */
  load(run: string, from?: number): readonly StoredEvent[] | undefined
  list(): readonly RunRow[]
  /** Forgets a run, and what only it held. */
  forget(run: string): void
  /** Bytes that all runs take on the disk. */
  size(): number
  close(): void
}
