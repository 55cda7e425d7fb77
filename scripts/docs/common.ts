/** What the pages that are made from the code have in common. */

export const classes = {
  lossless: 'can mean nothing else',
  renamed: 'a near-miss key stands for the missing one',
  interpretive: 'the usual meaning was taken; a near-twin is refused',
} as const

export const classList = Object.entries(classes)
  .map(([name, says]) => `- **${name}**: ${says}`)
  .join('\n')

export const fenced = (text: string): string => `\`\`\`\`text\n${shown(text)}\n\`\`\`\``

/** Characters that an editor would hide or eat. */
export const shown = (text: string): string => text.replaceAll('\ufeff', '\\ufeff').replaceAll('\u00a0', '\\u00a0')

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

export const quoted = (text: string): string =>
  shown(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('  \n')

/** A value in one line of code. */
export const code = (value: unknown): string => `\`${JSON.stringify(value)}\``
