import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { called, type Files, textIn, toolOf, workspaceOf } from '../../../test/workspace-place.ts'
import { readArguments } from '../../read/read-arguments.ts'
import type { JsonObject } from '../../types.ts'
import { validator } from '../../validate/validator.ts'
import { fileInstructions } from './file-tools.ts'

/** What a tool says, in a workspace with these files. */
type Row = readonly [name: string, files: Files, input: JsonObject, says: string | RegExp, after?: Files]

function rows(tool: string, all: readonly Row[]): void {
  describe(tool, () => {
    for (const [name, files, input, says, left = {}] of all) {
      test(name, async () => {
        const root = workspaceOf(files)
        const { result, isRefused } = await called(root, tool, input)
        const said = isRefused ? `! ${result}` : result
        if (typeof says === 'string') assert.equal(said, says)
        else assert.match(said, says)
        for (const [path, content] of Object.entries(left)) assert.equal(textIn(root, path), content)
      })
    }
  })
}

const main = 'def f(x):\n    if x:\n        return 1\n    return 2\n'
const numbered = Array.from({ length: 9_000 }, (_, index) => `line ${index + 1}\n`).join('')

rows('read_file', [
  ['gives the text as it stands', { 'a.py': main }, { path: 'a.py' }, main],
  [
    'a part says which, and how to read on',
    { a: 'x\ny\nz\n' },
    { path: 'a', offset: 2, limit: 1 },
    '[a: line 2 of 3, read on with offset 3]\ny',
  ],
  ['the end says so', { a: 'x\ny\nz' }, { path: 'a', offset: 2 }, '[a: lines 2-3 of 3, to the end]\ny\nz'],
  ['a limit that is not reached', { a: 'x\ny\n' }, { path: 'a', limit: 5 }, 'x\ny\n'],
  ['an offset that is too small', { a: 'x\n' }, { path: 'a', offset: 0 }, 'x\n'],
  ['an offset behind the end', { a: 'x\n' }, { path: 'a', offset: 7 }, '[a: there is no line 7, it has 1 line]\n'],
  ['a long file', { a: numbered }, { path: 'a' }, /^\[a: lines 1-2070 of 9,000, read on with offset 2071\]\nline 1\n/],
  [
    'a long line',
    { a: `${'x'.repeat(50_000)}\ny` },
    { path: 'a' },
    /^\[a: line 1 of 2, the first 19,600 of its 50,000 characters, read on with offset 2; /,
  ],
  ['no text', { a: Buffer.from([1, 0, 2]) }, { path: 'a' }, '[a is no text: 3 bytes, not shown]'],
  ['no UTF-8', { a: Buffer.from('caf\xe9\n', 'latin1') }, { path: 'a' }, /^\[a: it is not UTF-8: .*\]\ncaf�\n$/],
  ['an empty file', { a: '' }, { path: 'a' }, '[a is empty]'],
  [
    'a huge file',
    { a: Buffer.alloc(10_000_001, 'x') },
    { path: 'a' },
    '! Find what you need with search_files: a is too large to be read (10,000,001 bytes).',
  ],
  ['a folder', { 'a/b': '' }, { path: 'a' }, '! Name a file: a is a folder.'],
  [
    'a name that is spelled wrong',
    { 'src/main.py': '' },
    { path: 'src/mian.py' },
    '! Send src/main.py, or look with list_dir: there is no src/mian.py.',
  ],
  [
    'a folder that is spelled wrong',
    { 'src/main.py': '' },
    { path: 'scr/main.py' },
    '! Send src/main.py, or look with list_dir: there is no scr/main.py.',
  ],
  [
    'a file of another folder',
    { 'src/x/main.py': '' },
    { path: 'main.py' },
    '! Send src/x/main.py, or look with list_dir: there is no main.py.',
  ],
  ['nothing like it', { a: '' }, { path: 'zebra.txt' }, '! Look with list_dir what there is: there is no zebra.txt.'],
])

rows('write_file', [
  [
    'a new file',
    {},
    { path: 'blog.py', content: 'print("hi")\n' },
    'Wrote blog.py (1 line, 12 bytes).',
    { 'blog.py': 'print("hi")\n' },
  ],
  ['folders are made', {}, { path: 'a/b/c', content: 'x' }, 'Wrote a/b/c (1 line, 1 byte).', { 'a/b/c': 'x' }],
  [
    'in place of another',
    { a: 'x\ny\n' },
    { path: 'a', content: '' },
    'Wrote a (0 lines, 0 bytes), in place of 2 lines, 4 bytes.',
    { a: '' },
  ],
  ['the same again', { a: 'x' }, { path: 'a', content: 'x' }, 'a holds this already (1 line, 1 byte).'],
  [
    'byte for byte',
    {},
    { path: 'a', content: '\ufeff$x `id` \r\n\u2028😀\0' },
    /^Wrote/,
    { a: '\ufeff$x `id` \r\n\u2028😀\0' },
  ],
  [
    'append',
    { a: 'x\n' },
    { path: 'a', content: 'y\n', append: true },
    'Appended 1 line, 2 bytes to a (now 2 lines, 4 bytes).',
    { a: 'x\ny\n' },
  ],
  ['append to nothing', {}, { path: 'a', content: 'y\n', append: true }, 'Wrote a (1 line, 2 bytes).', { a: 'y\n' }],
  [
    'append without overwriting',
    { a: 'x' },
    { path: 'a', content: 'y', append: true, overwrite: false },
    /^Appended/,
    { a: 'xy' },
  ],
  [
    'not to overwrite',
    { a: 'x' },
    { path: 'a', content: 'y', overwrite: false },
    '! Choose another path, or leave overwrite out to replace it: a exists (1 byte).',
    { a: 'x' },
  ],
  ['not to overwrite what is not there', {}, { path: 'a', content: 'y', overwrite: false }, /^Wrote/, { a: 'y' }],
  ['line ends', {}, { path: 'a', content: 'x\ny\r\n', line_end: 'CRLF' }, /^Wrote/, { a: 'x\r\ny\r\n' }],
  ['line ends as an escape', {}, { path: 'a', content: 'x\ny\r\n', line_end: '\\n' }, /^Wrote/, { a: 'x\ny\n' }],
  ['line ends as given', {}, { path: 'a', content: 'x\ny\r\n', line_end: '' }, /^Wrote/, { a: 'x\ny\r\n' }],
  [
    'line ends that there are not',
    {},
    { path: 'a', content: 'x', line_end: ';' },
    '! Leave line_end out, or send lf or crlf.',
  ],
  [
    'not to make folders',
    {},
    { path: 'a/b', content: 'x', create_dirs: false },
    '! Leave create_dirs out, or make it true: there is no folder a.',
  ],
  ['an encoding', {}, { path: 'a', content: 'é', encoding: 'UTF-8' }, /^Wrote/, { a: 'é' }],
  ['another encoding', {}, { path: 'a', content: 'é', encoding: 'latin-1' }, 'Wrote a (1 line, 1 byte).'],
  [
    'an encoding that has not the characters',
    {},
    { path: 'a', content: 'é', encoding: 'ascii' },
    /^! Leave encoding out/,
  ],
  ['an encoding that there is not', {}, { path: 'a', content: 'x', encoding: 'base64' }, /^! Leave encoding out/],
  ['half a character', {}, { path: 'a', content: 'x\ud800' }, /^! Send content of whole characters/],
  ['a folder', { 'a/b': '' }, { path: 'a', content: 'x' }, '! Name a file: a is a folder.'],
])

rows('edit_file', [
  [
    'one place',
    { a: main },
    { path: 'a', old: 'return 2', new: 'return 3' },
    'Edited a at line 4 (now 4 lines).',
    { a: main.replace('2', '3') },
  ],
  [
    'several places',
    { a: main },
    { path: 'a', old: 'return', new: 'yield' },
    '! Send more of the text around it, or all: true to replace each: old stands 2 times in a, at lines 3, 4.',
    { a: main },
  ],
  [
    'all places',
    { a: main },
    { path: 'a', old: 'return', new: 'yield', all: true },
    'Edited a in 2 places at lines 3, 4 (now 4 lines).',
    { a: main.replaceAll('return', 'yield') },
  ],
  ['overlapping places', { a: 'aaa' }, { path: 'a', old: 'aa', new: 'b', all: true }, /^Edited/, { a: 'ba' }],
  ['replacement signs are text', { a: 'x' }, { path: 'a', old: 'x', new: '$& $1 $`' }, /^Edited/, { a: '$& $1 $`' }],
  [
    'white space',
    { a: main },
    { path: 'a', old: 'if x:\n\treturn 1', new: '' },
    '! Send old exactly as it stands in a: see lines 2-3, where only white space differs from old.\n    if x:\n        return 1',
  ],
  [
    'something like it',
    { a: main },
    { path: 'a', old: 'def g(x):', new: '' },
    /^! Send old exactly as it stands in a: see lines 1-3, which come nearest to it\.\ndef f\(x\):\n/,
  ],
  [
    'nothing like it',
    { a: main },
    { path: 'a', old: 'SELECT *', new: '' },
    '! Read a first, and send old as it stands there: nothing like it does.',
  ],
  [
    'CR LF in the file',
    { a: 'x\r\ny\r\n' },
    { path: 'a', old: 'x\ny', new: 'q\nr' },
    'Edited a at line 1 (now 2 lines); its lines end with CR LF, as before.',
    { a: 'q\r\nr\r\n' },
  ],
  ['both line ends in the file', { a: 'x\r\ny\nz' }, { path: 'a', old: 'x\ny', new: 'q' }, /^! Send old exactly/],
  [
    'bytes that are no UTF-8 stay',
    { a: Buffer.from('caf\xe9 x', 'latin1') },
    { path: 'a', old: 'x', new: 'y' },
    /^Edited/,
  ],
  ['nothing to replace', { a: 'x' }, { path: 'a', old: '', new: 'y' }, /^! Send in old the text to replace/],
  ['nothing changes', { a: 'x' }, { path: 'a', old: 'x', new: 'x' }, /^! Send in new another text/],
  [
    'no such file',
    { 'b/a.py': 'x' },
    { path: 'a.py', old: 'x', new: 'y' },
    '! Send b/a.py, or look with list_dir: there is no a.py.',
  ],
])

const tree = {
  'src/a.ts': 'one\n',
  'src/deep/b.ts': 'two\none\n',
  'node_modules/x/index.js': 'one',
  'README.md': 'One\n',
}
const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${String(index).padStart(3, '0')}`, 'x']))

rows('list_dir', [
  ['one level', tree, {}, 'README.md (4 bytes)\nnode_modules/\nsrc/'],
  ['a folder', tree, { path: 'src/' }, 'src/a.ts (4 bytes)\nsrc/deep/'],
  [
    'several levels',
    tree,
    { depth: 3 },
    'README.md (4 bytes)\nnode_modules/ (not listed: name it to see it)\nsrc/\nsrc/a.ts (4 bytes)\nsrc/deep/\nsrc/deep/b.ts (8 bytes)',
  ],
  [
    'a folder that is skipped, by its name',
    tree,
    { path: 'node_modules', depth: 2 },
    'node_modules/x/\nnode_modules/x/index.js (3 bytes)',
  ],
  ['a glob', tree, { glob: '*.ts' }, 'src/a.ts (4 bytes)\nsrc/deep/b.ts (8 bytes)'],
  ['a glob from the folder on', tree, { path: 'src', glob: 'deep/*.ts' }, 'src/deep/b.ts (8 bytes)'],
  ['a glob with a depth', tree, { glob: '*.ts', depth: 2 }, 'src/a.ts (4 bytes)'],
  ['nothing', {}, {}, 'The workspace is empty.'],
  ['nothing that matches', tree, { path: 'src', glob: '*.rs' }, 'Nothing in src matches *.rs.'],
  [
    'too much',
    many,
    {},
    /\nf499 \(1 byte\)\n\[… there is more: cut behind 500 entries\. Name a folder inside, or a glob …\]$/,
  ],
  ['names with line ends', { 'a\nb': '' }, {}, 'a\\nb (0 bytes)'],
  ['secrets are named', { '.env': 'x' }, {}, '.env (1 byte, not readable)'],
  ['a file', tree, { path: 'README.md' }, '! Send another path: README.md is a file, and no folder.'],
  ['a folder that is not there', tree, { path: 'sr' }, '! Look with list_dir what there is: there is no sr.'],
])

rows('search_files', [
  ['a text', tree, { pattern: 'one' }, 'src/a.ts:1: one\nsrc/deep/b.ts:2: one'],
  ['a pattern', tree, { pattern: '(?i)^o.e$' }, 'README.md:1: One\nsrc/a.ts:1: one\nsrc/deep/b.ts:2: one'],
  ['in a folder', tree, { pattern: 'one', path: 'src/deep' }, 'src/deep/b.ts:2: one'],
  ['in a file', tree, { pattern: 'o', path: 'src/a.ts' }, 'src/a.ts:1: one'],
  ['in files that match', tree, { pattern: '.', glob: '*.md' }, 'README.md:1: One'],
  ['nothing', tree, { pattern: 'three' }, 'No line matches in the workspace (3 files searched).'],
  ['no text', { a: Buffer.from('one\0') }, { pattern: 'one' }, 'No line matches in the workspace (0 files searched).'],
  ['long lines', { a: 'x'.repeat(500) }, { pattern: 'x' }, `a:1: ${'x'.repeat(200)}…`],
  [
    'too much',
    { a: 'x\n'.repeat(500) },
    { pattern: 'x' },
    /\na:100: x\n\[… there is more: cut here, so search in a folder, with a glob, or for less …\]$/,
  ],
  [
    'large files',
    { a: Buffer.alloc(5_000_001, 'x') },
    { pattern: 'x' },
    /^No line matches .*\n\[… 1 file above 5,000,000 bytes not searched …\]$/,
  ],
  ['a pattern that looks ahead', tree, { pattern: 'o(?=n)' }, /^! Send a simpler pattern, without look-around/],
  ['a pattern that is none', tree, { pattern: 'f(' }, /^! Send a simpler pattern/],
  ['no pattern', tree, { pattern: '' }, /^! Send a pattern/],
  ['where nothing is', tree, { pattern: 'x', path: 'lib' }, /there is no lib\.$/],
])

test('write_file tells of two parameters, takes those that models invent, and ignores the rest with a note', async () => {
  const root = workspaceOf({ a: 'x\n' })
  const tool = toolOf(root, 'write_file')
  assert.deepEqual(Object.keys(Object(tool.schema)['properties']), ['path', 'content'])
  const sent = JSON.stringify({
    path: 'a',
    content: 'y',
    append: 'true',
    encoding: 'utf-8',
    timeout: 60,
    create_dirs: true,
  })
  const [read] = readArguments(sent, tool, { validator }).calls
  assert.deepEqual(read?.arguments, { path: 'a', content: 'y', append: true, encoding: 'utf-8', create_dirs: true })
  assert.deepEqual(
    read?.repairs.map(({ code, path }) => [code, path]),
    [
      ['parameter-ignored', ['timeout']],
      ['text-to-boolean', ['append']],
    ],
  )
  await called(root, 'write_file', read?.arguments ?? {})
  assert.equal(textIn(root, 'a'), 'x\ny')
})

test('the instructions say write_file for simple writes and run_bash for complex operations, when both are there', () => {
  const both = fileInstructions(['read_file', 'write_file', 'run_bash'])
  assert.match(both, /write_file for simple writes/)
  assert.match(both, /run_bash for complex operations/)
  assert.doesNotMatch(fileInstructions(['write_file', 'edit_file']), /run_bash/)
  assert.equal(fileInstructions(['run_python']), '')
})
