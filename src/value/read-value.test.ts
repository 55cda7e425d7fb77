import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parses } from '../../test/texts.ts'
import type { JsonValue } from '../types.ts'
import { readValue, type ValueOptions } from './read-value.ts'

type Read = readonly [text: string, value: JsonValue, repairs: string]
type Refused = readonly [text: string, problem: string]

const codesOf = (repairs: readonly { readonly code: string }[]): string =>
  [...new Set(repairs.map(({ code }) => code))].join(' ')

function reads(title: string, cases: readonly Read[], options?: ValueOptions): void {
  describe(title, () => {
    for (const [text, value, repairs] of cases) {
      test(JSON.stringify(text), () => {
        const reading = readValue(text, options)
        assert.deepEqual(reading.problems, [])
        assert.deepEqual(reading.value, value)
        assert.equal(codesOf(reading.repairs), repairs)
        assert.equal(reading.complete, true)
      })
    }
  })
}

function refuses(title: string, cases: readonly Refused[], options?: ValueOptions): void {
  describe(title, () => {
    for (const [text, problem] of cases) {
      test(JSON.stringify(text), () => {
        const reading = readValue(text, options)
        assert.equal(reading.problems[0]?.code, problem)
        if (reading.complete) assert.equal(reading.value, undefined)
      })
    }
  })
}

reads('JSON is read as it stands', [
  [`{"a": 1}`, { a: 1 }, ''],
  [`  [1, "two", null]\n`, [1, 'two', null], ''],
  [`123`, 123, ''],
  [`"{\\"a\\": 1}"`, `{"a": 1}`, ''], // a string is a string: whoever wants an object says so with `container`
  [`{"code": "a['b'] = \\"c\\""}`, { code: `a['b'] = "c"` }, ''],
  [`{"id": 12345678901234567890, "n": 1e20}`, { id: Number('12345678901234567890'), n: 1e20 }, 'integer-large'],
])

reads('single quotes', [
  [`{'a': "x", 'b': true}`, { a: 'x', b: true }, 'quotes-single'],
  [`{'a': 'it's ok', 'b': 'x'}`, { a: `it's ok`, b: 'x' }, 'quotes-single quote-unescaped'],
  [`{'a': 'it\\'s ok', 'b': null}`, { a: `it's ok`, b: null }, 'quotes-single'],
])

reads('typographic quotes', [
  [`{“a”: “b”, “c”: 1}`, { a: 'b', c: 1 }, 'quotes-smart'],
  [`{"a": “b"}`, { a: 'b' }, 'quotes-smart'],
  [`{"a": "b”, "c": 1}`, { a: 'b', c: 1 }, 'quotes-smart'], // llama, baml 1074
  [`{"a": "say “b”", c: 1}`, { a: 'say “b”', c: 1 }, 'key-bare'],
])

reads('quotes that nobody escaped', [
  [`{"text": "a"bcd"e"}`, { text: 'a"bcd"e' }, 'quote-unescaped'],
  [
    `{"text": "such as "offside" and "penalty". To improve, try", "n": 1}`,
    { text: 'such as "offside" and "penalty". To improve, try', n: 1 },
    'quote-unescaped',
  ],
  [
    `{"html": "<a href="/x" class="y">link</a>", "n": 1}`,
    { html: '<a href="/x" class="y">link</a>', n: 1 },
    'quote-unescaped',
  ],
  [`{"code": "print("a", "b")", "x": 1}`, { code: 'print("a", "b")', x: 1 }, 'quote-unescaped'],
  [`{"code": "x = {"k": "v"}", "p": 1}`, { code: 'x = {"k": "v"}', p: 1 }, 'quote-unescaped'],
  [`{"cmd": "echo "$HOME""}`, { cmd: 'echo "$HOME"' }, 'quote-unescaped'],
  [`{"text": "a 65" screen"}`, { text: 'a 65" screen' }, 'quote-unescaped'],
  [`{"text": "He is 6'2", weighs 200"}`, { text: `He is 6'2", weighs 200` }, 'quote-unescaped'],
])

refuses('quotes that can be read in two ways', [
  [`{"content": "{"a": "b", "c": "d"}", "path": "x"}`, 'ambiguous'],
  [`{"a": "x" garbage, "b": "y"}`, 'ambiguous'],
  [`{"a": "b" + "c"}`, 'ambiguous'],
  [`{"a": "b" if c else "d"}`, 'ambiguous'],
  [`{"a": "say ""hi"" now"}`, 'ambiguous'],
  [`["a" "b"]`, 'ambiguous'], // Python joins them, JSON lacks a comma
  [`{"a": "x", note: this", "n": 1}`, 'ambiguous'],
  [`{"path": "p",\n  cwd": "/work"}`, 'ambiguous'],
  [`{"a": "b" + "/c"}`, 'ambiguous'],
  [`{"a": "x" or "", "b": 1}`, 'ambiguous'],
  [`{"cmd": ["bash, "-lc", "x"]}`, 'ambiguous'],
  [`{"file": "/src/ind\n{"file": "/src/index.js", "content": "x"}`, 'ambiguous'], // cut, and written again
  [`{'a': 'don't stop', '`, 'truncated'],
  [`{"cmd": "echo "hi" && ls", "`, 'truncated'],
  [`{"html"": "<p class='a'>x</p>", "k": null}`, 'unreadable'],
  [String.raw`{"text": "he said \\"hi\\" ok", "n": 1}`, 'ambiguous'],
])

reads(
  'known keys decide where a string ends',
  [
    [
      `{"content": "{"a": "b", "c": "d"}", "path": "x"}`,
      { content: '{"a": "b", "c": "d"}', path: 'x' },
      'quote-unescaped',
    ],
    [
      `{'content': 'x', 'line_end': 'y', more: true}`,
      { content: 'x', line_end: 'y', more: true },
      'quotes-single key-bare',
    ], // an invented key stays a key
  ],
  { known: ['content', 'path'] },
)

reads('words and numbers', [
  [`{path: ./src/a.ts, mode: w}`, { path: './src/a.ts', mode: 'w' }, 'key-bare word-bare'],
  [`{"files": E:\\My files\\Bug report.md,\n "n": 1}`, { files: 'E:\\My files\\Bug report.md', n: 1 }, 'word-bare'], // claude-code 87251
  [`{"url": https://x.org/a?b=c&d=e, "n": 1}`, { url: 'https://x.org/a?b=c&d=e', n: 1 }, 'word-bare'],
  [`{"a": .5e3, "b": -.5, c: 1_000, d: 0b11}`, { a: 500, b: -0.5, c: 1000, d: 3 }, 'number-spelling key-bare'],
  [`{"a": "x", "b": hello", "c": 1}`, { a: 'x', b: 'hello', c: 1 }, 'quote-missing'],
  [`{"n": 1, "count: "5"}`, { n: 1, count: '5' }, 'quote-missing'],
  [`{"all": true", "n": 1}`, { all: true, n: 1 }, 'quote-stray'],
])

refuses('words and numbers that would be a guess', [
  [`{"a": 10 minutes}`, 'unreadable'],
  [`{"a": 2024-01-01}`, 'unreadable'],
  [`{"a": 1.2.3}`, 'unreadable'],
  [`{"a": 12px}`, 'unreadable'],
  [`{"a": f(x)}`, 'unreadable'],
  [`{"a": new Date()}`, 'unreadable'],
  [`{"a": count - 1}`, 'unreadable'],
  [`{"a": <result of the first call>}`, 'unreadable'],
  [`{"a": x, y, "b": 1}`, 'unreadable'],
  [`{"a": 1e999}`, 'number-not-finite'],
  [`{"a": -Infinity}`, 'number-not-finite'],
  [`[hello]`, 'unreadable'],
  [`{"a": tru, "b": 1}`, 'ambiguous'],
  [`{"a": none}`, 'ambiguous'],
  [`{'x': nan, 'y': 1.0}`, 'number-not-finite'],
  [`{"a": not true, "b": 1}`, 'unreadable'],
  [`{"a": x if y else z}`, 'unreadable'],
  [`{path:a.py line:3}`, 'unreadable'],
  [`{"a": −5}`, 'unreadable'],
  [`{"rows": […]}`, 'unreadable'],
  [`{"rows": [1, ...], "n": null}`, 'unreadable'],
  [`{"all": fa}`, 'ambiguous'],
  [`[1,000, true]`, 'unreadable'],
])

reads('commas, colons and comments', [
  [`{"a": 1 "b": 2\n"c": 3}`, { a: 1, b: 2, c: 3 }, 'comma-missing'],
  [`{"a": "x""b": "y"}`, { a: 'x', b: 'y' }, 'comma-missing'],
  [`[{"a": 1} {"a": 2}, true]`, [{ a: 1 }, { a: 2 }, true], 'comma-missing'],
  [`{"a":1,,}`, { a: 1 }, 'comma-trailing comma-extra'],
  [`{,"a":1}`, { a: 1 }, 'comma-extra'],
  [`{"a": "x", // one\n "b": 2 /* two */}`, { a: 'x', b: 2 }, 'comment-dropped'],
  [`{"a": 1; "b": 2}`, { a: 1, b: 2 }, 'comma-missing'],
  [`{cmd= "ls", cwd= "/work"}`, { cmd: 'ls', cwd: '/work' }, 'key-bare colon-missing'],
  [`{"a": "x" # one\n, "b": true}`, { a: 'x', b: true }, 'comment-dropped'],
  [`{"path" "x"}`, { path: 'x' }, 'colon-missing'], // and no set of one joined string
  [`{"a": 1},`, { a: 1 }, 'comma-trailing'], // and no tuple
  [`{"a": 1},\n{"a": 1}`, { a: 1 }, 'value-repeated'],
  [`{“a”：“b”，“c”：1}`, { a: 'b', c: 1 }, 'quotes-smart sign-fullwidth'],
])

reads('brackets', [
  [`{"command":"ls"],"timeout":60}`, { command: 'ls', timeout: 60 }, 'closer-dropped'], // gpt-oss:20b, ollama 17638
  [`{"command":"ls"]}`, { command: 'ls' }, 'closer-dropped'],
  [`{"path":"x",""}`, { path: 'x' }, 'key-dangling'],
  [`{"path": "p", "content": "hello"\n"}`, { path: 'p', content: 'hello' }, 'key-dangling'],
  [`{'a': 'it's ok'}{'a': 'it's ok'}`, { a: `it's ok` }, 'quotes-single quote-unescaped value-repeated'],
  [`{"path":"x","content":"a\\n","}`, { path: 'x', content: 'a\n' }, 'key-dangling'],
  [`{"a": 1}}`, { a: 1 }, 'closer-dropped'],
  [`{"a": 1}, "b": 2}`, { a: 1, b: 2 }, 'closer-dropped'],
  [`{"a": [1, 2}`, { a: [1, 2] }, 'closer-missing'],
  [`[{"a": 1]`, [{ a: 1 }], 'closer-missing'],
  [`[1, 2}`, [1, 2], 'closer-swapped'],
  [`[{"stops": ["Bonn"}}]`, [{ stops: ['Bonn'] }], 'closer-missing closer-dropped'],
  [`{"a":{"b":[{"c":"d"}`, { a: { b: [{ c: 'd' }] } }, 'closer-missing'],
  [`{"a":"x","b":"y"{"a": "x", "b": "y"}`, { a: 'x', b: 'y' }, 'closer-missing value-repeated'], // opencode 17315
])

refuses('brackets that could belong elsewhere', [
  [`{"a": {"b": 1}}, "c": 2}`, 'ambiguous'],
  [`{"list": [{"a": 1], "b": 2}`, 'ambiguous'],
  [`{"a": {"b": 1,} "c": 2}`, 'ambiguous'],
  [`{"a": [1, { ]}`, 'ambiguous'],
  [`"name": {"path": "x"}}`, 'unreadable'],
  [`{"a": {"b": {"c": "d"]}, "e": "f"}`, 'ambiguous'],
  [`{"edits": [{"old": "z"] "new": ""}]}`, 'ambiguous'],
  [`{"path"}`, 'value-missing'], // and no set
  [`{"args": {"x", 1}}`, 'value-missing'],
  [`{"path": "a", "content": {"path": "a", "content": "b"}`, 'ambiguous'],
  [`{"q": "cats", "n": 3\n\nObservation: {"ok": true}`, 'unreadable'],
  [`{"cmd": ["bash", "-lc", }`, 'ambiguous'],
  [`{} "path": "x"}`, 'unreadable'],
])

reads('strings', [
  [`{"a": "\\d+\\$"}`, { a: '\\d+\\$' }, 'escape-kept'], // a pattern, by its other escape
  [`{"a": "x\\d \\w", "b": null}`, { a: 'x\\d \\w', b: null }, 'escape-kept'],
  [`{"sed": "s/(a)/\\1/", "tex": "$\\alpha$"}`, { sed: 's/(a)/\\1/', tex: '$\\alpha$' }, 'escape-kept'],
  [`{"url": "a\\/b",}`, { url: 'a/b' }, 'comma-trailing'], // JSON's escape, not Python's
  [`{"p": "C:\\Users\\x\\new"}`, { p: 'C:\\Users\\x\\new' }, 'path-backslashes'],
  [`{"a": "tab\there"}`, { a: 'tab\there' }, 'control-character'],
  [`{"f": "#define A \\\n  1"}`, { f: '#define A \\\n  1' }, 'escape-kept control-character'], // the backslash of a Makefile
  [`{"path”: "a.py", "n": 1}`, { path: 'a.py', n: 1 }, 'quotes-smart'],
  [`{“text”: “She said “hi” to me”, “n”: 1}`, { text: 'She said “hi” to me', n: 1 }, 'quotes-smart'],
  [`{"a": """one "two" three""", "b": true}`, { a: 'one "two" three', b: true }, 'quotes-triple'],
  ['{"a": `x "y"\n`}', { a: 'x "y"\n' }, 'quotes-backtick'],
])

reads('a quote that is missing at the end', [
  [`{"a": {"b": "one more?}}`, { a: { b: 'one more?' } }, 'quote-missing'],
  [`{"a": ["x (1)", "y (2)]}\n`, { a: ['x (1)', 'y (2)'] }, 'quote-missing'],
])

refuses('a quote that may be cut off, or missing', [
  [`{"a": {"b": "one more?}`, 'truncated'], // one closer short
  [`{"a": {"b": "if (x) { y }}`, 'truncated'], // they may belong to the text
  [`{"a": {"b": "line\\n}}`, 'truncated'],
  [`{"a": {"b": "}}`, 'truncated'],
])

reads('around the value', [
  ['Sure!\n{"a": 1}\nBye', { a: 1 }, 'prose-dropped'],
  ['Answer: [1, 2]', [1, 2], 'prose-dropped'],
  ['{"a": 1} // done', { a: 1 }, 'prose-dropped'],
  [`{“q”: “say "hi"”, “n”: 1}`, { q: 'say "hi"', n: 1 }, 'quotes-smart'],
  ['```\n[1,2,3]\n```', [1, 2, 3], 'fence-dropped'],
  ["```python\n{'a': (1, 2)}\n```", { a: [1, 2] }, 'fence-dropped python-literal tuple-to-list'],
  ['[INST] {"a":1} [/INST]', { a: 1 }, 'prose-dropped'],
  ['<|im_start|>{"a":1}</s>', { a: 1 }, 'special-token-dropped'],
  ["\n   {'a': (1,)}\n  ", { a: [1] }, 'python-literal tuple-to-list'],
  [`"{"a": 1}"`, { a: 1 }, 'encoding-doubled'],
  ['`{"a": 1}`', { a: 1 }, 'prose-dropped'],
  ['```json\n{"a": {"b": "c"}\n```', { a: { b: 'c' } }, 'fence-dropped closer-missing'],
  [`{\\"a\\": \\"b\\\\n\\"}`, { a: 'b\n' }, 'encoding-doubled'],
])

refuses('strings that are escaped by halves', [
  [`{"cmd": "echo \\$HOME"}`, 'ambiguous'], // a dollar of the shell, or a backslash before it
  [`{"re": "\\bword\\b \\d"}`, 'ambiguous'], // \\b may be a backspace, or the bound of a word
  [`{"tex": "\\frac{a}{b} \\alpha"}`, 'ambiguous'],
  ['```json\n{"tex": "\\\\frac{a}{b} \\\\alpha"}\n```'.replaceAll('\\\\', '\\'), 'ambiguous'],
  [`{"content": "int main() {\n  printf("hi\\n");\n}", "path": "a.c"}`, 'ambiguous'],
  [`{"content": "re.sub('\\n', '')\nx", "path": "a.py"}`, 'ambiguous'],
  [`{"command": "git commit -m "handle \\"x\\" names"", "cwd": "/w"}`, 'ambiguous'],
  [`{"cmd": "cd C:\\new\\dir && dir"}`, 'ambiguous'],
  [`{"p":"C:\\Program Files\\nodejs\\*.js"}`, 'ambiguous'],
])

refuses('comments that hide something', [
  [`{"tags": [#a,\n #b\n]}`, 'unreadable'],
  [`{"a": 10 // 3, "b": 2\n}`, 'ambiguous'],
])

refuses('what holds no value', [
  ['', 'no-value'],
  ['hello', 'no-value'],
  ['The list is [1, 2, 3].', 'no-value'],
  ['Use {name} and [1] here', 'no-value'],
  ['What is a {"a": 1, b} thing?', 'unreadable'],
  ['"abc" and more', 'unreadable'],
  ['{"k": "v"} trailing } words', 'unreadable'],
  ['path: "a.py", opts: {"x": 1}', 'unreadable'],
  ['run(path="a.py", opts={"x": 1})', 'unreadable'],
  ['foo({"a": 1}, 5)', 'unreadable'],
  ['[{"a": 1}] * 3', 'unreadable'],
  ['For example {"path": "x"} is a call. Now:\n{"path": real.py, "n": 2} ok', 'ambiguous'],
])

test('a policy sees every kind of change in a string', () => {
  const text = `{"a": "\\d \\x41"}`
  assert.deepEqual(readValue(text).value, { a: '\\d A' })
  for (const code of ['escape-kept', 'escape-decoded']) {
    assert.equal(readValue(text, { policy: { [code]: 'deny' } }).problems[0]?.code, 'repair-denied')
  }
  const many = `{"a": "x ${'\\d'.repeat(70)} "y" z", "b": true}`
  assert.equal(readValue(many, { policy: { 'quote-unescaped': 'deny' } }).problems[0]?.code, 'repair-denied')
})

test('several different values are reported as such', () => {
  const reading = readValue('{"x": 1}\n{"x": 2}, {"x": 1}')
  assert.equal(reading.problems[0]?.code, 'several-values')
  assert.deepEqual(
    reading.values?.map(({ value }) => value),
    [{ x: 1 }, { x: 2 }, { x: 1 }],
  )
  assert.equal(reading.value, undefined)
})

describe('a text that was cut is incomplete, and shows what there is', () => {
  const cases: readonly (readonly [text: string, soFar: JsonValue])[] = [
    [`"a`, 'a'],
    [`{"a": "b`, { a: 'b' }],
    [`{"a": 12`, { a: 12 }], // it may go on: 123
    [`{"a": tr`, {}],
    [`{"a"`, {}],
    [`{"a":`, {}],
    [`{"a": 1,`, { a: 1 }],
    [`[1, [2, {"a": "b", "c`, [1, [2, { a: 'b' }]]],
    [`{`, {}],
    [`{"a": "x\\`, { a: 'x\\' }],
  ]
  for (const [text, soFar] of cases) {
    test(JSON.stringify(text), () => {
      const { value, problems, complete } = readValue(text)
      assert.equal(complete, false)
      assert.equal(problems[0]?.code, 'truncated')
      assert.deepEqual(value, soFar)
    })
  }

  test('braces that opened twice close twice, or the text was cut', () => {
    assert.deepEqual(
      readValue('{{"a": 1}').repairs.map(({ code }) => code),
      ['braces-doubled', 'closer-missing'],
    )
    assert.equal(readValue('{{"a": 1}', { finish: 'length' }).complete, false)
  })

  test('only structure is closed, and not after the length limit', () => {
    assert.deepEqual(readValue('{"a": "b"').value, { a: 'b' })
    const reading = readValue('{"a": "b"', { finish: 'length' })
    assert.equal(reading.complete, false)
    assert.equal(reading.problems[0]?.code, 'truncated')
  })

  test('every prefix of a call is refused, but those that lack only brackets', () => {
    const call = `{"path": "src/a.py", "lines": [12, 7.5, true], "edit": {"old": "a \\"b\\"\\n", "new": null}}`
    for (let end = 1; end < call.length; end++) {
      const text = call.slice(0, end)
      const { problems, value } = readValue(text)
      const closers = ['}', ']}', '}}'].find((missing) => parses(text + missing))
      const endsInNumber = /\d$/.test(text)
      if (closers && !endsInNumber) assert.deepEqual(value, JSON.parse(text + closers))
      else assert.equal(problems[0]?.code, 'truncated', text)
    }
  })
})

describe('options', () => {
  test('container opens a string that holds an object or list, once', () => {
    const text = JSON.stringify(`{"a": "[1]"}`)
    assert.deepEqual(readValue(text).value, `{"a": "[1]"}`)
    const { value, repairs } = readValue(text, { container: true })
    assert.deepEqual(value, { a: '[1]' })
    assert.equal(codesOf(repairs), 'encoding-doubled')
    assert.equal(readValue('"hello"', { container: true }).value, 'hello')
    assert.equal(readValue('"123"', { container: true }).value, '123')
  })

  test('policy names codes one by one, or all of them by a star', () => {
    assert.equal(readValue(`{"a": 1,}`, { policy: { 'comma-trailing': 'deny' } }).problems[0]?.code, 'repair-denied')
    assert.equal(readValue(`{"a": 1,}`, { policy: { '*': 'deny' } }).problems[0]?.code, 'repair-denied')
    assert.deepEqual(readValue(`{"a": 1,}`, { policy: { '*': 'deny', 'comma-trailing': 'allow' } }).value, { a: 1 })
    assert.equal(readValue(`{"a": 1,}`, { policy: { 'comma-trailing': 'ask' } }).problems[0]?.code, 'repair-asks')
    assert.deepEqual(readValue(`{"a": 1}`, { policy: { '*': 'deny' } }).value, { a: 1 })
  })

  test('limits refuse what is too large or too deep', () => {
    assert.equal(readValue('[1, 2, 3]', { limits: { size: 5 } }).problems[0]?.code, 'too-large')
    assert.equal(readValue('[[[1]]]', { limits: { depth: 2 } }).problems[0]?.code, 'too-deep')
    assert.equal(readValue("[[['a']]]", { limits: { depth: 2 } }).problems[0]?.code, 'too-deep')
    assert.equal(readValue('[[[a: 1]]]', { limits: { depth: 2 } }).problems[0]?.code, 'too-deep')
    assert.deepEqual(readValue('[[1]]', { limits: { depth: 2 } }).value, [[1]])
  })
})

test('the exact digits of a large integer are at hand', () => {
  const [repair] = readValue('{"ids": [1, 12345678901234567890]}').repairs
  assert.deepEqual(repair, {
    code: 'integer-large',
    path: ['ids', 1],
    span: [12, 32],
    before: '12345678901234567890',
    after: Number('12345678901234567890'),
  })
})

test('what is no text is a mistake of the caller, told as such', () => {
  for (const [given, named] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [{ a: 1 }, 'object'],
  ] as const) {
    assert.throws(
      () => Reflect.apply(readValue, undefined, [given]),
      new TypeError(`readValue takes a text, and was given ${named}.`),
    )
  }
})

test('prototype keys are plain keys', () => {
  for (const text of [`{"__proto__": {"x": 1}}`, `{'__proto__': {'x': 1}}`, `{__proto__: {x: 1}}`]) {
    const { value } = readValue(text)
    assert.deepEqual(Object.keys(Object(value)), ['__proto__'])
    assert.equal(Object.getPrototypeOf(value), Object.prototype)
  }
  assert.equal(Object.hasOwn(Object.prototype, 'x'), false)
})
