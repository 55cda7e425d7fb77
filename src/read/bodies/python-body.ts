import type { Closers } from '../literals.ts'
import type { Body, UnitEnd, UnitText } from './body.ts'
import { JsonScan } from './json-scan.ts'

/** Calls as in Python behind a marker: up to the closer, or where there is none, to the end of the first of them. */
export class PythonBody implements Body {
  readonly isForward = true
  settled: number
  private readonly from: number
  private readonly closers: Closers
  /** The dialect's own quote that is open. */
  private quote: string | undefined
  private scan = new JsonScan(undefined, true)

  constructor(from: number, closers: Closers) {
    this.from = this.settled = from
    this.closers = closers
  }

  read({ window, offset, isEnd }: UnitText): UnitEnd | undefined {
    const { literals, texts } = this.closers
    for (;;) {
      if (this.quote !== undefined) {
        const end = window.indexOf(this.quote, this.settled - offset)
        const open = window.length - (isEnd ? 0 : this.quote.length - 1)
        this.settled = Math.max(this.settled, offset + (end < 0 ? open : end + this.quote.length))
        if (end < 0 && !isEnd) return undefined
        this.quote = undefined
      }
      const start = this.settled - offset
      if (start >= window.length) return isEnd ? this.ended(this.settled, this.settled, false) : undefined
      const at = literals.next(window, start)
      this.settled = offset + this.scan.read(window, start, at)
      if (this.scan.isDone) {
        if (texts.length === 0) return this.ended(this.settled, this.settled, true)
        this.scan = new JsonScan(undefined, true)
        continue
      }
      if (at >= window.length) continue
      const closer = this.scan.inString ? undefined : literals.at(window, at, isEnd)
      if (closer === 'more') return undefined
      if (closer && !texts.includes(closer.text)) {
        this.quote = closer.text
        this.settled = offset + at + closer.text.length
        continue
      }
      if (closer) return this.ended(offset + at, offset + at + closer.text.length, true)
      this.settled = offset + this.scan.read(window, at, at + 1)
    }
  }

  private ended(to: number, end: number, isClosed: boolean): UnitEnd {
    return { end, from: this.from, to, isClosed }
  }
}
