/** What the property tests feed on: nasty strings, values, damage, floods. */
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../src/types.ts'

/** Runs of each property: few and always the same by default, many and always others in `npm run test:long`. */
export const runs = (usual: number): fc.Parameters<unknown> => {
  const factor = Number(process.env['CALLWRIGHT_LONG'] ?? 0)
  return factor > 0 ? { numRuns: usual * factor } : { numRuns: Math.ceil(usual / 2), seed: 20_261_115 }
}

/** Pieces of text that look like the end of something, or the start of something else. */
const pieces = [
  ...['a', 'b c', 'é', '1', ' ', '\n', '=', 'true', "it's", '\\', '\\d', 'C:\\x', '日本', '\ud83d\ude00'],
  ...['"', "'", '`', '“', '”', '```', '{', '}', '[', ']', ',', ': ', '", "', '"}', '"]', '}, "k": "', 'x", "y": 1'],
  ...['// x', '# y', '/*', '*/', '<|im_end|>', "'a': 'b'", '</s>', '"""', '\t', '\\n', '\\"', ';', '(', ')'],
]

export const nastyText = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((parts) => parts.join(''))

const plainKey = fc.constantFrom('path', 'content', 'a', 'b', 'name', 'x-y')
const nastyKey = fc.oneof({ weight: 4, arbitrary: plainKey }, { weight: 1, arbitrary: nastyText })

const valueWith = (key: fc.Arbitrary<string>): fc.Arbitrary<JsonValue> =>
  fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      nastyText,
      fc.constantFrom(1, 0, -2.5, 12345, true, false, null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value

const objectWith = (key: fc.Arbitrary<string>): fc.Arbitrary<JsonObject> =>
  fc.dictionary(key, valueWith(key), { minKeys: 1, maxKeys: 5, noNullPrototype: true })

export const value = valueWith(nastyKey)
export const object = objectWith(nastyKey)
/** An object with nasty values under keys that are names. */
export const objectWithNames = objectWith(plainKey)

/** Any text at all, with a weakness for the signs that readers react to. */
export const anyText = fc.oneof(
  nastyText,
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
)

/** The places of a JSON text that lie outside of its strings. */
export function placesOutsideStrings(json: string): number[] {
  const places: number[] = []
  let inString = false
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (inString && character === '\\') index++
    else if (character === '"') {
      if (!inString) places.push(index)
      inString = !inString
    } else if (!inString) places.push(index)
  }
  return places
}

/** All texts in a value, keys too. */
export function* textsIn(value: JsonValue | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      yield name
      yield* textsIn(item)
    }
  }
}

const flooded = [
  ...[
    '[',
    '{',
    ']',
    '}',
    '"',
    "'",
    '`',
    '\\',
    ',',
    ':',
    ' ',
    '\n',
    '#',
    '//',
    '/*',
    '*/',
    '“',
    '”',
    '-',
    '.',
    '1',
    '\0',
  ],
  ...[
    '{"a":',
    '", "',
    '{"a":"',
    '" // ',
    '" /* ',
    '" # ',
    '```',
    '<|',
    'a ',
    '{"a":1}',
    '[1]',
    '[a',
    '[[a',
    '":',
    '",',
  ],
  ...['"]', '"}', "{'", '"""', "'''", '"x"', 'x"', '{"a" ', '{a:', '{a:b,', 'null', '{{', '{"k":"v","', '(', "('"],
  ...['\\"', '{\\"', '\\u', '[1 ', '{"a":1 ', '\ud800', '"\n', '",,', '", }', "b'", '" "', '{"a":"b" ', 'a: b\n'],
]

/** Texts of about `length` characters that say one thing over and over, alone and behind something else. */
export function* floods(length: number): Generator<string> {
  for (const unit of flooded) {
    const flood = unit.repeat(Math.ceil(length / unit.length))
    yield flood
    yield `{"k":"${flood}`
    yield `[${flood}]`
    yield `Prose ${flood} end`
    yield `{"a": "b", k:${flood}}`
  }
}

/** Whether JSON.parse takes the text. */
export function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
