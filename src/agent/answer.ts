import { fit } from '../fit/fit.ts'
import { isObject } from '../fit/judge.ts'
import { labelOf } from '../fit/label.ts'
import { documentOf } from '../fit/schema.ts'
import { type OfferedTool, validatorOf } from '../read/tools.ts'
import type { JsonValue, Repair } from '../types.ts'
import { validator } from '../validate/validator.ts'
import { readValue } from '../value/read-value.ts'

/** The final answer as its schema wants it, or what is wrong with it in words for the model. */
export type FittedAnswer =
  | { readonly kind: 'fitted'; readonly output: JsonValue; readonly repairs: readonly Repair[] }
  | { readonly kind: 'unfit'; readonly message: string }

/**
 * Fits the final answer to the schema that the agent was given for it. A reply may be the answer, or hold it; what fits as
 * it stands is taken before what would have to be repaired.
 */
export function fittedAnswer(answer: string | undefined, written: string, wanted: OfferedTool): FittedAnswer {
  const { schema } = wanted
  const candidates = candidatesIn(answer, written)
  const own = validatorOf(wanted, validator) ?? validator
  const exact = candidates.find((value) => own.check(value, schema).length === 0)
  if (exact !== undefined) return { kind: 'fitted', output: exact, repairs: [] }
  const fitted = candidates.map((value) => fit(value, schema, { name: 'the answer', validator: own }))
  const first = fitted.find(({ problems }) => problems.length === 0)
  if (first) return { kind: 'fitted', output: first.value, repairs: first.repairs }
  const shaped = fitted[candidates.findIndex((value) => typeof value === 'object')]
  const told = shaped?.problems.map(({ message }) => message).join('\n')
  return {
    kind: 'unfit',
    message: told ?? `Give the answer as JSON of this shape (* = required): ${labelOf(schema, documentOf(schema))}`,
  }
}

/** What may be the answer, the likeliest first: what stands under `answer`, what its text holds, the reply, the text. */
function candidatesIn(answer: string | undefined, written: string): JsonValue[] {
  const whole = valueIn(written)
  const inner = isObject(whole) && isObject(whole['function']) ? whole['function'] : whole
  const key = isObject(inner) ? ['answer', 'final_answer'].find((name) => Object.hasOwn(inner, name)) : undefined
  const held = isObject(inner) && key !== undefined ? inner[key] : undefined
  const all = [held, answer === undefined ? undefined : valueIn(answer), whole, answer]
  return all.filter((value) => value !== undefined)
}

function valueIn(text: string): JsonValue | undefined {
  const { value, problems } = readValue(text, { container: true })
  return problems.length === 0 ? value : undefined
}

/** An answer that fits, as the schema's own library gives it. */
export function outputOf(output: JsonValue | undefined, { standard }: OfferedTool): unknown {
  const result = output === undefined ? undefined : standard?.['~standard'].validate(output)
  return result === undefined || result instanceof Promise || result.issues ? output : result.value
}
