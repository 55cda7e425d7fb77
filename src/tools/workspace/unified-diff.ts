import { counted, isBinary, numberText } from './file-words.ts'
import { type DiffLine, diffLines } from './line-diff.ts'

export interface UnifiedDiffOptions {
  /** So many lines are shown at most. Default 400. */
  readonly most?: number
}

const CONTEXT = 3
const MOST_SHOWN = 400
/** Longer files are not compared line by line. */
const MOST_COMPARED = 2_000_000

/**
 * What changes in a file, as a unified diff; `undefined` where there is no file.
 *
 * @example
 * unifiedDiff('a.txt', Buffer.from('one\n'), Buffer.from('two\n'))
 */
export function unifiedDiff(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  { most = MOST_SHOWN }: UnifiedDiffOptions = {},
): string {
  const old = before ?? new Uint8Array()
  const fresh = after ?? new Uint8Array()
  const head = [`--- ${before ? `a/${path}` : '/dev/null'}`, `+++ ${after ? `b/${path}` : '/dev/null'}`]
  if (isBinary(old) || isBinary(fresh) || old.length + fresh.length > MOST_COMPARED) {
    return [
      ...head,
      `[${numberText(old.length)} bytes before, ${counted(fresh.length, 'byte')} after: not shown]`,
    ].join('\n')
  }
  const shown = hunksOf(diffLines(linesOf(old), linesOf(fresh)))
  const cut = shown.length - most
  const rest = cut > 0 ? [`[… ${counted(cut, 'more line')} of the diff left out …]`] : []
  return [...head, ...shown.slice(0, most), ...rest].join('\n')
}

const NO_END = '\n\\ No newline at end of file'

/** Lines without their ends; the last one says when it has none. */
function linesOf(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return []
  const lines = new TextDecoder().decode(bytes).split('\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, last + NO_END]
}

/** What changed, with a few lines around it. */
function hunksOf(lines: readonly DiffLine[]): string[] {
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]))
  const ranges: { from: number; to: number }[] = []
  for (const index of changed) {
    const last = ranges.at(-1)
    const from = Math.max(0, index - CONTEXT)
    const to = Math.min(lines.length, index + CONTEXT + 1)
    if (last && from <= last.to) last.to = to
    else ranges.push({ from, to })
  }
  const hunks: string[] = []
  let at = 0
  let oldLine = 1
  let freshLine = 1
  const pass = (to: number): DiffLine[] => {
    const passed = lines.slice(at, to)
    at = to
    oldLine += passed.filter(({ sign }) => sign !== '+').length
    freshLine += passed.filter(({ sign }) => sign !== '-').length
    return passed
  }
  for (const { from, to } of ranges) {
    pass(from)
    const [oldStart, freshStart] = [oldLine, freshLine]
    const inside = pass(to)
    const olds = rangeText(oldStart, oldLine - oldStart)
    const freshes = rangeText(freshStart, freshLine - freshStart)
    hunks.push(`@@ -${olds} +${freshes} @@`, ...inside.map(({ sign, text }) => sign + text))
  }
  return hunks
}

const rangeText = (start: number, count: number): string =>
  count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`
