import { Literals, mayBecome } from '../literals.ts'
import type { Body, UnitEnd, UnitText } from './body.ts'
import { goesOn } from './json-body.ts'
import { JsonScan } from './json-scan.ts'
import { skip } from './space.ts'

/** The labels of ReAct, which stand at the start of a line. */
export type Label = 'thought' | 'action' | 'input' | 'observation' | 'answer'

const spellings: { readonly [label in Label]: readonly string[] } = {
  thought: ['Thought:'],
  action: ['Action:'],
  input: ['Action Input:'],
  observation: ['Observation:'],
  answer: ['Final Answer:'],
}

export const labels = new Literals<Label>(
  Object.entries(spellings).flatMap(([label, texts]) =>
    texts.flatMap((text) =>
      [text, `**${text}**`, `**${text.slice(0, -1)}**:`].map((spelled) => ({ text: spelled, means: label as Label })),
    ),
  ),
)

/** So long may the line be that opens a fence. */
const LONGEST_FENCE = 100

/** An object as lines: `tool: search`. */
const keyLine = /^(?:tool|name|action|function|tool_name)\s*:/
const LONGEST_KEY = 20

/**
 * What stands behind `Action:`: a name on the line and its `Action Input:`, or an object with both, as
 * JSON or as lines. Ends with the JSON,
 * or, where the input is plain text, before the next label.
 */
export class ActionBody implements Body {
  readonly isForward = false
  settled: number
  private readonly lineFrom: number
  private inputFrom = -1
  private nameTo = -1
  private scan: JsonScan | undefined
  private form: 'json' | 'name-json' = 'name-json'
  private inName = false
  private isPlain = false

  constructor(from: number) {
    this.lineFrom = this.settled = from
  }

  read(text: UnitText): UnitEnd | undefined {
    for (;;) {
      const result = this.scan ? this.readJson(text) : this.isPlain ? this.readPlain(text) : this.readHead(text)
      if (result !== 'on') return result
    }
  }

  /** Up to the input: the name, the label of the input, fences and space. */
  private readHead(text: UnitText): UnitEnd | undefined | 'on' {
    const { window, offset, isEnd } = text
    if (this.inName) return this.readName(text)
    const index = skip(window, this.settled - offset)
    this.settled = offset + index
    if (index >= window.length) return isEnd ? this.ended(text, index, false) : undefined
    if (this.nameTo >= 0 && this.inputFrom < 0) return this.readLabel(text, index)
    if (window.startsWith('```', index) || (!isEnd && '```'.startsWith(window.slice(index)))) {
      const line = window.slice(index, index + LONGEST_FENCE).indexOf('\n')
      if (line >= 0) this.settled = offset + index + line + 1
      if (line >= 0) return 'on'
      if (window.length - index < LONGEST_FENCE) return isEnd ? this.ended(text, window.length, false) : undefined
    }
    const isUnnamed = this.nameTo < 0
    if (window.charAt(index) === '{' || window.charAt(index) === '[') {
      this.form = isUnnamed ? 'json' : 'name-json'
      this.inputFrom = this.settled = offset + index
      this.scan = new JsonScan()
      return 'on'
    }
    const start = isUnnamed ? window.slice(index, index + LONGEST_KEY) : ''
    if (!isEnd && start.length < LONGEST_KEY && /^[a-z_]+\s*$/.test(start)) return undefined
    const isLines = keyLine.test(start)
    this.inName = isUnnamed && !isLines
    if (this.inName) return 'on'
    if (isLines) this.form = 'json'
    this.inputFrom = this.settled = offset + index
    this.isPlain = true
    return 'on'
  }

  private readName({ window, offset, isEnd }: UnitText): undefined | 'on' {
    const line = window.indexOf('\n', this.settled - offset)
    this.settled = offset + (line < 0 ? window.length : line)
    if (line < 0 && !isEnd) return undefined
    this.nameTo = this.settled
    this.inName = false
    return 'on'
  }

  private readLabel(text: UnitText, index: number): UnitEnd | undefined | 'on' {
    const { window, offset, isEnd } = text
    const label = labels.at(window, index, isEnd)
    if (label === 'more') return undefined
    // Half of the label of the input: the rest of it did not come.
    const isCut = isEnd && !label && mayBecome(window, index, [...spellings.input, '**Action Input'])
    if (label?.means !== 'input') return { ...this.ended(text, this.nameTo - offset, !isCut), isCut }
    this.inputFrom = this.settled = offset + index + label.text.length
    return 'on'
  }

  private readJson(text: UnitText): UnitEnd | undefined {
    const { window, offset, isEnd } = text
    const { scan } = this
    if (!scan) return undefined
    this.settled = offset + scan.read(window, this.settled - offset)
    if (!scan.isDone) return isEnd ? this.ended(text, this.settled - offset, false) : undefined
    const onward = goesOn(window.slice(this.settled - offset, this.settled - offset + LONGEST_FENCE), isEnd)
    if (onward === 'more') return undefined
    return { ...this.ended(text, this.settled - offset, true), isBroken: onward }
  }

  /** Plain text, up to a label at the start of a line. */
  private readPlain(text: UnitText): UnitEnd | undefined {
    const { window, offset, isEnd } = text
    for (;;) {
      const line = window.indexOf('\n', this.settled - offset)
      this.settled = offset + (line < 0 ? window.length : line)
      if (line < 0) return isEnd ? this.ended(text, window.length, false) : undefined
      if (line + 1 >= window.length && !isEnd) return undefined
      const label = labels.at(window, line + 1, isEnd)
      if (label === 'more') return undefined
      if (label) return this.ended(text, line, true)
      this.settled++
    }
  }

  private ended(text: UnitText, index: number, isClosed: boolean): UnitEnd {
    const end = text.offset + index
    const name =
      this.nameTo < 0
        ? ''
        : text
            .slice(this.lineFrom, this.nameTo)
            .trim()
            .replace(/^["'`*]+|["'`*]+$/g, '')
    const from = this.inputFrom < 0 ? end : this.inputFrom
    return { end, name, from, to: end, form: this.form, isClosed }
  }
}
