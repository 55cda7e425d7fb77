import type { JsonObject } from '../../src/index.ts'

/** One kind of trouble in replies of models, and what becomes of it. */
export interface WildClass {
  /** What goes wrong, and what the reader does. */
  readonly says: string
  /** A small reply of that kind, with the tools `search{query*, limit}`, `write_file{path*, content*}` and `now{}`. */
  readonly example: string
  /** The calls in it: none where there is none to be run. */
  readonly calls: readonly (readonly [name: string, given: JsonObject])[]
}

const tides = [['search', { query: 'tides' }]] as const
const none = [] as const
const call = '{"name": "search", "arguments": {"query": "tides"}}'

/** The kinds of trouble by their names in the collection of real replies, the frequent ones first. */
export const wildClasses: { readonly [name: string]: WildClass } = {
  'dialect-baseline': {
    says: 'a form that a server does not know, because each knows only its own; here every form is a row of one table',
    example: '<|tool_call_start|>[search(query="tides")]<|tool_call_end|>',
    calls: tides,
  },
  'wrong-tag': {
    says: 'a tag is misspelt, closed by another, or names its parameter in the wrong place; it is read when only one meaning is left, and named',
    example: '<tool_call>\n<function=search>\n<parameter>query</parameter>\ntides\n</function>\n</tool_call>',
    calls: tides,
  },
  'well-formed-unusual': {
    says: 'a correct call in a form that is rare; read as it stands',
    example: '<tool_call>search<arg_key>query</arg_key><arg_value>tides</arg_value></tool_call>',
    calls: tides,
  },
  'dialect-drift': {
    says: 'markers of one family around the form of another; the form of the arguments decides, and the mixture is named',
    example: '<invoke name="search">\n<query>tides</query>\n</invoke>',
    calls: tides,
  },
  'negative-plain-answer': {
    says: 'an answer that speaks of tools; no call',
    example: 'I could search for tides, but you have the table already.',
    calls: none,
  },
  'wrong-envelope': {
    says: 'name and arguments under other keys, in lists or wrappings; seen through while one reading is left',
    example: '{"tool_calls": [{"function": {"name": "search", "arguments": "{\\"query\\": \\"tides\\"}"}}]}',
    calls: tides,
  },
  'negative-refused-call': {
    says: 'a call that the model prints and says it will not make; the words before and behind it count',
    example: `${call}\n\nI will not run this without your word.`,
    calls: none,
  },
  'missing-close-tag': {
    says: 'the marker that ends the call is missing; read when the arguments themselves are whole',
    example: `<tool_call>${call}`,
    calls: tides,
  },
  'missing-open-tag': {
    says: 'the marker that begins the call is missing; read for the name of an offered tool',
    example: 'search[ARGS]{"query": "tides"}',
    calls: tides,
  },
  'multiple-json-objects': {
    says: 'several objects side by side; several calls when each is one by itself',
    example: `${call}\n{"name": "now", "arguments": {}}`,
    calls: [...tides, ['now', {}]],
  },
  'nested-as-string': {
    says: 'an object sent as a text; opened where the schema wants the object',
    example: '<tool_call>{"name": "search", "arguments": "{\\"query\\": \\"tides\\"}"}</tool_call>',
    calls: tides,
  },
  'negative-json-data': {
    says: 'JSON that is data and no call; it takes the name of a tool and arguments that the tool knows to be one',
    example: '{"name": "now", "status": "done"}',
    calls: none,
  },
  'negative-doc-example': {
    says: 'documentation of a call; inline code, headings, quotations and the words around it say so',
    example: `For example:\n\n\`\`\`json\n${call}\n\`\`\``,
    calls: none,
  },
  'unquoted-token': {
    says: 'a text without quotes; read when it cannot be an expression',
    example: '<tool_call>{"name": "search", "arguments": {"query": tides}}</tool_call>',
    calls: tides,
  },
  'unterminated-or-mixed-quotes': {
    says: 'a quote is missing or of another kind; read when the rest cannot belong to the text',
    example: '{"name": "search", "arguments": {"query": "tides}}',
    calls: tides,
  },
  'wrong-parameter-name': {
    says: 'a parameter by a near-miss name; renamed when it is kin to exactly one that is missing',
    example: '<tool_call>{"name": "search", "arguments": {"search_query": "tides"}}</tool_call>',
    calls: tides,
  },
  'prose-around': {
    says: 'words around a call without a marker; read unless they go on in its sentence or speak against it',
    example: `Here is the call:\n\n[search(query='tides')]\n`,
    calls: tides,
  },
  'bad-escape': {
    says: 'a backslash that JSON does not know; kept, decoded, or refused where both may be meant',
    example: '<tool_call>{"name": "search", "arguments": {"query": "\\d+ tides"}}</tool_call>',
    calls: [['search', { query: '\\d+ tides' }]],
  },
  'bare-string-arguments': {
    says: 'a text in place of the arguments; the value of the one parameter that is required',
    example: 'Action: search\nAction Input: tides',
    calls: tides,
  },
  'duplicated-json': {
    says: 'the same object written twice in one call; one call',
    example: '[TOOL_CALLS]search[ARGS]{"query": "tides"}{"query": "tides"}',
    calls: tides,
  },
  'markdown-fence': {
    says: 'a call in a fence; read when the fence holds nothing else',
    example: `\`\`\`json\n${call}\n\`\`\``,
    calls: tides,
  },
  'markup-escaping': {
    says: 'signs of markup in an argument; texts in tags come out byte for byte',
    example: '<function=search>\n<parameter=query>\ntides > 2 && "x < y"\n</parameter>\n</function>',
    calls: [['search', { query: 'tides > 2 && "x < y"' }]],
  },
  'missing-brace-or-value': {
    says: 'a bracket, key or value is missing; closed when nothing else was open, never invented',
    example: '<tool_call>{"name": "search", "arguments": {"query": "tides"}</tool_call>',
    calls: tides,
  },
  'python-literal': {
    says: 'a Python dict; read as Python reads it',
    example: "<tool_call>{'name': 'search', 'arguments': {'query': 'tides', 'limit': None}}</tool_call>",
    calls: tides,
  },
  'raw-control-chars': {
    says: 'line breaks in a text that should be escaped; kept',
    example: '<tool_call>{"name": "search", "arguments": {"query": "tides\ntoday"}}</tool_call>',
    calls: [['search', { query: 'tides\ntoday' }]],
  },
  'schema-type': {
    says: 'a number as a text and the like; fitted to the schema where that loses nothing',
    example: '<tool_call>{"name": "search", "arguments": {"query": "tides", "limit": "3"}}</tool_call>',
    calls: [['search', { query: 'tides', limit: 3 }]],
  },
  'smart-punctuation': {
    says: 'typographic quotes in place of plain ones; read as quotes',
    example: '<tool_call>{“name”: “search”, “arguments”: {“query”: “tides”}}</tool_call>',
    calls: tides,
  },
  'special-token-leak': {
    says: 'tokens of the template in the text; dropped beside a call',
    example: `<tool_call>${call}</tool_call><|im_end|>`,
    calls: tides,
  },
  'trailing-garbage': {
    says: 'brackets too many at the end; dropped, and named',
    example: `<tool_call>${call}]}</tool_call>`,
    calls: tides,
  },
  truncated: {
    says: 'the text ends inside a value; refused, whatever the server says about the end',
    example: '<tool_call>{"name": "write_file", "arguments": {"path": "a.md", "content": "# Ti',
    calls: none,
  },
  'unescaped-quotes': {
    says: 'quotes in a text that nobody escaped; a quote ends a text when what follows can follow it',
    example: '<tool_call>{"name": "search", "arguments": {"query": "the word "tide" today"}}</tool_call>',
    calls: [['search', { query: 'the word "tide" today' }]],
  },
  'unknown-tool': {
    says: 'a tool that was not offered; refused with the names of those that were',
    example: '<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>',
    calls: none,
  },
  'call-in-thinking': {
    says: 'a call inside of a thought; a draft, and no call',
    example: `<think>Perhaps ${call}? No.</think>It is noon.`,
    calls: none,
  },
  'double-encoded-arguments': {
    says: 'JSON in a text in JSON; opened',
    example: '<tool_call>"{\\"name\\": \\"search\\", \\"arguments\\": {\\"query\\": \\"tides\\"}}"</tool_call>',
    calls: tides,
  },
  'hallucinated-result': {
    says: 'the model goes on with a result that it made up; nothing behind it counts',
    example:
      'Action: search\nAction Input: {"query": "tides"}\nObservation: high at noon\nAction: now\nAction Input: {}',
    calls: tides,
  },
  'missing-required': {
    says: 'a required value is not there; refused, and never invented',
    example: '<tool_call>{"name": "search", "arguments": {}}</tool_call>',
    calls: none,
  },
  'name-mangled': {
    says: 'the name with a prefix or a number, or without its marker; read when it is that of exactly one offered tool',
    example: '<tool_call>{"name": "functions.search:0", "arguments": {"query": "tides"}}</tool_call>',
    calls: tides,
  },
  'null-or-empty-optional': {
    says: 'null or nothing for a parameter that may be left out; left out',
    example: '<tool_call>{"name": "search", "arguments": {"query": "tides", "limit": ""}}</tool_call>',
    calls: tides,
  },
  unrecoverable: {
    says: 'something from which nobody can tell a call; refused, with words for the model',
    example: '<tool_call>{"query": </tool_call>',
    calls: none,
  },
  'zero-argument-call': {
    says: 'no arguments at all; a call of a tool that needs none',
    example: '<function=now>\n</function>',
    calls: [['now', {}]],
  },
}
