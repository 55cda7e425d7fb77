/** A literal that stands for something. */
export interface Literal<Meaning> {
  readonly text: string
  readonly means: Meaning
}

/** Finds literals in a text that comes in pieces. */
export class Literals<Meaning> {
  private readonly byFirst = new Map<string, Literal<Meaning>[]>()
  readonly longest: number

  constructor(literals: readonly Literal<Meaning>[]) {
    for (const literal of literals) {
      const first = literal.text.charAt(0)
      this.byFirst.set(first, [...(this.byFirst.get(first) ?? []), literal])
    }
    for (const list of this.byFirst.values()) list.sort((one, other) => other.text.length - one.text.length)
    this.longest = Math.max(0, ...literals.map(({ text }) => text.length))
  }

  get firsts(): readonly string[] {
    return [...this.byFirst.keys()]
  }

  /** The longest literal that stands here, `more` when what stands here may still become one, else `undefined`. */
  at(text: string, index: number, isEnd: boolean): Literal<Meaning> | 'more' | undefined {
    let found: Literal<Meaning> | undefined
    for (const literal of this.byFirst.get(text.charAt(index)) ?? []) {
      if (text.startsWith(literal.text, index)) {
        found ??= literal
        break
      }
      const rest = text.length - index
      if (!isEnd && rest < literal.text.length && literal.text.startsWith(text.slice(index))) return 'more'
    }
    return found
  }
}
