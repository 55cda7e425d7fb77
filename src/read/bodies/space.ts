/** Where the space behind an index ends. */
export function skip(text: string, from: number): number {
  let index = from
  while (' \n\r\t'.includes(text.charAt(index)) && index < text.length) index++
  return index
}
