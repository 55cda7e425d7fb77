/** Each fault of the mission documents, and each class of docs/wild.md, in each mode: what runs, and what does not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wildClasses } from '../scripts/docs/wild-classes.ts'
import type { ModeName } from '../src/index.ts'
import type { Reply } from '../src/test/index.ts'
import { answer, callWith, modes, ofKind, type Ran, ranWith, toldIn, unreadable } from './agent-fixtures.ts'

interface Fault {
  /** What the model writes first, in a mode. */
  readonly reply: (mode: ModeName) => Reply
  /** What runs. */
  readonly ran: Ran['ran']
  /** What more must be so. */
  readonly check?: (ran: Ran, mode: ModeName) => void
}

const repaired =
  (...codes: readonly string[]) =>
  ({ result }: Ran): void => {
    for (const code of codes) assert.ok(code in result.repairs, `${code} is not among ${Object.keys(result.repairs)}`)
  }
const tells =
  (words: RegExp) =>
  ({ model }: Ran): void =>
    assert.match(toldIn(model), words)

const heredoc = "cat > blog.py <<'EOF'\\nprice = 10\\nEOF"

const faults: { readonly [name: string]: Fault } = {
  '000: a Python dict with single quotes, True and None': {
    reply: (mode) => callWith(mode, 'search', `{'query': 'tides', 'limit': None}`),
    ran: [['search', { query: 'tides' }]],
    check: repaired('python-literal'),
  },
  '000: an action that cannot be read is never the final answer': {
    reply: (mode) => unreadable(mode),
    ran: [],
    check: ({ result, events }) => {
      assert.equal(result.steps, 2)
      assert.equal(ofKind(events, 'feedback')[0]?.reason, 'unreadable')
    },
  },
  '000: the tool "Final Answer" ends the run': {
    reply: (mode) => callWith(mode, 'Final Answer', '{"answer": "At noon."}'),
    ran: [],
    check: ({ result }) => assert.deepEqual([result.kind, result.answer, result.steps], ['answered', 'At noon.', 1]),
  },
  '001: a parameter that the tool never had is ignored, and the model is told which': {
    reply: (mode) =>
      callWith(mode, 'write_file', '{"path": "a.py", "content": "x", "line_end": "\\n", "overwrite": true}'),
    ran: [['write_file', { path: 'a.py', content: 'x' }]],
    check: tells(/\[note: ignored line_end, overwrite, which write_file does not take\]/),
  },
  '001: a stray bracket behind a heredoc': {
    reply: (mode) => callWith(mode, 'write_file', `{"path": "blog.py", "content": "${heredoc}"]}`),
    ran: [['write_file', { path: 'blog.py', content: heredoc.replaceAll('\\n', '\n') }]],
    check: repaired('closer-dropped'),
  },
  '001: a key that was begun and left': {
    reply: (mode) => callWith(mode, 'search', '{"query":"tides","}'),
    ran: [['search', { query: 'tides' }]],
    check: repaired('key-dangling'),
  },
  '001: the call in a server error is rescued, and its tool known by the keys': {
    reply: () => ({
      error: {
        status: 500,
        body: `error parsing tool call: raw='{"path": "blog.py", "content": "${heredoc}"]}', err=invalid character ']' after object key:value pair`,
      },
    }),
    ran: [['write_file', { path: 'blog.py', content: heredoc.replaceAll('\\n', '\n') }]],
    check: ({ events, result }) => {
      assert.equal(ofKind(events, 'reply')[0]?.parts[0]?.kind, 'rescued')
      assert.equal(ofKind(events, 'model-retry').length, 0)
      assert.equal(result.steps, 2)
    },
  },
  '001: half a call in a server error is refused, and is no answer': {
    reply: () => ({
      error: { status: 500, body: `error parsing tool call: raw='{"path": "a", "content": "x', err=eof` },
    }),
    ran: [],
    check: ({ result, events }) => {
      assert.equal(ofKind(events, 'feedback')[0]?.reason, 'unreadable')
      assert.deepEqual([result.answer, result.steps], ['Done.', 2])
    },
  },
  '001: arguments in a server error that no tool takes are refused': {
    reply: () => ({ error: { status: 500, body: `error parsing tool call: raw='{"colour": "red"]}', err=x` } }),
    ran: [],
    check: ({ events, result }) => {
      assert.equal(ofKind(events, 'call-refused')[0]?.problems[0]?.code, 'name-missing')
      assert.equal(result.answer, 'Done.')
    },
  },
  '002: an unknown tool is an observation with the nearest names, and no end': {
    reply: (mode) => callWith(mode, 'serch', '{"query": "tides"}'),
    ran: [],
    check: ({ model, result }) => {
      assert.match(toldIn(model), /Did you mean search\? Call one of search, write_file/)
      assert.equal(result.kind, 'answered')
    },
  },
  '003: text where a call was meant is not worked out by guessing: names and expressions are refused': {
    reply: () => '[search(query=topic + 1)]',
    ran: [],
  },
  '004: an object sent as a string': {
    reply: (mode) => callWith(mode, 'register', '{"entry": "{\\"id\\": \\"foo\\"}"}'),
    ran: [['register', { entry: { id: 'foo' } }]],
    check: repaired('text-opened'),
  },
  '004: a string that looks like an object stays a string where one is wanted': {
    reply: (mode) => callWith(mode, 'register', '{"entry": {"id": "foo"}, "note": "{\\"a\\": 1}"}'),
    ran: [['register', { entry: { id: 'foo' }, note: '{"a": 1}' }]],
    check: ({ result }) => assert.deepEqual(result.repairs, {}),
  },
  '004: a number sent as a string': {
    reply: (mode) => callWith(mode, 'search', '{"query": "tides", "limit": "3"}'),
    ran: [['search', { query: 'tides', limit: 3 }]],
    check: repaired('text-to-number'),
  },
}

for (const mode of modes) {
  describe(`faults of the mission documents, in the mode ${mode}`, () => {
    for (const [name, { reply, ran, check }] of Object.entries(faults)) {
      test(name, async () => {
        const done = await ranWith([reply(mode), answer(mode, 'Done.'), answer(mode, 'Done.')], { mode })
        assert.deepEqual(done.ran, ran)
        assert.equal(done.result.kind, 'answered')
        check?.(done, mode)
      })
    }
  })

  describe(`classes of the wild, in the mode ${mode}`, () => {
    for (const [name, { example, calls }] of Object.entries(wildClasses)) {
      test(name, async () => {
        const { ran, result } = await ranWith([example, answer(mode, 'Done.'), answer(mode, 'Done.')], { mode })
        assert.deepEqual(ran, calls)
        assert.equal(result.kind, 'answered')
      })
    }
  })
}
