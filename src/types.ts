/**
 * The contract: what goes in, what comes out, and the words for both.
 * Everything else in this project is built on these types, so they change rarely and with a reason.
 */

/** What JSON can hold. Every value that comes out of a reading is one of these. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

/** A JSON object. `__proto__` and its kin are plain keys of it. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** A JSON Schema, draft 7 or 2020-12. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

/** Where in the text: `text.slice(...span)` is what stood there. Offsets count UTF-16 units, as strings do. */
export type Span = readonly [start: number, end: number]

/** Where in the value: `['rows', 0, 'id']`. The empty path is the value itself. */
export type Path = readonly (string | number)[]

/**
 * A change that was made. No repair, no change: what is not listed was read as it was written.
 *
 * `before` is what was written, `after` what it was read as; both are as short as shows the change.
 */
export interface Repair<Code extends string = string> {
  readonly code: Code
  readonly path?: Path
  readonly span?: Span
  readonly before?: unknown
  readonly after?: unknown
}

/** A reason not to run. The message says what to do, then what happened and where. */
export interface Problem<Code extends string = string> {
  readonly code: Code
  readonly path?: Path
  readonly span?: Span
  readonly message: string
}

/**
 * How a repair came to its result. A cheaper class always wins over a dearer one:
 *
 * - `lossless`: the text or value can mean nothing else
 * - `renamed`: a near-miss key stands for the missing one
 * - `interpretive`: the usual meaning was taken, and a near-twin of the text is refused
 */
export type RepairClass = 'lossless' | 'renamed' | 'interpretive'

/** What a policy says of one repair code: make it, refuse what needs it, or wait for somebody's yes. */
export type Verdict = 'allow' | 'deny' | 'ask'

/** Verdicts by repair code. `'*'` stands for every code not named; what nothing names is allowed. */
export type Policy = { readonly [code: string]: Verdict }

/** Why the model stopped, as far as anybody knows. Only `length` is believed; a cut is seen in the text itself. */
export type Finish = 'stop' | 'length' | 'unknown'

/** Sizes beyond which a text is refused with a problem. */
export interface Limits {
  /** Characters of one text. Default 16,777,216. */
  readonly size?: number
  /** Nesting of objects and lists. Default 512, which is also the most. */
  readonly depth?: number
  /** Calls in one reply. Default 256. */
  readonly calls?: number
}

/** What `readValue` made of a text. The value may be used when `problems` is empty. */
export interface ValueReading {
  /** The value; what there is of it, for display, when the text was cut; `undefined` when there is none. */
  readonly value: JsonValue | undefined
  readonly repairs: readonly Repair[]
  readonly problems: readonly Problem[]
  /** Whether the text held all of the value. */
  readonly complete: boolean
  /** The values in their order, when the text held several different ones. */
  readonly values?: readonly PlacedValue[]
}

/** A value, and where in the text it stands. */
export interface PlacedValue {
  readonly value: JsonValue
  readonly span: Span
}

/** What a schema has against a value, and where. */
export interface Objection {
  readonly path: Path
  /** What is wrong, in words that may follow the value. */
  readonly message: string
}

/** Judges values by schemas. The main entry brings one; the core works without, by its own lights. */
export interface Validator {
  /** What the schema has against the value: nothing when it is valid. Throws `SchemaError` for a schema it cannot use. */
  check(value: JsonValue, schema: JsonSchema): readonly Objection[]
  /** Whether a text matches a pattern, in time that grows with the text alone; `undefined` where that cannot be done. */
  matches(pattern: string, text: string): boolean | undefined
  /** Whether a text is of a format such as `date-time`; `undefined` for a format that it does not know. */
  isOfFormat?(format: string, text: string): boolean | undefined
}

/** What to do with a parameter that the tool does not have: leave it out and say so, leave it in, refuse the call. */
export type UnknownParameters = 'ignore' | 'keep' | 'refuse'

/** How `fit` goes about it. */
export interface FitOptions {
  /** The tool's name, for the messages. */
  readonly name?: string
  readonly validator?: Validator
  /** Default `ignore`. A parameter that the schema forbids is never kept. */
  readonly unknown?: UnknownParameters
  /** Verdicts by repair code: a value that needs a denied repair is refused. */
  readonly policy?: Policy
  /** Repairs nothing. */
  readonly strict?: boolean
  readonly limits?: Limits
}

/** What `fit` made of a value. It may be used when `problems` is empty; else it is for display. */
export interface Fitted {
  readonly value: JsonValue
  readonly repairs: readonly Repair[]
  /** Why not, in words for the model: joined by line breaks they are one message, remedy first. */
  readonly problems: readonly Problem[]
}

/** A schema of zod, Valibot, ArkType or another library that speaks Standard Schema and can give its JSON Schema. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => { readonly [keyword: string]: unknown }
    }
  }
}

/** What a Standard Schema says of a value. */
export interface StandardResult {
  readonly value?: unknown
  readonly issues?: readonly StandardIssue[] | undefined
}

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** What a model may call, in our own form. */
export interface Tool {
  readonly name: string
  readonly description?: string
  /** A JSON Schema, or a schema of a library that can give one; that library then judges the arguments. */
  readonly input: JsonSchema | StandardSchema
  /** Verdicts for this tool alone; they win over those of the reading. */
  readonly policy?: Policy
}

/** A tool as the Chat Completions API takes it. */
export interface OpenAITool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: JsonSchema }
}

/** A tool with its schema under `parameters`: the Responses API and many others. */
export interface ParametersTool {
  readonly name: string
  readonly description?: string
  readonly parameters?: JsonSchema
}

/** A tool as Anthropic's API takes it. */
export interface AnthropicTool {
  readonly name: string
  readonly description?: string
  readonly input_schema: JsonSchema
}

/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: JsonSchema
}

/** One tool, in any form that people already have. */
export type ToolLike = Tool | OpenAITool | ParametersTool | AnthropicTool | McpTool

/** The arguments of a tool's calls: typed by its schema where that has types, as zod's do. */
export type ArgumentsOf<Offered> = Offered extends {
  readonly input: { readonly '~standard': { readonly types?: { readonly input: infer Input } | undefined } }
}
  ? Input
  : JsonObject

/** The tools that were offered to the model: a list, or a record by name as the AI SDK keeps it. */
export type Tools = readonly ToolLike[] | { readonly [name: string]: Omit<McpTool, 'name'> | Omit<Tool, 'name'> }

/** A call that was read. In `Reading.calls` its `problems` are empty, and it may run. */
export interface Call<Arguments = JsonObject> {
  /** The offered tool's own name, whatever spelling the model used. */
  readonly name: string
  readonly arguments: Arguments
  readonly repairs: readonly Repair[]
  readonly problems: readonly Problem[]
  /** The row of the dialect table that found it. */
  readonly dialect: string
  readonly span: Span
  /** The text of the call, as it was written. */
  readonly raw: string
}

/** A call that must not run. `problems` says why, in words for the model. */
export interface RefusedCall extends Omit<Call, 'name' | 'arguments'> {
  /** The name as far as it could be read. */
  readonly name?: string
  /** The arguments as far as they could be read, for display only. */
  readonly arguments?: JsonValue
}

/** A piece of the text. The `raw` of all parts, joined, is the input. */
export interface Part {
  readonly kind: 'text' | 'thought' | 'call' | 'refused' | 'markup'
  readonly raw: string
  readonly span: Span
}

/** What came out of a text. */
export interface Reading<ReadCall extends Call<unknown> = Call> {
  /** The calls that may run, in their order. */
  readonly calls: readonly ReadCall[]
  readonly refused: readonly RefusedCall[]
  /** What a person should see: the text without calls, thought and markup. */
  readonly text: string
  /** The final answer, where the model marked one. */
  readonly answer?: string
  readonly thought?: string
  readonly parts: readonly Part[]
  /** Whether the text ended where a reply may end. */
  readonly complete: boolean
}

/** What a reader says while the text comes in. What was said is never taken back. */
export type ReadEvent<ReadCall extends Call<unknown> = Call> =
  | { readonly kind: 'text-delta'; readonly text: string }
  | { readonly kind: 'thought-delta'; readonly text: string }
  | { readonly kind: 'call-start'; readonly index: number; readonly name: string; readonly dialect: string }
  | { readonly kind: 'arguments-delta'; readonly index: number; readonly delta: string }
  | { readonly kind: 'call-end'; readonly index: number; readonly call: ReadCall }
  | { readonly kind: 'call-refused'; readonly index: number; readonly call: RefusedCall }
  | { readonly kind: 'answer'; readonly text: string }
