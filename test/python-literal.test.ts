/** `readPython` against CPython: it must accept what `ast.literal_eval` accepts, and give the same value. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { askPython, type Foreign, hasPython, type Tagged, type Verdict } from '../scripts/make-python-table.ts'
import type { JsonObject, JsonValue } from '../src/types.ts'
import { type PythonReading, readPython } from '../src/value/python.ts'
import { readValue } from '../src/value/read-value.ts'
import { PythonGrammar } from './python-grammar.ts'
import { parses } from './texts.ts'

const SEED = Number(process.env['CALLWRIGHT_SEED'] ?? 1)
const TEXTS = Number(process.env['CALLWRIGHT_LITERALS'] ?? 20_000)

const problemOf: { readonly [foreign in Foreign]: string } = {
  bytes: 'python-bytes',
  complex: 'python-complex',
  ellipsis: 'python-ellipsis',
  infinity: 'number-not-finite',
  'tuple key': 'key-unusable',
}

/** What is wrong with our reading of a text, or `undefined`. */
function faultOf(text: string, verdict: Verdict): string | undefined {
  const reading = readPython(text)
  const codes = new Set(reading?.problems.map(({ code }) => code))
  // We know no names of characters: any well-formed name is refused, whether it exists or not.
  if (codes.has('name-escape')) return text.includes('\\N{') ? undefined : 'refused for a name that is not there'
  if ('raises' in verdict) return reading && `accepted, Python raises ${verdict.raises}`
  if (!reading) return 'refused, Python accepts'

  const clash = codes.delete('key-repeated')
  const expected = new Set(verdict.foreign.map((foreign) => problemOf[foreign]))
  if (!isDeepStrictEqual(codes, expected)) return `problems ${[...codes]}, and not ${[...expected]}`
  if (expected.size > 0) return undefined
  if (!clash && hasClash(verdict.value)) return 'keys with the same text'
  // We also refuse for keys of a dict that an equal key replaces later.
  if (clash) return undefined
  if (!isEqual(verdict.value, reading.value)) return `value ${JSON.stringify(reading.value)}`
  if (parses(text) || departs(reading)) return missingRepair(verdict.value, reading)
  if (!isDeepStrictEqual(readValue(text).value, reading.value)) return 'readValue reads otherwise'
  return missingRepair(verdict.value, reading)
}

/** Whether docs/values.md says that the text is read as faulty JSON, or refused, and not as Python. */
function departs({ differsInJson, joinedInList, value }: PythonReading): boolean {
  return joinedInList !== undefined || (differsInJson && typeof value === 'object')
}

/** The list, tuple or set; the pairs of a dict; nothing for what holds nothing. */
function itemsOf(tagged: Tagged): readonly Tagged[] {
  if (typeof tagged !== 'object' || tagged === null) return []
  if ('dict' in tagged) return tagged.dict.flat()
  return 'list' in tagged ? tagged.list : 'tuple' in tagged ? tagged.tuple : 'set' in tagged ? tagged.set : []
}

/** Whether two keys of one dict would be the same in JSON. */
function hasClash(tagged: Tagged): boolean {
  if (typeof tagged === 'object' && tagged !== null && 'dict' in tagged) {
    if (new Set(tagged.dict.map(([key]) => keyText(key))).size < tagged.dict.length) return true
  }
  return itemsOf(tagged).some(hasClash)
}

function keyText(key: Tagged): string {
  if (typeof key !== 'object' || key === null) return String(key)
  return 'int' in key ? key.int : 'float' in key ? key.float : JSON.stringify(key)
}

function isEqual(tagged: Tagged, value: JsonValue | undefined): boolean {
  if (typeof tagged !== 'object' || tagged === null) return tagged === value
  if ('int' in tagged) return Object.is(value, Number(tagged.int))
  if ('float' in tagged) return Object.is(value, Number(tagged.float))
  if ('dict' in tagged) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const object: JsonObject = value
    const isSame = ([key, item]: readonly [Tagged, Tagged]) =>
      Object.hasOwn(object, keyText(key)) && isEqual(item, object[keyText(key)])
    return Object.keys(value).length === tagged.dict.length && tagged.dict.every(isSame)
  }
  const items = itemsOf(tagged)
  if (!Array.isArray(value) || value.length !== items.length) return false
  if ('set' in tagged) return items.every((item) => value.some((ours) => isEqual(item, ours)))
  return items.every((item, index) => isEqual(item, value[index]))
}

/** A conversion that was made and not told. */
function missingRepair(tagged: Tagged, { repairs }: PythonReading): string | undefined {
  const told = new Set(repairs.map(({ code, before }) => (code === 'integer-large' ? `${code} ${before}` : code)))
  const missing = [...conversions(tagged)].filter((conversion) => !told.has(conversion))
  return missing.length > 0 ? `repairs without ${missing}` : undefined
}

function* conversions(tagged: Tagged): Generator<string> {
  if (typeof tagged !== 'object' || tagged === null) return
  if ('tuple' in tagged) yield 'tuple-to-list'
  if ('set' in tagged) yield 'set-to-list'
  if ('int' in tagged && !Number.isSafeInteger(Number(tagged.int))) yield `integer-large ${tagged.int}`
  if ('dict' in tagged) {
    for (const [key, item] of tagged.dict) {
      if (typeof key !== 'string') yield 'key-to-text'
      yield* conversions(item)
    }
  } else for (const item of itemsOf(tagged)) yield* conversions(item)
}

function check(rows: Iterable<readonly [text: string, verdict: Verdict]>): void {
  const faults: string[] = []
  for (const [text, verdict] of rows) {
    const fault = faultOf(text, verdict)
    if (fault) faults.push(`${JSON.stringify(text).slice(0, 300)}: ${fault}`)
  }
  assert.equal(faults.length, 0, `${faults.length} faults:\n${faults.slice(0, 20).join('\n')}`)
}

test('reads the table of literals as CPython does', () => {
  check(JSON.parse(readFileSync(new URL('fixtures/python-literals.json', import.meta.url), 'utf8')))
})

test('reads generated literals as CPython does', (t) => {
  if (!hasPython()) return t.skip('NOT CHECKED against CPython: there is no python3 of 3.10.7 or later on this machine')
  const grammar = new PythonGrammar(SEED)
  const texts = Array.from({ length: TEXTS }, () => grammar.text())
  const rows = askPython(texts).map((verdict, index) => [texts[index] as string, verdict] as const)
  const judged = rows.filter(([, verdict]) => !('raises' in verdict && verdict.raises === 'MemoryError'))
  check(judged)

  const valid = judged.filter(([, verdict]) => 'value' in verdict).length
  const rare = [...grammar.used].filter(([, times]) => times < TEXTS / 4000)
  assert.deepEqual(rare, [], 'productions that were hardly used')
  t.diagnostic(`${judged.length} texts tried, seed ${SEED}: ${valid} valid, ${judged.length - valid} invalid`)
})
