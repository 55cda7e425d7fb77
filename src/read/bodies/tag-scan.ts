import type { Span } from '../../types.ts'
import { mayBecome } from '../literals.ts'
import { skip } from './space.ts'
import { openerAt, type TagForm, type TagOpener } from './tag-openers.ts'

/** A parameter that was found in tags: its name, and where its text stands. */
export interface TaggedParameter {
  readonly name: string
  readonly form: TagForm
  readonly span: Span
  /** Its tags are not as the family has them. */
  readonly isOdd?: boolean
  readonly isExact?: boolean
  /** What closed it, where that is not the tag's own closer. */
  readonly closedBy?: string
}

/** Who is told of the texts of parameters while they pass. */
export interface TextWatch {
  /** A parameter begins: whether its text is wanted. */
  wantsText(name: string): boolean
  text(piece: string): void
}

/** What ends the parameters, and who is told of them. */
export interface TagScanOptions {
  /** The names of the tool's parameters. */
  readonly names: ReadonlySet<string>
  /** What closes the call. Without any, the end of the text does. */
  readonly closers: readonly string[]
  /** Those of the closers that the dialect has. */
  readonly usual?: readonly string[]
  /** What begins the next call: this one has ended without its closer. */
  readonly next?: readonly string[]
  readonly watch?: TextWatch | undefined
}

/** What a scan of tags came to: closed, ended without a closer, or broken at a place. */
export interface TagScanEnd {
  readonly kind: 'closed' | 'ended' | 'broken'
  readonly end: number
  readonly closer?: string
}

/** A parameter that is open, and a closer of it of which nobody knows yet whether it counts. */
interface OpenParameter extends Omit<TagOpener, 'end'> {
  readonly start: number
  /** How many tags by its own name are open in its text. */
  nested: number
  closing: { readonly at: number; readonly closer: string; readonly strays: string[] } | undefined
}

/**
 * Reads parameters in tags from a text that comes in pieces. A closer counts when what follows can follow it: another
 * parameter, the end of the call, the end of the text.
 *
 * All places are counted from the start of the call. What stands before `settled` is never looked at again.
 */
export class TagScan {
  readonly parameters: TaggedParameter[] = []
  private readonly found = new Set<string>()
  /** Closers that closed nothing. */
  readonly strays: string[] = []
  settled: number
  private readonly options: TagScanOptions
  private readonly ends: readonly string[]
  private text = ''
  private offset = 0
  private isEnd = false
  private open: OpenParameter | undefined
  /** Where the last parameter ended. */
  private lastEnd: number
  /** What of the open text is not told yet, `undefined` when it is not wanted. */
  private untold: string | undefined
  private isFirstPiece = true
  /** The closers that may be doubled here. */
  private doubled: readonly string[] = []

  /** Starts behind the opener of the call. */
  constructor(from: number, options: TagScanOptions) {
    this.settled = this.lastEnd = from
    this.options = options
    this.ends = [...options.closers, ...(options.next ?? [])]
  }

  /** Reads on in a text whose first character stands at `offset`; `undefined` when more is needed. */
  read(text: string, offset: number, isEnd: boolean): TagScanEnd | undefined {
    this.text = text
    this.offset = offset
    this.isEnd = isEnd
    for (;;) {
      const result = this.open ? (this.open.closing ? this.readClosing() : this.readValue()) : this.readBetween()
      if (result !== 'on') return result
    }
  }

  /** Between parameters: the next one, or the end of the call. */
  private readBetween(): TagScanEnd | undefined | 'on' {
    const { text, offset, isEnd } = this
    const index = this.passBlank(this.strays)
    if (index >= text.length) return isEnd ? { kind: 'ended', end: this.lastEnd } : undefined
    const closer = this.options.closers.find((closer) => text.startsWith(closer, index))
    if (closer !== undefined) return this.closed(index, closer)
    if (this.options.next?.some((opener) => text.startsWith(opener, index))) return { kind: 'ended', end: this.lastEnd }
    const opener = openerAt(text, index, this.options.names, isEnd)
    if (opener === 'more' || (!opener && !isEnd && mayBecome(text, index, [...this.ends, ...this.doubled])))
      return undefined
    if (!opener) return { kind: 'broken', end: offset + index }
    this.settled = offset + opener.end
    this.open = { ...opener, start: this.settled, closing: undefined, nested: 0 }
    this.doubled = opener.closers
    this.isFirstPiece = true
    const isWanted = opener.form !== 'name' && opener.form !== 'label' && this.options.watch?.wantsText(opener.name)
    this.untold = isWanted ? '' : undefined
    return 'on'
  }

  /** The end of the call. Another closer than its own, with a parameter behind it, is a stray one: nobody knows which. */
  private closed(index: number, closer: string): TagScanEnd | undefined {
    const { text, offset, isEnd } = this
    const end = index + closer.length
    const ended: TagScanEnd = { kind: 'closed', end: offset + end, closer }
    if (this.options.usual === undefined || this.options.usual.includes(closer)) return ended
    const next = skip(text, end)
    const opener = next < text.length ? openerAt(text, next, this.options.names, isEnd) : undefined
    if (opener === 'more' || (next >= text.length && !isEnd)) return undefined
    return opener ? { kind: 'broken', end: offset + index } : ended
  }

  /** Passes over space and doubled closers (llama.cpp 24807). They are settled: what follows them decides for all. */
  private passBlank(strays: string[]): number {
    let index = this.settled - this.offset
    for (;;) {
      index = skip(this.text, index)
      const closer = this.doubled.find((closer) => this.text.startsWith(closer, index))
      if (closer === undefined || this.ends.includes(closer)) break
      strays.push(closer)
      index += closer.length
    }
    this.take(index)
    return index
  }

  private passSpace(): number {
    const index = skip(this.text, this.settled - this.offset)
    this.take(index)
    return index
  }

  /** Moves on over text that may be part of the open parameter. */
  private take(index: number): void {
    if (this.untold !== undefined) this.untold += this.text.slice(this.settled - this.offset, index)
    this.settled = this.offset + index
  }

  /** Inside a parameter: everything up to what may be a closer of it. */
  private readValue(): TagScanEnd | undefined | 'on' {
    const { text, offset, isEnd, open } = this
    if (!open) return 'on'
    const sign = open.closers[0]?.charAt(0) ?? '<'
    for (let index = text.indexOf(sign, this.settled - offset); index >= 0; index = text.indexOf(sign, index + 1)) {
      this.take(index)
      const closer = open.closers.find((closer) => text.startsWith(closer, index))
      if (
        !isEnd &&
        open.form === 'name' &&
        text.length - index <= open.name.length + 1 &&
        mayBecome(text, index, [`<${open.name}>`])
      )
        return undefined
      if (open.form === 'name' && this.isNested(index, open)) continue
      if (closer !== undefined) {
        open.closing = { at: offset + index, closer, strays: [] }
        this.tell(true)
        this.take(index + closer.length)
        return 'on'
      }
      if (!isEnd && mayBecome(text, index, open.closers)) return undefined
      if (open.form !== 'label') continue
      // Nothing needs to close a text that stands behind its tag.
      const next = this.follows(index)
      if (next === 'more') return undefined
      if (next) return this.close(offset + index, undefined)
    }
    this.take(text.length)
    this.tell(false)
    return isEnd ? { kind: 'broken', end: offset + text.length } : undefined
  }

  /** Whether a tag by the parameter's own name stands in its text, or the closer of one. */
  private isNested(index: number, open: OpenParameter): boolean {
    const { text } = this
    if (text.startsWith(`<${open.name}>`, index)) open.nested++
    else if (open.nested > 0 && text.startsWith(`</${open.name}>`, index)) open.nested--
    else return false
    return true
  }

  /** Behind what may be the closer of the open parameter: it counts when what follows can follow it. */
  private readClosing(): TagScanEnd | undefined | 'on' {
    const { open } = this
    if (!open?.closing) return 'on'
    const { at, closer, strays } = open.closing
    const [own = ''] = open.closers
    const isForeign = closer !== own
    const index = isForeign ? this.passSpace() : this.passBlank(strays)
    // A closer by another name right before the parameter's own one is part of the text: `<html>…</html></parameter>`.
    const isOwnNext = isForeign && this.text.startsWith(own, index)
    if (isForeign && !isOwnNext && !this.isEnd && mayBecome(this.text, index, [own])) return undefined
    const follows = isOwnNext ? false : this.follows(index)
    if (follows === 'more') return undefined
    if (follows) {
      this.strays.push(...strays)
      return this.close(at, closer)
    }
    open.closing = undefined
    return 'on'
  }

  private close(at: number, closer: string | undefined): 'on' {
    const { open } = this
    if (!open) return 'on'
    const { name, form, start, closers, isUsual, isExact } = open
    const closedBy = closer === undefined || closer === closers[0] ? {} : { closedBy: closer }
    this.found.add(name)
    this.parameters.push({
      name,
      form,
      span: [start, at],
      ...closedBy,
      ...(isUsual ? {} : { isOdd: true }),
      ...(isExact ? { isExact } : {}),
    })
    this.lastEnd = at + (closer?.length ?? 0)
    this.open = undefined
    this.untold = undefined
    return 'on'
  }

  /** Whether a parameter or the end of the call stands here. */
  private follows(index: number): boolean | 'more' {
    const { text, isEnd } = this
    if (index >= text.length) return isEnd ? true : 'more'
    if (this.ends.some((end) => text.startsWith(end, index))) return true
    const opener = openerAt(text, index, this.options.names, isEnd)
    if (opener) return opener === 'more' ? opener : this.isNew(opener)
    return !isEnd && mayBecome(text, index, [...this.ends, ...this.doubled]) ? 'more' : false
  }

  /** A parameter by its mere name or label counts once: in a text such tags are likely to be text. */
  private isNew({ form, name }: TagOpener): boolean {
    const isLoose = form === 'name' || form === 'label'
    return !isLoose || (this.open?.name !== name && !this.found.has(name))
  }

  /** Tells what is text for sure, without the line breaks that may belong to the tags. */
  private tell(isClosing: boolean): void {
    const { untold, open } = this
    if (untold === undefined || !open) return
    let piece = untold
    if (this.isFirstPiece) {
      if (piece.length < 3 && !isClosing) return
      const [breaks = ''] = /^\r?\n/.exec(piece) ?? []
      // Whether the first line break of such a text is its own shows at its end.
      if (breaks !== '' && open.form !== 'tag') {
        this.untold = undefined
        return
      }
      piece = piece.slice(breaks.length)
    }
    const end =
      isClosing && open.form !== 'tag' ? piece.length : piece.length - (/\r?\n?$/.exec(piece)?.[0].length ?? 0)
    this.untold = piece.slice(end)
    this.isFirstPiece = false
    if (end > 0) this.options.watch?.text(piece.slice(0, end))
  }
}
