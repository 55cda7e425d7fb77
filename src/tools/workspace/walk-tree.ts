import type { ConfinedRoot } from './confined-root.ts'
import type { Entry } from './held-files.ts'
import { WorkspaceRefusal } from './refusal.ts'
import { placeOf, type WorkspacePath } from './workspace-path.ts'

/** Something that was met on a walk through the workspace. */
export interface Met {
  readonly place: WorkspacePath
  readonly entry: Entry
  /** A folder that was not gone into, though it is not too deep. */
  readonly isSkipped: boolean
}

/** What stands in these was made by programs, and there is much of it: gone into only when one is named. */
const skipped = new Set(['.git', 'node_modules', '.venv', 'venv', '__pycache__', '.mypy_cache', '.pytest_cache'])

/** Everything below a folder, in the order of paths; links are met and not followed. */
export function* walkTree(root: ConfinedRoot, start: WorkspacePath, depth: number): Generator<Met> {
  const stack = entriesOf(root, start.parts, true).reverse()
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { entry, place } = next
    const level = place.parts.length - start.parts.length
    const isSkipped = entry.kind === 'folder' && level < depth && skipped.has(entry.name)
    yield { place, entry, isSkipped }
    if (entry.kind === 'folder' && level < depth && !isSkipped) stack.push(...entriesOf(root, place.parts).reverse())
  }
}

function entriesOf(root: ConfinedRoot, parts: readonly string[], isStart = false): Omit<Met, 'isSkipped'>[] {
  try {
    const { entries } = root.list(placeOf(parts))
    return entries.map((entry) => ({ entry, place: placeOf([...parts, entry.name]) }))
  } catch (error) {
    // What vanished under way, or may not be read, ends no walk.
    if (isStart || !WorkspaceRefusal.isInstance(error)) throw error
    return []
  }
}
