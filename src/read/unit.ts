import type { Body, UnitEnd, UnitText } from './bodies/body.ts'
import type { Frame } from './frame.ts'

/** What is known of a call when it begins. */
export type UnitKind = Pick<Frame, 'dialect' | 'form' | 'isMarked' | 'name' | 'quotes' | 'oddities'>

/**
 * A piece of text that is being framed: a call, or what may be one. What its body has settled is kept here, so that the
 * window of the framer stays short.
 *
 * Its places are counted from its own start. `offset` characters were taken out of the window; the body may look at what
 * stands behind them, and may still end before them.
 */
export class Unit implements UnitText {
  readonly kind: UnitKind
  /** Where it starts in the whole text. */
  readonly start: number
  offset = 0
  window = ''
  isEnd = false
  /** Whether it is no call for sure, and its text goes on as it comes. Undecided while it is short. */
  isText: boolean | undefined
  private readonly body: Body
  private readonly pieces: string[] = []

  /** It is only spoken of, whatever it comes to. */
  readonly isMention: boolean

  constructor(kind: UnitKind, body: Body, start: number, isMention: boolean) {
    this.kind = kind
    this.body = body
    this.start = start
    this.isMention = isMention
    this.isText = kind.isMarked ? isMention && body.isForward : undefined
  }

  /** All that was taken. */
  joined(): string {
    if (this.pieces.length > 1) this.pieces.splice(0, this.pieces.length, this.pieces.join(''))
    return this.pieces[0] ?? ''
  }

  take(piece: string): void {
    // What is told already as text need not be kept, unless the body may still ask for it.
    if (!this.isText || this.kind.isMarked) this.pieces.push(piece)
    this.offset += piece.length
  }

  /** Reads on in what follows what was taken. */
  read(window: string, isEnd: boolean): UnitEnd | undefined {
    this.window = window
    this.isEnd = isEnd
    return this.body.read(this)
  }

  slice(from: number, to: number): string {
    return (this.joined() + this.window.slice(0, Math.max(0, to - this.offset))).slice(from, to)
  }

  /** How much of the window may be taken: it will not be looked at again. */
  get ready(): number {
    return Math.max(0, this.body.settled - this.offset)
  }

  /** The frame that it has come to, out of its whole text. */
  frame(whole: string, { from, to, end, ...ended }: UnitEnd, isLast: boolean): Frame {
    const { kind, start } = this
    const { name = kind.name, form, parameters, oddities = [], isClosed, isBroken = false } = ended
    return {
      ...kind,
      ...(parameters ? { parameters } : {}),
      ...(form === undefined || form === 'text' ? {} : { form }),
      name,
      raw: whole.slice(0, end),
      start,
      body: whole.slice(from, to),
      bodyStart: start + from,
      oddities: [...kind.oddities, ...oddities],
      isClosed,
      isBroken,
      isLast,
    }
  }
}
