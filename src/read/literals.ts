/** A literal that stands for something. */
export interface Literal<Meaning> {
  readonly text: string
  readonly means: Meaning
}

/** Finds literals in a text that comes in pieces. */
export class Literals<Meaning> {
  readonly texts: readonly string[]
  /** By their first two characters, longest first; those of one character by that. */
  private readonly byStart = new Map<string, Literal<Meaning>[]>()
  private readonly firsts: ReadonlySet<string>
  private readonly first: RegExp

  /** `also` are characters at which `next` stops besides. */
  constructor(literals: readonly Literal<Meaning>[], also: readonly string[] = []) {
    this.texts = literals.map(({ text }) => text)
    for (const literal of literals) {
      const start = literal.text.slice(0, 2)
      this.byStart.set(start, [...(this.byStart.get(start) ?? []), literal])
    }
    for (const list of this.byStart.values()) list.sort((one, other) => other.text.length - one.text.length)
    this.firsts = new Set(literals.map(({ text }) => text.charAt(0)))
    const stops = [...new Set([...this.firsts, ...also])].map((first) => first.replace(/[\\\]^-]/, '\\$&'))
    this.first = stops.length === 0 ? /(?!)/g : new RegExp(`[${stops.join('')}]`, 'g')
  }

  /** Where the next literal may start, or the end of the text. */
  next(text: string, from: number): number {
    this.first.lastIndex = from
    return this.first.exec(text)?.index ?? text.length
  }

  /** The longest literal that stands here, `more` when what stands here may still become a longer one. */
  at(text: string, index: number, isEnd: boolean): Literal<Meaning> | 'more' | undefined {
    const first = text.charAt(index)
    if (!this.firsts.has(first)) return undefined
    if (index === text.length - 1 && !isEnd) return 'more'
    for (const literal of this.byStart.get(text.slice(index, index + 2)) ?? []) {
      if (text.startsWith(literal.text, index)) return literal
      const isCut = !isEnd && text.length - index < literal.text.length
      if (isCut && literal.text.startsWith(text.slice(index))) return 'more'
    }
    return this.byStart.get(first)?.[0]
  }
}

/** The closers of a call, ready to be looked for. */
export interface Closers {
  readonly texts: readonly string[]
  readonly literals: Literals<undefined>
}

export const closersOf = (texts: readonly string[], also: readonly string[] = []): Closers => ({
  texts,
  literals: new Literals([...texts, ...also].map((text) => ({ text, means: undefined }))),
})

/** Whether what stands at an index is the start of a literal, or the whole of it. */
export const mayBecome = (text: string, index: number, literals: readonly string[]): boolean =>
  literals.some((literal) => literal.startsWith(text.slice(index, index + literal.length)))

/** How many characters at the end of a text may be the start of one of the literals. */
export const partialOf = (text: string, literals: readonly string[]): number =>
  Math.max(0, ...literals.map((literal) => partial(text, literal)))

function partial(text: string, literal: string): number {
  for (let length = Math.min(literal.length - 1, text.length); length > 0; length--) {
    if (literal.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}
