import type { JsonSchema, JsonValue, Path, Problem } from '../types.ts'
import { exampleOf } from './example.ts'
import { isObject } from './judge.ts'
import { toolLine } from './label.ts'
import { brief, type Fault } from './outcome.ts'
import { type FitProblemCode, fitProblems } from './problems.ts'
import type { SchemaDocument } from './schema.ts'

/** A fault, and where it stands. */
export type PlacedFault = Fault & { readonly path: Path }

/** What is known of a call that is refused. */
export interface Refusal {
  readonly faults: readonly PlacedFault[]
  readonly name: string | undefined
  readonly schema: JsonSchema
  readonly document: SchemaDocument
  readonly isValid: (value: JsonValue) => boolean
  /** The value as it was sent, and as far as it was fitted. */
  readonly sent: JsonValue
  readonly fitted: JsonValue
  /** Keys that were sent and that no parameter has. */
  readonly unknown: readonly string[]
}

/** A refusal should survive a model's short memory: this many characters, if it can be done. */
const MOST_CHARACTERS = 400
/** So many faults are told; a model mends the first ones first. */
const MOST_FAULTS = 6
const SHORTEST_LINE = 80
const MARK = ' (* = required)'

/**
 * The problems of a refused call, one for each fault. The first has the whole story, remedy first: what to send, the
 * schema on one line, an example, what was wrong. The others add a sentence each.
 */
export function problemsOf(refusal: Refusal): Problem<FitProblemCode>[] {
  const faults = refusal.faults.slice(0, MOST_FAULTS)
  const others = faults.slice(1).map((fault) => `Also, ${filled(fitProblems[fault.code].reason, fault)}.`)
  const room = MOST_CHARACTERS - others.reduce((sum, { length }) => sum + length + 1, 0)
  return faults.map((fault, index) => {
    const message = others[index - 1] ?? story(refusal, faults, room)
    const path = fault.key === undefined ? fault.path : [...fault.path, fault.key]
    return { code: fault.code, path, message }
  })
}

function story(refusal: Refusal, faults: readonly PlacedFault[], most: number): string {
  const { name, schema, document, isValid, fitted } = refusal
  const remedies = [...new Set(faults.map((fault) => filled(fitProblems[fault.code].remedy, fault)))]
  const remedy = `Send ${name ?? 'the arguments'} again ${listed(remedies)}.`
  const [first] = faults
  const reason = reasonOf(refusal, faults)
  if (first?.code === 'schema-unusable') return `${remedy}\n${reason}`

  const taken = remedy.length + MARK.length + reason.length + 3
  const shown = exampleOf(schema, document, fitted, faults)
  const example = isValid(shown) ? `Example: ${JSON.stringify(shown)}\n` : ''
  const room = most - taken
  const keepsExample = room - example.length >= SHORTEST_LINE
  const kept = new Set(faults.map(({ path, key }) => String(path[0] ?? key)))
  const lineRoom = Math.max(SHORTEST_LINE, room - (keepsExample ? example.length : 0))
  const line = toolLine(name ?? '', schema, document, lineRoom, kept)
  return `${remedy} ${line}${line.includes('*') ? MARK : ''}.\n${keepsExample ? example : ''}${reason}`
}

/** What was wrong first. Beside a missing parameter stand those that were sent: one of them may be what was meant. */
function reasonOf({ sent, unknown }: Refusal, [first]: readonly PlacedFault[]): string {
  if (!first) return ''
  const reason = filled(fitProblems[first.code].reason, first)
  if (first.code !== 'parameter-missing') return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
  const names = unknown.slice(0, 3).map((key) => brief(key))
  const strangers = `${listed(names)} ${names.length === 1 ? 'is not a parameter' : 'are no parameters'}, and `
  return `You sent ${sentKeys(sent)}; ${names.length > 0 ? strangers : ''}${reason}.`
}

function sentKeys(sent: JsonValue): string {
  if (!isObject(sent)) return brief(sent)
  const keys = Object.keys(sent)
  if (keys.length === 0) return 'no parameters'
  const shown = keys.slice(0, 6).map((key) => brief(key))
  return keys.length > 6 ? `${shown.join(', ')} and ${keys.length - 6} more` : listed(shown)
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`

function filled(template: string, { path, key, wanted, found }: PlacedFault): string {
  const place = key === undefined ? path : [...path, key]
  const isPlural = place.length === 0
  return template
    .replace('{was}', isPlural ? 'were' : 'was')
    .replace('{needs}', isPlural ? 'need' : 'needs')
    .replace('{key}', () => placeName(place))
    .replace('{wanted}', () => wanted ?? 'one clear value')
    .replace('{found}', () => found ?? '')
}

/** A place as a model would write it: `"edits[0].path"`. */
export function placeName(path: Path): string {
  if (path.length === 0) return 'the arguments'
  const name = path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
  return brief(name, 80)
}

/** A message of the value reader with the line of the tool behind it, within the room that there is. */
export function explained(message: string, name: string, schema: JsonSchema, document: SchemaDocument): string {
  const line = toolLine(
    name,
    schema,
    document,
    Math.max(SHORTEST_LINE, MOST_CHARACTERS - message.length - MARK.length - 2),
  )
  return `${message}\n${line}${line.includes('*') ? MARK : ''}.`
}
