import { fit } from '../fit/fit.ts'
import { labelOf } from '../fit/label.ts'
import { documentOf } from '../fit/schema.ts'
import { type OfferedTool, validatorOf } from '../read/tools.ts'
import { validator } from '../validate/validator.ts'
import { readValue } from '../value/read-value.ts'

/** The final answer as its schema wants it, or what is wrong with it in words for the model. */
export type FittedAnswer =
  | { readonly kind: 'fitted'; readonly output: unknown }
  | { readonly kind: 'unfit'; readonly message: string }

/** Fits the final answer to the schema that the agent was given for it. */
export function fittedAnswer(answer: string, wanted: OfferedTool): FittedAnswer {
  const { schema, standard } = wanted
  const isText = typeof schema === 'object' && schema['type'] === 'string'
  const { value, problems } = isText ? { value: answer, problems: [] } : readValue(answer, { container: true })
  const label = labelOf(schema, documentOf(schema))
  if (problems.length > 0 || value === undefined) {
    return { kind: 'unfit', message: `Give the answer as JSON of this shape (* = required): ${label}` }
  }
  const own = validatorOf(wanted, validator)
  const fitted = fit(value, schema, { name: 'the answer', ...(own ? { validator: own } : {}) })
  if (fitted.problems.length > 0) {
    return { kind: 'unfit', message: fitted.problems.map(({ message }) => message).join('\n') }
  }
  if (!standard) return { kind: 'fitted', output: fitted.value }
  const result = standard['~standard'].validate(fitted.value)
  if (result instanceof Promise || result.issues) return { kind: 'unfit', message: `Give the answer as ${label}` }
  return { kind: 'fitted', output: result.value }
}
