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
  temp: 'temperature',
  txt: 'text',
  uri: 'url',
  val: 'value',
  var: 'variable',
  workdir: 'working directory',
}

/** Words that add nothing to the others of a name: `filePath`, `absolutePath` and `path` ask for the same. */
const weak = new Set(['a', 'absolute', 'argument', 'file', 'full', 'parameter', 'string', 'text', 'the', 'value'])

const kinships = new Map<string, { readonly joined: string; readonly words: string }>()

/**
 * Whether two names mean the same parameter: the same but for case and separators, for an abbreviation, for a plural
 * or for words that add nothing.
 *
 * @example
 * areKin('filePath', 'absolute_path') // true
 * areKin('start_line', 'end_line') // false
 */
export function areKin(one: string, other: string): boolean {
  const [a, b] = [essence(one), essence(other)]
  return a.joined !== '' && b.joined !== '' && (a.joined === b.joined || a.words === b.words)
}

function essence(name: string): { readonly joined: string; readonly words: string } {
  let found = kinships.get(name)
  if (!found) {
    const words = wordsOf(name)
    const strong = words.filter((word) => !weak.has(word))
    found = { joined: words.join(''), words: (strong.length > 0 ? strong : words).sort().join(' ') }
    // A flood of invented names must not fill the memory.
    if (kinships.size > 10_000) kinships.clear()
    kinships.set(name, found)
  }
  return found
}

/** The words of a name, in full and in the singular: `maxResults` has `maximum` and `result`. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => (Object.hasOwn(spelled, word) ? (spelled[word] as string).split(' ') : [word]))
    .map(singular)
}

const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
