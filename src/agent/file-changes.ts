import type { FileChange } from '../tools/workspace/change.ts'
import type { ChangeGroup } from '../tools/workspace/undo-plan.ts'
import type { RunEvent } from './events.ts'

/** What a run did to files, in its order: the changes of its calls, and what was taken back since. */
export function changesOf(events: Iterable<RunEvent>): ChangeGroup[] {
  const groups: { by: 'run' | 'undo'; changes: FileChange[] }[] = []
  for (const event of events) {
    if (event.kind === 'undo') groups.push({ by: 'undo', changes: [...event.changes] })
    else if (event.kind === 'tool-note' && isFileChange(event.note)) {
      const last = groups.at(-1)
      if (last?.by === 'run') last.changes.push(event.note)
      else groups.push({ by: 'run', changes: [event.note] })
    }
  }
  return groups
}

const isFileChange = (note: unknown): note is FileChange =>
  typeof note === 'object' && note !== null && 'kind' in note && note.kind === 'file-change' && 'path' in note
