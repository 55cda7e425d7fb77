import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleaned, redactor } from '../tools/redact.ts'
import { shortId } from './ledger-file.ts'
import { secretsOf } from './secrets.ts'
import { ageText, durationIn, secondsText, shareText, sizeIn, sizeText } from './show-quantity.ts'
import { tableLines } from './show-table.ts'

const cases: readonly (readonly [said: unknown, wanted: unknown])[] = [
  [ageText(-5), '0s'],
  [ageText(59_999), '59s'],
  [ageText(3_600_000), '1h'],
  [ageText(86_400_000 * 6.9), '6d'],
  [ageText(86_400_000 * 15), '2w'],
  [sizeText(999), '999 B'],
  [sizeText(1_234), '1.2 kB'],
  [sizeText(84_300), '84 kB'],
  [sizeText(1_500_000_000), '1.5 GB'],
  [secondsText(0.013), '0.01 s'],
  [secondsText(12.34), '12.3 s'],
  [secondsText(250.4), '250 s'],
  [shareText(0, 0), '–'],
  [shareText(1, 1_000), '<1 %'],
  [shareText(999, 1_000), '>99 %'],
  [shareText(3, 7), '43 %'],
  [durationIn('2d'), 172_800_000],
  [durationIn('1.5 h'), 5_400_000],
  [durationIn('2 days'), undefined],
  [durationIn('d'), undefined],
  [sizeIn('100MB'), 100_000_000],
  [sizeIn('1.5 gb'), 1_500_000_000],
  [sizeIn('12b'), 12],
  [sizeIn('100'), undefined],
]
for (const [index, [said, wanted]] of cases.entries()) {
  test(`quantity ${index}: ${String(wanted)}`, () => assert.equal(said, wanted))
}

test('a table keeps wide characters in line and cuts its last column', () => {
  assert.deepEqual(
    tableLines(
      [
        ['a', '1', 'short'],
        ['木木', '10', 'x'.repeat(40)],
      ],
      { right: [1], width: 28 },
    ),
    ['a      1  short', `木木  10  ${'x'.repeat(17)}…`],
  )
})

test('an id is as long as it must be; a key stays whole', () => {
  const ids = ['01234567-0000-4000-8000-000000000000', '01234567-0111-4000-8000-000000000000', 'nightly-build']
  assert.deepEqual(
    ids.map((id) => shortId(id, ids)),
    ['01234567-00', '01234567-01', 'nightly-build'],
  )
})

test('secrets are what variables named as keys hold, the one that is named, and what a URL hides', () => {
  const environment = {
    ...{ MY_CREDENTIAL: 'abcdef', GITHUB_TOKEN: 'token-value', CI_TOKEN: 'true', KEYBOARD: 'keyboard-us' },
    OPENAI_BASE_URL: 'http://me:pass%21word@host/v1?code=query-value',
  }
  const found = secretsOf({ apiKeyFrom: 'MY_CREDENTIAL' }, environment)
  for (const secret of ['abcdef', 'token-value', 'pass%21word', 'pass!word', 'query-value']) {
    assert.ok(found.includes(secret), secret)
  }
  for (const plain of ['true', 'keyboard-us']) assert.ok(!found.includes(plain), plain)
})

test('a value is cleaned text by text, names too, and stays what it was', () => {
  const redact = redactor(['nightingale'])
  const value = {
    ...{ list: ['a nightingale', 1, null], nightingale: true },
    ...{ authorization: 'anything at all', cookie: null, text: 'plain' },
  }
  assert.deepEqual(cleaned(value, redact), {
    ...{ list: ['a [redacted by callwright]', 1, null], '[redacted by callwright]': true },
    ...{ authorization: '[redacted by callwright]', cookie: null, text: 'plain' },
  })
})
