/** Calls in fences: what else stands there, and around them, says whether they are made or shown. */
import { handsOver } from './mentions.ts'

/** The fence among markers: the others say nothing about what is meant. */
export const fenceIn = (markers: string): string =>
  markers.includes('```') ? markers.slice(markers.indexOf('```')) : ''

/** Whether a text is space, or a line that opens or closes a fence. */
export const isFenceOrSpace = (text: string): boolean => /^\s*(?:```\w*\s*)?$/.test(text)

/** Whether a text is nothing between two calls: space, commas, the numbers of a list, fences. */
export const isSeparator = (text: string): boolean => /^(?:[\s,;]|\d{1,4}[.)]|```[A-Za-z-]*)*$/.test(text)

/** Whether a call in a fence is all that stands there: among other lines it is part of a program or a document. */
export function isAloneInFence(before: string, behind: string, calls: readonly string[]): boolean {
  const fence = before.slice(before.lastIndexOf('```') + 3)
  const inside = fence.replace(/^(?:.*\n|[\w-]*)/, '')
  const rest = behind.includes('```') ? behind.slice(0, behind.indexOf('```')) : behind
  const isPrinted = /^py/i.test(fence) && calls.some((call) => /^print\((?!default_api\.)/.test(call))
  return isSeparator(inside) && isSeparator(rest) && !isPrinted
}

const programs =
  /^(?:python|py|js|javascript|jsx|ts|typescript|go|sql|java|kotlin|rust|ruby|php|c|cpp|csharp|bash|sh|xml|html)\b/i

/**
 * Whether a fence shows a program rather than a call: it says so, and there are words around it that do not hand it
 * over. `before` ends with the line that opens it.
 */
export function isProgram(before: string, behind: string): boolean {
  const at = before.lastIndexOf('```')
  const closer = behind.indexOf('```')
  const after = closer < 0 ? '' : behind.slice(closer + 3)
  if (!programs.test(before.slice(at + 3))) return false
  return (before.slice(0, at).trim() !== '' || after.trim() !== '') && !handsOver(before.slice(0, at))
}
