import { type RunnableTool, tool } from '../tool.ts'
import { attempted } from './attempt.ts'
import type { ConfinedRoot } from './confined-root.ts'
import { counted, withNote } from './file-words.ts'
import { type Glob, globOf } from './globs.ts'
import { shownPath } from './refusal.ts'
import { type Met, walkTree } from './walk-tree.ts'
import type { WorkspacePath } from './workspace-path.ts'

const OBSERVATION = 10_000
/** Room for what is said below the list. */
const MARGIN = 300
const MOST_LISTED = 500
const MOST_MET = 50_000
const DEEPEST = 20

/**
 * The tool that lists a folder: paths as other tools take them, with the sizes of files.
 *
 * @example
 * const list = listDirTool(ConfinedRoot.open('.'))
 */
export function listDirTool(root: ConfinedRoot): RunnableTool {
  return tool({
    name: 'list_dir',
    description: 'Lists what is in a folder, with sizes.',
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The folder, relative to the workspace. Without this the workspace.' },
        depth: { type: 'integer', description: 'How many levels to go down. Default 1, with a glob all.' },
        glob: { type: 'string', description: 'Only paths that match, such as *.py or src/**/*.ts.' },
      },
    },
    kind: 'pure',
    observationLimit: OBSERVATION,
    run: ({ path = '.', depth, glob }, context) =>
      attempted(root, context, () => {
        const place = root.resolve(path)
        const levels = Math.min(DEEPEST, Math.max(1, depth ?? (glob ? DEEPEST : 1)))
        return withNote(listed(root, place, levels, glob), place.note)
      }),
  })
}

function listed(root: ConfinedRoot, place: WorkspacePath, depth: number, glob: string | undefined): string {
  const isWanted = glob ? below(place, globOf(glob)) : () => true
  const lines: string[] = []
  let length = 0
  let met = 0
  let isCut = false
  for (const one of walkTree(root, place, depth)) {
    isCut = lines.length >= MOST_LISTED || length > OBSERVATION - MARGIN || ++met > MOST_MET
    if (isCut) break
    if (!isWanted(one.place.parts)) continue
    const line = lineOf(root, one)
    lines.push(line)
    length += line.length + 1
  }
  const shown = place.path === '.' ? 'The workspace' : shownPath(place.path)
  if (isCut)
    lines.push(
      `[… there is more: cut behind ${counted(lines.length, 'entry').replace('entrys', 'entries')}. Name a folder inside, or a glob …]`,
    )
  if (lines.length > 0) return lines.join('\n')
  return glob
    ? `Nothing in ${shown === 'The workspace' ? 'the workspace' : shown} matches ${shownPath(glob)}.`
    : `${shown} is empty.`
}

/** A glob means paths from the root on, or from the folder that is listed. */
function below({ parts }: WorkspacePath, glob: Glob): Glob {
  return (found) => glob(found) || glob(found.slice(parts.length))
}

function lineOf(root: ConfinedRoot, { place, entry, isSkipped }: Met): string {
  const shown = shownPath(place.path)
  if (entry.kind === 'folder') return isSkipped ? `${shown}/ (not listed: name it to see it)` : `${shown}/`
  if (entry.kind === 'link') return `${shown} (a link, not followed)`
  if (entry.kind === 'other') return `${shown} (no ordinary file)`
  return `${shown} (${counted(entry.size, 'byte')}${root.readRefusal(place) ? ', not readable' : ''})`
}
