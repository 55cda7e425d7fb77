/**
 * Writes test/fixtures/python-literals.json: texts, and what CPython's `ast.literal_eval` makes of each.
 * The table checks the reader on machines without Python. It is never written by hand; after a change of the texts
 * below or of test/python-grammar.ts, run with python3 (3.10.7 or later) on the path:
 *
 *     npx node scripts/make-python-table.ts
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { PythonGrammar } from '../test/python-grammar.ts'

/** A value of Python with its type: `{"tuple": [{"int": "1"}, "a"]}`. Texts, booleans and None stand for themselves. */
export type Tagged =
  | null
  | boolean
  | string
  | { readonly int: string }
  | { readonly float: string }
  | { readonly list: readonly Tagged[] }
  | { readonly tuple: readonly Tagged[] }
  | { readonly set: readonly Tagged[] }
  | { readonly dict: readonly (readonly [Tagged, Tagged])[] }
  | { readonly other: string }

/** What JSON cannot hold and stands in the text, even where an equal key replaces it. */
export type Foreign = 'bytes' | 'complex' | 'ellipsis' | 'infinity' | 'tuple key'

/** What CPython says of a text. */
export type Verdict = { readonly value: Tagged; readonly foreign: readonly Foreign[] } | { readonly raises: string }

const program = `
import ast, json, sys, warnings
warnings.simplefilter('ignore')

def is_infinite(number):
    try:
        return float(number) in (float('inf'), float('-inf'))
    except OverflowError:
        return True

def tag(value):
    kind = type(value).__name__
    if value is None or kind in ('bool', 'str'):
        return value
    if kind in ('int', 'float'):
        return {kind: 'infinity' if is_infinite(value) else repr(value)}
    if kind == 'dict':
        return {kind: [[tag(key), tag(item)] for key, item in value.items()]}
    if kind in ('list', 'tuple'):
        return {kind: [tag(item) for item in value]}
    if kind == 'set':
        return {kind: sorted(map(tag, value), key=json.dumps)}
    return {'other': kind}

def foreign(text):
    for node in ast.walk(ast.parse(text.lstrip(' \\t'), mode='eval')):
        if isinstance(node, ast.Constant):
            kind = type(node.value).__name__
            if kind in ('bytes', 'complex', 'ellipsis'):
                yield kind
            elif kind in ('int', 'float') and is_infinite(node.value):
                yield 'infinity'
        elif isinstance(node, ast.Dict) and any(isinstance(key, ast.Tuple) for key in node.keys):
            yield 'tuple key'

def verdict(text):
    try:
        value = ast.literal_eval(text)
    except Exception as error:
        return {'raises': type(error).__name__}
    return {'value': tag(value), 'foreign': sorted(set(foreign(text)))}

for line in sys.stdin.buffer:
    print(json.dumps(verdict(json.loads(line))))
`

/** Older versions judge some literals otherwise; test/python-grammar.ts says which. */
export const hasPython = (): boolean =>
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10, 7))']).status === 0

/** Asks one python3 process for its verdict on every text. */
export function askPython(texts: readonly string[]): Verdict[] {
  const input = texts.map((text) => `${JSON.stringify(text)}\n`).join('')
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  if (status !== 0) throw new Error(`python3 failed: ${stderr}`)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Texts that a person thought of, with two spaces between them. */
const picked = String.raw`
[e",e]  [x',x]  [b"a",'b']
{'path': 'a.py', 'dry_run': True, 'limit': None}  {"a": [1, -2.5, (3,)], 'b': {'c'}}  {'a' 'b': 1}
{1: 'a', True: 'b', 1.0: 'c'}  {True: 1, 1: 2}  {1.0: 1, True: 2}  {1: 2, '1': 3}  {None: 1, 'null': 2}
{1, True, 1.0}  {True, 1}  {0, -0.0, False}  {(1,), (True,)}  {9007199254740993, 9007199254740993.0}
{'__proto__': {'a': 1}, 'constructor': 2}  {9007199254740993: 9007199254740993}  {-0.0: -0.0}  {1e16: 1e-5}
{(1, 2): 3}  {b'a': 1}  {...: 1}  {1j: 2}  {[]}  {{}}  {(): []}  {(1, [])}  {set()}  {}  ()  []  set()
'\ud83d\ude00'  '\U0001f600'  '\ud800'  '\777'  '\8'  '\x4'  '\u12'  '\N'  '\N{}'  b'\N\u12'  b'\777'
r'\''  r'\'  r'\\'  rb'\x'  rb'\é'  b'é'  'é'  ur'a'  f'a'  'a' f'b'  'a' b'b'  b'a' b'b'  ''''a'''  ''''
0  00  0_0  07  1_0  1__0  1_  0x_f  0xG  0b2  1.  .5  .  1e5  1e  1_0.0_1e1_0  09.5  09j  1L  1if 1 else 2
-1  - 1  +1  --1  -(1)  -(-1)  -True  1+2j  1-2j  (-1)+(2j)  1+-2j  1j+2j  1+2  True+1j  1+2j+3j  -(1+2j)
9007199254740991  9007199254740992  -9007199254740993  1e308  1e309  -1e309  1e999+1j  set  (set)()  set(())
`
  .trim()
  .split(/ {2}|\n/)

const lines = ['1\n  ', '1\n  #', '1\\\n', '1\\\n ', '\n 1', ' 1', ' \f1', '\f 1', '[1,\r\n2]', '\u017fet()']
const strings = ["'a\\\nb'", "r'a\\\r\nb'", "'''a\r\nb'''", "'a\nb'", "'\0'", "'\ud800'", "'a'\n'b'", "('a'\n'b')"]
const spaces = ['\ufeff1', '1\u00a0', '[1,\u20282]', '1\v', '#coding:none\n1', '']
const sizes = ['9'.repeat(4300), '9'.repeat(4301), '0'.repeat(4301), `${'9'.repeat(309)}+1j`]
const depths = [200, 201].map((depth) => '['.repeat(depth) + ']'.repeat(depth))

/** Short texts that together use nearly every production twice or more. */
function generated(): string[] {
  const uses = new Map<string, number>()
  const texts: string[] = []
  for (let seed = 0; seed < 30_000; seed++) {
    const grammar = new PythonGrammar(seed)
    const text = grammar.text()
    const used = [...grammar.used].filter(([, times]) => times > 0).map(([production]) => production)
    if (text.length > 50 || used.every((production) => (uses.get(production) ?? 0) >= 2)) continue
    texts.push(text)
    for (const production of used) uses.set(production, (uses.get(production) ?? 0) + 1)
  }
  return texts
}

if (import.meta.main) {
  const texts = [...new Set([...picked, ...lines, ...strings, ...spaces, ...sizes, ...depths, ...generated()])]
  const rows = askPython(texts).map((verdict, index) => JSON.stringify([texts[index], verdict]))
  writeFileSync(new URL('../test/fixtures/python-literals.json', import.meta.url), `[\n${rows.join(',\n')}\n]\n`)
  console.log(`${rows.length} literals written`)
}
