import type { Call, Finish, ReadEvent, Reading, Tools } from '../types.ts'
import { Assembler } from './assembler.ts'
import { checkPolicy } from './check-policy.ts'
import { dialectOfBare, Framer } from './framer.ts'
import type { ArgumentOptions } from './read-arguments.ts'
import { FrameReader, MOST_CALLS } from './read-frame.ts'
import { SeenTexts } from './seen.ts'
import { offeredTools } from './tools.ts'

/** Hints and rules for reading what a model wrote. */
export interface ReadOptions extends ArgumentOptions {
  /** The tools that were offered to the model. No other is ever called. */
  readonly tools: Tools
  /** So many characters behind a call without a marker are waited for, since they may speak against it. Default 2,000. */
  readonly patience?: number
  /** The reply begins in a thought, because the template of the model has written its opener. */
  readonly thinking?: boolean
  /** Reads marked calls in the last thought too, when there is none outside: some models put their only call there. */
  readonly callsInThought?: boolean
  /** Texts that the model was given, such as results of tools: a call that stands there word for word is an echo. */
  readonly seen?: string | readonly string[] | SeenTexts
}

const PATIENCE = 2_000

/** Reads a reply as it comes in. */
export interface Reader {
  /** Takes the next piece, and tells what is certain by now. */
  push(chunk: string): ReadEvent[]
  /** Nothing more will come: the last events, and the reading of the whole. */
  end(options?: { readonly finish?: Finish }): { readonly events: ReadEvent[]; readonly reading: Reading }
}

/**
 * Makes a reader for one reply. However the text is cut into pieces, the reading is the same.
 *
 * @example
 * const reader = createReader({ tools })
 * for await (const chunk of stream) for (const event of reader.push(chunk)) show(event)
 * const { reading } = reader.end()
 */
export function createReader(given: ReadOptions): Reader {
  const { tools, patience = PATIENCE, seen = [], thinking = false, callsInThought = false, ...options } = given
  checkPolicy(options.policy)
  if (!(patience >= 0)) throw new TypeError(`patience is a number of characters, and not ${patience}.`)
  let hasEnded = false
  const reader = new FrameReader(offeredTools(tools), options)
  const texts = seen instanceof SeenTexts ? seen : new SeenTexts(typeof seen === 'string' ? [seen] : seen)
  const assembler = new Assembler(reader, { patience, seen: texts, mostCalls: options.limits?.calls ?? MOST_CALLS })
  const framer = new Framer(assembler, reader, thinking)
  return {
    push(chunk) {
      if (typeof chunk !== 'string') throw new TypeError(`A reader takes text, and was given ${typeof chunk}.`)
      if (hasEnded) throw new TypeError('This reader has ended: make another one for the next reply.')
      framer.push(chunk)
      return assembler.take()
    },
    end({ finish } = {}) {
      hasEnded = true
      if (finish !== undefined) reader.finish = finish
      framer.end()
      const reading = assembler.end()
      const events = assembler.take()
      if (!callsInThought || reading.calls.length + reading.refused.length > 0) return { events, reading }
      const calls = callsOfThought(reading, { ...given, callsInThought: false, finish: reader.finish })
      return { events: [...events, ...calls.flatMap(eventsOf)], reading: { ...reading, calls } }
    },
  }
}

/** Dialects of calls that only look like one, and in a thought are drafts. */
const unmarked: ReadonlySet<string> = new Set([...Object.values(dialectOfBare), 'lined'])

/** The calls in the last thought of a reply, with their places in the whole. */
function callsOfThought({ parts }: Reading, options: ReadOptions): Call[] {
  const thought = parts.findLast(({ kind }) => kind === 'thought')
  if (!thought) return []
  const [start] = thought.span
  return read(thought.raw, { ...options, thinking: false })
    .calls.filter(({ dialect }) => !unmarked.has(dialect))
    .map((call) => ({ ...call, span: [call.span[0] + start, call.span[1] + start] }))
}

/** What is told of a call that is found at the end. */
const eventsOf = (call: Call, index: number): ReadEvent[] => [
  { kind: 'call-start', index, name: call.name, dialect: call.dialect },
  { kind: 'arguments-delta', index, delta: JSON.stringify(call.arguments) },
  { kind: 'call-end', index, call },
]

/**
 * Reads what a model wrote as the calls it meant, names every repair, and refuses to guess.
 *
 * @example
 * const { calls, refused, text } = read(reply, { tools })
 */
export function read(text: string, options: ReadOptions): Reading {
  const reader = createReader(options)
  reader.push(text)
  return reader.end().reading
}

/**
 * Reads a reply that comes as a stream, and tells what is certain as soon as it is. Returns the reading.
 *
 * @example
 * for await (const event of readStream(stream, { tools })) if (event.kind === 'call-end') run(event.call)
 */
export function readStream(chunks: AsyncIterable<string>, options: StreamOptions): AsyncGenerator<ReadEvent, Reading> {
  const { finish, ...others } = options
  const finished = typeof finish === 'function' ? finish : () => finish
  return new EventStream(chunks[Symbol.asyncIterator](), createReader(others), finished)
}

/** Hints and rules for reading a stream. */
export interface StreamOptions extends Omit<ReadOptions, 'finish'> {
  /** Why the model stopped, or who tells it when the stream has ended: nobody knows it before. */
  readonly finish?: Finish | (() => Finish | undefined)
}

/** The events of a stream. Written by hand: an async generator waits three times for each event. */
class EventStream implements AsyncGenerator<ReadEvent, Reading> {
  private readonly chunks: AsyncIterator<string>
  private readonly reader: Reader
  private events: readonly ReadEvent[] = []
  private told = 0
  private reading: Reading | undefined
  /** How many answers are waited for, and the last of them: they come in the order in which they were asked for. */
  private waiting = 0
  private last: Promise<unknown> = Promise.resolve()
  private readonly finish: () => Finish | undefined

  constructor(chunks: AsyncIterator<string>, reader: Reader, finish: () => Finish | undefined) {
    this.chunks = chunks
    this.reader = reader
    this.finish = finish
  }

  private ended(): ReturnType<Reader['end']> {
    const finish = this.finish()
    return this.reader.end(finish === undefined ? {} : { finish })
  }

  next(): Promise<IteratorResult<ReadEvent, Reading>> {
    const event = this.waiting === 0 ? this.events[this.told] : undefined
    if (event) {
      this.told++
      return Promise.resolve({ done: false, value: event })
    }
    const ask = (): Promise<IteratorResult<ReadEvent, Reading>> => this.answer()
    const answer = this.waiting++ === 0 ? ask() : this.last.then(ask, ask)
    this.last = answer
    return answer
  }

  private async answer(): Promise<IteratorResult<ReadEvent, Reading>> {
    try {
      for (;;) {
        const event = this.events[this.told++]
        if (event) return { done: false, value: event }
        if (this.reading) return { done: true, value: this.reading }
        const { done, value } = await this.chunks.next()
        this.told = 0
        if (done) ({ events: this.events, reading: this.reading } = this.ended())
        else this.events = this.reader.push(value)
      }
    } finally {
      this.waiting--
    }
  }

  async return(value: Reading | PromiseLike<Reading>): Promise<IteratorResult<ReadEvent, Reading>> {
    this.stop()
    await this.chunks.return?.()
    return { done: true, value: await value }
  }

  async throw(error: unknown): Promise<IteratorResult<ReadEvent, Reading>> {
    this.stop()
    await this.chunks.return?.()
    throw error
  }

  /** Nothing more is told. */
  private stop(): void {
    const { reading } = this.reading ? { reading: this.reading } : this.ended()
    this.events = []
    this.reading = reading
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return(undefined as never)
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
