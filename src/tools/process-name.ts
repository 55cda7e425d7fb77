import { readFileSync, readlinkSync } from 'node:fs'

/** In which space the numbers of processes count, such as that of a container, since this machine was started. */
const SPACE = spaceOf()

/** Who this process is, so that another can see whether it is still there: numbers of processes are used again. */
export const thisProcess = (): string => JSON.stringify({ pid: process.pid, since: startOf(process.pid), space: SPACE })

/** Whether the process that an owner names is still there. One that was stopped is. */
export function isAlive(owner: string): boolean {
  const { pid, since, space } = parsed(owner)
  // Numbers of another container say nothing here: nobody is robbed by mistake.
  if (space !== '' && SPACE !== '' && space !== SPACE) return true
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Another user's process may not be asked, but is there.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const now = startOf(pid)
  return since === '' || now === '' || now === since
}

/** An owner in words. */
export const ownerName = (owner: string): string => `process ${parsed(owner).pid}`

function parsed(owner: string): { readonly pid: number; readonly since: string; readonly space: string } {
  try {
    const { pid, since, space } = JSON.parse(owner)
    return { pid: Number(pid), since: String(since ?? ''), space: String(space ?? '') }
  } catch (error) {
    if (error instanceof SyntaxError) return { pid: 0, since: '', space: '' }
    throw error
  }
}

/** When a process began, in the kernel's ticks; nothing where the system does not say, or the process is gone. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // A process that has ended and was not yet waited for is gone.
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}

function spaceOf(): string {
  try {
    return `${readlinkSync('/proc/self/ns/pid')} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}
