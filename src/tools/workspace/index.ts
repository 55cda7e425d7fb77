/**
 * The entry `callwright/workspace`: tools for the files of a folder and for commands in it, confined to that folder.
 *
 * @module
 */
export type { FileChange, FileState, KeptState } from './change.ts'
export type { CommandRule } from './command-rules.ts'
export { ConfinedRoot, type ConfinedRootOptions, type EditMode } from './confined-root.ts'
export { fileInstructions, fileTools } from './file-tools.ts'
export { type ProtectedPath, protectedPaths } from './protected-paths.ts'
export { WorkspaceRefusal } from './refusal.ts'
export { type RunBashOptions, runBash } from './run-bash.ts'
export { findSandbox, type Sandbox } from './sandbox.ts'
export { type UndoneFile, type UndoReport, undoFiles } from './undo.ts'
export { type ChangeGroup, type UndoStep, undoSteps } from './undo-plan.ts'
export { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace-tools.ts'
