import type { Path } from '../types.ts'
import { readTolerant } from '../value/surroundings.ts'

/** A text, and how the numbers in it are spelled. */
export class WrittenText {
  readonly text: string
  private spelled: Map<string, string> | undefined

  constructor(text: string) {
    this.text = text
  }

  /**
   * How the number at a path is spelled, if not as it would be printed: 3.10 and 1.0 lose a digit as numbers.
   * `undefined` when it is spelled as usual or the text does not tell.
   */
  numberAt(path: Path): string | undefined {
    if (!this.spelled) {
      const spelled = new Map<string, string>()
      const onNumber = (place: Path, text: string): void => void spelled.set(JSON.stringify(place), text)
      const { problems } = readTolerant(this.text, { finish: 'unknown', deepest: 512, known: undefined, onNumber })
      this.spelled = problems.length === 0 ? spelled : new Map()
      this.isKnown = problems.length === 0
    }
    return this.spelled.get(JSON.stringify(path))
  }

  /** Whether the spelling of numbers could be found out; ask after `numberAt`. */
  isKnown = false
}

/** Where a value was read. */
export interface Source {
  readonly written: WrittenText
  readonly path: Path
}

/** The text of a number as it was written; `undefined` when nobody knows. */
export function numberText(value: number, source: Source | undefined): string | undefined {
  const spelled = source?.written.numberAt(source.path)
  if (spelled !== undefined) return spelled
  if (Number.isSafeInteger(value)) return String(value)
  return source?.written.isKnown ? String(value) : undefined
}
