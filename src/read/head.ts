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
  // Never more than this is looked at, however much has come: the pieces must not matter.
  const head = text.slice(from, from + LONGEST_HEAD)
  const isAll = isEnd || head.length === LONGEST_HEAD
  const found =
    dialect.body === 'name-tags' ? headBeforeTags(head, dialect, isAll) : headBeforeJson(head, dialect, isAll)
  if (found === 'more') return isAll ? undefined : 'more'
  return found && { ...found, end: from + found.end }
}

function headBeforeTags(text: string, { nameEnd = [] }: Dialect, isAll: boolean): Head | 'more' | undefined {
  for (let index = 0; index < text.length; index++) {
    const end = nameEnd.find((literal) => text.startsWith(literal, index))
    if (end !== undefined) {
      const body = skip(text, index + end.length)
      if (body >= text.length) return 'more'
      const isJson = text.charAt(body) === '{'
      return { text: text.slice(0, index), end: isJson ? body : index + end.length, isTags: !isJson }
    }
    if (!isAll && mayBecome(text, index, nameEnd)) return 'more'
    if (text.charAt(index) === '\n' || text.charAt(index) === '<') return undefined
  }
  return 'more'
}

function headBeforeJson(text: string, { body, nameEnd = [] }: Dialect, isAll: boolean): Head | 'more' | undefined {
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    const passed = nameEnd.find((literal) => text.startsWith(literal, index))
    if (passed !== undefined) index += passed.length - 1
    else if (!isAll && mayBecome(text, index, nameEnd)) return 'more'
    else if (character === '{' || character === '[') return { text: text.slice(0, index), end: index, isTags: false }
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
