import type { ChannelMarks, Dialect, ThoughtMarks } from './dialect.ts'
import { jsonDialects } from './json-dialects.ts'
import { pythonDialects } from './python-dialects.ts'
import { tagDialects } from './tag-dialects.ts'

/** Every way of writing a call that has a marker. Of rows with the same opener, the first is the usual one. */
export const dialects: readonly Dialect[] = [...jsonDialects, ...tagDialects, ...pythonDialects]

/** Marks and words that are seen around the name in any family, where models mix them. */
export const around: readonly string[] = [
  ...['```json', '```', 'function=', '<function>', '</function>', '<name=', '<name>', '</name>', '<tool_name>'],
  ...['</tool_name>', '<parameters>', '<arguments>', '<args>', 'call:', '>'],
]

/** Openers that are words, and count at the start of a line only. */
export const lineDialects: readonly Dialect[] = [
  {
    name: 'functools',
    families: ['Phi-4-mini'],
    open: ['functools'],
    close: [],
    form: 'json',
  },
  {
    name: 'harmony-words',
    families: ['gpt-oss without its tokens'],
    open: ['', 'commentary', 'commentary ', 'assistantcommentary ', 'assistant ', 'analysis '].flatMap((before) => [
      `${before}to=functions.`,
      ` ${before}to=functions.`,
    ]),
    close: ['<|call|>', '<|end|>', '<|return|>'],
    form: 'name-json',
    nameAs: 'NAME json',
    around: ['<|channel|>', 'commentary', 'analysis', 'code', '<|constrain|>', '<|message|>'],
  },
]

export const thoughts: readonly ThoughtMarks[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<thought>', close: '</thought>' },
  { open: '<reasoning>', close: '</reasoning>' },
  { open: '<reflection>', close: '</reflection>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '<mm:think>', close: '</mm:think>' },
  { open: '<longcat_think>', close: '</longcat_think>' },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
  { open: '<|channel>thought', close: '<channel|>' },
  { open: '<|open|>think<|sep|>', close: '<|close|>think<|sep|>' },
]

/** Where results of tools stand: in a reply they were made up, or copied. */
export const inventions: readonly ThoughtMarks[] = [
  { open: '<tool_response>', close: '</tool_response>' },
  { open: '<tool_result>', close: '</tool_result>' },
  { open: '<function_results>', close: '</function_results>' },
  { open: '[TOOL_RESULTS]', close: '[/TOOL_RESULTS]' },
]

/** What models end a turn with: beside a call it is no text. */
export const turnEnds: readonly string[] = [
  ...['<|im_end|>', '<|im_start|>', '<|eom_id|>', '<|eot_id|>', '<|eom|>', '<|eot|>', '<|end_of_text|>', '</s>'],
  ...['<|endoftext|>', '<end_of_turn>', '<turn|>', '<｜end▁of▁sentence｜>', '<|end_of_msg|>', '<|python_end|>'],
]

export const channels: ChannelMarks = {
  name: 'harmony',
  families: ['gpt-oss'],
  open: ['<|channel|>', '<|start|>'],
  message: '<|message|>',
  close: ['<|call|>', '<|end|>', '<|return|>'],
  recipient: ['to=functions.', 'to='],
  thought: ['analysis'],
  answer: ['final'],
}
