/** The longest time that a timer takes; beyond it, it would fire at once. */
const LONGEST = 2 ** 31 - 1

/** Does something after a time, unless that is for ever. Returns what calls it off. */
export function after(milliseconds: number, act: () => void): () => void {
  if (milliseconds > LONGEST) return () => undefined
  const timer = setTimeout(act, milliseconds)
  return () => clearTimeout(timer)
}

/** What a person's own function says, unless the signal is aborted first: nobody waits for it then. */
export async function unlessAborted<Result>(signal: AbortSignal, use: () => Result | Promise<Result>): Promise<Result> {
  signal.throwIfAborted()
  let stop = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([use(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
