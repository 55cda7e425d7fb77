import { Literals, mayBecome } from '../literals.ts'
import type { Body, UnitEnd, UnitText } from './body.ts'
import { JsonScan, type StringWatch } from './json-scan.ts'

/** So far behind the arguments a closer is looked for. */
const LONGEST_TAIL = 96
/** So often a text whose JSON is broken is tried up to a closer that stands in a string. */
const MOST_CLOSERS = 4

/**
 * JSON behind a marker: up to its end, and to the closer behind it. While it is well-formed, a closer in a string is
 * data. When it is broken, the text up to each closer is tried, a few times, and then taken.
 */
export class JsonBody implements Body {
  settled: number
  private readonly from: number
  private readonly kind: 'envelope' | 'arguments'
  private readonly texts: readonly string[]
  private readonly closers: Literals<undefined>
  private readonly reads: (text: string) => boolean
  private readonly scan: JsonScan
  private tries = 0

  /** `reads` tells whether a text can be read without a problem; it is asked only where JSON is broken. */
  constructor(
    from: number,
    kind: 'envelope' | 'arguments',
    closers: readonly string[],
    reads: (text: string) => boolean,
    watch?: StringWatch,
  ) {
    this.scan = new JsonScan(watch)
    this.from = this.settled = from
    this.kind = kind
    this.texts = closers
    this.closers = new Literals(closers.map((text) => ({ text, means: undefined })))
    this.reads = reads
  }

  read(text: UnitText): UnitEnd | undefined {
    while (!this.scan.isDone) {
      const end = this.readJson(text)
      if (end !== 'on') return end
    }
    return this.readTail(text)
  }

  private readJson({ window, offset, isEnd, slice }: UnitText): UnitEnd | undefined | 'on' {
    const { scan, closers } = this
    const start = this.settled - offset
    if (start >= window.length) return isEnd ? this.ended(this.settled, this.settled, false) : undefined
    const at = closers.next(window, start)
    this.settled = offset + scan.read(window, start, at)
    if (scan.isDone || at >= window.length) return 'on'
    const isData = scan.inString && !scan.isBroken
    const closer = isData ? undefined : closers.at(window, at, isEnd)
    if (closer === 'more') return undefined
    const isTried = closer && scan.inString
    if (closer && (!isTried || ++this.tries > MOST_CLOSERS || this.reads(slice(this.from, this.settled)))) {
      return this.ended(this.settled, offset + at + closer.text.length, true)
    }
    this.settled = offset + scan.read(window, at, at + 1)
    return 'on'
  }

  /** Behind the JSON: the closer, with or without a little rubbish before it. */
  private readTail({ window, offset, isEnd }: UnitText): UnitEnd | undefined {
    const { settled } = this
    const closers = this.texts
    if (closers.length === 0) return this.ended(settled, settled, true)
    // Never more than this is looked at, however much has come: the pieces must not matter.
    const tail = window.slice(settled - offset, settled - offset + LONGEST_TAIL)
    const isAll = isEnd || tail.length === LONGEST_TAIL
    const at = passRubbish(tail, closers)
    const closer = closers.find((literal) => tail.startsWith(literal, at))
    if (closer !== undefined) return this.ended(settled + at, settled + at + closer.length, true)
    const isOpenTag = mayBecome(tail, at, ['</']) && !tail.includes('>', at)
    if (!isAll && (isOpenTag || mayBecome(tail, at, closers))) return undefined
    return this.ended(settled, settled, false)
  }

  private ended(to: number, end: number, isClosed: boolean): UnitEnd {
    return { end, from: this.from, to, kind: this.kind, isClosed }
  }
}

/** Passes over signs that mean nothing between arguments and closer: quotes, brackets, tags that close something else. */
function passRubbish(text: string, closers: readonly string[]): number {
  let index = 0
  while (index < text.length) {
    if (closers.some((closer) => text.startsWith(closer, index))) return index
    const tag = text.startsWith('</', index) ? text.indexOf('>', index) : -1
    if (tag >= 0) index = tag + 1
    else if (' \n\r\t}])"\'`;,.'.includes(text.charAt(index))) index++
    else return index
  }
  return index
}
