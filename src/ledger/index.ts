/** The record of runs: append-only, in one file, safe at every moment. */
export { LedgerError, type LedgerFault, RunLost } from './errors.ts'
export { type Ledger, type LedgerEvent, type LedgerOptions, openLedger, type TimedEvent } from './ledger.ts'
export { type SqliteOptions, sqliteStore } from './sqlite-store.ts'
export type { RunDescription, RunHead, RunRow, RunStore, StoredEvent } from './store.ts'
