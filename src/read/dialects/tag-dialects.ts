import type { Brackets, Dialect, PairMarks } from './dialect.ts'

const minimax = ']<]minimax[>['
/** Namespaces that families put before the names of their tags. */
export const prefixes = [
  '',
  'antml:',
  'minimax:',
  'steptml:',
  'atem:',
  '｜DSML｜',
  '｜｜DSML｜｜',
  '｜DSML｜ ',
  '｜GCML｜',
]
/** Tags around a parameter. */
export const parameterTags: readonly string[] = [...prefixes.map((prefix) => `${prefix}parameter`), 'param', 'argument']
export const brackets: readonly Brackets[] = [
  { open: `${minimax}<`, end: '>', close: `${minimax}</`, takesAny: true },
  { open: '<|open|>', end: '<|sep|>', close: '<|close|>' },
  { open: '<', end: '>', close: '</' },
]
export const pairs: readonly PairMarks[] = [
  { open: '<arg_key>', keyEnd: '</arg_key>', value: '<arg_value>', close: '</arg_value>' },
  {
    open: '<longcat_arg_key>',
    keyEnd: '</longcat_arg_key>',
    value: '<longcat_arg_value>',
    close: '</longcat_arg_value>',
  },
  { open: '<|tool_arg:start|>', keyEnd: '', value: '<|tool_arg:value|>', close: '<|tool_arg:end|>' },
  { open: 'BEGIN_ARG:', keyEnd: '', value: '\n', close: '\nEND_ARG' },
]

interface InvokeRow {
  readonly name: string
  readonly families: readonly string[]
  readonly prefix: string
  readonly section: Dialect['section']
  readonly attributes?: string
}

/** One of the families that write `<invoke name="…">`, each with its prefix. */
const invoke = ({ name, families, prefix, section, attributes = '' }: InvokeRow): Dialect => ({
  name,
  families,
  open: [`<${prefix}invoke name="`, `<${prefix}tool invoke="`],
  openEnd: '>',
  close: [`</${prefix}invoke>`, `</${prefix}tool>`],
  form: 'tags',
  parameter: `<${prefix}parameter name="KEY"${attributes}>VALUE</${prefix}parameter>\n`,
  ...(section ? { section } : {}),
})

const around = (name: string): readonly [string, string] => [`<${name}>`, `</${name}>`]

/** Calls with a tag for each parameter. */
export const tagDialects: readonly Dialect[] = [
  {
    name: 'qwen-coder',
    families: ['Qwen3-Coder', 'Qwen 3.5', 'Step-3.5', 'Nemotron 3', 'Seed-OSS', 'MiMo'],
    open: ['<function='],
    openEnd: '>',
    close: ['</function>'],
    form: 'tags',
    parameter: '<parameter=KEY>\nVALUE\n</parameter>\n',
    section: [around('tool_call'), around('seed:tool_call')],
  },
  invoke({
    name: 'invoke',
    families: ['Claude', 'MiniMax M2', 'dots'],
    prefix: '',
    section: [
      around('function_calls'),
      around('minimax:tool_call'),
      around('tool_calls'),
      around('dots_function_call'),
    ],
  }),
  invoke({ name: 'invoke-antml', families: ['Claude'], prefix: 'antml:', section: [around('antml:function_calls')] }),
  invoke({
    name: 'invoke-minimax',
    families: ['MiniMax M2 with its prefix'],
    prefix: 'minimax:',
    section: [around('minimax:tool_call')],
  }),
  invoke({
    name: 'step',
    families: ['Step-3'],
    prefix: 'steptml:',
    section: [
      ['<｜tool_call_begin｜>', '<｜tool_call_end｜>'],
      ['<｜tool_calls_begin｜>', '<｜tool_calls_end｜>'],
      ['<｜tool_sep｜>', '<｜tool_sep｜>'],
    ],
  }),
  invoke({ name: 'muse', families: ['Muse Glimmer'], prefix: 'atem:', section: [around('atem:function_calls')] }),
  ...['｜DSML｜', '｜｜DSML｜｜', '｜DSML｜ ', '｜GCML｜'].map((prefix, index) =>
    invoke({
      name: ['dsml', 'dsml-doubled', 'dsml-spaced', 'gcml'][index] ?? '',
      families: [['DeepSeek V3.2', 'DeepSeek V4'], ['DeepSeek V4'], ['DeepSeek V4.1'], ['GigaChat 3.5']][index] ?? [],
      prefix,
      section: ['function_calls', 'tool_calls', 'calls'].map((name) => around(`${prefix}${name}`)),
      attributes: ' string="IS_TEXT"',
    }),
  ),
  {
    name: 'minicpm',
    families: ['MiniCPM5'],
    open: ['<function name="', "<function name='", '<tool name="', '<tool_call name="', '<call name="'],
    openEnd: '>',
    close: ['</function>', '</tool>', '</tool_call>', '</call>'],
    form: 'tags',
    parameter: '<param name="KEY">VALUE</param>',
  },
  {
    name: 'function-tag',
    families: ['DeepSeek V4 adrift', 'Qwen3-Coder adrift'],
    open: ['<function>'],
    close: ['</function>'],
    form: 'tags',
    nameAs: '<name>NAME</name>',
    parameter: '<parameter name="KEY">VALUE</parameter>\n',
  },
  {
    name: 'glm',
    families: ['GLM 4.5', 'GLM 4.7', 'GLM 5', 'Hunyuan Hy3', 'Hunyuan Hy4', 'Laguna', 'Ling 3'],
    open: ['<tool_call>'],
    close: ['</tool_call>'],
    form: 'tags',
    around: ['<tool_sep>'],
    parameter: '<arg_key>KEY</arg_key>\n<arg_value>VALUE</arg_value>\n',
    section: [around('tool_calls')],
  },
  {
    name: 'hunyuan',
    families: ['Hunyuan Hy3, with the name of its checkpoint'],
    open: ['<tool_call:opensource>'],
    close: ['</tool_call:opensource>'],
    form: 'tags',
    nameEnd: '<tool_sep>',
    parameter: '<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>',
    section: [around('tool_calls')],
  },
  {
    name: 'longcat-pairs',
    families: ['LongCat Flash-Thinking-2601'],
    open: ['<longcat_tool_call>'],
    close: ['</longcat_tool_call>'],
    form: 'tags',
    parameter: '<longcat_arg_key>KEY</longcat_arg_key><longcat_arg_value>VALUE</longcat_arg_value>',
  },
  {
    name: 'solar',
    families: ['Solar Open2'],
    open: ['<|tool_call:start|>'],
    close: ['<|tool_call:end|>'],
    form: 'tags',
    parameter: '\n<|tool_arg:start|>KEY<|tool_arg:value|>VALUE<|tool_arg:end|>',
  },
  {
    name: 'continue',
    families: ['Continue'],
    open: ['```tool\nTOOL_NAME: '],
    close: ['```'],
    form: 'tags',
    parameter: '\nBEGIN_ARG: KEY\nVALUE\nEND_ARG\n',
  },
  {
    name: 'kimi-k3',
    families: ['Kimi K3'],
    open: ['<|open|>call tool="'],
    openEnd: '<|sep|>',
    close: ['<|close|>call<|sep|>', '<|close|>json<|sep|><|close|>call<|sep|>'],
    form: 'tags',
    around: ['<|open|>json type="object"<|sep|>'],
    parameter: '<|open|>argument key="KEY" type="TYPE"<|sep|>VALUE<|close|>argument<|sep|>',
    section: [
      ['<|open|>tools<|sep|>', '<|close|>tools<|sep|>'],
      ['<|open|>response<|sep|>', '<|close|>response<|sep|>'],
      ['<|open|>message<|sep|>', '<|close|>message<|sep|>'],
    ],
  },
  {
    name: 'minimax-m3',
    families: ['MiniMax M3'],
    open: [`${minimax}<invoke name="`],
    openEnd: '>',
    close: [`${minimax}</invoke>`],
    form: 'tags',
    parameter: `${minimax}<KEY>VALUE${minimax}</KEY>`,
    section: [[`${minimax}<tool_call>`, `${minimax}</tool_call>`]],
  },
]
