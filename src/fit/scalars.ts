import type { JsonValue } from '../types.ts'

const NUMBER = /^([+-]?)(\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/

/**
 * The number that a text spells, with space around it or not. Nothing that would become another number: no more digits
 * of an integer than a number holds, and no fraction that would vanish.
 *
 * @example
 * numberFrom(' 3 ') // 3
 * numberFrom('3 items') // undefined
 * numberFrom('007') // undefined
 */
export function numberFrom(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 60) return undefined
  const [, , digits = ''] = NUMBER.exec(trimmed) ?? []
  if (digits === '' || /^0\d/.test(digits)) return undefined
  const number = Number(trimmed)
  if (!Number.isFinite(number)) return undefined
  if (!Number.isInteger(number)) return number
  const isVanished = number === 0 ? /[1-9]/.test(digits) : /\.\d*[1-9]/.test(digits) && !/[eE]/.test(trimmed)
  return Number.isSafeInteger(number) && !isVanished ? number : undefined
}

/** The boolean that a text spells, in any case. */
export function booleanFrom(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : undefined
}

const yes = new Set(['yes', 'on', 'y', '1'])
const no = new Set(['no', 'off', 'n', '0'])

/** The boolean that a word or a number is commonly used for. */
export function booleanMeant(value: JsonValue): boolean | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const word = String(value).trim().toLowerCase()
  return yes.has(word) ? true : no.has(word) ? false : undefined
}

/** Whether a text spells null as JSON, JavaScript or Python do. */
export const isNullText = (text: string): boolean => /^(?:null|NULL|Null|None|undefined)$/.test(text.trim())

/** Whether a text says that there is nothing to say. */
export const isNothing = (text: string): boolean =>
  /^(?:null|none|undefined|nil|nothing|n\/a|[-.…]*)$/i.test(text.trim())

/** Whether a text begins as an object, a list or a fence around one does. */
export const looksLikeContainer = (text: string): boolean => /^\s*(?:[{[(]|```(?:json)?\s*[{[])/i.test(text)

/** Whether a text could be several items in one: "a, b", lines, "a and b", "src/a.py src/b.py", "- a". */
export function looksLikeSeveral(text: string): boolean {
  const trimmed = text.trim().slice(0, LONGEST_LIST)
  if (/[,;|\n\t、，；]| (?:and|und|et|y|&) |^(?:[-*•]|\d+[.)]) /i.test(trimmed)) return true
  const words = trimmed.split(/\s+/)
  return words.length > 1 && words.every((word) => /[/.@#"']|^-/.test(word))
}

const LONGEST_LIST = 2_000

/**
 * The one allowed value that a text spells, but for case, separators, quotes and space around it.
 *
 * @example
 * spelledAs(' In-Progress', ['in_progress', 'done']) // 'in_progress'
 */
export function spelledAs(text: string, allowed: readonly JsonValue[]): string | undefined {
  let spellings = known.get(allowed)
  if (!spellings) {
    spellings = new Map()
    for (const value of allowed) if (typeof value === 'string') addSpellings(spellings, value)
    known.set(allowed, spellings)
  }
  const found = new Set(spellingsOf(text).flatMap((spelling) => [...(spellings.get(spelling) ?? [])]))
  return found.size === 1 ? [...found][0] : undefined
}

const known = new WeakMap<readonly JsonValue[], Map<string, Set<string>>>()

function addSpellings(map: Map<string, Set<string>>, value: string): void {
  for (const spelling of spellingsOf(value)) map.set(spelling, (map.get(spelling) ?? new Set()).add(value))
}

/** A word without case, quotes and the way in which its parts are joined: as it is, and with its capitals as joints. */
function spellingsOf(text: string): string[] {
  const bare = text
    .trim()
    .slice(0, LONGEST_WORD)
    .replace(/^(["'`])(.*)\1$/s, '$2')
    .trim()
  const joined = (word: string): string => word.toLowerCase().replace(/([\p{L}\p{N}])[\s_-]+(?=[\p{L}\p{N}])/gu, '$1_')
  return bare === '' ? [] : [...new Set([joined(bare), joined(bare.replace(/([a-z0-9])([A-Z])/g, '$1_$2'))])]
}

const LONGEST_WORD = 200
