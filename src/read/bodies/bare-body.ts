import type { Literals } from '../literals.ts'
import type { Body, UnitEnd, UnitText } from './body.ts'
import { JsonScan } from './json-scan.ts'

/** An empty line. */
export const PARAGRAPH = '\n\n'

/**
 * JSON that no marker announces: up to its end, or to where it cannot go on: a marker, or the end of a paragraph when it
 * is no JSON anyway.
 */
export class BareBody implements Body {
  settled = 0
  private readonly scan = new JsonScan()
  private readonly openers: Literals<unknown>

  /** `openers` must have the end of a paragraph among them. */
  constructor(openers: Literals<unknown>) {
    this.openers = openers
  }

  read({ window, offset, isEnd }: UnitText): UnitEnd | undefined {
    const { scan, openers } = this
    let index = this.settled - offset
    while (index < window.length && !scan.isDone) {
      const at = openers.next(window, index)
      index = scan.read(window, index, at)
      this.settled = offset + index
      if (scan.isDone || at >= window.length) break
      const isData = scan.inString && !scan.isBroken
      const literal = isData ? undefined : openers.at(window, at, isEnd)
      if (literal === 'more') return undefined
      if (literal && (literal.text !== PARAGRAPH || (scan.isBroken && !scan.inString))) return this.ended('text', false)
      index = scan.read(window, at, at + 1)
      this.settled = offset + index
    }
    return scan.isDone || isEnd ? this.ended('envelope', scan.isDone) : undefined
  }

  private ended(kind: 'envelope' | 'text', isClosed: boolean): UnitEnd {
    return { end: this.settled, from: 0, to: this.settled, kind, isClosed }
  }
}
