export const numberText = (count: number): string => count.toLocaleString('en-US')

/** `1 line`, `2 lines`. */
export const counted = (count: number, word: string): string => `${numberText(count)} ${word}${count === 1 ? '' : 's'}`

/** `line 3`, `lines 3-5`. */
export const linesText = (from: number, to: number): string => (from === to ? `line ${from}` : `lines ${from}-${to}`)

/** How many lines a content has; one that does not end counts too. */
export function linesIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) count++
  return bytes.length === 0 || bytes.at(-1) === NEW_LINE ? count : count + 1
}

const NEW_LINE = 10

/** `3 lines, 40 bytes`. */
export const extentOf = (bytes: Uint8Array): string =>
  `${counted(linesIn(bytes), 'line')}, ${counted(bytes.length, 'byte')}`

/** So much of a file is looked at to tell whether it is text. */
const SAMPLE = 8_000

/** Whether a content is no text: it has a zero byte near its beginning. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, SAMPLE).includes(0)

/** Lines of a result, with what was changed in the path at the end. */
export const withNote = (text: string, note: string): string => (note === '' ? text : `${text}\n${note}`)
