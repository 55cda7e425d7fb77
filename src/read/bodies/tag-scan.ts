import type { Span } from '../../types.ts'

/** A parameter that was found in tags: its name, and where its text stands. */
export interface TaggedParameter {
  readonly name: string
  /** The name is part of the tag, as in `<parameter=path>`: the line breaks around the text are markup. */
  readonly isNameInTag: boolean
  readonly span: Span
  /** What closed it, where that is not the tag's own closer. */
  readonly closedBy?: string
}

/** Who is told of the texts of parameters while they pass. */
export interface TextWatch {
  /** A parameter begins: whether its text is wanted. */
  wantsText(name: string): boolean
  text(piece: string): void
}

/** What a scan of tags came to. */
export type TagScanResult =
  | { readonly kind: 'more' }
  | { readonly kind: 'closed'; readonly end: number }
  | { readonly kind: 'ended'; readonly end: number }
  | { readonly kind: 'broken'; readonly at: number }

/**
 * Reads parameters in tags, `<parameter=path>a.md</parameter>` or with the name as an attribute, from a text that comes
 * in pieces. A closer counts when what follows can follow it: another parameter, the end of the call, the end.
 *
 * All places are counted from the start of the call. Of the text, only what stands behind `settled` is looked at again.
 */
export class TagScan {
  readonly parameters: TaggedParameter[] = []
  private readonly tags: readonly string[]
  private readonly closers: readonly string[]
  private readonly watch: TextWatch | undefined
  /** What begins the next call: this one has ended without its closer. */
  private readonly next: readonly string[]
  private readonly paramClosers: readonly string[]
  private text = ''
  private offset = 0
  private at: number
  /** Up to here the text of the parameter was told, -1 when it is not wanted. */
  private toldTo = -1
  private value: (Omit<Opener, 'end'> & { readonly start: number }) | undefined

  /** Starts behind the opener. `closers` end the call; without any, the text does. */
  constructor(
    tags: readonly string[],
    closers: readonly string[],
    from: number,
    { watch, next = [] }: { readonly watch?: TextWatch | undefined; readonly next?: readonly string[] } = {},
  ) {
    this.watch = watch
    this.next = next
    this.paramClosers = tags.map((tag) => `</${tag}>`)
    this.tags = tags
    this.closers = closers
    this.at = from
  }

  get settled(): number {
    return this.toldTo < 0 ? this.at : Math.min(this.at, this.toldTo)
  }

  /** Reads on in a text whose first character stands at `offset`. */
  read(text: string, offset: number, isEnd: boolean): TagScanResult {
    this.text = text
    this.offset = offset
    for (;;) {
      const result = this.value ? this.readValue(isEnd) : this.readBetween(isEnd)
      if (result) return result
    }
  }

  /** Between parameters: the next one, or the end of the call. */
  private readBetween(isEnd: boolean): TagScanResult | undefined {
    const { text, offset } = this
    const index = this.passClosers(skip(text, this.at - offset))
    if (index >= text.length) return isEnd ? { kind: 'ended', end: this.at } : { kind: 'more' }
    if (this.next.some((opener) => text.startsWith(opener, index))) return { kind: 'ended', end: this.at }
    const closer = this.closers.find((closer) => text.startsWith(closer, index))
    if (closer !== undefined) return { kind: 'closed', end: offset + index + closer.length }
    const opener = openerAt(text, index, this.tags)
    if (!isEnd && (opener === 'more' || (!opener && this.mayBecome(index)))) return { kind: 'more' }
    if (!opener || opener === 'more') return { kind: 'broken', at: offset + index }
    const { name, tag, isNameInTag } = opener
    this.at = offset + opener.end
    this.value = { name, tag, isNameInTag, start: this.at }
    this.toldTo = this.watch?.wantsText(name) ? this.at : -1
    return undefined
  }

  private mayBecome(index: number): boolean {
    const rest = this.text.slice(index)
    const literals = [...this.closers, ...this.next, ...this.paramClosers, ...this.tags.map((tag) => `<${tag}`)]
    return literals.some((literal) => literal.startsWith(rest))
  }

  /** Passes over closers that close nothing: llama.cpp 24807. */
  private passClosers(from: number): number {
    let index = from
    for (;;) {
      const closer = this.paramClosers.find((closer) => this.text.startsWith(closer, index))
      if (closer === undefined) return index
      index = skip(this.text, index + closer.length)
    }
  }

  /** Inside a parameter: everything up to a closer that counts. */
  private readValue(isEnd: boolean): TagScanResult | undefined {
    const { text, offset, value } = this
    if (!value) return undefined
    const closers = [`</${value.tag}>`, `</${value.name}>`]
    for (let index = text.indexOf('</', this.at - offset); index >= 0; index = text.indexOf('</', index + 2)) {
      this.at = offset + index
      const closer = closers.find((closer) => text.startsWith(closer, index))
      if (closer === undefined) {
        const rest = text.slice(index, index + LONGEST_TAG)
        if (!isEnd && closers.some((closer) => closer.startsWith(rest))) return { kind: 'more' }
        continue
      }
      const follows = this.canFollow(index + closer.length, isEnd)
      if (follows === 'more') return { kind: 'more' }
      if (!follows) continue
      this.tell(index)
      const { name, isNameInTag, start } = value
      const closedBy = closer === closers[0] ? {} : { closedBy: closer }
      this.parameters.push({ name, isNameInTag, span: [start, offset + index], ...closedBy })
      this.value = undefined
      this.at = offset + index + closer.length
      return undefined
    }
    if (isEnd) return { kind: 'broken', at: offset + text.length }
    // A closer may have begun with the last character.
    this.at = Math.max(this.at, offset + text.length - 1)
    this.tell()
    return { kind: 'more' }
  }

  /** Tells what is text for sure: up to what may be a closer, without the line breaks that may belong to the tags. */
  private tell(close?: number): void {
    const { text, offset, value } = this
    if (this.toldTo < 0 || !value) return
    let from = this.toldTo - offset
    const to = close ?? this.at - offset
    if (this.toldTo === value.start) {
      if (to - from < 3 && close === undefined) return
      const breaks = /^\r?\n/.exec(text.slice(from, from + 2))?.[0].length ?? 0
      // Whether the first line break of such a text is its own shows at its end.
      if (breaks > 0 && !value.isNameInTag) this.toldTo = -1
      if (this.toldTo < 0) return
      from += breaks
    }
    const isWhole = close !== undefined && !value.isNameInTag
    const piece = isWhole ? text.slice(from, to) : text.slice(from, Math.max(from, to)).replace(/\r?\n?$/, '')
    if (piece !== '') this.watch?.text(piece)
    this.toldTo = offset + from + piece.length
  }

  /** Whether a parameter or the end of the call stands behind a closer. */
  private canFollow(from: number, isEnd: boolean): boolean | 'more' {
    const index = this.passClosers(skip(this.text, from))
    if (index >= this.text.length) return isEnd ? true : 'more'
    if ([...this.closers, ...this.next].some((literal) => this.text.startsWith(literal, index))) return true
    const opener = openerAt(this.text, index, this.tags)
    if (opener && opener !== 'more') return true
    return !isEnd && (opener === 'more' || this.mayBecome(index)) ? 'more' : false
  }
}

interface Opener {
  readonly name: string
  readonly tag: string
  readonly end: number
  readonly isNameInTag: boolean
}

/** So long may the tag of a parameter be; what is longer is none. */
const LONGEST_TAG = 200

/** The opening tag of a parameter that stands here. */
function openerAt(text: string, index: number, tags: readonly string[]): Opener | 'more' | undefined {
  const tag = tags.find((tag) => text.startsWith(`<${tag}`, index) && /[=\s]/.test(text.charAt(index + tag.length + 1)))
  if (tag === undefined) return undefined
  const whole = text.slice(index, index + LONGEST_TAG)
  const length = whole.indexOf('>')
  if (length < 0) return whole.length < LONGEST_TAG ? 'more' : undefined
  const end = index + length
  const inside = text.slice(index + tag.length + 1, end)
  const isNameInTag = inside.startsWith('=')
  const name = isNameInTag ? unquoted(inside.slice(1).trim()) : nameAttribute(inside)
  return name === undefined || name === '' ? undefined : { name, tag, end: end + 1, isNameInTag }
}

const unquoted = (name: string): string => name.replace(/^["']|["']$/g, '')

/** The value of the attribute `name`. */
function nameAttribute(attributes: string): string | undefined {
  const [, double, single, bare] = /\bname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/.exec(attributes) ?? []
  return double ?? single ?? bare
}

export function skip(text: string, from: number): number {
  let index = from
  while (' \n\r\t'.includes(text.charAt(index)) && index < text.length) index++
  return index
}

/** The text of a parameter without the line breaks that belong to its tags. */
export function parameterText(text: string, { span, isNameInTag }: TaggedParameter): string {
  const raw = text.slice(...span)
  const isFramed = /^\r?\n/.test(raw) && raw.endsWith('\n') && raw.length > 2
  return isNameInTag || isFramed ? raw.replace(/^\r?\n/, '').replace(/\r?\n$/, '') : raw
}
