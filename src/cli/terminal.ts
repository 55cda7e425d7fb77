/** How text looks in a terminal: colour where there is one, and nothing that could confuse it. */

export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
}

const plain = (text: string): string => text
const colour =
  (code: number) =>
  (text: string): string =>
    text === '' ? '' : `\x1b[${code}m${text}\x1b[0m`

/** Colours when the stream is a terminal and nobody asked for none (NO_COLOR). */
export function paintFor(stream: { readonly isTTY?: boolean }): Paint {
  if (!stream.isTTY || process.env['NO_COLOR']) {
    return { bold: plain, dim: plain, red: plain, green: plain, yellow: plain }
  }
  return { bold: colour(1), dim: colour(2), red: colour(31), green: colour(32), yellow: colour(33) }
}

/** Makes control characters visible, one for one: a model's text must not be able to move the cursor. */
export function visible(text: string): string {
  let shown = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20) shown += String.fromCharCode(0x2400 + code)
    else if (code === 0x7f) shown += '\u2421'
    else if (isHidden(code)) shown += '\ufffd'
    else shown += character
  }
  return shown
}

/** Controls beyond ASCII, marks that change the direction of text, lone surrogates. */
const isHidden = (code: number): boolean =>
  (code >= 0x80 && code < 0xa0) ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x2028 && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069) ||
  (code >= 0xd800 && code <= 0xdfff) ||
  code === 0xfeff

/** How many columns a text takes: two for wide characters, none for marks that combine. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code >= 0x300 && code <= 0x36f) continue
    width += isWide(code) ? 2 : 1
  }
  return width
}

const isWide = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2e80 && code <= 0xa4cf) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe6f) ||
  (code >= 0xff00 && code <= 0xff60) ||
  (code >= 0x1f300 && code <= 0x1faff)
