import { createReader, readStream } from '../src/index.ts'
import type { JsonObject, Reading } from '../src/types.ts'
import { load, versionIn, versionOf } from './peers.ts'
import type { Fill } from './plot.ts'
import { chunksOf, type JsonReply, type Reply, tools } from './reader-inputs.ts'

/** What a program made of a stream. */
export interface Streamed {
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
  /** How often it told something on the way: events, or values as far as they had come. */
  readonly told: number
  /** How much of the text it had taken when its time was over: 1 is all of it. */
  readonly share: number
}

/** A program that reads a text in chunks of four characters. */
export interface Streamer<Given> {
  readonly name: string
  readonly version: string
  readonly fill: Fill
  /** What is called, and how. */
  readonly how: string
  /** Makes ready what is no part of the work, and returns what is. It stops when the clock has passed `deadline`. */
  prepare(given: Given): (deadline?: number) => Streamed | Promise<Streamed>
}

/** So often the clock is looked at, in chunks. */
const CLOCK = 64

const isOver = (index: number, deadline: number): boolean => index % CLOCK === 0 && performance.now() > deadline

/** How often parsePartialJson is called on a text of which nobody could wait for all the calls. */
export const CHECKPOINTS = 32

/** The same source for all who want a stream. It breaks off when the time is over. */
async function* streamOf(chunks: readonly string[], deadline = Infinity): AsyncGenerator<string> {
  for (const [index, chunk] of chunks.entries()) {
    if (isOver(index, deadline)) throw new Stopped(index / chunks.length)
    yield chunk
  }
}

class Stopped extends Error {
  readonly share: number

  constructor(share: number) {
    super('The time is over.')
    this.share = share
  }
}

/** What is known of a stream that was broken off. */
function stopped(error: unknown): Streamed {
  if (!(error instanceof Stopped)) throw error
  return { calls: [], told: 0, share: error.share }
}

/** Callwright over chunks: what the benchmark of prose and of many calls uses too. */
export function pushAll(
  chunks: readonly string[],
  deadline = Infinity,
): { readonly reading: Reading; readonly told: number; readonly share: number } {
  const reader = createReader({ tools, limits })
  let told = 0
  let index = 0
  for (; index < chunks.length && !isOver(index, deadline); index++) told += reader.push(chunks[index] ?? '').length
  const { events, reading } = reader.end()
  return { reading, told: told + events.length, share: index / chunks.length }
}

/** The calls of a reply are 256 at most, unless told otherwise. */
export const limits = { calls: 10_000 }

export async function loadStreamers() {
  const jsonriver = await load('jsonriver')
  const { JSONParser } = await load('@streamparser/json')
  const { parsePartialJson } = await load('ai')
  const { hermesProtocol, qwen3CoderProtocol } = await load('@ai-sdk-tool/parser')
  const ours = { version: await versionIn('../package.json'), fill: 'ours' } as const
  const peer = async (name: string) => ({ name, version: await versionOf(name), fill: 'peer' as const })

  const pushed: Streamer<Reply> = {
    ...ours,
    name: 'callwright',
    how: '`createReader`, `push` a chunk',
    prepare: ({ text }) => {
      const chunks = chunksOf(text)
      return (deadline) => {
        const { reading, told, share } = pushAll(chunks, deadline)
        return { calls: reading.calls, told, share }
      }
    },
  }
  const streamed: Streamer<Reply> = {
    ...ours,
    name: 'callwright, awaited',
    how: '`readStream` over an async iterable',
    prepare: ({ text }) => {
      const chunks = chunksOf(text)
      return async (deadline) => {
        const calls: Streamed['calls'][number][] = []
        let told = 0
        try {
          for await (const event of readStream(streamOf(chunks, deadline), { tools, limits })) {
            told++
            if (event.kind === 'call-end') calls.push(event.call)
          }
        } catch (error) {
          return stopped(error)
        }
        return { calls, told, share: 1 }
      }
    },
  }
  const river: Streamer<JsonReply> = {
    ...(await peer('jsonriver')),
    how: '`parse` over an async iterable',
    prepare: ({ json }) => {
      const chunks = chunksOf(json)
      return async (deadline) => {
        let told = 0
        let last: unknown
        try {
          for await (const value of jsonriver.parse(streamOf(chunks, deadline))) {
            told++
            last = value
          }
        } catch (error) {
          return stopped(error)
        }
        return { calls: [asCall(last)], told, share: 1 }
      }
    },
  }
  const streamparser: Streamer<JsonReply> = {
    ...(await peer('@streamparser/json')),
    how: '`write` a chunk',
    prepare: ({ json }) => {
      const chunks = chunksOf(json)
      return (deadline = Infinity) => {
        const parser = new JSONParser()
        let told = 0
        let last: unknown
        parser.onValue = ({ value }: { value: unknown }) => {
          told++
          last = value
        }
        for (const [index, chunk] of chunks.entries()) {
          if (isOver(index, deadline)) return { calls: [], told, share: index / chunks.length }
          parser.write(chunk)
        }
        return { calls: [asCall(last)], told, share: 1 }
      }
    },
  }
  const ai = await peer('ai')
  const partialAt = async (json: string, ends: Iterable<number>, deadline = Infinity): Promise<Streamed> => {
    let told = 0
    let last: unknown
    for (const end of ends) {
      if (performance.now() > deadline) return { calls: [], told, share: end / json.length }
      last = (await parsePartialJson(json.slice(0, end))).value
      told++
    }
    return { calls: [asCall(last)], told, share: 1 }
  }
  const checkpoints: Streamer<JsonReply> = {
    ...ai,
    name: 'ai',
    how: `\`parsePartialJson\` of all that has come, at ${CHECKPOINTS} places only`,
    prepare:
      ({ json }) =>
      (deadline) =>
        partialAt(json, placesIn(json.length, json.length / CHECKPOINTS), deadline),
  }
  const eachChunk: Streamer<JsonReply> = {
    ...ai,
    name: 'ai, every chunk',
    how: '`parsePartialJson` of all that has come, at every chunk',
    prepare:
      ({ json }) =>
      (deadline) =>
        partialAt(json, placesIn(json.length, 4), deadline),
  }
  const middleware = async (name: string, makeProtocol: () => Protocol): Promise<Streamer<Reply>> => ({
    ...(await peer('@ai-sdk-tool/parser')),
    how: `\`${name}().createStreamParser\`, \`write\` a chunk`,
    prepare: ({ text }) => {
      const chunks = chunksOf(text)
      return (deadline) => throughMiddleware(makeProtocol(), chunks, deadline)
    },
  })
  return {
    pushed,
    streamed,
    river,
    streamparser,
    checkpoints,
    eachChunk,
    hermes: await middleware('hermesProtocol', hermesProtocol),
    qwen3Coder: await middleware('qwen3CoderProtocol', qwen3CoderProtocol),
  }
}

/** The places up to which a text is given, the last one its end. */
function* placesIn(length: number, step: number): Generator<number> {
  for (let end = step; end < length; end += step) yield Math.round(end)
  yield length
}

const asCall = (value: unknown) => value as Streamed['calls'][number]

/** As much of @ai-sdk-tool/parser's protocols as is used here. */
interface Protocol {
  createStreamParser(options: { tools: readonly unknown[] }): TransformStream<MiddlewarePart, MiddlewarePart>
}

type MiddlewarePart =
  | { readonly type: 'text-start' | 'text-end'; readonly id: string }
  | { readonly type: 'text-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'tool-call'; readonly toolName: string; readonly input: string }

const middlewareTools = tools.map(({ name, input }) => ({ type: 'function', name, inputSchema: input }))

async function throughMiddleware(
  protocol: Protocol,
  chunks: readonly string[],
  deadline = Infinity,
): Promise<Streamed> {
  const { readable, writable } = protocol.createStreamParser({ tools: middlewareTools })
  const writer = writable.getWriter()
  const calls: Streamed['calls'][number][] = []
  let told = 0
  const reading = (async () => {
    for await (const part of readable) {
      told++
      if (part.type === 'tool-call')
        calls.push({ name: part.toolName, arguments: JSON.parse(part.input) as JsonObject })
    }
  })()
  await writer.write({ type: 'text-start', id: '1' })
  for (const [index, delta] of chunks.entries()) {
    if (performance.now() > deadline) {
      // Closing it would make it read once more what has come.
      await writer.abort()
      await reading.catch(() => undefined)
      return { calls, told, share: index / chunks.length }
    }
    await writer.write({ type: 'text-delta', id: '1', delta })
  }
  await writer.write({ type: 'text-end', id: '1' })
  await writer.close()
  await reading
  return { calls, told, share: 1 }
}
