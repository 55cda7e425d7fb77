import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listed } from './completion.test.ts'
import { decodeEvents, END_EVENT, encodeEvent } from './sse.ts'

async function* cut(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}

const decoded = (text: string, length = 1): Promise<string[]> => listed(decodeEvents(cut(text, length)))

describe('events', () => {
  const cases: readonly (readonly [name: string, text: string, events: readonly string[]])[] = [
    ['one', 'data: {"a":1}\n\n', ['{"a":1}']],
    ['without a space', 'data:x\n\n', ['x']],
    ['of several lines', 'data: a\ndata: b\n\n', ['a\nb']],
    ['with CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['with CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['amid comments and other fields', ': ping\n\nevent: x\nid: 1\ndata: a\n\n: ping\n\n', ['a']],
    ['behind a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['with characters of several bytes', 'data: é€😀\n\n', ['é€😀']],
    ['until the last', `data: a\n\n${END_EVENT}data: b\n\n`, ['a']],
    ['without the last', 'data: a\n\n', ['a']],
    ['without the empty line at the end', 'data: a\n\ndata: b', ['a', 'b']],
    ['with the last but no empty line', 'data: a\n\ndata: [DONE]', ['a']],
    ['none', '', []],
    ['none in a web page', '<html>\n\n</html>', []],
  ]
  for (const [name, text, events] of cases) {
    test(`${name}, cut anywhere`, async () => {
      for (let length = 1; length <= Buffer.byteLength(text) + 1; length++) {
        assert.deepEqual(await decoded(text, length), events, `in pieces of ${length}`)
      }
    })
  }

  for (const data of ['{"a":1}', 'two\nlines', '', 'é€😀', ' spaced ']) {
    test(`${JSON.stringify(data)} comes out as it went in`, async () => {
      assert.deepEqual(await decoded(`${encodeEvent(data)}${encodeEvent('next')}`), [data, 'next'])
    })
  }

  test('one beyond all bounds is an error', async () => {
    await assert.rejects(decoded(`data: ${'x'.repeat(17_000_000)}`, 1_000_000), /exceeded/)
  })
})
