import type { ValueReading } from '../types.ts'
import { readPython } from './python.ts'

/** Reads the one value that a text holds. */
export function readValue(text: string): ValueReading {
  try {
    return { value: JSON.parse(text), repairs: [], problems: [], complete: true }
  } catch {
    const python = readPython(text)
    if (python) return { ...python, complete: true }
    return { value: undefined, repairs: [], problems: [{ code: 'no-value', message: 'nothing' }], complete: true }
  }
}
