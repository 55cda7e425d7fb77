/** A call as it is written in Python. */
export interface PythonCall {
  readonly name: string
  readonly arguments: readonly PythonArgument[]
  /** Whether its bracket was closed. */
  readonly isClosed: boolean
}

interface PythonArgument {
  /** None where only its place says which parameter it is. */
  readonly key: string | undefined
  readonly text: string
}

/** What may stand around calls: lists, numbers of lines, what takes the result. */
const between = /(?:[\s,;[\]]|\d+[.)]\s|(?:print|python)\(|await\s|[A-Za-z_]\w*\s*=\s*(?=[A-Za-z_[]))*/y
const name = /["'`]?([A-Za-z_][\w.\\-]*)\(/y
const behind = /\)?["'`]?/y
const keyword = /^\s*([A-Za-z_][\w\\-]*)\s*(?:=(?!=)|:)/

/**
 * The calls that a text consists of, as in Python: `f(x=1)`, `[f(x=1), g()]`, one on each line, numbered, assigned, in
 * `print()`. `undefined` when there is anything else in it.
 */
export function pythonCalls(text: string): readonly PythonCall[] | undefined {
  const calls: PythonCall[] = []
  let index = 0
  for (;;) {
    index += lengthAt(between, text, index)
    if (index >= text.length) return calls.length > 0 ? calls : undefined
    name.lastIndex = index
    const [start = '', called = ''] = name.exec(text) ?? []
    if (start === '') return undefined
    const { pieces, end, isClosed } = argumentsAt(text, index + start.length)
    calls.push({ name: unescaped(called), arguments: pieces.map(argumentOf), isClosed })
    if (!isClosed) return calls
    index = end + lengthAt(behind, text, end)
  }
}

/** A name without the backslashes that Markdown wants before underscores. */
const unescaped = (name: string): string => name.replaceAll('\\', '')

function lengthAt(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0].length ?? 0
}

function argumentOf(piece: string): PythonArgument {
  const [before = '', key] = keyword.exec(piece) ?? []
  return { key: key && unescaped(key), text: piece.slice(before.length).trim() }
}

const closers = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

/** The arguments behind an opening bracket, and where its closer ends. */
function argumentsAt(
  text: string,
  from: number,
): { readonly pieces: readonly string[]; readonly end: number; readonly isClosed: boolean } {
  const pieces: string[] = []
  const open: string[] = []
  let start = from
  const cut = (end: number): void => {
    if (text.slice(start, end).trim() !== '') pieces.push(text.slice(start, end))
    start = end + 1
  }
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index)
    const closer = closers.get(character)
    if (character === '"' || character === "'") index = stringEnd(text, index)
    else if (closer !== undefined) open.push(closer)
    else if (character === open.at(-1)) open.pop()
    else if (open.length > 0) continue
    else if (character === ',') cut(index)
    else if (character === ')') {
      cut(index)
      return { pieces, end: index + 1, isClosed: true }
    }
  }
  cut(text.length)
  return { pieces, end: text.length, isClosed: false }
}

/** The last character of a string: a quote with something behind it that can follow a string. */
function stringEnd(text: string, start: number): number {
  const quote = text.charAt(start)
  const mark = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote
  for (let index = start + mark.length; index < text.length; index++) {
    if (text.charAt(index) === '\\') index++
    else if (text.startsWith(mark, index) && canFollow(text, index + mark.length)) return index + mark.length - 1
  }
  return text.length
}

const followers = /\s*(?:[,:)\]}%+]|$)/y

function canFollow(text: string, index: number): boolean {
  followers.lastIndex = index
  return followers.test(text)
}
