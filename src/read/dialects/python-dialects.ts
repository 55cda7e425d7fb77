import type { Dialect } from './dialect.ts'

/** Calls as in Python, with markers around them. */
export const pythonDialects: readonly Dialect[] = [
  {
    name: 'lfm',
    families: ['LFM2', 'LFM2.5'],
    open: ['<|tool_call_start|>'],
    close: ['<|tool_call_end|>'],
    form: 'python',
  },
  {
    name: 'olmo',
    families: ['OLMo 3'],
    open: ['<function_calls>'],
    close: ['</function_calls>'],
    form: 'python',
  },
  {
    name: 'llama-python',
    families: ['Llama 4', 'Llama 3.1 built-ins'],
    open: ['<|python_start|>', '<|python_tag|>'],
    close: ['<|python_end|>', '<|eom_id|>', '<|eom|>', '<|eot_id|>', '<|eot|>'],
    form: 'python',
  },
  {
    name: 'tool-code',
    families: ['Gemma 3', 'Gemini'],
    open: ['```tool_code\n', '```tool_call\n', '```tool_calls\n'],
    close: ['\n```'],
    form: 'python',
  },
]
