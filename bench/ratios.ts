import { figure } from './timing.ts'

/** How much longer one takes than the other, round by round. */
export const ratios = (times: readonly number[], base: readonly number[]): number[] =>
  times.map((time, round) => time / (base[round] ?? Number.NaN))

/** A multiple with two digits at least, also where it is small. */
export const multiple = (value: number): string => (value < 0.1 ? value.toPrecision(2) : figure(value))

/** Between which figures the middle half of the rounds lies. */
export function middleHalf(figures: readonly number[]): string {
  const sorted = figures.toSorted((left, right) => left - right)
  const quarter = Math.floor(sorted.length / 4)
  return [sorted[quarter], sorted.at(-1 - quarter)].map((value) => multiple(value ?? Number.NaN)).join(' to ')
}

/** The slope of the line that lies closest to the points: of logarithms, the exponent of the growth. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [middleX, middleY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const shared = mean(points.map(([x, y]) => (x - middleX) * (y - middleY)))
  return shared / mean(points.map(([x]) => (x - middleX) ** 2))
}
