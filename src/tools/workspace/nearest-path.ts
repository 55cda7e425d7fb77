import { nearestNames } from '../nearest-name.ts'
import type { ConfinedRoot } from './confined-root.ts'
import { shownPath, WorkspaceRefusal } from './refusal.ts'
import { walkTree } from './walk-tree.ts'
import { placeOf } from './workspace-path.ts'

const MOST_NEAREST = 3
const MOST_MET = 2_000
const DEEPEST = 8

/** What the model is told of a path that leads nowhere: those that it may have meant first. */
export function missingMessage(root: ConfinedRoot, path: string): string {
  const near = nearestPaths(root, path).map(shownPath)
  if (near.length === 0) return `Look with list_dir what there is: there is no ${shownPath(path)}.`
  return `Send ${near.join(' or ')}, or look with list_dir: there is no ${shownPath(path)}.`
}

/**
 * The existing paths that may have been meant: one that is spelled nearly so, or the same name in another folder.
 *
 * @example
 * nearestPaths(root, 'src/mian.py') // ['src/main.py']
 */
export function nearestPaths(root: ConfinedRoot, path: string): string[] {
  try {
    const { parts } = root.resolve(path)
    return [...new Set([...respelled(root, parts), ...elsewhere(root, parts)])].slice(0, MOST_NEAREST)
  } catch (error) {
    if (WorkspaceRefusal.isInstance(error)) return []
    throw error
  }
}

/** The path with the first part that is not there spelled as something that is. */
function respelled(root: ConfinedRoot, parts: readonly string[]): string[] {
  const at = parts.findIndex((_, index) => !root.stat(placeOf(parts.slice(0, index + 1))))
  const folder = parts.slice(0, Math.max(0, at))
  const names = root.list(placeOf(folder)).entries.map(({ name }) => name)
  return nearestNames(parts[at] ?? '', names).map((name) => {
    const whole = placeOf([...folder, name, ...parts.slice(at + 1)])
    return root.stat(whole) ? whole.path : placeOf([...folder, name]).path
  })
}

/** The same name in other folders. */
function elsewhere(root: ConfinedRoot, parts: readonly string[]): string[] {
  const name = parts.at(-1)?.toLowerCase()
  const found: string[] = []
  let met = 0
  for (const { place, entry } of walkTree(root, placeOf([]), DEEPEST)) {
    if (entry.name.toLowerCase() === name) found.push(place.path)
    if (found.length === MOST_NEAREST || ++met >= MOST_MET) break
  }
  return found
}
