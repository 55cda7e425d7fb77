import { skip } from './bodies/tag-scan.ts'
import type { Dialect } from './dialects/dialect.ts'
import { mayBecome } from './literals.ts'

/** What stands between the opener of a call and its arguments. */
export interface Head {
  readonly text: string
  /** Where the arguments start. */
  readonly end: number
  readonly isTags: boolean
}

/** So long may the name and the markers before the arguments be. */
const LONGEST_HEAD = 300

/** The head behind an opener, `more` when it has not come yet, `undefined` when none can come. */
export function headAt(text: string, from: number, dialect: Dialect, isEnd: boolean): Head | 'more' | undefined {
  const head = dialect.body === 'name-tags' ? headBeforeTags(text, from, dialect) : headBeforeJson(text, from, dialect)
  if (head !== 'more') return head
  return isEnd || text.length - from > LONGEST_HEAD ? undefined : 'more'
}

function headBeforeTags(text: string, from: number, { nameEnd = [] }: Dialect): Head | 'more' | undefined {
  for (let index = from; index < text.length && index - from <= LONGEST_HEAD; index++) {
    const end = nameEnd.find((literal) => text.startsWith(literal, index))
    if (end === undefined) {
      if (text.charAt(index) === '\n' || text.charAt(index) === '<') return undefined
      continue
    }
    const body = skip(text, index + end.length)
    if (body >= text.length) return 'more'
    const isJson = text.charAt(body) === '{'
    return { text: text.slice(from, index), end: isJson ? body : index + end.length, isTags: !isJson }
  }
  return 'more'
}

function headBeforeJson(text: string, from: number, { body, nameEnd = [] }: Dialect): Head | 'more' | undefined {
  for (let index = from; index < text.length && index - from <= LONGEST_HEAD; index++) {
    const character = text.charAt(index)
    const passed = nameEnd.find((literal) => text.startsWith(literal, index))
    if (passed !== undefined) index += passed.length - 1
    else if (character === '[' && mayBecome(text, index, nameEnd)) return 'more'
    else if (character === '{' || character === '[') return { text: text.slice(from, index), end: index, isTags: false }
    else if (body === 'json' && !' \n\r\t'.includes(character)) return undefined
  }
  return 'more'
}

/** Whether a head is nothing, or one name with the family's own words around it. */
export function isPlausible(head: string, { body, nameEnd = [] }: Dialect): boolean {
  if (head.trim() === '') return body !== 'name-tags'
  return body !== 'json' && nameIn(head, nameEnd) !== undefined
}

/** The one name in a head, `undefined` when there is none or several words. */
export function nameIn(head: string, nameEnd: readonly string[]): string | undefined {
  let rest = head
  for (const literal of nameEnd) rest = rest.replaceAll(literal, ' ')
  const words = rest.split(/[\s`]+/).filter((word) => word !== '' && word !== 'function' && word !== 'json')
  return words.length === 1 ? words[0] : undefined
}
