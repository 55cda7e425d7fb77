/**
 * Callwright reads what a language model wrote as the calls it meant, names every repair, and refuses to guess.
 *
 * @module
 */
import * as core from './read/index.ts'
import type { ArgumentsOf, Call, FitOptions, Fitted, JsonSchema, JsonValue, Reading, ToolLike } from './types.ts'
import { validator } from './validate/validator.ts'

export * from './read/index.ts'
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
