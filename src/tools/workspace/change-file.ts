import type { JsonValue } from '../../types.ts'
import { ToolRetry } from '../errors.ts'
import type { ToolContext } from '../tool.ts'
import type { FileChange } from './change.ts'
import { type ConfinedRoot, MOST_KEPT } from './confined-root.ts'
import { stateOf } from './file-state.ts'
import { counted, numberText } from './file-words.ts'
import type { ReadPart } from './held-files.ts'
import { shownPath, WorkspaceRefusal } from './refusal.ts'
import { runsLater } from './runs-later.ts'
import { unifiedDiff } from './unified-diff.ts'
import type { WorkspacePath } from './workspace-path.ts'

/** What a tool that changes files can be told. */
export interface ChangeOptions {
  /** Whether somebody must say yes to each change, or to those that this says. */
  readonly needsApproval?: boolean | ((input: { readonly path: string }) => boolean)
  /** A file that holds one of these is not kept in the record when it is changed: it cannot be brought back then. */
  readonly secrets?: readonly string[]
}

/** A change that is about to be made. */
export interface PlannedChange {
  readonly place: WorkspacePath
  /** What is there; nothing when there is no file. */
  readonly before: ReadPart | undefined
  readonly bytes: Buffer
  /** What to say of it when it is done. */
  readonly result: string
  readonly makesFolders: boolean
}

/** Larger files are not written by these tools. */
const MOST_WRITTEN = 16_000_000

/** What stands at a place now, all of it that may be read. */
export function contentAt(root: ConfinedRoot, place: WorkspacePath): ReadPart | undefined {
  root.planWrite(place)
  return root.stat(place) ? root.read(place) : undefined
}

/** Throws when so much is not written at once. */
export function checkSize(path: string, size: number): void {
  if (size <= MOST_WRITTEN) return
  const message = `Write less at once: ${shownPath(path)} would have ${counted(size, 'byte')}, and ${numberText(MOST_WRITTEN)} are the most.`
  throw new WorkspaceRefusal('too-large', path, message)
}

/** Whether a file was read to its end. */
export const isWhole = ({ bytes, size }: ReadPart): boolean => bytes.length === size

/** Makes a change: what is about to happen is recorded first, and the file is replaced at once. */
export async function applyChange(
  root: ConfinedRoot,
  { place, before, bytes, makesFolders }: PlannedChange,
  { record, signal }: Pick<ToolContext, 'record' | 'signal'>,
  { secrets = [] }: ChangeOptions,
): Promise<void> {
  const { path } = place
  checkSize(path, bytes.length)
  const { folders, mode } = root.planWrite(place)
  if (!makesFolders && folders.length > 0) {
    throw new ToolRetry(`Leave create_dirs out, or make it true: there is no folder ${shownPath(folders[0] ?? '')}.`)
  }
  const old = before && (isWhole(before) ? stateOf(before.bytes, before.mode) : root.state(place))
  const isKept = before && before.size <= MOST_KEPT && !secrets.some((secret) => before.bytes.includes(secret))
  await record({
    kind: 'file-change',
    stage: 'intent',
    path,
    before: old ? { ...old, ...(isKept ? { content: before.bytes.toString('base64') } : {}) } : null,
    after: { ...stateOf(bytes, mode) },
    ...(runsLater(path) ? { runsLater: true } : {}),
    ...(folders.length > 0 ? { folders: [...folders] } : {}),
  } satisfies FileChange)
  // Whoever waited for this call may have given it up meanwhile.
  signal.throwIfAborted()
  root.write(place, bytes, { ifHash: old?.hash ?? null, mode })
}

/** Whether a change that was begun, and never heard of again, was made: the file itself shows it. */
export function verifyChange(
  root: ConfinedRoot,
  path: string,
  notes: readonly JsonValue[],
): 'done' | 'not-done' | 'conflict' {
  const change = notes.findLast(isChange)
  // Nothing is done before it is recorded.
  if (!change) return 'not-done'
  try {
    root.sweep(path)
    const hash = root.state(path)?.hash ?? null
    if (hash === (change.after?.hash ?? null)) return 'done'
    return hash === (change.before?.hash ?? null) ? 'not-done' : 'conflict'
  } catch (error) {
    if (WorkspaceRefusal.isInstance(error)) return 'conflict'
    throw error
  }
}

interface Recorded {
  readonly before: { readonly hash: string } | null
  readonly after: { readonly hash: string } | null
}

function isChange(note: JsonValue): note is JsonValue & Recorded {
  if (typeof note !== 'object' || note === null || Array.isArray(note)) return false
  const { kind, stage, before = 0, after = 0 } = note
  return kind === 'file-change' && stage === 'intent' && isRecorded(before) && isRecorded(after)
}

const isRecorded = (state: JsonValue): boolean =>
  state === null || (typeof state === 'object' && !Array.isArray(state) && typeof state['hash'] === 'string')

/** What a change would do, for whoever is asked to allow it. */
export const previewOf = ({ place, before, bytes }: PlannedChange): string =>
  unifiedDiff(place.path, before?.bytes, bytes)
