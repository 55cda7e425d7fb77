import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isAlive, ownerName } from '../tools/process-name.ts'
import { RunBusy } from '../tools/recorder.ts'
import { LedgerError, ledgerError, RunLost } from './errors.ts'
import { APPLICATION, migrations } from './schema.ts'
import type { RunDescription, RunRow, RunStore, StoredEvent } from './store.ts'

/** Larger events are kept once by their content, beside the rows. */
const LARGE = 65_536
/** Milliseconds that another process may hold the file. */
const PATIENCE = 5_000

/** File systems on which locks do not hold: NFS, SMB in its ages, AFS, Ceph, by their magic numbers. */
const networks: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0xc36400])

/** How a file is opened. */
export interface SqliteOptions {
  /** Only to look: nothing is created or changed. */
  readonly readOnly?: boolean
  /** The file grows to so many pages at most, as on a small disk. */
  readonly mostPages?: number
  /** What the file system of a folder is. Default: what the system says. */
  readonly fileSystemOf?: (folder: string) => number
}

/**
 * A store in one SQLite file: write-ahead log, synchronised with the disk at each append.
 *
 * @example
 * const store = sqliteStore('.callwright/ledger.db')
 */
export function sqliteStore(file: string, options: SqliteOptions = {}): RunStore {
  return guarded(file, () => new SqliteStore(file, options))
}

/** Does something with the file, and says in words what went wrong with it. */
function guarded<Result>(file: string, use: () => Result): Result {
  try {
    return use()
  } catch (error) {
    throw ledgerError(error, file)
  }
}

class SqliteStore implements RunStore {
  private readonly file: string
  private readonly database: DatabaseSync
  private readonly statements = new Map<string, StatementSync>()

  constructor(file: string, { readOnly = false, fileSystemOf = typeOf, mostPages }: SqliteOptions) {
    this.file = file
    const folder = dirname(file)
    if (readOnly && !existsSync(file)) throw new LedgerError('unreachable', file, 'There is no ledger')
    if (!readOnly) makeFolder(folder, file)
    if (networks.has(fileSystemOf(folder))) {
      throw new LedgerError('network', file, 'The ledger would stand on a network file system')
    }
    // Loaded when a ledger is opened: whoever only reads replies need not have it.
    const sqlite = process.getBuiltinModule('node:sqlite')
    this.database = new sqlite.DatabaseSync(file, { readOnly, timeout: PATIENCE })
    this.check(readOnly)
    if (readOnly) return
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    this.migrate()
    if (mostPages !== undefined) this.database.exec(`PRAGMA max_page_count = ${Math.floor(mostPages)}`)
  }

  /** That this is a ledger, and not one of a later version. */
  private check(readOnly: boolean): void {
    // In this order: another process may be making the ledger at this moment, and makes both at once.
    const tables = Number(this.row('SELECT count(*) AS count FROM sqlite_schema')?.['count'])
    const application = this.pragma('application_id')
    if (tables > 0 && application !== APPLICATION) throw new LedgerError('damaged', this.file, 'This is no ledger')
    if (tables === 0 && readOnly) throw new LedgerError('unreachable', this.file, 'There is no ledger yet')
    const version = this.pragma('user_version')
    if (version > migrations.length) {
      throw new LedgerError('newer', this.file, `The ledger was written by a newer version (${version})`)
    }
  }

  private migrate(): void {
    if (this.pragma('user_version') === migrations.length) return
    this.together(() => {
      for (const step of migrations.slice(this.pragma('user_version'))) this.database.exec(step)
      this.database.exec(`PRAGMA user_version = ${migrations.length}; PRAGMA application_id = ${APPLICATION}`)
    })
  }

  take(run: string, owner: string, { force = false } = {}): number {
    return this.together(() => {
      const held = this.row('SELECT owner FROM runs WHERE run = ?', run)?.['owner']
      if (!force && typeof held === 'string' && isAlive(held)) throw new RunBusy(run, ownerName(held))
      const now = Date.now()
      this.do('INSERT OR IGNORE INTO runs (run, created_at, updated_at) VALUES (?, ?, ?)', run, now, now)
      this.do('UPDATE runs SET epoch = epoch + 1, owner = ? WHERE run = ?', owner, run)
      return Number(this.row('SELECT epoch FROM runs WHERE run = ?', run)?.['epoch'])
    })
  }

  append(run: string, epoch: number, { sequence, at, kind, body }: StoredEvent, head?: RunDescription): void {
    if (body.length <= LARGE && !head) {
      this.place(run, epoch, [sequence, at, kind, body, null])
      return
    }
    const hash = body.length <= LARGE ? null : createHash('sha256').update(body).digest('hex')
    this.together(() => {
      if (hash !== null) this.do('INSERT OR IGNORE INTO blobs (hash, body) VALUES (?, ?)', hash, body)
      this.place(run, epoch, [sequence, at, kind, hash === null ? body : null, hash])
      if (head) this.describe(run, epoch, head)
    })
  }

  private place(run: string, epoch: number, values: readonly (string | number | null)[]): void {
    const changes = this.do(
      `INSERT INTO events (run, epoch, sequence, at, kind, body, blob)
       SELECT ?, ?, ?, ?, ?, ?, ? WHERE (SELECT epoch FROM runs WHERE run = ?) = ?`,
      ...[run, epoch, ...values, run, epoch],
    )
    if (changes === 0) throw new RunLost(run)
  }

  release(run: string, epoch: number): void {
    this.do('UPDATE runs SET owner = NULL, updated_at = ? WHERE run = ? AND epoch = ?', Date.now(), run, epoch)
  }

  describe(run: string, epoch: number, head: RunDescription): void {
    const columns = { task: head.task, model: head.model, ending: head.end, settings: head.settings }
    const given = Object.entries(columns).filter(([, value]) => value !== undefined)
    const names = given.map(([name]) => `${name} = ?`)
    const values = given.map(([, value]) => value ?? null)
    const set = ['updated_at = ?', ...names].join(', ')
    this.do(`UPDATE runs SET ${set} WHERE run = ? AND epoch = ?`, Date.now(), ...values, run, epoch)
  }

  load(run: string, from = 0): readonly StoredEvent[] | undefined {
    if (!this.row('SELECT 1 AS found FROM runs WHERE run = ?', run)) return undefined
    const rows = this.rows(
      `SELECT sequence, at, kind, coalesce(events.body, blobs.body) AS body
       FROM events LEFT JOIN blobs ON blobs.hash = events.blob WHERE run = ? AND sequence >= ? ORDER BY sequence`,
      ...[run, from],
    )
    return rows.map(({ sequence, at, kind, body }) => ({
      sequence: Number(sequence),
      at: Number(at),
      kind: String(kind),
      body: String(body),
    }))
  }

  list(): readonly RunRow[] {
    const rows = this.rows(
      `SELECT runs.*, max(updated_at, coalesce(max(events.at), 0)) AS active_at, count(events.sequence) AS events,
              coalesce(sum(octet_length(coalesce(events.body, blobs.body))), 0) AS bytes
       FROM runs LEFT JOIN events USING (run) LEFT JOIN blobs ON blobs.hash = events.blob
       GROUP BY run ORDER BY created_at DESC, run`,
    )
    return rows.map((row) => ({
      run: String(row['run']),
      createdAt: Number(row['created_at']),
      updatedAt: Number(row['active_at']),
      owner: textOf(row['owner']),
      end: textOf(row['ending']),
      task: String(row['task']),
      model: String(row['model']),
      events: Number(row['events']),
      bytes: Number(row['bytes']),
      settings: textOf(row['settings']),
    }))
  }

  forget(run: string): void {
    this.together(() => {
      const held = this.row('SELECT owner FROM runs WHERE run = ?', run)?.['owner']
      if (typeof held === 'string' && isAlive(held)) throw new RunBusy(run, ownerName(held))
      this.do('DELETE FROM events WHERE run = ?', run)
      this.do('DELETE FROM runs WHERE run = ?', run)
      this.do('DELETE FROM blobs WHERE hash NOT IN (SELECT blob FROM events WHERE blob IS NOT NULL)')
    })
  }

  size(): number {
    return this.pragma('page_count') * this.pragma('page_size')
  }

  close(): void {
    this.statements.clear()
    this.database.close()
  }

  /** All of it or nothing, and nobody in between. */
  private together<Result>(use: () => Result): Result {
    return guarded(this.file, () => {
      this.database.exec('BEGIN IMMEDIATE')
      try {
        const result = use()
        this.database.exec('COMMIT')
        return result
      } catch (error) {
        if (this.database.isTransaction) this.database.exec('ROLLBACK')
        throw error
      }
    })
  }

  private statement(text: string): StatementSync {
    const known = this.statements.get(text)
    if (known) return known
    const made = this.database.prepare(text)
    this.statements.set(text, made)
    return made
  }

  private do(text: string, ...values: readonly (string | number | null)[]): number {
    return guarded(this.file, () => Number(this.statement(text).run(...values).changes))
  }

  private row(text: string, ...values: readonly string[]): Row | undefined {
    return guarded(this.file, () => this.statement(text).get(...values))
  }

  private rows(text: string, ...values: readonly (string | number)[]): Row[] {
    return guarded(this.file, () => this.statement(text).all(...values))
  }

  private pragma(name: string): number {
    return Number(this.row(`PRAGMA ${name}`)?.[name])
  }
}

type Row = { readonly [column: string]: unknown }

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const typeOf = (folder: string): number => statfsSync(folder).type

function makeFolder(folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const fault = error.code === 'EROFS' || error.code === 'EACCES' ? 'read-only' : 'unreachable'
    throw new LedgerError(fault, file, `The folder of the ledger cannot be made (${String(error.code)})`, {
      cause: error,
    })
  }
}
