import type { JsonValue } from '../types.ts'

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/

/**
 * The number that a text spells as JSON would, with space around it or not. Nothing that would be rounded: a text of
 * more digits than a number holds is no number here.
 *
 * @example
 * numberFrom(' 3 ') // 3
 * numberFrom('3 items') // undefined
 * numberFrom('007') // undefined
 */
export function numberFrom(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 40 || !NUMBER.test(trimmed)) return undefined
  const number = Number(trimmed)
  if (!Number.isFinite(number)) return undefined
  const isExact = !Number.isInteger(number) || Number.isSafeInteger(number)
  return isExact ? number : undefined
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
export const isNullText = (text: string): boolean => /^(?:null|none|undefined)$/i.test(text.trim())

/** Whether a text begins as an object, a list or a fence around one does. */
export const looksLikeContainer = (text: string): boolean => /^\s*(?:[{[(]|```)/.test(text)

/** Whether a text could be several items in one: "a, b", lines, or "a; b". */
export const looksLikeSeveral = (text: string): boolean => /[,;\n]/.test(text.trim())

/**
 * The one allowed value that a text spells, but for case, separators, quotes and space around it.
 *
 * @example
 * spelledAs(' In-Progress', ['in_progress', 'done']) // 'in_progress'
 */
export function spelledAs(text: string, allowed: readonly JsonValue[]): string | undefined {
  const wanted = plain(text)
  if (wanted === '') return undefined
  const found = allowed.filter((value) => typeof value === 'string' && plain(value) === wanted)
  return found.length === 1 ? (found[0] as string) : undefined
}

const plain = (text: string): string =>
  text
    .trim()
    .replace(/^(["'`])(.*)\1$/s, '$2')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
