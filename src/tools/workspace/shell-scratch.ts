import { execFile } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What one command needs on the disk and to be heard, for as long as it runs. */
export interface Scratch {
  /** The file with the command, byte for byte. */
  readonly command: string
  /** The user as programs look it up; no other is in it. */
  readonly passwords: string
  readonly groups: string
  /** The two ends of a pipe. Node's own are sockets, which programs cannot open by the name /dev/stdout. */
  readonly reader: number
  readonly writer: number
  /** Closes the end that only the command writes to. */
  closeWriter(): void
  remove(): void
}

/** Where a command finds its text in the sandbox; what bash says names it. */
export const COMMAND_PLACE = '/run/command'

export async function openScratch(command: string): Promise<Scratch> {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-shell-'))
  const place = (name: string): string => join(folder, name)
  const write = (name: string, text: string): string => {
    writeFileSync(place(name), text, { mode: 0o600 })
    return place(name)
  }
  try {
    await run('mkfifo', ['-m', '600', place('output')], { env: { PATH: '/usr/bin:/bin' } })
    const reader = openSync(place('output'), constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = openSync(place('output'), constants.O_WRONLY)
    const user = process.getuid?.() ?? 0
    const group = process.getgid?.() ?? 0
    const name = user === 0 ? 'root' : 'user'
    return {
      command: write('command', command),
      passwords: write('passwd', `${name}:x:${user}:${group}::/tmp/home:/bin/bash\n`),
      groups: write('group', `${name}:x:${group}:\n`),
      reader,
      writer,
      closeWriter: () => closeSync(writer),
      remove: () => rmSync(folder, { recursive: true, force: true }),
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
