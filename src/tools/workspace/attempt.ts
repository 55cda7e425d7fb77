import { ToolRetry } from '../errors.ts'
import type { ToolContext } from '../tool.ts'
import type { ConfinedRoot } from './confined-root.ts'
import { missingMessage } from './nearest-path.ts'
import { type RefusalCode, WorkspaceRefusal } from './refusal.ts'

/** What happens every day and means no harm is not recorded beside the result. */
const ordinary: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'missing',
  'exists',
  'not-a-file',
  'not-a-folder',
  'not-empty',
  'too-large',
  'changed',
])

/** Does the work of a tool. What the workspace refuses is recorded, and told to the model in words that say what to do. */
export async function attempted<Result>(
  root: ConfinedRoot,
  context: ToolContext,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!WorkspaceRefusal.isInstance(error)) throw error
    const { code, path, message } = error
    if (!ordinary.has(code)) await context.record({ kind: 'workspace-refusal', code, path })
    throw new ToolRetry(code === 'missing' ? missingMessage(root, path) : message)
  }
}
