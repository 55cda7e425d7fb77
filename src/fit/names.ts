/** When one name of a parameter stands for another: by the words in it, never by what its value looks like. */

/** Words as models shorten or spell them, and the words that they stand for. */
const spelled: { readonly [word: string]: string } = {
  addr: 'address',
  amt: 'amount',
  arg: 'argument',
  args: 'arguments',
  attr: 'attribute',
  cfg: 'config',
  cmd: 'command',
  conf: 'config',
  configuration: 'config',
  curr: 'current',
  cwd: 'working directory',
  desc: 'description',
  dest: 'destination',
  dir: 'directory',
  dirname: 'directory name',
  doc: 'document',
  dst: 'destination',
  env: 'environment',
  expr: 'expression',
  filename: 'file name',
  filepath: 'file path',
  fn: 'function',
  folder: 'directory',
  func: 'function',
  identifier: 'id',
  idx: 'index',
  img: 'image',
  lang: 'language',
  len: 'length',
  lib: 'library',
  loc: 'location',
  max: 'maximum',
  min: 'minimum',
  msg: 'message',
  num: 'number',
  org: 'organization',
  organisation: 'organization',
  param: 'parameter',
  params: 'parameters',
  pkg: 'package',
  prev: 'previous',
  prop: 'property',
  q: 'query',
  qty: 'quantity',
  ref: 'reference',
  regexp: 'regex',
  repo: 'repository',
  src: 'source',
  str: 'string',
  txt: 'text',
  uri: 'url',
  val: 'value',
  var: 'variable',
  workdir: 'working directory',
}

/** Words that add nothing before these: `filePath`, `absolutePath` and `path` ask for the same. */
const weakBefore: { readonly [word: string]: readonly string[] } = {
  path: ['absolute', 'file', 'full', 'the'],
  content: ['file', 'the'],
  query: ['search', 'the'],
}
/** Words that add nothing behind these: `old`, `old_text` and `old_string` ask for the same. */
const weakAtEnd = new Set(['string', 'text', 'value'])
const strongAtStart = new Set(['find', 'new', 'old', 'query', 'replace', 'replacement', 'search'])
/** What a name comes down to: its letters, its words that count, and these in the singular. */
interface Essence {
  readonly letters: string
  readonly words: string
  readonly singular: string
}

function essence(name: string): Essence {
  const words = wordsOf(name)
  const letters = words.join('')
  if (words.length > 1 && weakAtEnd.has(words[words.length - 1] ?? '') && strongAtStart.has(words[0] ?? '')) words.pop()
  const head = singular(words[words.length - 1] ?? '')
  const weak = Object.hasOwn(weakBefore, head) ? (weakBefore[head] ?? []) : []
  const strong = words.filter((word, index) => index === words.length - 1 || !weak.includes(word))
  return { letters, words: strong.join(' '), singular: strong.map(singular).join(' ') }
}

/** A name that is kin to another. */
export interface Kin {
  readonly name: string
  /** They are the singular and the plural of a word: the same only where one of them is a list. */
  readonly isPlural: boolean
}

/**
 * Whether two names mean the same parameter: the same but for case and separators, for an abbreviation, for a plural
 * or for words that add nothing.
 *
 * @example
 * areKin('filePath', 'absolute_path') // true
 * areKin('start_line', 'end_line') // false
 */
export const areKin = (one: string, other: string): boolean =>
  new KinIndex([other]).kinOf(one).some(({ isPlural }) => !isPlural)

/** Finds the names that are kin to one, without comparing it with all of them. */
export class KinIndex {
  private readonly byLetters = new Map<string, string[]>()
  private readonly byWords = new Map<string, string[]>()
  private readonly bySingular = new Map<string, string[]>()

  constructor(names: Iterable<string>) {
    for (const name of names) {
      const { letters, words, singular } = essence(name)
      if (letters === '') continue
      add(this.byLetters, letters, name)
      add(this.byWords, words, name)
      add(this.bySingular, singular, name)
    }
  }

  kinOf(name: string): readonly Kin[] {
    const { letters, words, singular } = essence(name)
    const same = new Set([...(this.byLetters.get(letters) ?? []), ...(this.byWords.get(words) ?? [])])
    const plural = (this.bySingular.get(singular) ?? []).filter((name) => !same.has(name))
    return [
      ...[...same].map((name) => ({ name, isPlural: false })),
      ...plural.map((name) => ({ name, isPlural: true })),
    ]
  }
}

function add(map: Map<string, string[]>, key: string, name: string): void {
  const names = map.get(key)
  if (names) names.push(name)
  else map.set(key, [name])
}

/** The word that a name consists of, `undefined` when it has several. */
export function onlyWordOf(name: string): string | undefined {
  const words = wordsOf(name)
  return words.length === 1 ? words[0] : undefined
}

/** Whether one name is the other with a letter missing, added, changed or swapped with its neighbour. */
export function isTypo(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < 4 || long.length - short.length > 1 || short === long) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  const behind = (text: string, from: number): string => text.slice(from)
  if (long.length > short.length) return behind(short, start) === behind(long, start + 1)
  const isSwapped = short[start] === long[start + 1] && short[start + 1] === long[start]
  return (
    behind(short, start + 1) === behind(long, start + 1) ||
    (isSwapped && behind(short, start + 2) === behind(long, start + 2))
  )
}

/** The words of a name, in full: `maxResults` has `maximum` and `results`. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => (Object.hasOwn(spelled, word) ? (spelled[word] as string).split(' ') : [word]))
}

function singular(word: string): string {
  if (word.length < 3 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return /(?:ss|x|ch|sh|us)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}
