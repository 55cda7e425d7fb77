import type { RepairClass } from '../types.ts'

/** One thing about the markers of a call that is not as its dialect has it. */
export interface MarkupRepairRow {
  readonly class: RepairClass
  /** What was done, as a sentence about the text. */
  readonly says: string
  /** A reply that is read so, as a call of `write{path: string*, content: string*}`. */
  readonly example: string
  /** A reply that looks alike, and is refused. */
  readonly twin: string
}

const arguments_ = '{"path": "a.md", "content": "x"}'
const call = `{"name": "write", "arguments": ${arguments_}}`
const path = '<parameter=path>\na.md\n</parameter>'
const content = '<parameter=content>\nx\n</parameter>'

/** Every change that is made to find a call in a reply. */
export const markupRepairs = {
  'end-missing': {
    class: 'lossless',
    says: 'the marker that ends a call is missing, and the arguments say where it ends',
    example: `<tool_call>${call}`,
    twin: `<tool_call>${call.slice(0, -3)}`,
  },
  'end-replaced': {
    class: 'lossless',
    says: 'another marker than its own ends a call',
    example: `<function=write>\n${path}\n${content}\n</invoke>`,
    twin: `<function=write>\n${path}\n${content.slice(0, -4)}</invoke>`,
  },
  'end-littered': {
    class: 'lossless',
    says: 'signs that mean nothing stand between the arguments and the marker that ends a call',
    example: `<tool_call>${call}}</tool_call>`,
    twin: '<tool_call>{"name": "write", "arguments": {"path": "a.md"}}, "content": "x"}</tool_call>',
  },
  'envelope-arrows': {
    class: 'lossless',
    says: 'name and arguments are written with arrows and dashes, as MiniMax does without its tags',
    example: '[TOOL_CALL]\n{tool => "write", args => {\n  --path "a.md"\n  --content "x"\n}}\n[/TOOL_CALL]',
    twin: '[TOOL_CALL]\n{tool => "write", args => {\n  --path "a.md"\n  --content "x\n',
  },
  'form-mixed': {
    class: 'lossless',
    says: 'markers of one family stand around a call in the form of another',
    example: `<tool_call>write${arguments_}</tool_call>`,
    twin: `<tool_call>erase${arguments_}</tool_call>`,
  },
  'arguments-key-missing': {
    class: 'interpretive',
    says: 'the arguments follow the name of the tool, and the key before them is missing',
    example: `{"name": "write": ${arguments_}}`,
    twin: `{"name": "erase": ${arguments_}}`,
  },
  'arguments-positional': {
    class: 'interpretive',
    says: 'arguments of a call as in Python have no names, and are taken in the order of the schema',
    example: "[write('a.md', 'x')]",
    twin: "[write('a.md', 'x', 'y')]",
  },
  'name-adapted': {
    class: 'lossless',
    says: 'the name of the tool is written otherwise than it was offered, and can be that of no other tool',
    example: `<tool_call>{"name": "functions.write", "arguments": ${arguments_}}</tool_call>`,
    twin: `<tool_call>{"name": "functions.erase", "arguments": ${arguments_}}</tool_call>`,
  },
  'tag-doubled': {
    class: 'lossless',
    says: 'a tag is closed twice',
    example: `<function=write>\n${path}\n</parameter>\n${content}\n</function>`,
    twin: `<function=write>\n${path}\n</parameter>\n${path}\n</function>`,
  },
} as const satisfies { readonly [code: string]: MarkupRepairRow }

/** The code of a change that is made to find a call in a reply. */
export type MarkupRepairCode = keyof typeof markupRepairs
