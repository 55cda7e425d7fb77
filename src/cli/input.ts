import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { UsageError } from './usage-error.ts'

/** The text of a file, or of what is piped in when no file is named, or `-`. */
export async function inputText(named: string | undefined): Promise<string> {
  const file = named === '-' ? undefined : named
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError('Name a file, or pipe a text in: echo "{\'a\': 1}" | callwright read --value')
  }
  const bytes = file === undefined ? await buffer(process.stdin) : await fileBytes(file)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UsageError(`${file ?? 'The text that was piped in'} is not UTF-8: convert it first.`)
  }
}

async function fileBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') throw new UsageError(`There is no file ${file}: check the name.`)
    if (code === 'EISDIR') throw new UsageError(`${file} is a folder: name a file.`)
    if (code === 'EACCES') throw new UsageError(`${file} cannot be read: check its permissions.`)
    throw error
  }
}
