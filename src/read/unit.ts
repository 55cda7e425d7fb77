import type { Body, UnitEnd, UnitText } from './bodies/body.ts'
import type { Frame } from './frame.ts'

/** What is known of a call when it begins. */
export type UnitKind = Pick<Frame, 'dialect' | 'form' | 'isMarked' | 'name' | 'quotes' | 'oddities'>

/**
 * A piece of text that is being framed. What its body has settled is kept here, so that the framer's window stays short.
 */
export class Unit implements UnitText {
  readonly kind: UnitKind
  readonly start: number
  /** How much of it was taken out of the window. */
  taken = 0
  /** Whether it is no call for sure, and its text goes on as it comes. Undecided while it is short. */
  isText: boolean | undefined
  window = ''
  isEnd = false
  private readonly body: Body
  private readonly pieces: string[] = []

  constructor(kind: UnitKind, body: Body, start: number) {
    this.kind = kind
    this.body = body
    this.start = start
    this.isText = kind.isMarked ? false : undefined
  }

  /** What was taken so far. */
  get text(): string {
    if (this.pieces.length > 1) this.pieces.splice(0, this.pieces.length, this.pieces.join(''))
    return this.pieces[0] ?? ''
  }

  take(piece: string): void {
    this.pieces.push(piece)
    this.taken += piece.length
  }

  /** Reads on in what follows what was taken. */
  read(window: string, isEnd: boolean): UnitEnd | undefined {
    this.window = window
    this.isEnd = isEnd
    return this.body.read(this)
  }

  get offset(): number {
    return this.taken
  }

  slice(from: number, to: number): string {
    return (this.text + this.window.slice(0, Math.max(0, to - this.taken))).slice(from, to)
  }

  /** How much of the window will not be looked at again. */
  get settled(): number {
    return Math.max(0, this.body.settled - this.taken)
  }

  /** The frame that a unit has come to, out of its whole text. */
  frame(whole: string, { from, to, end, ...ended }: UnitEnd, isLast: boolean): Frame {
    const { kind, start } = this
    const { name = kind.name, form = kind.form, parameters, oddities = [], isClosed, isBroken = false } = ended
    return {
      ...kind,
      ...(parameters ? { parameters } : {}),
      name,
      form: form === 'text' ? kind.form : form,
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
