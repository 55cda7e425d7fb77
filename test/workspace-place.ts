/** Workspaces for tests, and how tools are called in them. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { ToolRetry } from '../src/tools/errors.ts'
import type { RunnableTool } from '../src/tools/tool.ts'
import { ConfinedRoot } from '../src/tools/workspace/confined-root.ts'
import { type FileToolOptions, fileTools } from '../src/tools/workspace/file-tools.ts'
import type { JsonObject, JsonValue } from '../src/types.ts'

/** A folder of this process, gone with its tests. */
export const here = realpathSync(mkdtempSync(join(tmpdir(), 'callwright-workspace-')))
after(() => rmSync(here, { recursive: true, force: true }))

export interface Place {
  /** The workspace. */
  readonly app: string
  readonly outside: string
  /** A folder whose name begins as that of the workspace. */
  readonly sibling: string
  /** All that is outside, to see whether it stays. */
  readonly all: () => string
}

/** A workspace with something beside it that nobody may reach. */
export function place(): Place {
  const folder = mkdtempSync(join(here, 'place-'))
  const [app, outside, sibling] = [join(folder, 'app'), join(folder, 'outside'), join(folder, 'app-evil')]
  for (const one of [join(app, 'src'), outside, sibling]) mkdirSync(one, { recursive: true })
  for (const one of [join(outside, 'secret'), join(sibling, 'secret')]) writeFileSync(one, 'SECRET')
  writeFileSync(join(app, 'src', 'main.py'), 'print(1)\n')
  const shown = (one: string): string[] => readdirSync(one).map((name) => `${name}=${readFileSync(join(one, name))}`)
  return { app, outside, sibling, all: () => [outside, sibling].flatMap(shown).join() }
}

export interface Called {
  readonly result: string
  readonly isRefused: boolean
  readonly notes: readonly JsonValue[]
}

export interface CallOptions extends FileToolOptions {
  /** Is called with each note before it is kept. */
  readonly onNote?: (note: JsonValue) => void
  readonly signal?: AbortSignal
}

export function toolOf(root: ConfinedRoot, name: string, options: FileToolOptions = {}): RunnableTool {
  return fileTools(root, options).find((one) => one.name === name) ?? assert.fail(`There is no tool ${name}.`)
}

/** Calls a tool; gives what it says, or why it refuses, and what it has recorded. */
export async function called(
  root: ConfinedRoot,
  name: string,
  input: JsonObject,
  { onNote, signal = new AbortController().signal, ...options }: CallOptions = {},
): Promise<Called> {
  const notes: JsonValue[] = []
  const record = async (note: JsonValue): Promise<void> => {
    onNote?.(note)
    notes.push(note)
  }
  try {
    const result = await toolOf(root, name, options).run(input, { run: 'r', call: 'c', key: 'r/c', signal, record })
    return { result: String(result), isRefused: false, notes }
  } catch (error) {
    if (!ToolRetry.isInstance(error)) throw error
    return { result: error.message, isRefused: true, notes }
  }
}

/** The codes of the refusals that were recorded; `undefined` for each note of another kind. */
export const codesOf = (notes: readonly JsonValue[]): unknown[] => notes.map((note) => Object(note)['code'])

export type Files = { readonly [path: string]: string | Buffer }

/** A workspace with these files. */
export function workspaceOf(files: Files): ConfinedRoot {
  const folder = mkdtempSync(join(here, 'files-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return ConfinedRoot.open(folder)
}

/** The text of a file, read without any tool. */
export const textIn = ({ folder }: ConfinedRoot, path: string): string => readFileSync(join(folder, path), 'utf8')
