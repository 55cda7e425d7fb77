import { ToolRetry } from '../errors.ts'
import type { InputOf } from '../infer.ts'
import { type RunnableTool, tool } from '../tool.ts'
import { attempted } from './attempt.ts'
import {
  applyChange,
  type ChangeOptions,
  checkSize,
  contentAt,
  isWhole,
  type PlannedChange,
  previewOf,
  verifyChange,
} from './change-file.ts'
import type { ConfinedRoot } from './confined-root.ts'
import { counted, extentOf, withNote } from './file-words.ts'
import { shownPath, WorkspaceRefusal } from './refusal.ts'

const path = { type: 'string', description: 'Where, relative to the workspace. Missing folders are made.' } as const
const content = { type: 'string', description: 'All that the file shall hold.' } as const
const required = ['path', 'content'] as const
const flag = { type: 'boolean' } as const

/** What models are told of. */
const told = { type: 'object', properties: { path, content }, required } as const

/** What is taken beside it: parameters that models keep inventing, and that have a meaning. */
const taken = {
  type: 'object',
  properties: {
    path,
    content,
    append: flag,
    overwrite: flag,
    line_end: { type: 'string' },
    create_dirs: flag,
    encoding: { type: 'string' },
  },
  required,
} as const

/**
 * The tool that writes a whole file. It tells models of two parameters, and takes those that they invent: `append`,
 * `overwrite`, `line_end`, `create_dirs` and `encoding`.
 *
 * @example
 * const write = writeFileTool(ConfinedRoot.open('.'))
 */
export function writeFileTool(root: ConfinedRoot, options: ChangeOptions = {}): RunnableTool {
  return tool({
    name: 'write_file',
    description: 'Writes a text file, in place of what it held. For a small change in a long file use edit_file.',
    input: taken,
    told,
    kind: 'verifiable',
    needsApproval: options.needsApproval ?? false,
    preview: (input) => previewOf(planned(root, input)),
    verify: ({ path }, notes) => verifyChange(root, path, notes),
    run: (input, context) =>
      attempted(root, context, async () => {
        const plan = planned(root, input)
        const { before, bytes, place } = plan
        const isSame = before && isWhole(before) && before.bytes.equals(bytes)
        if (isSame) return withNote(`${place.path} holds this already (${extentOf(bytes)}).`, place.note)
        await applyChange(root, plan, context, options)
        return withNote(plan.result, place.note)
      }),
  })
}

type Input = InputOf<typeof taken>

function planned(root: ConfinedRoot, input: Input): PlannedChange {
  const place = root.resolve(input.path)
  const before = contentAt(root, place)
  const shown = shownPath(place.path)
  if (before && input.overwrite === false && !input.append) {
    const message = `Choose another path, or leave overwrite out to replace it: ${shown} exists (${counted(before.size, 'byte')}).`
    throw new WorkspaceRefusal('exists', place.path, message)
  }
  checkSize(place.path, input.content.length)
  const given = encoded(withLineEnds(input.content, input.line_end), input.encoding)
  const makesFolders = input.create_dirs ?? true
  if (!input.append || !before) {
    const replaced = before && isWhole(before) ? `, in place of ${extentOf(before.bytes)}` : ''
    return { place, before, bytes: given, makesFolders, result: `Wrote ${shown} (${extentOf(given)})${replaced}.` }
  }
  if (!isWhole(before)) {
    throw new WorkspaceRefusal('too-large', place.path, `Append with run_bash: ${shown} is too large for write_file.`)
  }
  const bytes = Buffer.concat([before.bytes, given])
  const result = `Appended ${extentOf(given)} to ${shown} (now ${extentOf(bytes)}).`
  return { place, before, bytes, makesFolders, result }
}

/** Line ends as models name them. */
const lineEnds: { readonly [name: string]: string | undefined } = {
  '\n': '\n',
  '\\n': '\n',
  lf: '\n',
  unix: '\n',
  '\r\n': '\r\n',
  '\\r\\n': '\r\n',
  crlf: '\r\n',
  windows: '\r\n',
}

function withLineEnds(text: string, name = ''): string {
  if (name === '') return text
  const end = lineEnds[name.toLowerCase()]
  if (end === undefined) throw new ToolRetry('Leave line_end out, or send lf or crlf.')
  return text.replace(/\r\n|\n/g, end)
}

/** Encodings as models name them, without what stands between letters and digits. */
const encodings: { readonly [name: string]: BufferEncoding | undefined } = {
  '': 'utf8',
  utf8: 'utf8',
  text: 'utf8',
  ascii: 'latin1',
  usascii: 'latin1',
  latin1: 'latin1',
  iso88591: 'latin1',
  utf16le: 'utf16le',
}

function encoded(text: string, name = ''): Buffer {
  if (!text.isWellFormed()) throw new ToolRetry('Send content of whole characters: it holds half of one (a surrogate).')
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const encoding = encodings[plain]
  if (encoding === undefined) throw new ToolRetry('Leave encoding out: files are written as UTF-8.')
  const most = plain.endsWith('ascii') ? 0x7f : 0xff
  if (encoding === 'latin1' && [...text].some((letter) => (letter.codePointAt(0) ?? 0) > most)) {
    throw new ToolRetry(`Leave encoding out: ${name} has not all the characters of this content.`)
  }
  return Buffer.from(text, encoding)
}
