import { type RunnableTool, tool } from '../tool.ts'
import { attempted } from './attempt.ts'
import type { ConfinedRoot } from './confined-root.ts'
import { counted, isBinary, linesText, numberText, withNote } from './file-words.ts'
import { shownPath, WorkspaceRefusal } from './refusal.ts'

/** So many characters of a file are shown at once. */
const OBSERVATION = 20_000
/** Room for what is said about the part that is shown. */
const MARGIN = 400
/** Larger files are not read line by line. */
const HUGE = 10_000_000

/**
 * The tool that reads a text file, or some lines of it. It gives the text as it stands; only of a part it says which.
 *
 * @example
 * const read = readFileTool(ConfinedRoot.open('.', { mode: 'read-only' }))
 */
export function readFileTool(root: ConfinedRoot): RunnableTool {
  return tool({
    name: 'read_file',
    description: 'Reads a text file. Of a long one, the lines from offset on.',
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to the workspace.' },
        offset: { type: 'integer', description: 'The first line to read. The first of the file is 1.' },
        limit: { type: 'integer', description: 'How many lines to read. Without this as many as there is room for.' },
      },
      required: ['path'],
    },
    kind: 'pure',
    observationLimit: OBSERVATION,
    run: ({ path, offset, limit }, context) =>
      attempted(root, context, () => {
        const place = root.resolve(path)
        return withNote(textOf(root, place.path, offset, limit), place.note)
      }),
  })
}

function textOf(root: ConfinedRoot, path: string, offset = 1, limit = Number.POSITIVE_INFINITY): string {
  const shown = shownPath(path)
  const { bytes, size } = root.read(path)
  if (isBinary(bytes)) return `[${shown} is no text: ${counted(size, 'byte')}, not shown]`
  if (size > HUGE) {
    const message = `Find what you need with search_files: ${shown} is too large to be read (${counted(size, 'byte')}).`
    throw new WorkspaceRefusal('too-large', path, message)
  }
  if (size === 0) return `[${shown} is empty]`
  const text = bytes.toString('utf8')
  const isExact = Buffer.byteLength(text) === bytes.length && Buffer.from(text).equals(bytes)
  const part = partOf(text, Math.max(1, offset), Math.max(1, limit))
  const remarks = [...part.remarks, ...(isExact ? [] : ['it is not UTF-8: what could not be read is shown as �'])]
  const head = remarks.length > 0 ? `[${shown}: ${remarks.join('; ')}]\n` : ''
  return head + part.text
}

interface Part {
  readonly text: string
  /** What must be said of it. */
  readonly remarks: readonly string[]
}

/** Lines from an offset on: as many as are wanted and have room. */
function partOf(text: string, offset: number, limit: number): Part {
  const room = OBSERVATION - MARGIN
  if (offset === 1 && text.length <= room && limit === Number.POSITIVE_INFINITY) return { text, remarks: [] }
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const total = lines.length
  if (offset > total) return { text: '', remarks: [`there is no line ${offset}, it has ${counted(total, 'line')}`] }
  let length = 0
  let end = offset - 1
  while (end < total && end - offset + 1 < limit && length + (lines[end]?.length ?? 0) + 1 <= room) {
    length += (lines[end++]?.length ?? 0) + 1
  }
  if (end < offset) return longLine(lines[offset - 1] ?? '', offset, total)
  const shown = lines.slice(offset - 1, end).join('\n')
  if (offset === 1 && end === total) return { text, remarks: [] }
  const rest = end < total ? `, read on with offset ${end + 1}` : ', to the end'
  return { text: shown, remarks: [`${linesText(offset, end)} of ${numberText(total)}${rest}`] }
}

/** A line that has no room is shown by its beginning. */
function longLine(line: string, number: number, total: number): Part {
  const room = OBSERVATION - MARGIN
  const next = number < total ? `, read on with offset ${number + 1}` : ''
  const cut = `the first ${numberText(room)} of its ${numberText(line.length)} characters`
  const text = line.slice(0, room).toWellFormed()
  return {
    text,
    remarks: [`line ${number} of ${numberText(total)}, ${cut}${next}; search_files finds text in the rest`],
  }
}
