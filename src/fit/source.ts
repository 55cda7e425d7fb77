import type { Path } from '../types.ts'
import { readTolerant } from '../value/surroundings.ts'

/** A text, and how the numbers in it are spelled. */
export class WrittenText {
  readonly text: string
  private spelled: ReadonlyMap<string, string> | undefined

  constructor(text: string) {
    this.text = text
  }

  /** How the number at a path is spelled: 3.10 and 1.0 lose a digit as numbers. `undefined` when the text does not tell. */
  numberAt(path: Path): string | undefined {
    this.spelled ??= this.spellings()
    return this.spelled.get(JSON.stringify(path))
  }

  private spellings(): ReadonlyMap<string, string> {
    const spelled = new Map<string, string>()
    const onNumber = (place: Path, text: string): void => void spelled.set(JSON.stringify(place), text)
    const { problems } = readTolerant(this.text, { finish: 'unknown', deepest: 512, known: undefined, onNumber })
    return problems.length === 0 ? spelled : new Map()
  }
}

/** Where a value was read. */
export interface Source {
  readonly written: WrittenText
  readonly path: Path
}

/** The text of a number as it was written. Where nobody knows, only an integer has a safe one. */
export function numberText(value: number, source: Source | undefined): string | undefined {
  const spelled = source?.written.numberAt(source.path)
  if (spelled !== undefined) return spelled
  return Number.isSafeInteger(value) ? String(value) : undefined
}
