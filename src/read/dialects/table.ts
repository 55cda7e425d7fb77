import type { ChannelMarks, Dialect, ThoughtMarks } from './dialect.ts'

/** Namespaces that families put before the names of their tags. */
const prefixes = ['', 'antml:', 'minimax:', 'steptml:', 'atem:', '｜DSML｜']
const prefixed = (before: string, name: string): string[] => prefixes.map((prefix) => `${before}${prefix}${name}`)

/** Every way of writing a call that has a marker. */
export const dialects: readonly Dialect[] = [
  {
    name: 'hermes',
    families: ['Hermes', 'Qwen 2.5', 'Qwen 3', 'Ernie 4.5', 'Granite 4'],
    open: ['<tool_call>'],
    close: ['</tool_call>'],
    body: 'json',
  },
  {
    name: 'qwen-coder',
    families: ['Qwen3-Coder', 'Qwen 3.5', 'Step-3.5', 'Nemotron 3', 'Seed-OSS', 'Llama 3 on Groq'],
    open: ['<function='],
    close: ['</function>'],
    body: 'name-tags',
    nameEnd: ['>', '='],
    parameter: ['parameter'],
    section: ['<tool_call>', '</tool_call>', '<seed:tool_call>', '</seed:tool_call>'],
  },
  {
    name: 'invoke',
    families: ['Claude', 'MiniMax M2', 'Step-3', 'DeepSeek V3.2', 'DeepSeek V4', 'Muse Glimmer'],
    open: prefixed('<', 'invoke name="'),
    close: prefixed('</', 'invoke>'),
    body: 'name-tags',
    nameEnd: ['">'],
    parameter: prefixes.map((prefix) => `${prefix}parameter`),
    section: [
      ...prefixed('<', 'function_calls>'),
      ...prefixed('</', 'function_calls>'),
      ...prefixed('<', 'tool_calls>'),
      ...prefixed('</', 'tool_calls>'),
      '<minimax:tool_call>',
      '</minimax:tool_call>',
    ],
  },
  {
    name: 'mistral',
    families: ['Mistral', 'Devstral', 'Magistral'],
    open: ['[TOOL_CALLS]'],
    close: [],
    body: 'name-json',
    nameEnd: ['[ARGS]'],
  },
  {
    name: 'deepseek',
    families: ['DeepSeek V3', 'DeepSeek R1', 'DeepSeek V3.1'],
    open: ['<｜tool▁call▁begin｜>'],
    close: ['<｜tool▁call▁end｜>'],
    body: 'name-json',
    nameEnd: ['<｜tool▁sep｜>', '```json'],
    section: ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
  },
]

export const thoughts: readonly ThoughtMarks[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '[THINK]', close: '[/THINK]' },
]

/** Where results of tools stand: in a reply they were made up, or copied. */
export const inventions: readonly ThoughtMarks[] = [
  { open: '<tool_response>', close: '</tool_response>' },
  { open: '<tool_result>', close: '</tool_result>' },
  { open: '<function_results>', close: '</function_results>' },
  { open: '[TOOL_RESULTS]', close: '[/TOOL_RESULTS]' },
]

export const channels: ChannelMarks = {
  name: 'harmony',
  families: ['gpt-oss'],
  open: ['<|channel|>', '<|start|>'],
  openLine: ['to=functions.', ' to=functions.'],
  message: '<|message|>',
  close: ['<|call|>', '<|end|>', '<|return|>'],
  recipient: ['to=functions.', 'to='],
  thought: ['analysis'],
  answer: ['final'],
}
