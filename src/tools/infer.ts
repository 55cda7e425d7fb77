import type { JsonObject, JsonValue } from '../types.ts'

/** What a tool's `run` is given: the output of its Standard Schema, or what its JSON Schema describes. */
export type InputOf<Schema> = Schema extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined }
}
  ? Output
  : Schema extends { readonly properties: object }
    ? ObjectOf<Schema>
    : JsonObject

/** The type that a JSON Schema describes, as far as it is a literal that the compiler sees. */
export type ValueOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: 'string' }
      ? string
      : Schema extends { readonly type: 'number' | 'integer' }
        ? number
        : Schema extends { readonly type: 'boolean' }
          ? boolean
          : Schema extends { readonly type: 'null' }
            ? null
            : Schema extends { readonly type: 'array'; readonly items: infer Items }
              ? ValueOf<Items>[]
              : Schema extends { readonly properties: object }
                ? ObjectOf<Schema>
                : Schema extends { readonly type: 'object' }
                  ? JsonObject
                  : JsonValue

type RequiredKeys<Schema> = Schema extends { readonly required: readonly (infer Key)[] } ? Key : never

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? { [Key in keyof Properties as Key extends RequiredKeys<Schema> ? Key : never]: ValueOf<Properties[Key]> } & {
      [Key in keyof Properties as Key extends RequiredKeys<Schema> ? never : Key]?: ValueOf<Properties[Key]>
    }
  : JsonObject
