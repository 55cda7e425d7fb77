import type { RunnableTool } from '../tool.ts'
import type { ChangeOptions } from './change-file.ts'
import type { ConfinedRoot } from './confined-root.ts'
import { editFileTool } from './edit-file.ts'
import { listDirTool } from './list-dir.ts'
import { readFileTool } from './read-file.ts'
import { searchFilesTool } from './search-files.ts'
import { writeFileTool } from './write-file.ts'

export type FileToolOptions = ChangeOptions

/**
 * The tools for the files of a workspace. In a read-only one there is none that writes.
 *
 * @example
 * const root = ConfinedRoot.open('.')
 * const agent = createAgent({ model, tools: fileTools(root, { needsApproval: true }) })
 */
export function fileTools(root: ConfinedRoot, options: FileToolOptions = {}): RunnableTool[] {
  const looking = [readFileTool(root), listDirTool(root), searchFilesTool(root)]
  if (root.mode === 'read-only') return looking
  return [...looking, writeFileTool(root, options), editFileTool(root, options)]
}

/**
 * What a model is told beside the tools of a workspace, by the names of those that there are.
 *
 * @example
 * fileInstructions(['write_file', 'run_bash']) // 'Paths are relative to the workspace. Use write_file for simple writes …'
 */
export function fileInstructions(names: readonly string[]): string {
  const has = (name: string): boolean => names.includes(name)
  const sentences = [
    ...(names.some((name) => fileToolNames.has(name)) ? ['Paths are relative to the workspace.'] : []),
    ...(has('write_file') && has('run_bash')
      ? ['Use write_file for simple writes, and run_bash for complex operations; do not write files with heredocs.']
      : []),
    ...(has('edit_file') && has('write_file') ? ['Use edit_file for small changes in files that exist.'] : []),
  ]
  return sentences.join(' ')
}

const fileToolNames = new Set(['read_file', 'list_dir', 'search_files', 'write_file', 'edit_file'])
