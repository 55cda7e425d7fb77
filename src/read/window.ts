import type { Body, UnitEnd } from './bodies/body.ts'
import type { FrameQuestions, FrameSink } from './frame.ts'
import { Unit, type UnitKind } from './unit.ts'

/** Whether a step got on, or must wait until more of the text has come. */
export type Progress = 'on' | 'wait'
export type Step = () => Progress

/** So many characters are looked at together. */
const LONGEST_PIECE = 4_096
/** What may be a call and does not look like one in so many characters is text. */
const LONGEST_HOLD = 256

/**
 * The text that a framer works on, which comes in pieces, and the unit that it is in.
 *
 * `window` is the text at hand. Its first character stands at `base` in the whole text; what stands before `index` was
 * given to the sink or taken by the unit, so that 0 ≤ index ≤ window.length. Once `isEnd` is set, nothing more will come.
 */
export abstract class TextWindow {
  protected readonly sink: FrameSink
  protected readonly questions: FrameQuestions
  protected window = ''
  protected base = 0
  protected index = 0
  protected isEnd = false
  /** What is done with the text at hand, again and again until it must wait. */
  protected abstract step: Step

  constructor(sink: FrameSink, questions: FrameQuestions) {
    this.sink = sink
    this.questions = questions
  }

  /** The step behind a unit. */
  protected abstract behindUnit(): Progress

  /** However much comes at once, it is looked at in pieces, so that no step searches far ahead. */
  push(chunk: string): void {
    for (let at = 0; at < chunk.length; at += LONGEST_PIECE) this.pushPiece(chunk.slice(at, at + LONGEST_PIECE))
  }

  private pushPiece(piece: string): void {
    this.window = this.window.slice(this.index) + piece
    this.base += this.index
    this.index = 0
    while (this.step() === 'on');
  }

  end(): void {
    this.isEnd = true
    while (this.step() === 'on');
  }

  protected become(step: Step): 'on' {
    this.step = step
    return 'on'
  }

  /** Gives to the sink what stands up to an index. */
  protected give(say: (raw: string) => void, to: number): 'on' {
    if (to > this.index) say.call(this.sink, this.window.slice(this.index, to))
    this.index = Math.max(this.index, to)
    return 'on'
  }

  protected giveText(length: number): 'on' {
    return this.give(this.sink.text, this.index + length)
  }

  /** A unit begins at the index: a call, what may be one, or one that is only spoken of. */
  protected enter(kind: UnitKind, body: Body, isMention = false): 'on' {
    const unit = new Unit(kind, body, this.base + this.index, isMention)
    this.take(unit)
    return this.become(() => this.inside(unit))
  }

  /** Moves what is ready from the window to the unit. */
  private take(unit: Unit): void {
    const { ready } = unit
    if (ready === 0) return
    const piece = this.window.slice(this.index, this.index + ready)
    if (unit.isText) this.sink.text(piece)
    unit.take(piece)
    this.index += ready
  }

  private inside(unit: Unit): Progress {
    const window = this.index === 0 ? this.window : this.window.slice(this.index)
    const end = unit.read(window, this.isEnd)
    const length = end ? end.end : unit.offset + window.length
    if (unit.isText === undefined && length > LONGEST_HOLD) this.judge(unit, window)
    if (end) return this.leave(unit, end)
    this.take(unit)
    return 'wait'
  }

  /** Decides whether what is held may still be a call. */
  private judge(unit: Unit, window: string): void {
    const held = unit.joined()
    unit.isText = !this.questions.mayBeCall((held + window).slice(0, LONGEST_HOLD))
    if (unit.isText && held !== '') this.sink.text(held)
  }

  private leave(unit: Unit, ended: UnitEnd): Progress {
    const rest = Math.max(0, ended.end - unit.offset)
    const whole = unit.isText ? '' : unit.joined() + this.window.slice(this.index, this.index + rest)
    if (unit.isText) this.give(this.sink.text, this.index + rest)
    else {
      this.index += rest
      if (ended.end < unit.offset) this.putBack(unit, whole.slice(ended.end))
      const isLast = this.isEnd && (ended.isCut === true || this.window.slice(this.index).trim() === '')
      if (ended.form === 'text' || unit.isMention) this.sink.text(whole.slice(0, ended.end))
      else this.sink.frame(unit.frame(whole, ended, isLast))
    }
    return this.become(() => this.behindUnit())
  }

  /** What the unit had taken, and does not belong to it after all, comes again. */
  private putBack(unit: Unit, surplus: string): void {
    this.window = surplus + this.window.slice(this.index)
    this.base = unit.start + unit.offset - surplus.length
    this.index = 0
  }
}
