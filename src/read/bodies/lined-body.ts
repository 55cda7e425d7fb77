import type { Body, UnitEnd, UnitText } from './body.ts'

/** Lines of `key: value`: up to an empty line, the end of a fence, or the end. */
export class LinedBody implements Body {
  readonly isForward = true
  settled = 0
  private readonly ends = /\n(?=[ \t]{0,80}(?:\n|```))/g

  read({ window, offset, isEnd }: UnitText): UnitEnd | undefined {
    this.ends.lastIndex = this.settled - offset
    const found = this.ends.exec(window)
    if (found) return this.ended(offset + found.index, true)
    // An empty line, or a fence, may have begun with the last line.
    const lastLine = window.lastIndexOf('\n')
    const mayEnd = lastLine >= 0 && /^\n[ \t]{0,80}`{0,2}$/.test(window.slice(lastLine, lastLine + LONGEST_BLANK))
    this.settled = Math.max(this.settled, offset + (mayEnd ? lastLine : window.length))
    return isEnd ? this.ended(offset + window.length, false) : undefined
  }

  private ended(end: number, isClosed: boolean): UnitEnd {
    return { end, from: 0, to: end, isClosed }
  }
}

/** A line break, eighty characters of space, two backticks, and one more: what is longer is no empty line. */
const LONGEST_BLANK = 84
