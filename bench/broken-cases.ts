/** One small text that is not valid JSON, or not safe to take as it stands, and what is right to make of it. */
export interface BrokenCase {
  readonly kind: string
  readonly text: string
  /** Every value that is right; none when only a refusal is. */
  readonly right: readonly unknown[]
  /** A refusal is as right as the value. */
  readonly mayRefuse?: true
  /** The text was cut off inside its last value: right is to refuse, or to mark the value as partial. */
  readonly isCut?: true
  /** The value is right only when the reader tells that this stood there: a number cannot hold it. */
  readonly mustTell?: string
}

const value = (kind: string, text: string, ...right: unknown[]): BrokenCase => ({ kind, text, right })
const either = (kind: string, text: string, ...right: unknown[]): BrokenCase => ({
  ...value(kind, text, ...right),
  mayRefuse: true,
})
const refusal = (kind: string, text: string): BrokenCase => value(kind, text)
const cut = (kind: string, text: string): BrokenCase => ({ kind, text, right: [], isCut: true })

const raw = String.raw

/** Written by hand for this page, by people who know what callwright repairs: the page says so. */
export const brokenCases: readonly BrokenCase[] = [
  value('valid JSON with a bracket', raw`{"args": ["\u001b[0m"], "n": 1}`, { args: ['\u001b[0m'], n: 1 }),
  value('single quotes', `{'city': 'Bonn', "all": true}`, { city: 'Bonn', all: true }),
  value('mixed quotes', raw`{"command": "echo \"hi\"", "cwd": '/tmp'}`, { command: 'echo "hi"', cwd: '/tmp' }),
  value('smart quotes', `{“path”: “notes/a.md”, “line”: 3}`, { path: 'notes/a.md', line: 3 }),
  value('backticks', '{"code": `print("x")`, "run": true}', { code: 'print("x")', run: true }),
  value('inner quotes', `{"note": "She calls it "the barn" and means the garage."}`, {
    note: 'She calls it "the barn" and means the garage.',
  }),
  value('inner quotes', `{"command": "grep -rn "TODO" src", "timeout": 60}`, {
    command: 'grep -rn "TODO" src',
    timeout: 60,
  }),
  value('inner quotes', `{"html": "<a href="x.html">x</a>"}`, { html: '<a href="x.html">x</a>' }),
  either('inner quotes and commas', `{"title": "A "great" day", "body": "Say "hi", then go."}`, {
    title: 'A "great" day',
    body: 'Say "hi", then go.',
  }),
  value('inner quotes and line breaks', `{"text": "one\n\tline "two"\nend", "path": "a.txt"}`, {
    text: 'one\n\tline "two"\nend',
    path: 'a.txt',
  }),
  either('inner apostrophe', `{'note': 'it's fine', 'stars': 2}`, { note: "it's fine", stars: 2 }),
  refusal('inner quotes, ambiguous', `{"reply": "Tell him "no"}`),
  value('trailing commas', `{"ids": [1, 2, 3,], "all": true,}`, { ids: [1, 2, 3], all: true }),
  value('comma missing', `{"path": "a.py" "line": 3}`, { path: 'a.py', line: 3 }),
  value('comma doubled', `{"path": "a.py",, "line": 3}`, { path: 'a.py', line: 3 }),
  value('stray closer', `{"command":"ls"],"timeout":60}`, { command: 'ls', timeout: 60 }),
  value('closer too many', `{"filter": {"state": "open"}}}`, { filter: { state: 'open' } }),
  value('wrong closer', `{"files": ["a.py", "b.py"}, "check": true}`, { files: ['a.py', 'b.py'], check: true }),
  either('closer missing', `{"items": [{"sku": "a"}, {"sku": "b"}]`, { items: [{ sku: 'a' }, { sku: 'b' }] }),
  value('dangling key', `{"path":"x","}`, { path: 'x' }),
  refusal('key without value', `{"query": "cats", "limit"}`),
  value('bare keys', `{path: "a.py", recursive: true}`, { path: 'a.py', recursive: true }),
  value('bare words', `{city: Bonn, days: 3}`, { city: 'Bonn', days: 3 }),
  either('bare date', `{"from": 2024-01-15, "days": 3}`, { from: '2024-01-15', days: 3 }),
  either('expression', `{"timeout": 60 * 5, "retries": 2}`, { timeout: 300, retries: 2 }),
  value('comments', `{"url": "http://a.example", // the page\n "depth": 2 /* links */}`, {
    url: 'http://a.example',
    depth: 2,
  }),

  value('Python constants', `{'dry_run': True, 'limit': None, 'text': 'None'}`, {
    dry_run: true,
    limit: null,
    text: 'None',
  }),
  value('Python tuple', `{'box': (10, 20, 30, 40)}`, { box: [10, 20, 30, 40] }),
  value('Python set', `{'ids': {3, 1}}`, { ids: [3, 1] }, { ids: [1, 3] }),
  value('Python apostrophes', raw`{'a': "it's", 'b': 'it\'s "so"'}`, { a: "it's", b: `it's "so"` }),
  value('Python escapes', raw`{'text': 'caf\xe9\t\x1b[0m\101'}`, { text: 'café\t\x1b[0mA' }),
  value('Python raw string', raw`{'pattern': r'\d+\.txt'}`, { pattern: raw`\d+\.txt` }),
  value('Python triple quotes', `{'code': '''if x:\n  print("y")'''}`, { code: 'if x:\n  print("y")' }),
  value('Python joined strings', `{'sql': 'SELECT * ' 'FROM t'}`, { sql: 'SELECT * FROM t' }),
  value('Python number keys', `{200: 'ok', 404: 'not found'}`, { 200: 'ok', 404: 'not found' }),
  value('Python numbers', `{'mode': 0o755, 'limit': 1_000_000}`, { mode: 493, limit: 1000000 }),
  refusal('Python call', `{'path': 'a.py', 'text': open('a.py').read()}`),

  value('regex backslashes', raw`{"pattern": "^\s*(\w+)=\d{2,4}$"}`, { pattern: raw`^\s*(\w+)=\d{2,4}$` }),
  value('Windows path', raw`{"path": "C:\Users\ann\notes.txt"}`, { path: raw`C:\Users\ann\notes.txt` }),
  value('line break in string', `{"text": "one\ntwo"}`, { text: 'one\ntwo' }),
  value('escaped apostrophe', raw`{"text": "it\'s"}`, { text: "it's" }),
  value('escaped once too often', raw`{\"city\": \"Bonn\", \"days\": 3}`, { city: 'Bonn', days: 3 }),
  { ...value('big integer', `{"id": 9007199254740993}`, { id: 9007199254740992 }), mustTell: '9007199254740993' },
  value('number spelling', `{"offset": +3, "ratio": .25}`, { offset: 3, ratio: 0.25 }),
  either('leading zeros', `{"phone": 0049123}`, { phone: '0049123' }),
  value('other case', `{"all": TRUE, "from": Null}`, { all: true, from: null }),
  either('NaN', `{"ratio": NaN, "n": 3}`, { ratio: Number.NaN, n: 3 }),
  value(
    '__proto__ as a key',
    `{"__proto__": {"admin": true}, "a": 1,}`,
    JSON.parse('{"__proto__":{"admin":true},"a":1}'),
  ),

  value('fence', '```json\n{"path": "a.py"}\n```', { path: 'a.py' }),
  value('prose around', `Sure, I will read it now.\n\n{"path": "a.py"}\n\nOne moment.`, { path: 'a.py' }),
  value('special token', `{"path": "a.py"}<|endoftext|>`, { path: 'a.py' }),
  either('several values', `{"x": 3}\n{"x": 4}`, [{ x: 3 }, { x: 4 }]),
  refusal('prose alone', `Which of the two files do you mean?`),
  refusal('prose with brackets', `Use {name} as in [2], then tell me.`),
  refusal('nothing', ``),

  cut('cut in a string', `{"path": "a.py", "content": "print(`),
  cut('cut in a string', '```json\n{"command": "rm -rf /home/ann/bu'),
  cut('cut in a Python string', `{'path': 'a.py', 'content': 'print(`),
  cut('cut in an escape', raw`{"text": "caf\u00`),
  cut('cut in a number', `{"amount": 12`),
  cut('cut in a word', `{"path": "a.py", "force": tr`),
  cut('cut in a key', `{"path": "a.py", "con`),
  cut('cut behind a colon', `{"path": "a.py", "content":`),
]
