const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An id for a call that came without one. Mistral's API takes no other ids than nine letters and digits; everybody takes these. */
export function newCallId(): string {
  const random = crypto.getRandomValues(new Uint32Array(9))
  return Array.from(random, (number) => LETTERS[number % LETTERS.length]).join('')
}
