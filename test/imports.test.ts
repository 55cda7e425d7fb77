/** The direction of imports: each folder may import only those above it. CONTRIBUTING.md says why. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize, sep } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../src/', import.meta.url))

/** From the bottom up. What stands on one line is one layer. */
const layers = [
  ['types.ts'],
  ['value'],
  ['fit'],
  ['read'],
  ['validate'],
  ['wire'],
  ['models'],
  ['tools'],
  ['ledger'],
  ['agent'],
  ['proxy'],
  ['ai-sdk'],
  ['bench'],
  ['test'],
  ['index.ts'],
  ['cli'],
]
/** The core: no dependency, no input or output, so that it runs in a browser. */
const core = new Set(['types.ts', 'value', 'fit', 'read'])

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)
const roomOf = (file: string): string => file.split(sep)[0] ?? ''
const layerOf = (room: string): number => layers.findIndex((rooms) => rooms.includes(room))

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8')
  return [...text.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
}

test('every file stands in a folder of the house', () => {
  assert.ok(files.length > 10)
  assert.deepEqual(
    [...new Set(files.map(roomOf))].filter((room) => layerOf(room) < 0),
    [],
  )
})

test('a folder imports only the folders above it', () => {
  const wrong: string[] = []
  for (const file of files) {
    for (const name of importsOf(file).filter((name) => name.startsWith('.'))) {
      const target = roomOf(normalize(join(dirname(file), name)))
      const here = roomOf(file)
      if (target !== here && layerOf(target) >= layerOf(here)) wrong.push(`${file} imports ${name}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('the core imports nothing but itself', () => {
  const wrong: string[] = []
  for (const file of files.filter((file) => core.has(roomOf(file)))) {
    for (const name of importsOf(file)) {
      if (!name.startsWith('.') || builtinModules.includes(name)) wrong.push(`${file} imports ${name}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('no file is longer than one can read in a sitting', () => {
  const long = files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 420)
  assert.deepEqual(long, [])
})
