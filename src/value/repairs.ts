import type { JsonValue, Repair, RepairClass } from '../types.ts'

/** One kind of change to a text. The code, the docs and the tests all read this row. */
export interface ValueRepairRow {
  readonly class: RepairClass
  /** What was done, as a sentence about the text. */
  readonly says: string
  readonly example: readonly [text: string, value: JsonValue]
  /** A text that looks alike, and is read without this repair or refused. */
  readonly twin: readonly [text: string, outcome: 'unchanged' | 'refused' | { readonly reads: JsonValue }]
}

/** Every change that `readValue` can make, in the order in which docs/repairs.md lists them. */
export const valueRepairs = {
  'python-literal': {
    class: 'lossless',
    says: 'the text is a Python literal, and was read as CPython reads it',
    example: [`{'path': 'a.py', 'dry_run': True, 'limit': None}`, { path: 'a.py', dry_run: true, limit: null }],
    twin: [`{'path': open('a.py')}`, 'refused'],
  },
  'tuple-to-list': {
    class: 'lossless',
    says: 'a Python tuple became a list',
    example: [`{'size': (800, 600)}`, { size: [800, 600] }],
    twin: [`{'size': (800)}`, { reads: { size: 800 } }],
  },
  'set-to-list': {
    class: 'lossless',
    says: 'a Python set became a list, in the order in which it was written',
    example: [`{'tags': {'b', 'a', 'b'}}`, { tags: ['b', 'a'] }],
    twin: [`{'tags': {}}`, { reads: { tags: {} } }],
  },
  'key-to-text': {
    class: 'lossless',
    says: 'a key that is no string became its text',
    example: [`{1: 'one', None: 'nothing'}`, { '1': 'one', null: 'nothing' }],
    twin: [`{1: 'one', '1': 'another'}`, 'refused'],
  },
  'strings-joined': {
    class: 'lossless',
    says: 'strings side by side are one string in Python',
    example: [`{'text': 'one ' 'line'}`, { text: 'one line' }],
    twin: [`{'text': 'one ' + 'line'}`, 'refused'],
  },
  'integer-large': {
    class: 'lossless',
    says: 'an integer is beyond 2^53, where numbers here are rounded; `before` has its exact digits',
    example: [`{"id": 9007199254740993}`, { id: 9007199254740992 }],
    twin: [`{"id": 9007199254740991}`, 'unchanged'],
  },
  'quotes-single': {
    class: 'lossless',
    says: 'a string stands in single quotes',
    example: [`{'path': 'a.py', "force": true}`, { path: 'a.py', force: true }],
    twin: [`{"path": "it's"}`, 'unchanged'],
  },
  'quotes-smart': {
    class: 'lossless',
    says: 'a string stands in typographic quotes',
    example: [`{“path”: “a.py”}`, { path: 'a.py' }],
    twin: [`{"path": "“a.py”"}`, 'unchanged'],
  },
  'quotes-backtick': {
    class: 'lossless',
    says: 'a string stands in backticks',
    example: ['{"path": `a.py`}', { path: 'a.py' }],
    twin: ['{"path": "`a.py`"}', 'unchanged'],
  },
  'quotes-triple': {
    class: 'lossless',
    says: 'a string stands in three quotes on either side',
    example: [`{"code": """print("hi")""", "run": true}`, { code: `print("hi")`, run: true }],
    twin: [`{"code": "", "run": true}`, 'unchanged'],
  },
  'quote-unescaped': {
    class: 'interpretive',
    says: 'a quote inside a string was not escaped; what follows it could not follow the end of a string',
    example: [`{"text": "the word "offside" is used"}`, { text: 'the word "offside" is used' }],
    twin: [`{"text": "he said "yes"}`, 'refused'],
  },
  'quote-missing': {
    class: 'interpretive',
    says: 'one of the two quotes around a key or word is missing',
    example: [`{path": "a.py", "mode: "w"}`, { path: 'a.py', mode: 'w' }],
    twin: [`{"path": "a.py, "line": 3}`, 'refused'],
  },
  'quote-stray': {
    class: 'interpretive',
    says: 'a quote behind a number or constant opens and closes nothing and was dropped',
    example: [`{"a": 1, "b": 2"}`, { a: 1, b: 2 }],
    twin: [`{"a": 1, "b": 2"x"}`, 'refused'],
  },
  'key-bare': {
    class: 'lossless',
    says: 'a key stands without quotes',
    example: [`{path: "a.py"}`, { path: 'a.py' }],
    twin: [`{path}`, 'refused'],
  },
  'word-bare': {
    class: 'interpretive',
    says: 'a string stands without quotes',
    example: [`{path: a.py, line: 42}`, { path: 'a.py', line: 42 }],
    twin: [`{"end": 2 * math.pi}`, 'refused'],
  },
  'constant-spelling': {
    class: 'lossless',
    says: 'true, false or null is spelled as another language spells it',
    example: [`{"all": TRUE, "from": null, "to": None}`, { all: true, from: null, to: null }],
    twin: [`{"all": none}`, 'refused'],
  },
  'undefined-to-null': {
    class: 'lossless',
    says: '`undefined` was read as null',
    example: [`{"from": undefined}`, { from: null }],
    twin: [`{"from": NaN}`, 'refused'],
  },
  'number-spelling': {
    class: 'lossless',
    says: 'a number is not spelled as JSON spells it',
    example: [`{"a": +1, "b": .5, "c": 0x1f, "d": null}`, { a: 1, b: 0.5, c: 31, d: null }],
    twin: [`{"a": 007, "d": null}`, 'refused'],
  },
  'sign-fullwidth': {
    class: 'lossless',
    says: 'a sign is written as Chinese and Japanese keyboards write it',
    example: [`{"a"：1，"b"：2}`, { a: 1, b: 2 }],
    twin: [`{"a": "1，2：3"}`, 'unchanged'],
  },
  'space-unusual': {
    class: 'lossless',
    says: 'white space that JSON does not have stands between two signs',
    example: [`{"a":\u00a01}`, { a: 1 }],
    twin: [`{"a": "\u00a01"}`, 'unchanged'],
  },
  'comma-missing': {
    class: 'lossless',
    says: 'a comma is missing, or another sign stands in its place',
    example: [`{"a": 1 "b": 2}`, { a: 1, b: 2 }],
    twin: [`{"a": 1 2}`, 'refused'],
  },
  'comma-extra': {
    class: 'lossless',
    says: 'there is a comma too many',
    example: [`{"a": 1,, "b": 2}`, { a: 1, b: 2 }],
    twin: [`[1,, 2]`, 'refused'],
  },
  'comma-trailing': {
    class: 'lossless',
    says: 'a comma stands before a closing bracket',
    example: [`{"a": [1, 2,],}`, { a: [1, 2] }],
    twin: [`{"a": 1,`, 'refused'],
  },
  'colon-missing': {
    class: 'lossless',
    says: 'a colon is missing, or another sign stands in its place',
    example: [`{"a" 1, "b" = 2, "c" => 3}`, { a: 1, b: 2, c: 3 }],
    twin: [`{"a" "b": true}`, 'refused'],
  },
  'closer-dropped': {
    class: 'lossless',
    says: 'a closing bracket that closes nothing was dropped',
    example: [`{"command": "ls"], "timeout": 60}`, { command: 'ls', timeout: 60 }],
    twin: [`{"command": ["ls"], "timeout": 60}`, 'unchanged'],
  },
  'closer-missing': {
    class: 'interpretive',
    says: 'a closing bracket is missing; nothing else was open',
    example: [`{"rows": [{"id": 1}, {"id": 2}`, { rows: [{ id: 1 }, { id: 2 }] }],
    twin: [`{"rows": [{"id": 1}, {"id": 2`, 'refused'],
  },
  'closer-swapped': {
    class: 'lossless',
    says: 'a closing bracket is of the wrong kind',
    example: [`{"stops": ["Bonn", "Köln"}, "days": 2}`, { stops: ['Bonn', 'Köln'], days: 2 }],
    twin: [`{"trip": {"stops": ["Bonn"}, "days": 2}`, 'refused'],
  },
  'key-dangling': {
    class: 'lossless',
    says: 'an empty key without a value was dropped at the end of an object',
    example: [`{"path": "a.py","}`, { path: 'a.py' }],
    twin: [`{"path": "a.py", "mode"}`, 'refused'],
  },
  'comment-dropped': {
    class: 'lossless',
    says: 'a comment was dropped',
    example: [`{"a": 1, // one\n "b": 2}`, { a: 1, b: 2 }],
    twin: [`{"a": "http://example.org"}`, 'unchanged'],
  },
  'control-character': {
    class: 'lossless',
    says: 'a string holds a line break or control character as it is',
    example: [`{"text": "one\ntwo"}`, { text: 'one\ntwo' }],
    twin: [`{"text": "one\\ntwo"}`, 'unchanged'],
  },
  'escape-kept': {
    class: 'lossless',
    says: 'a backslash that starts no escape was kept',
    example: [`{"pattern": "\\d+"}`, { pattern: '\\d+' }],
    twin: [`{"pattern": "\\\\d+"}`, 'unchanged'],
  },
  'escape-decoded': {
    class: 'lossless',
    says: 'an escape that Python and JavaScript have and JSON has not was decoded',
    example: [`{"text": "it\\'s \\x41"}`, { text: "it's A" }],
    twin: [`{"text": "it's \\u0041"}`, 'unchanged'],
  },
  'path-backslashes': {
    class: 'interpretive',
    says: 'the backslashes of a Windows path were not escaped; all of them were kept',
    example: [`{"path": "C:\\bin\\app.exe"}`, { path: 'C:\\bin\\app.exe' }],
    twin: [`{"path": "C:\\bin\\new"}`, 'unchanged'],
  },
  'braces-doubled': {
    class: 'lossless',
    says: 'braces are doubled, as in a template',
    example: [`{{"a": {{"b": 1}}}}`, { a: { b: 1 } }],
    twin: [`{{"a": 1}: 2}`, 'refused'],
  },
  'encoding-doubled': {
    class: 'lossless',
    says: 'the JSON was written as a string, once more than needed',
    example: [`{\\"path\\": \\"a.py\\"}`, { path: 'a.py' }],
    twin: [`"{\\"path\\": \\"a.py\\"}"`, 'unchanged'],
  },
  'fence-dropped': {
    class: 'lossless',
    says: 'the fence around the value was dropped',
    example: ['```json\n{"a": 1}\n```', { a: 1 }],
    twin: ['{"a": "```json\\n1\\n```"}', 'unchanged'],
  },
  'prose-dropped': {
    class: 'interpretive',
    says: 'words around the value were dropped',
    example: [`Here you are: {"a": 1}. Anything else?`, { a: 1 }],
    twin: [`See [1] and {name} for more.`, 'refused'],
  },
  'byte-order-mark': {
    class: 'lossless',
    says: 'a byte-order mark was dropped',
    example: [`\ufeff{"a": 1}`, { a: 1 }],
    twin: [`{"a": "\ufeff1"}`, 'unchanged'],
  },
  'special-token-dropped': {
    class: 'lossless',
    says: "a model's special token was dropped from the edge of the text",
    example: [`{"a": 1}<|im_end|>`, { a: 1 }],
    twin: [`{"a": "<|im_end|>"}`, 'unchanged'],
  },
  'value-repeated': {
    class: 'lossless',
    says: 'the same value is written more than once',
    example: [`{"x": 3}{"x": 3}`, { x: 3 }],
    twin: [`{"x": 3}{"x": 4}`, 'refused'],
  },
} as const satisfies { readonly [code: string]: ValueRepairRow }

/** The code of a change that `readValue` can make. */
export type ValueRepairCode = keyof typeof valueRepairs

/** A change that `readValue` made. */
export type ValueRepair = Repair<ValueRepairCode>

/** So many steps the paths of all repairs of one text may have; beyond, a repair has its span alone. */
export const MOST_STEPS = 1_000_000
