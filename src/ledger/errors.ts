import { CallwrightError, messageOf } from '../tools/errors.ts'

/** Why a ledger cannot be used. */
export type LedgerFault = 'full' | 'read-only' | 'damaged' | 'newer' | 'network' | 'unreachable' | 'busy'

/** What to do about each. */
const remedies: { readonly [fault in LedgerFault]: string } = {
  full: 'Free some space, then resume the run: nothing was done that is not recorded.',
  'read-only': 'Make the file and its folder writable, or name another ledger.',
  damaged: 'Move the file away and keep it: what sqlite3 can still read of it, `sqlite3 FILE .recover` writes out.',
  newer: 'Use the version of callwright that wrote it, or a newer one.',
  network: 'Put the ledger on a local disk: locks do not hold on network file systems.',
  unreachable: 'Check the path and the rights of its folder.',
  busy: 'Wait until the other process has finished, or look what holds the file.',
}

/** A ledger that cannot be opened, read or written. */
export class LedgerError extends CallwrightError {
  readonly fault: LedgerFault
  readonly file: string

  constructor(fault: LedgerFault, file: string, what: string, options?: ErrorOptions) {
    super('LedgerError', `${what}: ${file}. ${remedies[fault]}`, options)
    this.fault = fault
    this.file = file
  }

  static override isInstance(value: unknown): value is LedgerError {
    return CallwrightError.isInstance(value) && value.name === 'LedgerError'
  }
}

/** A run that another process has taken since: whoever had it before may write nothing more. */
export class RunLost extends CallwrightError {
  readonly run: string

  constructor(run: string) {
    super('RunLost', `Run ${run} was taken over by another process; this one stops, and has changed nothing since.`)
    this.run = run
  }

  static override isInstance(value: unknown): value is RunLost {
    return CallwrightError.isInstance(value) && value.name === 'RunLost'
  }
}

/** SQLite's primary result codes that a person can do something about. */
const faults: { readonly [code: number]: readonly [LedgerFault, string] } = {
  5: ['busy', 'The ledger is locked by another process'],
  8: ['read-only', 'The ledger cannot be written'],
  10: ['unreachable', 'The disk of the ledger failed'],
  11: ['damaged', 'The ledger is damaged'],
  13: ['full', 'The disk of the ledger is full'],
  14: ['unreachable', 'The ledger cannot be opened'],
  26: ['damaged', 'This is no ledger'],
}

/** An error of SQLite as one that says what to do; any other error as it is. */
export function ledgerError(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : Number.NaN
  const found = faults[code]
  return found ? new LedgerError(found[0], file, `${found[1]} (${messageOf(error)})`, { cause: error }) : error
}
