import type { Call, Part, Reading, RefusedCall, Span } from '../types.ts'
import { speakAgainst } from './cues.ts'
import type { Frame, FrameSink } from './framer.ts'
import type { FrameReader, ReadFrame } from './read-frame.ts'

/** So many characters behind a call without a marker may still speak against it. */
const PATIENCE = 2_000

/** A call without a marker waits for what follows it. */
interface Pending {
  readonly frames: ReadFrame[]
  /** What came since, in its order. */
  readonly after: { readonly kind: Part['kind']; readonly raw: string }[]
  length: number
  readonly before: string
}

/** Puts together what a framer finds: parts, calls, the text for people. */
export class Assembler implements FrameSink {
  private readonly reader: FrameReader
  readonly parts: Part[] = []
  readonly calls: Call[] = []
  readonly refused: RefusedCall[] = []
  private offset = 0
  private pending: Pending | undefined
  private markers = ''
  /** The words before, for the question whether a call is meant. */
  private words = ''

  constructor(reader: FrameReader) {
    this.reader = reader
  }

  text(raw: string): void {
    if (this.markers !== '' && raw.trim() === '') {
      this.markers += raw
      return
    }
    this.flushMarkers('text')
    this.add('text', raw)
  }

  thought(raw: string): void {
    this.flushMarkers('text')
    this.add('thought', raw)
  }

  answer(raw: string): void {
    this.flushMarkers('text')
    this.add('text', raw)
    this.answered += raw
  }

  markup(raw: string): void {
    this.flushMarkers('text')
    this.add('markup', raw)
  }

  private answered = ''

  marker(raw: string): void {
    if (this.lastIsCall()) this.add('markup', raw)
    else this.markers += raw
  }

  open(): void {
    this.decide()
  }

  frame(frame: Frame): void {
    const read = this.reader.read(frame)
    if (frame.isMarked) {
      this.flushMarkers('markup')
      const isMention = speakAgainst(this.words, '')
      this.put(read, frame, isMention)
      return
    }
    if (read.calls.length === 0) {
      this.text(frame.raw)
      return
    }
    this.decide()
    this.flushMarkers('text')
    this.pending = { frames: [read], after: [], length: 0, before: this.words }
    this.pendingFrame = frame
  }

  private pendingFrame: Frame | undefined

  end(): Reading {
    this.flushMarkers('text')
    this.decide()
    const text = this.parts
      .filter(({ kind }) => kind === 'text')
      .map(({ raw }) => raw)
      .join('')
    const thought = this.parts
      .filter(({ kind }) => kind === 'thought')
      .map(({ raw }) => raw)
      .join('')
    const { calls, refused, parts } = this
    const answer = this.answered.trim()
    const said = { ...(thought === '' ? {} : { thought }), ...(answer === '' ? {} : { answer }) }
    return { calls, refused, text, ...said, parts, complete: true }
  }

  private lastIsCall(): boolean {
    const last = this.parts.findLast(({ kind, raw }) => kind !== 'text' || raw.trim() !== '')
    return last?.kind === 'call' || last?.kind === 'refused' || last?.kind === 'markup'
  }

  private flushMarkers(kind: 'text' | 'markup'): void {
    const { markers } = this
    this.markers = ''
    if (markers !== '') this.add(kind, markers)
  }

  private add(kind: Part['kind'], raw: string): void {
    const { pending } = this
    if (pending) {
      pending.after.push({ kind, raw })
      pending.length += raw.length
      if (pending.length >= PATIENCE) this.decide()
      return
    }
    this.part(kind, raw)
  }

  private part(kind: Part['kind'], raw: string): void {
    const last = this.parts[this.parts.length - 1]
    const end = this.offset + raw.length
    if (last && last.kind === kind && (kind === 'text' || kind === 'thought')) {
      this.parts[this.parts.length - 1] = { kind, raw: last.raw + raw, span: [last.span[0], end] }
    } else this.parts.push({ kind, raw, span: [this.offset, end] })
    this.offset = end
    if (kind === 'text') this.words = (this.words + raw).slice(-600)
    else if (kind !== 'markup') this.words = ''
  }

  private put(read: ReadFrame, frame: Frame, isMention: boolean): void {
    const span: Span = [frame.start, frame.start + frame.raw.length]
    if (isMention) {
      this.part('text', frame.raw)
      return
    }
    const base = { dialect: frame.dialect, span, raw: frame.raw }
    for (const call of read.calls) this.calls.push({ ...base, ...call } as Call)
    for (const call of read.refused) this.refused.push({ ...base, ...call } as RefusedCall)
    this.part(read.calls.length > 0 ? 'call' : 'refused', frame.raw)
  }

  /** Decides over what has waited. */
  private decide(): void {
    const { pending, pendingFrame } = this
    if (!pending || !pendingFrame) return
    this.pending = undefined
    const behind = pending.after.map(({ raw }) => raw).join('')
    const goesOn = /^[^\S\n]*[\p{L}\p{N}]/u.test(behind)
    const [read] = pending.frames
    if (read) this.put(read, pendingFrame, goesOn || speakAgainst(pending.before, behind))
    for (const { kind, raw } of pending.after) this.part(kind, raw)
  }
}
