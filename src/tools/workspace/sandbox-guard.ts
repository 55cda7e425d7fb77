import { chmodSync, lstatSync, renameSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../errors.ts'
import { isGuarded, type WorkspaceRules } from './sandbox-mounts.ts'
import type { Snapshot } from './snapshot.ts'
import { foldersAround } from './snapshot-changes.ts'

/** Something that a command made where nothing may be made, and what became of it. */
export interface TakenBack {
  readonly path: string
  readonly how: string
}

/**
 * What a command has made where nothing may be made: protected paths that were not there before, protected links that
 * are others now, and files that lend the rights of their owner. The outermost of each.
 */
export function violationsOf(rules: WorkspaceRules, before: Snapshot, after: Snapshot): string[] {
  const made = [...after.files.keys(), ...after.folders, ...after.others.keys()].filter(
    (path) => !before.files.has(path) && !before.folders.has(path) && !before.others.has(path),
  )
  const relinked = [...before.others].flatMap(([path, was]) => (after.others.get(path) === was ? [] : [path]))
  const found = new Set([...made, ...relinked].filter((path) => isGuarded(rules, path)))
  const outer = [...found].filter((path) => !foldersAround(path).some((folder) => found.has(folder)))
  const lending = [...after.files].flatMap(([path, file]) =>
    file.lendsRights && !before.files.get(path)?.lendsRights ? [path] : [],
  )
  return [...new Set([...outer, ...lending])].sort()
}

const LINK = 'link to '

/**
 * Takes back what may not be made, and loses nothing: it is given another name, under which it does not work by itself.
 * Nothing of the command may be running any more.
 */
export function takeBack(
  rules: WorkspaceRules,
  paths: readonly string[],
  before: Snapshot,
  after: Snapshot,
): TakenBack[] {
  return paths.map((path) => {
    try {
      return tookBack(path)
    } catch (error) {
      // One that cannot be taken back must not keep the others.
      return { path, how: `it could not be taken back: ${messageOf(error)}` }
    }
  })

  function tookBack(path: string): TakenBack {
    const place = join(rules.root, path)
    const file = after.files.get(path)
    const link = before.others.get(path)
    if (file && !isGuarded(rules, path)) {
      chmodSync(place, file.mode)
      return { path, how: 'it does not lend the rights of its owner any more' }
    }
    const name = freeName(place)
    const isThere = lstatSync(place, { throwIfNoEntry: false }) !== undefined
    if (isThere) renameSync(place, name)
    if (link?.startsWith(LINK)) symlinkSync(link.slice(LINK.length), place)
    return { path, how: isThere ? `it is called ${name.slice(rules.root.length + 1)} now` : 'it is there again' }
  }
}

/** A longer name has no room for what is put behind it. */
const LONGEST_NAME = 240

function freeName(place: string): string {
  for (let number = 1; ; number++) {
    const base = Buffer.byteLength(basename(place)) > LONGEST_NAME ? join(dirname(place), 'callwright') : place
    const name = number === 1 ? `${base}.refused` : `${base}.refused-${number}`
    if (!lstatSync(name, { throwIfNoEntry: false })) return name
  }
}
