/** Times, sizes and shares, as people write and read them. */

const SECOND = 1_000
const units = { w: 604_800 * SECOND, d: 86_400 * SECOND, h: 3_600 * SECOND, m: 60 * SECOND, s: SECOND } as const
const sizes = { GB: 1_000_000_000, MB: 1_000_000, kB: 1_000, B: 1 } as const

/** Milliseconds in the largest unit that says enough: `3d`, `5m`. */
export function ageText(milliseconds: number): string {
  const [unit, length] = entryFor(units, milliseconds, ['s', SECOND])
  return `${Math.max(0, Math.floor(milliseconds / length))}${unit === 'w' ? 'w' : unit}`
}

/** Bytes: `812 B`, `84 kB`, `1.2 MB`. */
export function sizeText(bytes: number): string {
  const [unit, length] = entryFor(sizes, bytes, ['B', 1])
  const amount = bytes / length
  return `${amount < 10 && unit !== 'B' ? amount.toFixed(1) : Math.round(amount)} ${unit}`
}

/** Seconds: `0.02 s`, `3.4 s`, `125 s`. */
export const secondsText = (seconds: number): string =>
  `${seconds < 0.1 ? seconds.toFixed(2) : seconds < 100 ? seconds.toFixed(1) : Math.round(seconds)} s`

/** A number with its thousands apart. */
export const countText = (count: number): string => count.toLocaleString('en')

/** A number and what it counts: `1 run`, `3 runs`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`

/** How much of a whole: `43 %`. What is more than nothing is never shown as nothing. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '–'
  const percent = Math.round((part / whole) * 100)
  if (percent === 0 && part > 0) return '<1 %'
  return percent === 100 && part < whole ? '>99 %' : `${percent} %`
}

/** A time on the clock of this machine. */
export const timeText = (at: number): string => new Date(at).toLocaleString('sv')

/** `90s`, `30m`, `12h`, `2d`, `3w` in milliseconds; `undefined` when it is none of them. */
export function durationIn(word: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)\s?([smhdw])$/.exec(word.trim())
  const unit = Object.entries(units).find(([name]) => name === found?.[2])
  return found && unit ? Number(found[1]) * unit[1] : undefined
}

/** `100MB`, `1.5 GB`, `20kb` in bytes; `undefined` when it is no size. */
export function sizeIn(word: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)\s?([kmg]?b)$/i.exec(word.trim())
  const unit = Object.entries(sizes).find(([name]) => name.toLowerCase() === found?.[2]?.toLowerCase())
  return found && unit ? Number(found[1]) * unit[1] : undefined
}

/** The largest unit that an amount fills. */
function entryFor<Name extends string>(
  known: { readonly [name in Name]: number },
  amount: number,
  least: readonly [Name, number],
): readonly [string, number] {
  return Object.entries<number>(known).find(([, length]) => amount >= length) ?? least
}
