import { readFile } from 'node:fs/promises'

/** A peer of which the installed files are missing. */
export class PeersMissing extends Error {}

/** A peer of bench/package.json. */
export async function load(name: string) {
  try {
    return await import(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') throw new PeersMissing(name)
    throw error
  }
}

/** The exact version of a peer, or of what callwright itself depends on. */
export const versionOf = (name: string, folder = './node_modules'): Promise<string> =>
  versionIn(`${folder}/${name}/package.json`)

export async function versionIn(path: string): Promise<string> {
  return JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')).version
}
