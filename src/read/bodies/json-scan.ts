/**
 * Finds where a JSON value ends, a chunk at a time, also where the JSON is broken: brackets are counted outside of
 * strings, and a quote ends a string when what follows can follow it. What the value is, the value reader says later.
 */
export class JsonScan {
  /** The brackets that are open, as their closers. */
  private readonly open: string[] = []
  private state: 'between' | 'string' | 'escape' | 'closing' | 'done' = 'between'
  private quote = ''
  /** Whether something was seen that JSON does not have; then a marker in a string may be a marker after all. */
  isBroken = false

  get isDone(): boolean {
    return this.state === 'done'
  }

  get inString(): boolean {
    return this.state === 'string' || this.state === 'escape'
  }

  /** Depth of the brackets that are open. */
  get depth(): number {
    return this.open.length
  }

  /** Reads on from an index, and returns the index behind the value, or the end of the text when it goes on. */
  read(text: string, from: number, to = text.length): number {
    let index = from
    while (index < to && this.state !== 'done') {
      if (this.state === 'string') {
        index = this.passString(text, index, to)
        continue
      }
      this.step(text.charAt(index))
      index++
    }
    return index
  }

  /** Strings are long: their plain characters are passed without a step each. */
  private passString(text: string, from: number, to: number): number {
    let index = from
    while (index < to) {
      const character = text.charAt(index++)
      if (character === '\\') {
        this.state = 'escape'
        break
      }
      if (character === this.quote) {
        this.state = 'closing'
        break
      }
      if (character === '\n') this.isBroken = true
    }
    return index
  }

  private step(character: string): void {
    if (this.state === 'escape') {
      this.state = 'string'
      return
    }
    if (isSpace(character)) return
    if (this.state === 'closing') {
      if (',:}]'.includes(character)) this.state = 'between'
      else {
        // The quote was no end: one that nobody escaped.
        this.isBroken = true
        this.state = character === '\\' ? 'escape' : character === this.quote ? 'closing' : 'string'
        return
      }
    }
    this.stepBetween(character)
  }

  private stepBetween(character: string): void {
    if (character === '"' || character === "'" || character === '`') {
      this.quote = character
      this.state = 'string'
      if (character !== '"') this.isBroken = true
    } else if (character === '{') this.open.push('}')
    else if (character === '[') this.open.push(']')
    else if (character === '}' || character === ']') {
      // A closer that closes nothing is passed over: gpt-oss writes such (ollama 17638).
      if (this.open[this.open.length - 1] === character) this.open.pop()
      else this.isBroken = true
      if (this.open.length === 0) this.state = 'done'
    } else if (!JSON_SIGNS.has(character)) this.isBroken = true
  }
}

/** What JSON has outside of strings: signs, and the letters of numbers, true, false and null. */
const JSON_SIGNS: ReadonlySet<string> = new Set(',:+-.0123456789eEtrufalsn')

const isSpace = (character: string): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t'
