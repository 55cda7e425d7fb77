import { createParser, type ParseError } from 'eventsource-parser'

/** The event that ends a stream of Chat Completions. */
const END = '[DONE]'
/** So many characters one event may have. */
const LONGEST = 16_777_216

/**
 * The data of each event in a stream of bytes, wherever these are cut. Ends with the event `[DONE]` or the bytes; an
 * event that lacks only the empty line after it counts. Returns whether `[DONE]` came.
 *
 * @example
 * for await (const data of decodeEvents(response)) console.log(JSON.parse(data))
 */
export async function* decodeEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, boolean, undefined> {
  const decoder = new TextDecoder()
  const events: string[] = []
  let overflow: ParseError | undefined
  const parser = createParser({
    maxBufferSize: LONGEST,
    onEvent: ({ data }) => events.push(data),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') overflow = error
    },
  })
  for await (const piece of bytes) {
    parser.feed(decoder.decode(piece, { stream: true }))
    for (const data of events.splice(0)) {
      if (data === END) return true
      yield data
    }
    if (overflow) throw overflow
  }
  parser.feed(`${decoder.decode()}\n\n`)
  for (const data of events) {
    if (data === END) return true
    yield data
  }
  return false
}

/** An event with this data, as it is sent. */
export const encodeEvent = (data: string): string => `data: ${data.replaceAll('\n', '\ndata: ')}\n\n`

/** The event that ends a stream, as it is sent. */
export const END_EVENT = encodeEvent(END)
