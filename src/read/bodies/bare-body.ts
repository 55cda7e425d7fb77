import type { Literals } from '../literals.ts'
import type { Body, UnitEnd, UnitText } from './body.ts'
import { goesOn } from './json-body.ts'
import { JsonScan } from './json-scan.ts'

/** An empty line. */
export const PARAGRAPH = '\n\n'

/** So far behind the last bracket it is looked whether there is more. */
const LONGEST_ONWARD = 96

/**
 * JSON, or a call as in Python, that no marker announces: up to its end, or to where it cannot go on: a marker, or the end
 * of a paragraph when it is no JSON anyway.
 */
export class BareBody implements Body {
  readonly isForward = true
  settled: number
  private readonly from: number
  private readonly scan: JsonScan
  private readonly barriers: Literals<unknown>

  /** `barriers` must have the end of a paragraph among them. */
  constructor(from: number, barriers: Literals<unknown>, isPython = false) {
    this.from = this.settled = from
    this.barriers = barriers
    this.scan = new JsonScan(undefined, isPython)
  }

  read({ window, offset, isEnd }: UnitText): UnitEnd | undefined {
    const { scan, barriers } = this
    let index = this.settled - offset
    while (index < window.length && !scan.isDone) {
      const at = barriers.next(window, index)
      index = scan.read(window, index, at)
      this.settled = offset + index
      if (scan.isDone || at >= window.length) break
      const isData = scan.inString && !scan.isBroken
      const literal = isData ? undefined : barriers.at(window, at, isEnd)
      if (literal === 'more') return undefined
      if (literal && (literal.text !== PARAGRAPH || this.isOverAtParagraph)) return this.ended(true)
      index = scan.read(window, at, at + 1)
      this.settled = offset + index
    }
    if (!scan.isDone) return isEnd ? this.ended(false) : undefined
    const onward = goesOn(window.slice(this.settled - offset, this.settled - offset + LONGEST_ONWARD), isEnd)
    if (onward === 'more') return undefined
    return onward ? this.ended(true) : this.ended(false)
  }

  /** An apostrophe looks like a quote, so that only a string in double quotes goes over an empty line. */
  private get isOverAtParagraph(): boolean {
    return this.scan.isBroken && this.scan.openQuote !== '"'
  }

  private ended(isText: boolean): UnitEnd {
    const { from, settled, scan } = this
    const isClosed = !isText && scan.isDone
    return { end: settled, from, to: settled, isClosed, ...(isText ? { form: 'text' } : {}) }
  }
}
