/** Who is told of the strings of a JSON value while they pass. Only well-formed JSON is told of. */
export interface StringWatch {
  /** A string begins as a value: whether its pieces are wanted. `keys` are those above it, by their depth. */
  wants(depth: number, keys: readonly string[]): boolean
  /** A piece of it, as it is written. */
  piece(raw: string): void
  /** It has ended for sure. */
  closed(): void
}

/** A key that is longer than this is the key of no parameter. */
const LONGEST_KEY = 128

/**
 * Finds where a JSON value ends, a chunk at a time, also where the JSON is broken: brackets are counted outside of
 * strings, and a quote ends a string when what follows can follow it. What the value is, the value reader says later.
 */
export class JsonScan {
  /** Whether something was seen that JSON does not have; then a marker in a string may be a marker after all. */
  isBroken = false
  /** The brackets that are open, as their closers. */
  private readonly open: string[] = []
  private state: 'between' | 'string' | 'escape' | 'closing' | 'done' = 'between'
  private quote = ''
  private readonly watch: StringWatch | undefined
  private expectsKey = false
  private key = ''
  /** The last key at each depth. */
  private readonly keys: string[] = []
  /** What the pieces of this string are for. */
  private use: 'none' | 'key' | 'watch' = 'none'
  private readonly closers: { readonly [open: string]: string }
  /** What can follow a string. */
  private readonly followers: string

  constructor(watch?: StringWatch, isPython = false) {
    this.watch = watch
    this.closers = isPython ? pythonClosers : jsonClosers
    this.followers = isPython ? ',:}])%+.' : ',:}]'
  }

  get isDone(): boolean {
    return this.state === 'done'
  }

  get inString(): boolean {
    return this.state === 'string' || this.state === 'escape'
  }

  /** The quote of the string that is open, '' when none is. */
  get openQuote(): string {
    return this.inString ? this.quote : ''
  }

  /** Reads on from an index, and returns the index behind the value, or the end of the text when it goes on. */
  read(text: string, from: number, to = text.length): number {
    let index = from
    while (index < to && this.state !== 'done') {
      if (this.state === 'string') index = this.passString(text, index, to)
      else this.step(text.charAt(index++))
    }
    return index
  }

  /** Strings are long: their plain characters are passed without a step each. */
  private passString(text: string, from: number, to: number): number {
    let index = from
    let next: 'string' | 'escape' | 'closing' = 'string'
    for (; index < to && next === 'string'; index++) {
      const code = text.charCodeAt(index)
      if (code === 0x5c) next = 'escape'
      else if (code === this.quote.charCodeAt(0)) next = 'closing'
      else if (code < 0x20) this.isBroken = true
    }
    if (this.use !== 'none') this.tell(text.slice(from, next === 'string' ? index : index - 1))
    this.state = next
    return index
  }

  private tell(raw: string): void {
    if (this.isBroken || raw === '') return
    if (this.use === 'watch') this.watch?.piece(raw)
    else if (this.key.length <= LONGEST_KEY) this.key += raw
  }

  private step(character: string): void {
    if (this.state === 'escape') {
      if (!'"\\/bfnrtu'.includes(character)) this.isBroken = true
      if (this.use !== 'none') this.tell(`\\${character}`)
      this.state = 'string'
      return
    }
    if (isSpace(character)) return
    if (this.state === 'closing') {
      if (!this.followers.includes(character)) {
        // The quote was no end: one that nobody escaped.
        this.isBroken = true
        this.state = character === '\\' ? 'escape' : character === this.quote ? 'closing' : 'string'
        return
      }
      if (this.use === 'watch' && !this.isBroken) this.watch?.closed()
      if (this.use === 'key') this.keys[this.open.length] = this.key
      this.use = 'none'
    }
    this.stepBetween(character)
  }

  private stepBetween(character: string): void {
    const { open } = this
    this.state = 'between'
    if (character === '"' || character === "'" || character === '`') this.begin(character)
    else if (this.closers[character] !== undefined) {
      open.push(this.closers[character])
      this.expectsKey = character === '{'
    } else if (character === '}' || character === ']' || (character === ')' && this.closers === pythonClosers)) {
      // A closer that closes nothing is passed over: gpt-oss writes such (ollama 17638).
      if (open[open.length - 1] === character) open.pop()
      else this.isBroken = true
      if (open.length === 0) this.state = 'done'
    } else if (character === ',') this.expectsKey = open[open.length - 1] === '}'
    else if (character === ':') this.expectsKey = false
    else if (!JSON_SIGNS.has(character)) this.isBroken = true
  }

  private begin(quote: string): void {
    this.quote = quote
    this.state = 'string'
    if (quote !== '"') this.isBroken = true
    if (!this.watch || this.isBroken) return
    if (this.expectsKey) {
      this.key = ''
      this.use = 'key'
    } else if (this.watch.wants(this.open.length, this.keys)) this.use = 'watch'
  }
}

const jsonClosers: { readonly [open: string]: string } = { '{': '}', '[': ']' }
const pythonClosers: { readonly [open: string]: string } = { ...jsonClosers, '(': ')' }

/** What JSON has outside of strings besides brackets: the letters of numbers, true, false and null. */
const JSON_SIGNS: ReadonlySet<string> = new Set('+-.0123456789eEtrufalsn')

const isSpace = (character: string): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t'
