/** What the tests of run_bash share: a shell in a folder of its own, and what is left of it in the machine. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ToolRetry } from '../src/tools/errors.ts'
import type { ToolContext } from '../src/tools/tool.ts'
import { type RunBashOptions, runBash } from '../src/tools/workspace/run-bash.ts'
import { findSandbox } from '../src/tools/workspace/sandbox.ts'
import type { JsonObject, JsonValue } from '../src/types.ts'

/** A secret of the agent, in its environment. */
export const SECRET = 'canary-key-0451'
process.env['CALLWRIGHT_CANARY'] = SECRET

export const sandbox = await findSandbox()
const isRoot = process.getuid?.() === 0
const isAgain = process.env['CALLWRIGHT_AGAIN'] !== undefined
if (sandbox.kind !== 'bubblewrap') {
  console.log(`NOT CHECKED: no attack on the shell was made, because there is no sandbox here. ${sandbox.why}`)
}
export const skip = sandbox.kind === 'bubblewrap' ? false : `NOT CHECKED: ${sandbox.why}`

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export function folderFor(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `callwright-${name}-`))
  folders.push(folder)
  return folder
}

/**
 * Runs a file of tests again in a process of an ordinary user, beside this one, when this one is root's; and adds the
 * test that it went well there, too.
 */
export function alsoAsUser(file: string, least: number): void {
  const again = isRoot && !isAgain && !skip ? runAs(65534, fileURLToPath(file)) : undefined
  test('the same as an ordinary user', { skip: skip || isAgain }, async (t) => {
    if (!again) return t.diagnostic('these tests ran as an ordinary user; NOT CHECKED: as root')
    const { code, output } = await again
    assert.equal(code, 0, output)
    const passed = Number(/^# pass (\d+)/m.exec(output)?.[1])
    assert.ok(passed >= least, output)
    t.diagnostic(`${passed} tests passed as user 65534`)
  })
}

async function runAs(user: number, file: string): Promise<{ readonly code: unknown; readonly output: string }> {
  const folder = folderFor('user')
  chownSync(folder, user, user)
  const child = spawn(process.execPath, ['--test-reporter=tap', file], {
    uid: user,
    gid: user,
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder, CALLWRIGHT_AGAIN: '1', CALLWRIGHT_CANARY: SECRET },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => texts.push(String(bytes)))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, output: texts.join('') }
}

export interface Shell {
  readonly root: string
  readonly at: (path: string) => string
  /** What the model is told of a command, and what was recorded. */
  readonly run: (
    command: string,
    timeout?: number,
    signal?: AbortSignal,
  ) => Promise<{ text: string; notes: JsonObject[] }>
}

export function shellIn(options: Partial<RunBashOptions> = {}): Shell {
  const root = options.root ?? folderFor('shell')
  const made = runBash({ mode: 'edit', sandbox, ...options, root })
  return {
    root,
    at: (path) => join(root, path),
    run: async (command, timeout = 10, signal = new AbortController().signal) => {
      const notes: JsonObject[] = []
      const record = async (note: JsonValue): Promise<void> => {
        if (note !== null && typeof note === 'object' && !Array.isArray(note)) notes.push(note)
      }
      const context: ToolContext = { run: 'r', call: 'c', key: 'r/c', signal, record }
      try {
        return { text: String(await made.run({ command, timeout }, context)), notes }
      } catch (error) {
        if (!ToolRetry.isInstance(error)) throw error
        return { text: error.message, notes }
      }
    },
  }
}

export const pathsOf = (notes: readonly JsonObject[]): unknown[] =>
  notes.filter(({ kind }) => kind === 'file-change').map(({ path }) => path)

/** The processes of this machine in whose command line a text stands. */
export const processesWith = (text: string): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })

let marks = 0
/** A number of seconds that no other process sleeps. */
export const longTime = (): string => `98${process.pid}.${++marks}`
