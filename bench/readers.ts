import { readValue } from '../src/value/read-value.ts'
import { load, versionIn, versionOf } from './peers.ts'

/** What a reader made of a text. A reader that throws has refused it. */
export interface Answer {
  readonly value: unknown
  /** Said so itself: this is not to be used. */
  readonly isRefused?: boolean
  /** Said so itself: something of the text is not in the value. */
  readonly isPartial?: boolean
  /** The changes that were named, with what stood there before. */
  readonly repairs?: readonly { readonly before?: unknown }[]
}

/** One program that makes a value of a text, called as its documentation shows. */
export interface Reader {
  readonly name: string
  readonly version: string
  read(text: string): Answer
}

/** Callwright, JSON.parse and the peers, in the order of the tables. */
export async function loadReaders(): Promise<Reader[]> {
  const { jsonrepair } = await load('jsonrepair')
  const partialJson = await load('partial-json')
  const bestEffort = await load('best-effort-json-parser')
  const { default: json5 } = await load('json5')

  let hasExtra = false
  bestEffort.disableErrorLogging()
  bestEffort.parse.onExtraToken = () => {
    hasExtra = true
  }

  return [
    {
      name: 'callwright',
      version: await versionIn('../package.json'),
      read: (text) => {
        const { value, repairs, problems, complete } = readValue(text)
        return { value, isRefused: problems.length > 0, isPartial: !complete, repairs }
      },
    },
    { name: 'JSON.parse', version: `Node ${process.versions.node}`, read: (text) => ({ value: JSON.parse(text) }) },
    await peer('jsonrepair', (text) => ({ value: JSON.parse(jsonrepair(text)) })),
    await peer('partial-json', (text) => ({ value: partialJson.parse(text) })),
    await peer('best-effort-json-parser', (text) => {
      hasExtra = false
      const value = bestEffort.parse(text)
      return { value, isPartial: hasExtra }
    }),
    await peer('json5', (text) => ({ value: json5.parse(text) })),
  ]
}

async function peer(name: string, read: Reader['read']): Promise<Reader> {
  return { name, version: await versionOf(name), read }
}
