import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWritable, type WorkspaceRules } from './sandbox-mounts.ts'
import { ownFolder } from './shell-turn.ts'
import { foldersAround } from './snapshot-changes.ts'

/** Empty folders that stand where something protected is missing, so that it cannot be made. */
export interface Placeholders {
  /** Relative to the root, the outermost first. */
  readonly paths: readonly string[]
  /** Takes them away, unless another command relies on them. What somebody has put something into stays: it is theirs. */
  remove(): void
}

/** Seconds since 1970: the time of a placeholder, by which one that a crash has left is known. */
const MARK = 1

let commands = 0
/** What is to be removed by each command that runs, in case that the process ends first. */
const running = new Map<string, () => void>()

const removeAll = (): void => {
  for (const remove of running.values()) remove()
}

/**
 * Puts an empty folder in the place of each protected path that is missing: a mount needs something to be put over. git
 * does not see empty folders. None is made where commands cannot write anyway.
 *
 * @example
 * const placeholders = placePlaceholders({ root: '/w/app', mode: 'edit', protectedPaths: ['.git'] })
 * placeholders.remove()
 */
export function placePlaceholders(rules: WorkspaceRules): Placeholders {
  const { root, protectedPaths = [] } = rules
  const wanted = protectedPaths.filter((path) => isWritable(rules, path))
  if (wanted.length === 0) return { paths: [], remove: () => undefined }
  const word = join(ownFolder(), `${markOf(root)}-${process.pid}-${++commands}`)
  writeFileSync(word, '', { flag: 'wx', mode: 0o600 })
  const paths = [...new Set(wanted.flatMap((path) => placed(root, path)))]
  const remove = (): void => {
    running.delete(word)
    rmSync(word, { force: true })
    if (isAlone(root)) for (const path of [...paths].reverse()) removeEmpty(join(root, path))
  }
  if (!process.listeners('exit').includes(removeAll)) process.once('exit', removeAll)
  running.set(word, remove)
  return { paths, remove }
}

/** The placeholders for a path: for itself, and for the folders around it that are missing too. */
function placed(root: string, path: string): string[] {
  const placeholders: string[] = []
  for (const part of [...foldersAround(path), path]) {
    const place = join(root, part)
    const found = lstatSync(place, { throwIfNoEntry: false })
    if (!found) {
      mkdirSync(place)
      utimesSync(place, MARK, MARK)
      placeholders.push(part)
    } else if (!found.isDirectory()) break
    else if (found.mtimeMs === MARK * 1_000 && readdirSync(place).length === 0) placeholders.push(part)
  }
  // A folder with a placeholder in it has another time by now.
  for (const part of placeholders) utimesSync(join(root, part), MARK, MARK)
  return placeholders
}

const markOf = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 16)

/** Whether no other command relies on the placeholders of a workspace. */
function isAlone(root: string): boolean {
  const folder = ownFolder()
  const mark = markOf(root)
  for (const word of readdirSync(folder).filter((name) => name.startsWith(`${mark}-`))) {
    if (isRunning(Number(word.split('-')[1]))) return false
    rmSync(join(folder, word), { force: true })
  }
  return true
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(code)) throw error
  }
}
