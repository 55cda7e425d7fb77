import type { JsonValue } from '../types.ts'
import { type TypeName, typeOf, typesOf } from './judge.ts'
import { type Alternative, allowedValues } from './schema.ts'
import type { Source } from './source.ts'

/** How a value is looked at. */
export interface Look {
  /** The arguments themselves: unknown keys are parameters, and the forms of whole argument lists are tried. */
  readonly isRoot: boolean
  /** A value may become a list of itself. Not twice at one place. */
  readonly mayBecomeList: boolean
  /** The text the value was read from, for the digits of its numbers. */
  readonly source: Source | undefined
  /** The name under which the value stands. */
  readonly key?: string
}

/** The look at what stands inside. */
export function inside(look: Look, key: string | number): Look {
  const { source } = look
  return {
    isRoot: false,
    // [1, 2] for a list of lists may be one list or two.
    mayBecomeList: typeof key === 'string',
    ...(typeof key === 'string' ? { key } : {}),
    source: source && { written: source.written, path: [...source.path, key] },
  }
}

/** The types that all schemas take together; what `enum` and `const` hold tells them too. */
export function wantedTypes(alternative: Alternative): readonly TypeName[] | undefined {
  let wanted: readonly TypeName[] | undefined
  const only = (types: readonly TypeName[]): void => {
    wanted = wanted
      ? wanted.flatMap((one): TypeName[] => {
          if (types.includes(one)) return [one]
          if (one === 'number' && types.includes('integer')) return ['integer']
          return one === 'integer' && types.includes('number') ? ['integer'] : []
        })
      : types
  }
  for (const schema of alternative) {
    const types = typesOf(schema)
    if (types) only(types)
    const allowed = allowedValues(schema)
    if (allowed) only([...new Set(allowed.map(typeOf))])
  }
  return wanted
}

/** The values that every `enum` and `const` of an alternative allows. */
export function allowedTogether(alternative: Alternative): readonly JsonValue[] | undefined {
  let together: readonly JsonValue[] | undefined
  for (const schema of alternative) {
    const allowed = allowedValues(schema)
    if (allowed) together = together ? together.filter((value) => allowed.includes(value)) : allowed
  }
  return together
}
