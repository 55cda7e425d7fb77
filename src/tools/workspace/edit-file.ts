import { ToolRetry } from '../errors.ts'
import type { InputOf } from '../infer.ts'
import { type RunnableTool, tool } from '../tool.ts'
import { attempted } from './attempt.ts'
import {
  applyChange,
  type ChangeOptions,
  contentAt,
  isWhole,
  type PlannedChange,
  previewOf,
  verifyChange,
} from './change-file.ts'
import type { ConfinedRoot } from './confined-root.ts'
import { counted, isBinary, linesIn, linesText, withNote } from './file-words.ts'
import { nearestLines } from './nearest-lines.ts'
import { shownPath, WorkspaceRefusal } from './refusal.ts'

const input = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'The file, relative to the workspace.' },
    old: { type: 'string', description: 'The text to replace, exactly as it stands in the file.' },
    new: { type: 'string', description: 'The text to put in its place.' },
    all: { type: 'boolean', description: 'Replace it everywhere. Without this it must stand there once.' },
  },
  required: ['path', 'old', 'new'],
} as const

/**
 * The tool that replaces a text in a file. A text that is not there, or there several times, is refused with the lines
 * that the model needs to do better.
 *
 * @example
 * const edit = editFileTool(ConfinedRoot.open('.'), { needsApproval: true })
 */
export function editFileTool(root: ConfinedRoot, options: ChangeOptions = {}): RunnableTool {
  return tool({
    name: 'edit_file',
    description: 'Replaces a text in a file by another one. The text must stand there exactly as you send it.',
    input,
    kind: 'verifiable',
    needsApproval: options.needsApproval ?? false,
    preview: (given) => previewOf(planned(root, given)),
    verify: ({ path }, notes) => verifyChange(root, path, notes),
    run: (given, context) =>
      attempted(root, context, async () => {
        const plan = planned(root, given)
        await applyChange(root, plan, context, options)
        return withNote(plan.result, plan.place.note)
      }),
  })
}

/** So many places are named. */
const MOST_NAMED = 10

function planned(root: ConfinedRoot, given: InputOf<typeof input>): PlannedChange {
  const place = root.resolve(given.path)
  const before = contentAt(root, place)
  const shown = shownPath(place.path)
  if (given.old === '') throw new ToolRetry('Send in old the text to replace; to make or fill a file use write_file.')
  if (!given.old.isWellFormed() || !given.new.isWellFormed()) {
    throw new ToolRetry('Send old and new of whole characters: there is half of one in them (a surrogate).')
  }
  if (given.old === given.new) throw new ToolRetry('Send in new another text than in old: nothing would change.')
  if (!before) throw new WorkspaceRefusal('missing', place.path, `There is no ${shown}.`)
  if (!isWhole(before)) {
    throw new WorkspaceRefusal('too-large', place.path, `Edit it with run_bash: ${shown} is too large for edit_file.`)
  }
  const { bytes } = before
  const ends = lineEndsOf(bytes, given)
  const old = Buffer.from(ends.old)
  const fresh = Buffer.from(ends.new)
  const found = placesOf(bytes, old)
  if (found.length === 0) throw new ToolRetry(notFound(shown, bytes, given.old))
  const lines = lineNumbers(bytes, found)
  const named = `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MOST_NAMED).join(', ')}${lines.length > MOST_NAMED ? ', …' : ''}`
  if (found.length > 1 && given.all !== true) {
    throw new ToolRetry(
      `Send more of the text around it, or all: true to replace each: old stands ${found.length} times in ${shown}, at ${named}.`,
    )
  }
  const replaced = replacedAt(bytes, found, old.length, fresh)
  const times = found.length === 1 ? '' : ` in ${counted(found.length, 'place')}`
  const result = `Edited ${shown}${times} at ${named} (now ${counted(linesIn(replaced), 'line')})${ends.note}.`
  return { place, before, bytes: replaced, result, makesFolders: false }
}

/** In a file whose lines all end with CR LF, texts that are sent with LF mean the same. */
function lineEndsOf(
  bytes: Buffer,
  given: { readonly old: string; readonly new: string },
): {
  readonly old: string
  readonly new: string
  readonly note: string
} {
  const { old, new: fresh } = given
  const isPlain = !old.includes('\r') && !fresh.includes('\r') && (old.includes('\n') || fresh.includes('\n'))
  if (!isPlain || !bytes.includes('\r\n') || /(?<!\r)\n/.test(bytes.toString('latin1'))) return { ...given, note: '' }
  const converted = (text: string): string => text.replaceAll('\n', '\r\n')
  return { old: converted(old), new: converted(fresh), note: '; its lines end with CR LF, as before' }
}

/** Where a text stands, without those that overlap. */
function placesOf(bytes: Buffer, text: Buffer): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) found.push(at)
  return found
}

function lineNumbers(bytes: Buffer, places: readonly number[]): number[] {
  let line = 1
  let from = 0
  return places.map((place) => {
    for (let at = bytes.indexOf(10, from); at >= 0 && at < place; at = bytes.indexOf(10, at + 1)) line++
    from = place
    return line
  })
}

function replacedAt(bytes: Buffer, places: readonly number[], length: number, fresh: Buffer): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  for (const place of places) {
    pieces.push(bytes.subarray(from, place), fresh)
    from = place + length
  }
  return Buffer.concat([...pieces, bytes.subarray(from)])
}

function notFound(shown: string, bytes: Buffer, old: string): string {
  if (isBinary(bytes)) return `Use run_bash for it: ${shown} is no text, and old does not stand in it.`
  const near = nearestLines(bytes.toString('utf8'), old)
  if (!near) return `Read ${shown} first, and send old as it stands there: nothing like it does.`
  const differs = near.differs === 'whitespace' ? 'where only white space differs from old' : 'which come nearest to it'
  return `Send old exactly as it stands in ${shown}: see ${linesText(near.from, near.to)}, ${differs}.\n${near.text}`
}
