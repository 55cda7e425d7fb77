import type { JsonObject, JsonValue, Path, Problem, Span } from '../types.ts'
import { isSame, setKey } from './objects.ts'
import { problem, type ValueProblemCode } from './problems.ts'
import { MOST_STEPS, type ValueRepair, type ValueRepairCode } from './repairs.ts'
import type { Scan } from './scan.ts'

/** What a tolerant reading came to. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: JsonValue; readonly end: number }
  | { readonly kind: 'cut'; readonly value: JsonValue; readonly problem: Problem }
  | { readonly kind: 'refused'; readonly problem: Problem; readonly at: number }

/** Ends a reading from inside: thrown by `Building`, caught by whoever drives it. */
export class Stop extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super()
    this.outcome = outcome
  }
}

/** An object or list that is open. */
export interface Frame {
  readonly isObject: boolean
  readonly start: number
  readonly items: JsonValue[]
  readonly object: JsonObject
  key: string | undefined
  keyStart: number
  keyEnd: number
  /** Where the comma stands behind which nothing came yet, else -1. */
  comma: number
  /** How many braces too many opened it. */
  doubled: number
  /** The key was written without quotes. */
  hasBareKey: boolean
  /** How many values were put in. */
  count: number
}

/** In place of what a frame does not have, so that none is made in vain. */
const NO_ITEMS: JsonValue[] = []
const NO_OBJECT: JsonObject = {}

/** A value that is being built: the brackets that are open, what was changed, and the ways in which it can end. */
export class Building {
  readonly scan: Scan
  readonly deepest: number
  readonly repairs: ValueRepair[] = []
  readonly frames: Frame[] = []
  frame: Frame | undefined
  index = 0
  root: JsonValue = null
  /** How many values were put into something: none means that the text may be no value at all. */
  members = 0
  /** How many steps the paths of the repairs have, all together. */
  private steps = 0

  constructor(scan: Scan, deepest: number) {
    this.scan = scan
    this.deepest = deepest
  }

  push(isObject: boolean): void {
    const { index } = this
    if (this.frames.length >= this.deepest) this.refuse('too-deep', [index, index + 1], String(this.deepest))
    this.frame = {
      isObject,
      start: index,
      items: isObject ? NO_ITEMS : [],
      object: isObject ? {} : NO_OBJECT,
      key: undefined,
      keyStart: index,
      keyEnd: index,
      comma: -1,
      doubled: 0,
      hasBareKey: false,
      count: 0,
    }
    this.frames.push(this.frame)
  }

  /** Closes what is open and puts it into what it stands in. */
  pop(): Frame {
    const frame = this.frames.pop() as Frame
    this.frame = this.frames[this.frames.length - 1]
    this.put(frame.isObject ? frame.object : frame.items)
    return frame
  }

  put(value: JsonValue): void {
    const { frame } = this
    if (!frame) {
      this.root = value
      return
    }
    frame.comma = -1
    frame.count++
    this.members++
    if (!frame.isObject) frame.items.push(value)
    else {
      const key = frame.key as string
      if (Object.hasOwn(frame.object, key) && !isSame(frame.object[key] as JsonValue, value)) {
        this.refuse('key-repeated', keySpan(frame), JSON.stringify(key))
      }
      setKey(frame.object, key, value)
      frame.key = undefined
    }
  }

  note(code: ValueRepairCode, span: Span, after: unknown, before: string = this.scan.text.slice(...span)): void {
    // Deep in a text full of faults the paths would take more room than all else; the place is enough there.
    this.steps += this.frames.length
    if (this.steps > MOST_STEPS) this.repairs.push({ code, span, before, after })
    else this.repairs.push({ code, path: this.path(), span, before, after })
  }

  /** The text ends where it must not: what there is becomes the value, for display. */
  cut(detail: string, at: number): never {
    const truncated = problem('truncated', this.scan.text, [at, this.scan.end], detail)
    while (this.frame) this.pop()
    throw new Stop({ kind: 'cut', value: this.root, problem: truncated })
  }

  refuse(code: ValueProblemCode, span: Span, detail = ''): never {
    const refused = { ...problem(code, this.scan.text, span, detail), path: this.path() }
    throw new Stop({ kind: 'refused', problem: refused, at: span[0] })
  }

  path(): Path {
    const steps = this.frames.map(({ isObject, key, items }) => (isObject ? key : items.length))
    return steps.filter((step) => step !== undefined)
  }
}

export const keySpan = ({ keyStart, keyEnd }: Frame): Span => [keyStart, keyEnd]

export const isEmpty = ({ count }: Frame): boolean => count === 0

export const closerOf = ({ isObject }: Frame): string => (isObject ? '}' : ']')
