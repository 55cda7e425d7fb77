import { skip } from './bodies/space.ts'
import { openerAt } from './bodies/tag-openers.ts'
import type { CallForm } from './dialects/dialect.ts'
import type { FrameQuestions } from './frame.ts'
import { mayBecome } from './literals.ts'

/** What stands between the opener of a call and its arguments. */
export interface Head {
  readonly name: string
  readonly form: CallForm
  /** Where the arguments start; for `python`, where the calls do. */
  readonly end: number
}

/** What may stand in a head, besides the name. */
export interface HeadMarks {
  /** The opener is a tag, and this ends it. */
  readonly openEnd?: string
  readonly close: readonly string[]
  readonly around: readonly string[]
}

/** So long may the name and the marks around it be. */
const LONGEST_HEAD = 300

/** Words that families write beside the name. */
const words = new Set(['function', 'json'])
const nameSigns = /["'`*]{0,2}([\p{L}_][\p{L}\p{N}_.:/-]*)(?![\p{L}\p{N}_.:/-])(?:(?!```)["'`*]{1,2})?/uy
const pythonList = /\[\s*["']?[A-Za-z_][\w.\\]*\(/y
const openAttributes = /^"?(?:\s+[\w-]+\s*=\s*"[^"<>]*")*\s*(?:[\w-]+\s*(?:=\s*(?:"[^"<>]*)?)?)?$/
const attributes = /"?(?:\s+[\w-]+\s*=\s*"[^"<>]*")*\s*/y

/**
 * The head behind an opener, `more` when it has not come to its end yet, `undefined` when none can come: then the opener
 * was a word about calls. What the arguments look like says how they are read, whatever the opener was. With `name` it was
 * the opener itself.
 */
export function headAt(
  text: string,
  from: number,
  marks: HeadMarks,
  isEnd: boolean,
  questions: FrameQuestions,
  name?: string,
): Head | 'more' | undefined {
  // Never more than this is looked at, however much has come: the pieces must not matter.
  const head = text.slice(from, from + LONGEST_HEAD)
  const isLast = isEnd && from + head.length === text.length
  const isAll = isLast || head.length === LONGEST_HEAD
  const found = new HeadReading(head, marks, { isAll, isLast, name }, questions).read()
  if (found === 'more') return isAll ? undefined : 'more'
  return found && { ...found, end: from + found.end }
}

class HeadReading {
  private readonly text: string
  private readonly marks: HeadMarks
  /** Nothing more of the head will come, and nothing more of the text. */
  private readonly isAll: boolean
  private readonly isLast: boolean
  private readonly questions: FrameQuestions
  private readonly isNamed: boolean
  private index = 0
  private name: string | undefined
  private nameStart = 0

  constructor(
    text: string,
    marks: HeadMarks,
    { isAll, isLast, name }: { readonly isAll: boolean; readonly isLast: boolean; readonly name: string | undefined },
    questions: FrameQuestions,
  ) {
    this.text = text
    this.marks = marks
    this.isAll = isAll
    this.isLast = isLast
    this.name = name
    this.isNamed = name !== undefined
    this.questions = questions
  }

  read(): Head | 'more' | undefined {
    for (;;) {
      this.index = skip(this.text, this.index)
      const found = this.index >= this.text.length ? this.atEnd() : (this.mark() ?? this.body() ?? this.word())
      if (found !== 'on') return found === 'none' ? undefined : found
    }
  }

  private is(form: CallForm, end = this.index): Head {
    return { name: this.name ?? '', form, end }
  }

  /** A call that was cut behind its name is one all the same, and will be refused. */
  private atEnd(): Head | 'more' {
    const isCut = this.isLast && this.name !== undefined && this.questions.isOffered(this.name)
    return isCut ? this.is('name-json') : 'more'
  }

  /** A mark around the name. */
  private mark(): Head | 'more' | 'none' | 'on' | undefined {
    const { text, index, isAll, marks } = this
    if (marks.close.some((closer) => text.startsWith(closer, index))) {
      // Without arguments only a name that is known tells a call from a word about one.
      return this.name !== undefined && (marks.openEnd || this.questions.isOffered(this.name))
        ? this.is('tags')
        : 'none'
    }
    const mark = marks.around.find((mark) => this.isMarkAt(mark))
    if (mark !== undefined) {
      this.index += mark.length
      return 'on'
    }
    if (this.isNamed && text.charAt(index) === ':') return this.callNumber()
    return !isAll && mayBecome(text, index, [...marks.close, ...marks.around]) ? 'more' : undefined
  }

  /** A mark that is a word must end with it. */
  private isMarkAt(mark: string): boolean {
    const { text, index } = this
    const end = index + mark.length
    return text.startsWith(mark, index) && !(/\w$/.test(mark) && /[\w-]/.test(text.charAt(end)))
  }

  /** The number of a call behind a name, as Kimi writes it. */
  private callNumber(): 'more' | 'none' | 'on' {
    const [number = ''] = /^:\d*/.exec(this.text.slice(this.index)) ?? []
    if (!this.isAll && this.index + number.length >= this.text.length) return 'more'
    this.index += number.length
    return number.length > 1 ? 'on' : 'none'
  }

  /** The start of the arguments. */
  private body(): Head | 'more' | undefined {
    const { text, index, name, isAll } = this
    const character = text.charAt(index)
    if (!isAll && !this.isNamed && /^["'`*]+\s*\\?$/.test(text.slice(index))) return 'more'
    // An object, or one in quotes: JSON in a text.
    if (character === '{' || /^"\s*\\?[{[]/.test(text.slice(index)))
      return this.is(name === undefined ? 'json' : 'name-json')
    if (character === '[') {
      if (name !== undefined) return this.is('name-json')
      pythonList.lastIndex = index
      if (pythonList.test(text)) return this.is('python')
      return !isAll && /^\[\s*["']?[A-Za-z_]?[\w.\\]*$/.test(text.slice(index)) ? 'more' : this.is('json')
    }
    if (name === undefined) return undefined
    if (character === '(') return this.is('python', this.nameStart)
    const opener = openerAt(text, index, this.questions.parametersOf(name), isAll)
    return opener === 'more' ? opener : opener && this.is('tags')
  }

  /** The name, or a word beside it. */
  private word(): 'more' | 'none' | 'on' {
    const { text, index, isAll, marks } = this
    if (this.isNamed) return 'none'
    nameSigns.lastIndex = index
    const [whole = '', word = ''] = nameSigns.exec(text) ?? []
    if (whole === '') return 'none'
    if (!isAll && index + whole.length >= text.length) return 'more'
    this.index += whole.length
    if (words.has(word) && !this.questions.isOffered(word)) return 'on'
    if (this.name !== undefined) return 'none'
    this.name = word
    this.nameStart = index
    return marks.openEnd === undefined ? 'on' : this.endOfTag(marks.openEnd)
  }

  /** The rest of an opener that is a tag with the name inside. */
  private endOfTag(end: string): 'more' | 'none' | 'on' {
    const { text, isAll } = this
    if (!isAll && openAttributes.test(text.slice(this.index))) return 'more'
    attributes.lastIndex = this.index
    this.index += attributes.exec(text)?.[0].length ?? 0
    if (text.startsWith(end, this.index)) this.index += end.length
    // One that was left open, as in `<function=search={"query": "x"}`.
    else if (text.startsWith('=', this.index)) this.index++
    else if (this.index < text.length && !end.startsWith(text.slice(this.index))) return 'none'
    else return isAll ? 'none' : 'more'
    return 'on'
  }
}
