import { setImmediate } from 'node:timers/promises'
import { matches } from '../../validate/patterns.ts'
import { ToolRetry } from '../errors.ts'
import { type RunnableTool, tool } from '../tool.ts'
import { attempted } from './attempt.ts'
import type { ConfinedRoot } from './confined-root.ts'
import { counted, isBinary, withNote } from './file-words.ts'
import { anyGlob, type Glob } from './globs.ts'
import { shownPath, WorkspaceRefusal } from './refusal.ts'
import { walkTree } from './walk-tree.ts'
import type { WorkspacePath } from './workspace-path.ts'

const OBSERVATION = 10_000
/** Room for what is said below the lines. */
const MARGIN = 300
const MOST_FOUND = 100
const LONGEST_SHOWN = 200
const MOST_MET = 50_000
const DEEPEST = 20
const LARGEST = 5_000_000

/**
 * The tool that finds lines by a pattern, in time that grows with the text alone.
 *
 * @example
 * const search = searchFilesTool(ConfinedRoot.open('.'))
 */
export function searchFilesTool(root: ConfinedRoot): RunnableTool {
  return tool({
    name: 'search_files',
    description: 'Finds the lines of files that match a regular expression; (?i) before it ignores case.',
    input: {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'A regular expression without look-around and back-references.' },
        path: { type: 'string', description: 'The folder or file to search. Without this the workspace.' },
        glob: { type: 'string', description: 'Only in files that match, such as *.py or src/**/*.ts.' },
      },
      required: ['pattern'],
    },
    kind: 'pure',
    observationLimit: OBSERVATION,
    run: ({ pattern, path = '.', glob }, context) =>
      attempted(root, context, async () => {
        const place = root.resolve(path)
        const search = new Search(root, matcherOf(pattern), glob ? anyGlob([glob]) : () => true)
        await search.in(place, context.signal)
        return withNote(search.told(place), place.note)
      }),
  })
}

type Matches = (text: string) => boolean

function matcherOf(pattern: string): Matches {
  if (pattern === '') throw new ToolRetry('Send a pattern: the text to look for.')
  if (!/[\\^$.*+?()[\]{}|]/.test(pattern)) return (text) => text.includes(pattern)
  if (matches(pattern, '') === undefined) {
    throw new ToolRetry(
      'Send a simpler pattern, without look-around and back-references, and with \\ before ( [ { * + ? . that are meant as such: this one cannot be matched.',
    )
  }
  return (text) => matches(pattern, text) === true
}

class Search {
  private readonly root: ConfinedRoot
  private readonly isMatch: Matches
  private readonly isWanted: Glob
  private readonly lines: string[] = []
  private length = 0
  private searched = 0
  private large = 0
  private isCut = false

  constructor(root: ConfinedRoot, isMatch: Matches, isWanted: Glob) {
    this.root = root
    this.isMatch = isMatch
    this.isWanted = isWanted
  }

  async in(place: WorkspacePath, signal: AbortSignal): Promise<void> {
    const entry = this.root.stat(place)
    if (!entry) throw new WorkspaceRefusal('missing', place.path, `There is no ${shownPath(place.path)}.`)
    if (entry.kind !== 'folder') return this.inFile(place, entry.size)
    let met = 0
    for (const { place: found, entry } of walkTree(this.root, place, DEEPEST)) {
      // Others get their turn, and a search that was given up ends.
      if (++met % 50 === 0) await setImmediate()
      signal.throwIfAborted()
      if (met > MOST_MET) this.isCut = true
      if (this.isCut) return
      const isMeant = this.isWanted(found.parts) || this.isWanted(found.parts.slice(place.parts.length))
      if (entry.kind !== 'file' || !isMeant || this.root.readRefusal(found)) continue
      try {
        this.inFile(found, entry.size)
      } catch (error) {
        // A file that vanished or may not be read has nothing to find.
        if (!WorkspaceRefusal.isInstance(error)) throw error
      }
    }
  }

  private inFile(place: WorkspacePath, size: number): void {
    if (size > LARGEST) {
      this.large++
      return
    }
    const { bytes } = this.root.read(place)
    if (isBinary(bytes)) return
    this.searched++
    for (const [index, line] of bytes.toString('utf8').split(/\r?\n/).entries()) {
      if (!this.isMatch(line)) continue
      if (this.lines.length >= MOST_FOUND || this.length > OBSERVATION - MARGIN) {
        this.isCut = true
        return
      }
      const shown = line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN).toWellFormed()}…` : line
      const found = `${shownPath(place.path)}:${index + 1}: ${shown}`
      this.lines.push(found)
      this.length += found.length + 1
    }
  }

  /** What was found, in words. */
  told({ path }: WorkspacePath): string {
    const large = this.large > 0 ? `${counted(this.large, 'file')} above ${counted(LARGEST, 'byte')} not searched` : ''
    const cut = this.isCut ? 'there is more: cut here, so search in a folder, with a glob, or for less' : ''
    const remarks = [cut, large].filter((remark) => remark !== '').join('; ')
    const end = remarks === '' ? [] : [`[… ${remarks} …]`]
    if (this.lines.length > 0) return [...this.lines, ...end].join('\n')
    const where = path === '.' ? 'the workspace' : shownPath(path)
    return [`No line matches in ${where} (${counted(this.searched, 'file')} searched).`, ...end].join('\n')
  }
}
