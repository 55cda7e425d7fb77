/** One kind of reason to refuse a call that was found in a reply. */
export interface ReadProblemRow {
  /** What to do, then what is wrong. `{name}`, `{names}` and `{detail}` are filled in. */
  readonly message: string
  /** A reply that is refused so, for the tool `search{query: string*}`; none where it takes more than a reply. */
  readonly example: string
}

/** Every reason for which a reading refuses a call, besides those of its text and arguments. */
export const readProblems = {
  'tool-unknown': {
    message: 'Call one of {names}: there is no tool {name}.',
    example: '<tool_call>{"name": "look_up", "arguments": {"query": "tides"}}</tool_call>',
  },
  'name-missing': {
    message: 'Send the call again with the name of a tool and its arguments; the tools are {names}.',
    example: '<tool_call>{"query": "tides"}</tool_call>',
  },
  'parameter-misplaced': {
    message: 'Send {name} again with {detail} inside of the arguments: it stands beside them.',
    example: '<tool_call>{"name": "search", "arguments": {}, "query": "tides"}</tool_call>',
  },
  'arguments-go-on': {
    message: 'Send the call again as one object: its arguments go on behind their last bracket.',
    example: '<tool_call>{"name": "search", "arguments": {"query": "tides"}}, "limit": 3}</tool_call>',
  },
  'value-not-literal': {
    message:
      'Send each argument of {name} as a plain value: {detail} has a name or an expression in it, and nothing here works it out.',
    example: '[search(query=topic)]',
  },
  echoed: {
    message: 'Write the call in your own words if you mean it: it stands word for word in a text that you were given.',
    example: '',
  },
  'told-otherwise': {
    message: 'Send the call again as valid JSON: it came out otherwise than its start was read while it came.',
    example: '',
  },
  'too-many-calls': {
    message: 'Send fewer calls in one reply: {detail} are as many as are read.',
    example: '',
  },
} as const satisfies { readonly [code: string]: ReadProblemRow }

/** The code of a reason for which a reading refuses a call. */
export type ReadProblemCode = keyof typeof readProblems

/** Makes a problem out of its row. */
export function readProblem(
  code: ReadProblemCode,
  names: readonly string[],
  filled: { readonly name?: string; readonly detail?: string } = {},
): { readonly code: ReadProblemCode; readonly message: string } {
  const message = readProblems[code].message
    .replace('{names}', () => (names.length > 12 ? `${names.slice(0, 12).join(', ')}, …` : names.join(', ')))
    .replace('{name}', () => JSON.stringify(filled.name ?? ''))
    .replace('{detail}', () => filled.detail ?? '')
  return { code, message }
}
