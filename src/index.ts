/**
 * Callwright reads what a language model wrote as the calls it meant, names every repair, and refuses to guess.
 *
 * @module
 */
import * as core from './read/index.ts'
import type {
  ArgumentsOf,
  Call,
  FitOptions,
  Fitted,
  JsonSchema,
  JsonValue,
  ReadEvent,
  Reading,
  ToolLike,
} from './types.ts'
import { validator } from './validate/validator.ts'

export * from './agent/index.ts'
export * from './ledger/index.ts'
export * from './models/index.ts'
export * from './read/index.ts'
export * from './tools/index.ts'
export { validator }

/**
 * Fits a value to a schema. A value that the schema takes is never touched; else the cheapest kind of change is made
 * and named, and what would have to be guessed is refused with problems that a model can act on.
 *
 * @example
 * fit({ cmd: 'ls', timeout: '60' }, schema)
 * // value { command: 'ls', timeout: 60 }, repairs key-renamed and text-to-number
 */
export function fit(value: JsonValue, schema?: JsonSchema, options: FitOptions = {}): Fitted {
  return core.fit(value, schema, { validator, ...options })
}

/**
 * Reads the text of one tool's arguments, however it was written, and fits it to the tool's schema: one call, several
 * where the text holds several different objects, or a refused call with words for the model.
 *
 * @example
 * const { calls } = readArguments(`{'cmd': 'ls', 'timeout': '60'}`, tool)
 * // calls[0].arguments { command: 'ls', timeout: 60 }
 */
export function readArguments<Offered extends ToolLike>(
  text: string,
  tool: Offered,
  options: core.ArgumentOptions = {},
): Reading<Call<ArgumentsOf<Offered>>> {
  return core.readArguments(text, tool, { validator, ...options })
}

/**
 * Reads what a model wrote as the calls it meant, names every repair, and refuses to guess.
 *
 * @example
 * const { calls, refused, text } = read(reply, { tools })
 */
export function read(text: string, options: core.ReadOptions): Reading {
  return core.read(text, { validator, ...options })
}

/**
 * Makes a reader for one reply that comes in pieces. However the text is cut, the reading is the same.
 *
 * @example
 * const reader = createReader({ tools })
 * for await (const chunk of stream) for (const event of reader.push(chunk)) show(event)
 * const { reading } = reader.end()
 */
export function createReader(options: core.ReadOptions): core.Reader {
  return core.createReader({ validator, ...options })
}

/**
 * Reads a reply that comes as a stream, and tells what is certain as soon as it is. Returns the reading.
 *
 * @example
 * for await (const event of readStream(stream, { tools })) if (event.kind === 'call-end') run(event.call)
 */
export function readStream(
  chunks: AsyncIterable<string>,
  options: core.StreamOptions,
): AsyncGenerator<ReadEvent, Reading> {
  return core.readStream(chunks, { validator, ...options })
}

/**
 * Reads the call out of a server's error that says it could not: an error object of any client, a body, or an error
 * event of a stream. `undefined` when the error holds nothing that a model wrote.
 *
 * @example
 * const reading = rescue(error, { tools })
 * if (reading) for (const call of reading.calls) await run(call)
 */
export function rescue(error: unknown, options: core.ReadOptions): Reading | undefined {
  return core.rescue(error, { validator, ...options })
}
