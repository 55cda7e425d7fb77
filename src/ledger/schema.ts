/**
 * The steps from an empty file to today's, in order. A step that was published is never changed: another one follows it.
 * The number of steps that a file has seen is its `user_version`.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE runs (
     run TEXT PRIMARY KEY,
     epoch INTEGER NOT NULL DEFAULT 0,
     owner TEXT,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     task TEXT NOT NULL DEFAULT '',
     model TEXT NOT NULL DEFAULT '',
     ending TEXT
   ) STRICT;
   CREATE TABLE events (
     run TEXT NOT NULL,
     sequence INTEGER NOT NULL,
     epoch INTEGER NOT NULL,
     at INTEGER NOT NULL,
     kind TEXT NOT NULL,
     body TEXT,
     blob TEXT,
     PRIMARY KEY (run, sequence)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE blobs (hash TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  // How a run was started, so that `callwright resume` needs only its id.
  'ALTER TABLE runs ADD COLUMN settings TEXT',
]

/** Marks a file as a ledger: "CWLG". */
export const APPLICATION = 0x43574c47
