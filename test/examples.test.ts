/** The programs of examples/ run as a reader would run them, and say what they say. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const programs = readdirSync(new URL('../examples/', import.meta.url)).filter((name) => /^\d/.test(name))

const said: { readonly [program: string]: string } = {
  '1-first-agent.ts': `answered | At 12:40.
repairs { 'python-literal': 1, 'parameter-ignored': 1 }
`,
  '2-watch-a-run.ts': `step 1 at temperature 0.7
  advice: Send the whole value again, or raise the output limit: the text ends inside "path" (line 1, column 50).
step 2 at temperature 0.9
  read_file gave: The first line of notes.md.
step 3 at temperature 0.7
answered | It begins with "The first line".
`,
  '3-ask-before-it-runs.ts': `Allow pay {"to":"Bob","amount":500}?
- balance
+ balance, less 500 for Bob
answered | Ada is paid. Bob is not: you did not allow it.
`,
  '4-an-answer-with-a-shape.ts': `degrees 3 sky rain
degrees 37.4
`,
  '5-read-without-an-agent.ts': `runs    write_file { path: 'a.py', content: 'x = 1' }
refused Send the whole value again, or raise the output limit: the text ends inside "content" (line 1, column 69).
no call
rescued { path: 'a.py', content: 'x = 1' }
`,
}

describe('examples', { concurrency: 2 }, () => {
  test('each has its output here', () => assert.deepEqual(programs, Object.keys(said)))

  for (const program of programs) {
    test(program, async () => {
      const environment = Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !name.startsWith('CALLWRIGHT')),
      )
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--import', './examples/from-source.ts', `examples/${program}`],
        {
          cwd: root,
          encoding: 'utf8',
          env: environment,
          timeout: 20_000,
        },
      )
      assert.equal(stdout, said[program])
    })
  }
})
