import type { Oddity } from '../frame.ts'
import { type Closers, mayBecome } from '../literals.ts'
import type { Body, UnitEnd, UnitText } from './body.ts'
import { JsonScan, type StringWatch } from './json-scan.ts'

/** So far behind the arguments a closer is looked for. */
const LONGEST_TAIL = 96
/** So often a text whose JSON is broken is tried up to a closer that stands in a string. */
const MOST_CLOSERS = 4

export interface JsonBodyOptions {
  readonly closers: Closers
  /** Whether a text can be read without a problem; asked only where JSON is broken. */
  readonly reads: (text: string) => boolean
  readonly watch?: StringWatch | undefined
  /** The call ends with its JSON, and a closer behind it is only taken along. */
  readonly isEndOptional?: boolean
  /** Quotes of the dialect's own: between two of them all is text. */
  readonly quotes?: readonly string[] | undefined
}

/**
 * JSON behind a marker: up to its end, and to the closer behind it. While it is well-formed, a closer in a string is
 * data. When it is broken, the text up to each closer is tried, a few times, and then taken.
 */
export class JsonBody implements Body {
  readonly isForward = true
  settled: number
  private readonly from: number
  private readonly options: JsonBodyOptions
  private readonly scan: JsonScan
  private tries = 0
  /** The dialect's own quote that is open. */
  private quote: string | undefined

  constructor(from: number, options: JsonBodyOptions) {
    this.scan = new JsonScan(options.watch)
    this.from = this.settled = from
    this.options = options
  }

  read(text: UnitText): UnitEnd | undefined {
    while (!this.scan.isDone) {
      const end = this.quote === undefined ? this.readJson(text) : this.readQuoted(text, this.quote)
      if (end !== 'on') return end
    }
    return this.readTail(text)
  }

  private readJson(text: UnitText): UnitEnd | undefined | 'on' {
    const { window, offset, isEnd } = text
    const { scan } = this
    const { closers, quotes, reads } = this.options
    const start = this.settled - offset
    if (start >= window.length) return isEnd ? this.ended(this.settled, this.settled, false) : undefined
    const at = closers.literals.next(window, start)
    this.settled = offset + scan.read(window, start, at)
    if (scan.isDone || at >= window.length) return 'on'
    const isData = scan.inString && !scan.isBroken
    const closer = isData ? undefined : closers.literals.at(window, at, isEnd)
    if (closer === 'more') return undefined
    if (closer && quotes?.includes(closer.text)) {
      this.quote = closer.text
      this.settled = offset + at + closer.text.length
      return 'on'
    }
    const isTried = closer && scan.inString
    if (closer && (!isTried || ++this.tries > MOST_CLOSERS || reads(text.slice(this.from, this.settled)))) {
      return this.ended(this.settled, offset + at + closer.text.length, true)
    }
    this.settled = offset + scan.read(window, at, at + 1)
    return 'on'
  }

  private readQuoted({ window, offset, isEnd }: UnitText, quote: string): UnitEnd | undefined | 'on' {
    const at = window.indexOf(quote, this.settled - offset)
    if (at < 0) {
      this.settled = Math.max(this.settled, offset + window.length - (isEnd ? 0 : quote.length - 1))
      return isEnd ? this.ended(this.settled, this.settled, false) : undefined
    }
    this.settled = offset + at + quote.length
    this.quote = undefined
    return 'on'
  }

  /** Behind the JSON: the closer, with or without a little rubbish before it. */
  private readTail({ window, offset, isEnd }: UnitText): UnitEnd | undefined {
    const { settled } = this
    const { texts } = this.options.closers
    const onward = goesOn(window.slice(settled - offset, settled - offset + LONGEST_TAIL), isEnd)
    if (onward === 'more') return undefined
    if (onward) return { ...this.ended(settled, settled, false), isBroken: true }
    if (texts.length === 0) return this.ended(settled, settled, true)
    // Never more than this is looked at, however much has come: the pieces must not matter.
    const tail = window.slice(settled - offset, settled - offset + LONGEST_TAIL)
    const isAll = isEnd || tail.length === LONGEST_TAIL
    const at = passRubbish(tail, texts)
    const closer = texts.find((literal) => tail.startsWith(literal, at))
    if (closer !== undefined)
      return this.ended(settled, settled + at + closer.length, true, rubbishIn(tail.slice(0, at)))
    const isOpenTag = mayBecome(tail, at, ['</']) && !tail.includes('>', at)
    if (!isAll && (isOpenTag || mayBecome(tail, at, texts))) return undefined
    return this.ended(settled, settled, this.options.isEndOptional === true)
  }

  private ended(to: number, end: number, isClosed: boolean, oddities: readonly Oddity[] = []): UnitEnd {
    return { end, from: this.from, to, isClosed, oddities }
  }
}

/** Whether an object goes on behind its last bracket, with a comma and another key: then that bracket was one too many. */
export function goesOn(tail: string, isEnd: boolean): boolean | 'more' {
  if (/^[\s}\]]*,\s*["'][\w.-]+["']\s*:/.test(tail)) return true
  const mayGoOn = /^[\s}\]]*(?:,\s*(?:["'][\w.-]*(?:["']\s*)?)?)?$/.test(tail)
  return mayGoOn && !isEnd && tail.length < LONGEST_TAIL ? 'more' : false
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

/** What was passed over, when it was more than space and the end of a fence. */
function rubbishIn(text: string): Oddity[] {
  const rubbish = text.trim()
  return rubbish === '' || rubbish === '```' ? [] : [{ code: 'end-littered', text: rubbish }]
}
