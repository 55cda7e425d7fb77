import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, thisProcess } from '../process-name.ts'

/** A workspace in which a command of another process is at work, or whose turns nobody can keep. */
export class TurnRefused extends Error {}

const waiting = new Map<string, Promise<unknown>>()

/**
 * Does something while no other command is at work in a workspace: one could swap what the other is about to mount. Those
 * of this process wait for each other; beside those of another one nothing is done.
 */
export async function inTurn<Result>(root: string, use: () => Promise<Result>): Promise<Result> {
  const before = waiting.get(root) ?? Promise.resolve()
  const turn = before.then(() => locked(root, use))
  waiting.set(
    root,
    turn.catch(() => undefined),
  )
  return turn
}

async function locked<Result>(root: string, use: () => Promise<Result>): Promise<Result> {
  const file = join(ownFolder(), `${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`)
  take(file)
  try {
    return await use()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file: string): void {
  for (let tries = 0; tries < 3; tries++) {
    try {
      // Never through a link, and never over what another has written.
      writeFileSync(file, thisProcess(), { flag: 'wx', mode: 0o600 })
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const owner = readFileSync(file, { encoding: 'utf8', flag: 'r' })
      if (owner !== '' && isAlive(owner)) {
        throw new TurnRefused('A command of another process is at work in this workspace; send it again later.')
      }
      rmSync(file, { force: true })
    }
  }
  throw new TurnRefused('Another process takes the turns in this workspace; send the command again later.')
}

/** A folder of this user alone, in which commands say that they are at work. */
export function ownFolder(): string {
  const user = process.getuid?.() ?? 0
  const folder = join(tmpdir(), `callwright-${user}`)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== user || (found.mode & 0o022) !== 0) {
    throw new TurnRefused(`${folder} is not a folder of this user alone: remove it, then send the command again.`)
  }
  return folder
}
