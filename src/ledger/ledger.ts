import { thisProcess } from '../tools/process-name.ts'
import type { Recorder } from '../tools/recorder.ts'
import { cleaned, type Redact, redactor } from '../tools/redact.ts'
import { readValue } from '../value/read-value.ts'
import { sqliteStore } from './sqlite-store.ts'
import type { RunDescription, RunRow, RunStore, StoredEvent } from './store.ts'

/** How a ledger is opened. */
export interface LedgerOptions {
  /** Texts that must never be written down, such as keys. What looks like a token is left out anyway. */
  readonly secrets?: readonly (string | undefined)[]
  /** Only to look. */
  readonly readOnly?: boolean
  /** Takes runs over that another process has, even where it seems to be alive. */
  readonly force?: boolean
  /** Another store than a file. */
  readonly store?: RunStore
}

/** An event that can be kept. */
export type LedgerEvent = { readonly kind: string }

/** The record of runs, in one file. It is a recorder: give it to an agent. */
export interface Ledger<Event extends LedgerEvent = LedgerEvent> extends Recorder<Event> {
  take(run: string): readonly Event[]
  append(run: string, event: Event): void
  release(run: string): void
  load(run: string): readonly Event[] | undefined
  /** All runs, the newest first. */
  list(): readonly RunRow[]
  /** The events of a run from a place on, with their times; `undefined` when there is no such run. */
  events(run: string, from?: number): readonly TimedEvent<Event>[] | undefined
  /** Says how a run was started, for whoever goes on with it. The run must be taken. */
  settings(run: string, settings: object): void
  forget(run: string): void
  size(): number
  close(): void
}

/** An event with its place and time. */
export interface TimedEvent<Event> {
  readonly sequence: number
  readonly at: number
  readonly event: Event
}

/** A run that this process works on. */
interface Taken {
  readonly epoch: number
  sequence: number
}

/**
 * Opens the record of runs, and makes it where there is none.
 *
 * @example
 * const ledger = openLedger('.callwright/ledger.db')
 * const agent = createAgent({ model, tools, recorder: ledger })
 * const result = await agent.run('Do it.', { key: 'nightly' })
 */
export function openLedger<Event extends LedgerEvent>(file: string, options: LedgerOptions = {}): Ledger<Event> {
  const store = options.store ?? sqliteStore(file, { readOnly: options.readOnly ?? false })
  return new StoredLedger<Event>(store, redactor(options.secrets), options.force ?? false)
}

class StoredLedger<Event extends LedgerEvent> implements Ledger<Event> {
  private readonly store: RunStore
  private readonly redact: Redact
  private readonly force: boolean
  private readonly owner = thisProcess()
  private readonly taken = new Map<string, Taken>()

  constructor(store: RunStore, redact: Redact, force: boolean) {
    this.store = store
    this.redact = redact
    this.force = force
  }

  take(run: string): readonly Event[] {
    const epoch = this.store.take(run, this.owner, { force: this.force })
    const events = this.store.load(run) ?? []
    this.taken.set(run, { epoch, sequence: events.length })
    return events.map((stored) => parsed<Event>(stored))
  }

  append(run: string, event: Event): void {
    const taken = this.held(run)
    const body = this.written(event)
    const stored = { sequence: taken.sequence, at: Date.now(), kind: event.kind, body }
    this.store.append(run, taken.epoch, stored, headOf(body, event.kind))
    taken.sequence++
  }

  release(run: string): void {
    const taken = this.taken.get(run)
    this.taken.delete(run)
    if (taken) this.store.release(run, taken.epoch)
  }

  load(run: string): readonly Event[] | undefined {
    return this.store.load(run)?.map((stored) => parsed<Event>(stored))
  }

  events(run: string, from = 0): readonly TimedEvent<Event>[] | undefined {
    return this.store.load(run, from)?.map((stored) => {
      const { sequence, at } = stored
      return { sequence, at, event: parsed<Event>(stored) }
    })
  }

  settings(run: string, settings: object): void {
    this.store.describe(run, this.held(run).epoch, { settings: this.written(settings) })
  }

  list(): readonly RunRow[] {
    return this.store.list()
  }

  forget(run: string): void {
    this.store.forget(run)
  }

  size(): number {
    return this.store.size()
  }

  close(): void {
    this.store.close()
  }

  /** JSON without secrets. Most has none in it, which one look over the whole shows. */
  private written(value: object): string {
    const text = JSON.stringify(value)
    return this.redact(text) === text ? text : JSON.stringify(cleaned(value, this.redact))
  }

  private held(run: string): Taken {
    const taken = this.taken.get(run)
    if (!taken) throw new TypeError(`Run ${run} was not taken: a recorder is told of a run by take(run) first.`)
    return taken
  }
}

/** An event as it was told. V8's JSON.parse mixes up keys that have escapes (nodejs/node 63785); our reader does not. */
function parsed<Event>({ body }: StoredEvent): Event {
  const { value, problems } = readValue(body, { strict: true })
  return problems.length === 0 ? (value as Event) : JSON.parse(body)
}

/** What a list shows changes with these events. */
function headOf(body: string, kind: string): RunDescription | undefined {
  if (kind === 'run-start') {
    const { task, model } = JSON.parse(body)
    return { task: String(task), model: String(model) }
  }
  if (kind === 'run-end') return { end: String(JSON.parse(body).end) }
  if (kind === 'run-resume') return { end: null, model: String(JSON.parse(body).model) }
  return kind === 'message' ? { end: null } : undefined
}
