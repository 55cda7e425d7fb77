/**
 * Writes texts by CPython's grammar of literals, right ones and wrong ones; the same seed writes the same texts.
 *
 * Every choice is counted, so that a test can tell whether a production was left out.
 *
 * CPython judges these texts alike from 3.10.7 on. Before, the limit of 4300 digits was missing, a continued line could
 * change its indentation, and `literal_eval` knew no `set()` and stripped no spaces. One thing still differs: the depth,
 * just short of 200 brackets, at which the parser's own stack overflows; on a MemoryError nobody should rely.
 */

/** Texts or what writes them, by names to count them under. */
type Ways = { readonly [way: string]: string | (() => string) }

/** Texts that are their own names. */
const ways = (...texts: string[]): Ways => Object.fromEntries(texts.map((text) => [JSON.stringify(text), text]))

const WRONG = 0.025
const MUTATED = 0.35

const strange = '\'"\\\n\r\t\f\v ()[]{},:+-._#0179eExXjJbBrRuUoOfFNnTs*=;$!\0\ufeff\ud83d\ude00\u00e9\u00a0\u2028\uff53'

const coding = ['# -*- coding: latin-1 -*-\n', '#coding:none\r\n']
const before = ways(' \t ', '\n \n\r\n\t\r', '# note\n', '  # note\n', ...coding, '\f', ' \f', '\n \f', '\\\n')
const wrongBefore = ways('\ufeff', '\n ', '#\n\t', '\f ', '\\\n ', '\n \\\n', '\u00a0')

const comments = ['# note', ' # note\n # more\n', '\n  # note', '\\\n# note']
const after = ways(' \t', '\f', '\n', '\r', '\r\n', ...comments, '\n \n\t\n', '\n \f', '\\\n ', '\n  \\\n\n')
const wrongAfter = ways('\n  ', '\n\f ', '\\\n', '\n\\\n', '\\', '\n1', ';', '\0', '\x1a')

const space = ways('  ', '\t', '\f', '\\\n', '\\\r\n')
const lines = ways('\n', '\r', '\r\n  ', '# note \'"\\\n')
const wrongSpace = ways('\v', '\u00a0', '\u3000', '\u2028', '\ufeff', '\\ \n', '\0')

/** Keys that Python or JSON takes for the same. */
const alike = ways('1', 'True', '1.0', '0', 'False', '-0.0', 'None', '"1"', "'1.0'", '"true"', 'u"null"')

/** Names that CPython normalizes to `set`. */
const normalized = ways('\uff53\u1d49t', '\u017fet', 's\u{1d4ee}t')

/** What looks like a literal and is none. */
const notLiterals = [
  'Ellipsis  set  null  NaN  true  x  print(1)  set(1)  set(())  set(*[])  set()()  a.b  a[0]  1 .real  1j.imag',
  "-True  -None  -'a'  +[]  ~1  not 1  1*2  1**2  'a'*2  'a'+'b'  [1]+[2]  1<2  1or 2  1if 1else 2  lambda:1",
  '(x:=1)  (yield)  [*[1]]  {*[1]}  {**{}}  {1:2,**{}}  (*[1],)  [x for x in y]  {x:x for x in y}  (1for x in y)',
  '[,]  (,)  {,}  [1,,]  {1:2,3}  {1,2:3}  {1:2:3}  {:1}  {1:}  {1:2}{3:4}  {[]}  {{}}  {[]:1}  {([],):1}  {set()}',
  "'a'1  1'a'  _'a_  $'a$  \u00e9'a\u00e9  `  $  ?  !  @  1..  \u24e2et()  \uff34rue  True1  e\u0301  a\u00a0b",
].flatMap((line) => line.split('  '))

const wrongDigits = ['07', '0_7', '1__0', '1_', '0_', '0xf_', '0x', '0o', '0b', '0x_', '0x__1', '0b12', '0o8']
const wrongEnds = ['1a', '1L', '0xfl', '1\u00e9', '1\uff11', '1_j', '1jj']
const large = ways('1e16', '9999999999999998.', '1e22', '1.7976931348623157e308', '1.8e308', '1_0e99_9')
const small = ways('1e-4', '1e-5', '0.00012345', '5e-324', '1e-400')
const wrongPoints = ['1_.5', '1._5', '._5', '.5_', '1.5.5', '.', '.e1', '1e1.']
const wrongExponents = ['1e', '1e+', '1e_1', '1_e1', '1e1_']

const huge: Ways = {
  '4300 digits': '9'.repeat(4300),
  '4301 digits': '9'.repeat(4301),
  '4300 digits with underscores': `9${'_9'.repeat(4299)}`,
  '4301 zeros': '0'.repeat(4301),
  '4301 zeros and a digit': `${'0'.repeat(4301)}1`,
  'largest double': `0xfffffffffffff8${'0'.repeat(242)}`,
  'rounds to largest double': `0xfffffffffffffb${'f'.repeat(242)}`,
  'rounds to infinity': `0xfffffffffffffc${'0'.repeat(242)}`,
  '4400 hexadecimal digits': `0x${'f'.repeat(4400)}`,
  '4301 imaginary digits': `${'9'.repeat(4301)}j`,
}

const prefixes = ways('r', 'R', 'u', 'U')
const bytesPrefixes = ways('b', 'B', 'br', 'bR', 'Br', 'BR', 'rb', 'rB', 'Rb', 'RB')
const formatPrefixes = ['f', 'F', 'fr', 'Rf', 'bf']
const wrongPrefixes = ['ur', 'Ru', 'bu', 'ub', 'rr', 'rbr', 'x', '_', '$', '\u00e9']

const ascii = ways('a', 'bc', 'N', '7', '#', ',', '{', ' ', '\t', '\x7f', '\x1a')
const beyondAscii = ways('\u00e9', '\u{1f600}', '\u2028')
const newLines = ways('\n', '\r', '\r\n')

const simpleEscapes = [...'\\\'"abfnrtv'].map((letter) => `\\${letter}`)
const octals = ['\\0', '\\7', '\\12', '\\18', '\\101', '\\377', '\\1234', '\\400', '\\777']
const unknown = ['\\d', '\\s', '\\/', '\\8', '\\ ', '\\A', '\\\u00e9', '\\{']
const surrogates = ['\\ud800', '\\udfff', '\\U0000dc00']
/** A pair of escapes is one character here and two in Python, so this character is written in no other way. */
const pair = '\\ud83d\\ude80'
const continued = ['\\\n', '\\\r', '\\\r\n']
const escapes = ways(...simpleEscapes, ...octals, ...unknown, ...surrogates, pair, ...continued)
const rawEscapes = ways('\\\\', "\\'", '\\"', '\\n', '\\ud', ...continued)
const names = ways('\\N{BULLET}', '\\N{bullet}', '\\N{LINE FEED}', '\\N{HYPHEN-MINUS}')
const shortEscapes = ['\\x', '\\x4', '\\xg0', '\\u', '\\u123', '\\u12g4', '\\u 123', '\\U', '\\U0001f60']
const wrongNames = ['\\N', '\\N{}', '\\N{BULLET', '\\N BULLET}', '\\N{\u00e9}', '\\N{NO SUCH}']

export class PythonGrammar {
  /** How often each way was taken, by `what: way`. */
  readonly used = new Map<string, number>()
  readonly #known = new Set<string>()
  #random: number
  #brackets = 0

  constructor(seed: number) {
    this.#random = seed
  }

  text(): string {
    let text = this.chance(0.3) ? this.one('before', before, wrongBefore) : ''
    text += this.one('whole', { value: () => this.value(3), 'bare tuple': () => this.items(2, 1) + this.gap() })
    text += this.chance(0.3) ? this.one('after', after, wrongAfter) : ''
    while (this.chance(MUTATED)) text = this.mutated(text)
    return text
  }

  value(depth: number): string {
    if (depth <= 0 || this.chance(0.3)) return this.scalar()
    if (this.chance(0.002)) return this.deep()
    return this.one(
      'value',
      {
        list: () => this.bracketed('[', () => this.items(depth - 1, 0), ']'),
        tuple: () => this.tuple(() => this.value(depth - 1)),
        set: () => this.bracketed('{', () => this.items(depth - 1, 1, () => this.hashable(depth - 1)), '}'),
        dict: () => this.bracketed('{', () => this.items(depth - 1, 0, () => this.entry(depth - 1)), '}'),
        group: () => this.group(() => this.value(depth - 1)),
        'empty set': () => this.setName() + this.gap() + this.group(() => ''),
      },
      { 'no literal': () => this.pick(notLiterals) },
    )
  }

  scalar(): string {
    if (this.chance(0.03)) return this.one('dots', ways('...'), { wrong: () => this.pick(['..', '....', '. . .']) })
    const constant = () => this.one('constant', ways('True', 'False', 'None'))
    return this.one('scalar', { constant, strings: () => this.strings(), number: () => this.number() })
  }

  items(depth: number, least: number, item = () => this.value(depth)): string {
    const count = least + this.below(4 - least)
    const items = Array.from({ length: count }, () => this.gap() + item() + this.gap())
    return items.join() + (count > 0 ? this.one('trailing comma', ways('', ',')) : '')
  }

  tuple(item: () => string): string {
    return this.one('tuple', {
      'of none': () => this.group(() => ''),
      'of one': () => this.group(() => `${item()}${this.gap()},`),
      'of more': () => this.group(() => `${item()},${this.gap()}${this.items(0, 1, item)}`),
    })
  }

  entry(depth: number): string {
    return `${this.hashable(depth)}${this.gap()}:${this.gap()}${this.value(depth)}`
  }

  /** What can be a key or stand in a set. */
  hashable(depth: number): string {
    return this.one(
      'key',
      {
        alike: () => this.one('alike', alike),
        scalar: () => this.scalar(),
        tuple: () => this.tuple(() => this.hashable(0)),
        group: () => this.group(() => this.hashable(0)),
      },
      { 'any value': () => this.value(depth) },
    )
  }

  setName(): string {
    const name = () => (this.chance(0.1) ? this.one('normalized name', normalized) : 'set')
    return this.one('set name', { plain: name, grouped: () => this.group(name) })
  }

  deep(): string {
    const nestings = Array.from({ length: 180 + this.below(25) }, () =>
      this.one('nesting', ways('[]', '()', '(,)', '{1:}')),
    )
    const opened = nestings.map((brackets) => brackets.replace(/,?.$/, ''))
    const closed = nestings.map((brackets) => brackets.replace(/^.(1:)?/, '')).reverse()
    return opened.join('') + this.pick(['0', "''", '[]', 'set()', '-(1)']) + closed.join('')
  }

  number(): string {
    return this.one('number', {
      real: () => this.real(),
      signed: () => this.signed(),
      complex: () => (this.chance(0.5) ? this.complex() : this.real()),
    })
  }

  real(): string {
    return this.chance(0.02) ? this.one('huge integer', huge) : this.chance(0.6) ? this.integer() : this.float()
  }

  integer(): string {
    return this.one(
      'integer',
      {
        decimal: () => this.pick([...'123456789']) + this.digits('0123456789', 5),
        underscores: () => `${this.pick(['1', '20'])}_${this.digits('0123456789', 4)}`,
        zeros: () => this.pick(['0', '00', '0_0', '000_000']),
        hexadecimal: () => this.pick(['0x', '0X', '0x_']) + this.digits('09afAF', 6),
        octal: () => this.pick(['0o', '0O', '0o_']) + this.digits('01234567', 6),
        binary: () => this.pick(['0b', '0B', '0b_']) + this.digits('01', 9),
        'around 2^53': () => String(2n ** 53n + BigInt(this.below(9) - 4)),
        'beyond 2^53': () => this.pick(['9', '0x', '10_']) + this.digits('0123456789', 40),
      },
      { 'wrong digits': () => this.pick(wrongDigits), 'wrong end': () => this.pick(wrongEnds) },
    )
  }

  float(): string {
    const digits = () => this.digits('0123456789', 4)
    const exponent = () => this.pick(['e', 'E']) + this.pick(['', '+', '-']) + this.digits('0123456789', 2)
    return this.one(
      'float',
      {
        'both sides': () => `${digits()}.${digits()}`,
        'point first': () => `.${digits()}`,
        'point last': () => `${digits()}.`,
        exponent: () => digits() + exponent(),
        'point and exponent': () => `${digits()}.${this.pick(['', '5', '0_1'])}${exponent()}`,
        'point first and exponent': () => `.${digits()}${exponent()}`,
        large: () => this.one('large float', large),
        small: () => this.one('small float', small),
      },
      { 'wrong point': () => this.pick(wrongPoints), 'wrong exponent': () => this.pick(wrongExponents) },
    )
  }

  /** Digits, now and then with an underscore between two of them. */
  digits(alphabet: string, most: number): string {
    const digits = Array.from({ length: 1 + this.below(most) }, () => this.pick([...alphabet])).join('')
    return this.chance(0.1) ? digits.replace(/^../, ([first, second]) => `${first}_${second}`) : digits
  }

  imaginary(): string {
    const number = this.chance(0.5) ? this.digits('0123456789', 3) : this.float()
    return number + this.one('imaginary', ways('j', 'J'))
  }

  signed(): string {
    const operand = this.one(
      'operand',
      {
        real: () => this.real(),
        'real in parentheses': () => this.group(() => this.real()),
        'real in more parentheses': () => this.group(() => this.group(() => this.real())),
        imaginary: () => (this.chance(0.5) ? this.imaginary() : this.group(() => this.imaginary())),
      },
      {
        'signed again': () => this.pick(['-1', '+ 1', '(-1)', '- -1']),
        'sum in parentheses': () => this.group(() => this.complex()),
        'any value': () => this.value(1),
      },
    )
    return this.one('sign', ways('-', '+')) + this.gap() + operand
  }

  complex(): string {
    const left = this.one(
      'left of sum',
      {
        real: () => this.real(),
        signed: () => this.pick(['-', '+']) + this.real(),
        group: () => this.group(() => this.real()),
        'signed group': () => this.group(() => `-${this.real()}`),
        'sign before group': () => `-${this.group(() => this.real())}`,
      },
      { imaginary: () => this.imaginary(), sum: '1+2j', 'any value': () => this.value(1) },
    )
    const right = this.one(
      'right of sum',
      { imaginary: () => this.imaginary(), group: () => this.group(() => this.imaginary()) },
      { real: () => this.real(), signed: () => `-${this.imaginary()}`, 'any value': () => this.value(1) },
    )
    return left + this.gap() + this.one('sign in sum', ways('+', '-')) + this.gap() + right
  }

  /** One string, or several side by side. */
  strings(): string {
    const isBytes = this.chance(0.1)
    let text = this.string(isBytes)
    while (this.chance(0.2)) {
      const next = { 'of one kind': () => this.string(isBytes) }
      text += this.gap() + this.one('joined string', next, { 'of another kind': () => this.string(!isBytes) })
    }
    return text
  }

  string(isBytes: boolean): string {
    const prefix = isBytes ? this.one('bytes prefix', bytesPrefixes) : this.chance(0.4) ? this.prefix() : ''
    const quote = this.one('quote', ways("'", '"', "'''", '"""'))
    const isRaw = /r/i.test(prefix)
    let body = ''
    while (this.chance(0.7)) body += this.chance(0.5) ? this.character(isBytes, quote) : this.escape(isRaw)
    return prefix + quote + body + quote
  }

  prefix(): string {
    const wrong = { format: () => this.pick(formatPrefixes), wrong: () => this.pick(wrongPrefixes) }
    return this.one('prefix', prefixes, wrong)
  }

  character(isBytes: boolean, quote: string): string {
    const quotes = { quote: quote.charAt(0) }
    const right = [ascii, isBytes ? ascii : beyondAscii, quote.length === 3 ? { ...newLines, ...quotes } : ascii]
    const wrong = [
      ways('\0', '\ud800'),
      isBytes ? beyondAscii : {},
      quote.length === 3 ? {} : { ...newLines, ...quotes },
    ]
    return this.one('character', Object.assign({}, ...right), Object.assign({}, ...wrong))
  }

  escape(isRaw: boolean): string {
    if (isRaw) return this.one('raw escape', rawEscapes, ways('\\\u00e9'))
    if (this.chance(0.01)) return this.one('name escape', names)
    const hex = (length: number) => Array.from({ length }, () => this.pick([...'0123456789abcdefABCDEF'])).join('')
    const coded: Ways = {
      'two digits': () => `\\x${hex(2)}`,
      'four digits': () => `\\u${hex(4)}`,
      'eight digits': () => `\\U000${this.pick(['0', '1'])}${hex(4)}`,
    }
    if (this.chance(0.2)) return this.one('coded escape', coded)
    return this.one('escape', escapes, {
      'too short': () => this.pick(shortEscapes),
      'out of range': () => this.pick(['\\U00110000', '\\Uffffffff']),
      'wrong name': () => this.pick(wrongNames),
    })
  }

  group(inner: () => string): string {
    return this.bracketed('(', inner, ')')
  }

  bracketed(opener: string, inner: () => string, closer: string): string {
    this.#brackets++
    const text = opener + this.gap() + inner() + this.gap() + closer
    this.#brackets--
    return text
  }

  /** What may stand between two tokens; mostly nothing. */
  gap(): string {
    if (this.chance(0.8)) return ''
    return this.#brackets > 0
      ? this.one('gap', { ...space, ...lines }, wrongSpace)
      : this.one('gap', space, { ...lines, ...wrongSpace })
  }

  /** Works on UTF-16 units, so that surrogates lose their partners. */
  mutated(text: string): string {
    const at = this.below(text.length + 1)
    const before = text.slice(0, at)
    const after = text.slice(at)
    const character = this.pick(strange.split(''))
    return this.one('mutation', {
      delete: () => before + after.slice(1),
      insert: () => before + character + after,
      replace: () => before + character + after.slice(1),
      double: () => before + after.slice(0, 1 + this.below(3)) + after,
      swap: () => before + after.charAt(1) + after.charAt(0) + after.slice(2),
      cut: () => before,
    })
  }

  /** Takes one of the ways, now and then a wrong one, and counts it. */
  one(what: string, right: Ways, wrong: Ways = {}): string {
    if (!this.#known.has(what)) {
      this.#known.add(what)
      for (const way of Object.keys({ ...right, ...wrong })) this.used.set(`${what}: ${way}`, 0)
    }
    const wrongWays = Object.keys(wrong)
    const isWrong = wrongWays.length > 0 && this.chance(WRONG)
    const way = this.pick(isWrong ? wrongWays : Object.keys(right))
    this.used.set(`${what}: ${way}`, (this.used.get(`${what}: ${way}`) ?? 0) + 1)
    const written = (isWrong ? wrong : right)[way]
    return typeof written === 'function' ? written() : (written ?? '')
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  chance(share: number): boolean {
    return this.below(1_000_000) < share * 1_000_000
  }

  /** A whole number from 0 up to and without `limit`, by mulberry32. */
  below(limit: number): number {
    this.#random = (this.#random + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#random ^ (this.#random >>> 15), this.#random | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}
