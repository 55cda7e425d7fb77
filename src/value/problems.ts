import type { Problem, Span } from '../types.ts'
import { describePlace } from './places.ts'

/** One kind of reason to refuse a text. */
export interface ValueProblemRow {
  /** What to do, then what is wrong. `{place}` and `{detail}` are filled in. */
  readonly message: string
  readonly example: string
}

/** Every reason for which `readValue` refuses, in the order in which the docs list them. */
export const valueProblems = {
  truncated: {
    message: 'Send the whole value again, or raise the output limit: the text ends {detail} ({place}).',
    example: '{"path": "a.py", "content": "print(',
  },
  'no-value': {
    message: 'Send one JSON value: the text holds no value.',
    example: 'I could not find the file.',
  },
  'several-values': {
    message: 'Send one value: the text holds {detail} that are not all the same (another at {place}).',
    example: '{"x": 3}{"x": 4}',
  },
  unreadable: {
    message: 'Send valid JSON: at {place} {detail}.',
    example: '{"end": 2 * math.pi}',
  },
  ambiguous: {
    message: 'Send valid JSON: at {place} {detail}, and both readings are plausible.',
    example: '{"text": "he said "yes"}',
  },
  'value-missing': {
    message: 'Give the key a value or leave it out: {detail} has none ({place}).',
    example: '{"path": "a.py", "mode"}',
  },
  'key-repeated': {
    message: 'Write each key once: {detail} stands there with different values ({place}).',
    example: '{a: 1, a: 2}',
  },
  'key-unusable': {
    message: 'Use text for keys: a tuple cannot be one in JSON ({place}).',
    example: "{(1, 2): 'a'}",
  },
  'number-not-finite': {
    message: 'Send a finite number or leave the key out: JSON has no NaN and no infinity ({place}).',
    example: '{"limit": NaN}',
  },
  'python-bytes': {
    message: 'Send text: JSON has no bytes ({place}).',
    example: "{'data': b'abc'}",
  },
  'python-complex': {
    message: 'Send a real number: JSON has no complex ones ({place}).',
    example: "{'z': 1+2j}",
  },
  'python-ellipsis': {
    message: 'Write the value out: `...` stands for nothing in JSON ({place}).',
    example: "{'rows': [1, ...]}",
  },
  'name-escape': {
    message: 'Write the character itself or its \\u escape: names of characters are not looked up ({place}).',
    example: "{'mark': '\\N{BULLET}'}",
  },
  'too-large': {
    message: 'Send less: the text has {detail}.',
    example: '',
  },
  'too-deep': {
    message: 'Nest less: objects and lists go deeper than {detail} levels.',
    example: '',
  },
  'repair-denied': {
    message: 'Send valid JSON: the text needs the repair {detail}, which is switched off here ({place}).',
    example: '',
  },
  'repair-asks': {
    message: 'Send valid JSON, or wait for approval: the text needs the repair {detail} ({place}).',
    example: '',
  },
} as const satisfies { readonly [code: string]: ValueProblemRow }

/** The code of a reason for which `readValue` refuses. */
export type ValueProblemCode = keyof typeof valueProblems

/** A text full of the same fault is told so often, and no more. */
export const MOST_PROBLEMS = 16

/** Makes a problem out of its row, the text and the place. */
export function problem(code: ValueProblemCode, text: string, span: Span, detail = ''): Problem<ValueProblemCode> {
  const place = code === 'truncated' ? span[1] : span[0]
  const message = valueProblems[code].message
    .replace('{place}', () => describePlace(text, place))
    .replace('{detail}', () => detail)
  return { code, span, message }
}
