import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleaned, REDACTED, redactor } from './redact.ts'

const secret = 'pa"ss\\word99'
const redact = redactor([secret, 'short', undefined])

describe('what is taken out of a text', () => {
  const cases: readonly (readonly [text: string, clean: string])[] = [
    ['Authorization: Bearer abcdefgh12345678', `Authorization: ${REDACTED}`],
    ['"x-api-key": "abcd1234"', `"x-api-key": "${REDACTED}"`],
    ['the token is sk-proj-abcdefghijklmnop1234.', `the token is ${REDACTED}.`],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', REDACTED],
    [`a ${secret} b`, `a ${REDACTED} b`],
    [JSON.stringify({ a: secret }), `{"a":"${REDACTED}"}`],
    [JSON.stringify({ a: JSON.stringify({ b: secret }) }), `{"a":"{\\"b\\":\\"${REDACTED}\\"}"}`],
  ]
  for (const [text, clean] of cases) test(text, () => assert.equal(redact(text), clean))
})

for (const before of ['', 'a', 'ab', 'abc']) {
  test(`in base64, behind ${before.length} bytes`, () => {
    const text = Buffer.from(`${before}a-very-long-secret-indeed and more`).toString('base64')
    const clean = redactor(['a-very-long-secret-indeed'])(text)
    assert.ok(clean.includes(REDACTED) && !Buffer.from(clean, 'base64').includes('long-secret'), clean)
  })
}

describe('what is left alone', () => {
  for (const text of [
    'a short word',
    'ask-me-anything-about-this-topic',
    'The cookies are in the jar',
    'basic training',
    'AIza',
  ]) {
    test(text, () => assert.equal(redact(text), text))
  }
})

test('a value stays a value: only texts change, and those whose key says that they are secret', () => {
  const value = {
    cookie: null,
    'api-key': 123456,
    authorization: 'Basic abcdefgh',
    list: [`x ${secret}`, 1],
    a: { b: 'c' },
  }
  const clean = { cookie: null, 'api-key': 123456, authorization: REDACTED, list: [`x ${REDACTED}`, 1], a: { b: 'c' } }
  assert.deepEqual(cleaned(value, redact), clean)
})
