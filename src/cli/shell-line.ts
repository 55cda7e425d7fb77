import { visible } from './terminal.ts'

type Platform = NodeJS.Platform

/** A word as it can be typed or pasted: what a server says must not become a command. */
export function shellWord(word: string, platform: Platform = process.platform): string {
  const shown = visible(word)
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : quoted(shown, platform)
}

const quoted = (text: string, platform: Platform): string =>
  `'${text.replaceAll("'", platform === 'win32' ? "''" : "'\\''")}'`

/**
 * A line that sets variables, for one command or for all that come; on Windows for PowerShell.
 *
 * @example
 * settingLine({ OLLAMA_CONTEXT_LENGTH: '32768' }, 'ollama serve') // OLLAMA_CONTEXT_LENGTH=32768 ollama serve
 */
export function settingLine(
  variables: { readonly [name: string]: string },
  command = '',
  platform: Platform = process.platform,
): string {
  const entries = Object.entries(variables)
  if (platform === 'win32') {
    const set = entries.map(([name, value]) => `$env:${name} = ${quoted(visible(value), platform)}`)
    return [...set, ...(command ? [command] : [])].join('; ')
  }
  const set = entries.map(([name, value]) => `${name}=${shellWord(value, platform)}`).join(' ')
  return command ? `${set} ${command}` : `export ${set}`
}
