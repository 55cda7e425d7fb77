import type { JsonObject } from '../types.ts'
import type { ObservedFile, RunCall, SignedThought } from './events.ts'
import { whole } from './observe.ts'

/** What a tool gave, as the model sees it. */
export interface Observation {
  readonly call: RunCall
  readonly text: string
  /** The whole of what the tool gave, where the text is a part of it. */
  readonly result: string
  readonly isError: boolean
  readonly files: readonly ObservedFile[]
}

/**
 * A piece of the history of a run, the same in every mode: each mode writes it in its own way. It holds what ran, and
 * nothing of what could not be read.
 */
export type Entry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'feedback'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  | {
      readonly kind: 'calls'
      readonly thought?: string
      readonly text?: string
      readonly signed?: readonly SignedThought[]
      readonly calls: readonly RunCall[]
    }
  | { readonly kind: 'observation'; readonly observation: Observation }

/** The history with its old observations shortened, when it is longer than the budget. */
export interface Shrunk {
  readonly entries: readonly Entry[]
  /** How many were shortened, and by how many characters in all. */
  readonly count: number
  readonly characters: number
}

/** So many of the last observations are never shortened. */
const KEPT = 3
/** So many characters of an old observation stay. */
const SHORT = 200
/** A token is about so many characters. */
const PER_TOKEN = 4

/** Shortens old observations, the oldest first, until the history fits the budget. Nothing else is ever touched. */
export function shrunk(entries: readonly Entry[], tokens: number): Shrunk {
  let excess = entries.reduce((sum, entry) => sum + sizeOf(entry), 0) - tokens * PER_TOKEN
  if (excess <= 0) return { entries, count: 0, characters: 0 }
  const observations = entries.filter((entry) => entry.kind === 'observation')
  const last = new Set(observations.slice(-KEPT))
  let count = 0
  let characters = 0
  const short = entries.map((entry): Entry => {
    if (excess <= 0 || entry.kind !== 'observation' || last.has(entry)) return entry
    const { observation } = entry
    const text = shortened(observation)
    const saved = observation.text.length - text.length
    if (saved <= 0) return entry
    excess -= saved
    count++
    characters += saved
    return { kind: 'observation', observation: { ...observation, text } }
  })
  return { entries: short, count, characters }
}

function shortened({ text, call }: Observation): string {
  const end = whole(text, SHORT)
  const left = text.length - end
  return `${text.slice(0, end)}\n[${left} characters of this old observation were left out to save room. Call ${call.name} again if you need them.]`
}

function sizeOf(entry: Entry): number {
  if (entry.kind === 'observation') return entry.observation.text.length
  if (entry.kind !== 'calls') return entry.text.length
  const known = sizes.get(entry)
  if (known !== undefined) return known
  const calls = entry.calls.reduce((sum, call) => sum + call.name.length + written(call.arguments).length, 0)
  const size = calls + (entry.thought?.length ?? 0) + (entry.text?.length ?? 0)
  sizes.set(entry, size)
  return size
}

/** Sizes of calls, which never change: each step asks for those of the whole history. */
const sizes = new WeakMap<Entry, number>()

/** Arguments as every history shows them: JSON, in the order in which the model gave them. */
export const written = (given: JsonObject): string => JSON.stringify(given)
