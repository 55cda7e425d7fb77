/** What the parts of a configuration file can be. A field reads its part, or says what is wrong with it. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, Scalar } from 'yaml'
import { nearestName } from '../tools/nearest-name.ts'
import { visible } from './terminal.ts'

/** Where a field reads, and whom it tells what is wrong. */
export interface Place {
  /** `limits.steps`; empty for the whole file. */
  readonly name: string
  readonly document: Document
  /** Where the paths in the file start. */
  readonly folder: string
  readonly complain: (node: Node, message: string) => void
}

/** One field of the file. `read` returns undefined when it has complained. */
export interface Field<Value> {
  readonly read: (node: Node, place: Place) => Value | undefined
  /** The keys in it, where it is a group. */
  readonly keys?: readonly string[]
}

/** A field for every key of a group. */
export type Fields<Group> = { readonly [Key in keyof Group]-?: Field<NonNullable<Group[Key]>> }

interface TextOptions {
  /** What is wrong with a text, said behind the name of the field. */
  readonly problem?: (value: string) => string | undefined
  /** What was written is not shown again: it may be a key. */
  readonly secret?: boolean
}

/** A text that is not empty. */
export const text = ({ problem, secret }: TextOptions = {}): Field<string> => ({
  read: (node, place) => {
    const value = scalarOf(node, place)
    if (typeof value !== 'string' || value.trim() === '') {
      const hint = !secret && ['number', 'boolean'].includes(typeof value) ? ` Put it in quotes: "${value}".` : ''
      return refuse(node, place, `must be a text${secret ? '' : butIs(node, place)}.${hint}`)
    }
    const wrong = problem?.(value)
    return wrong === undefined ? value : refuse(node, place, `${wrong}.`)
  },
})

/** A file that is there, named from the folder of the configuration; its whole path comes out. */
export const file = (): Field<string> => ({
  read: (node, place) => {
    const written = text().read(node, place)
    if (written === undefined) return undefined
    const path = resolve(place.folder, written)
    return existsSync(path) ? path : refuse(node, place, `names a file that is not there: ${visible(path)}`)
  },
})

interface NumberOptions {
  readonly least: number
  /** Whether it must be more than the least. */
  readonly above?: boolean
  readonly most?: number
  readonly whole?: boolean
  /** What else may stand there, for the complaint. */
  readonly alternative?: string
}

/** A number in a range. */
export const number = ({ least, above, most, whole, alternative }: NumberOptions): Field<number> => ({
  read: (node, place) => {
    const value = scalarOf(node, place)
    const isRight =
      typeof value === 'number' &&
      (above ? value > least : value >= least) &&
      value <= (most ?? Number.MAX_SAFE_INTEGER) &&
      (!whole || Number.isInteger(value))
    if (isRight) return value
    const range = most === undefined ? `${above ? 'above' : 'of at least'} ${least}` : `from ${least} to ${most}`
    const wanted = `a ${whole ? 'whole ' : ''}number ${range}${alternative ? ` or ${alternative}` : ''}`
    return refuse(node, place, `must be ${wanted}${butIs(node, place)}.`)
  },
})

/** A field that can also be switched off, with `false`. */
export const orFalse = <Value>(field: Field<Value>): Field<Value | false> => ({
  read: (node, place) => (scalarOf(node, place) === false ? false : field.read(node, place)),
})

/** true or false. */
export const flag = (): Field<boolean> => ({
  read: (node, place) => {
    const value = scalarOf(node, place)
    return typeof value === 'boolean' ? value : refuse(node, place, `must be true or false${butIs(node, place)}.`)
  },
})

/** One of a few words. */
export const word = <Word extends string>(...words: readonly Word[]): Field<Word> => ({
  read: (node, place) => {
    const value = scalarOf(node, place)
    const choice = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
    return words.find((known) => known === value) ?? refuse(node, place, `must be ${choice}${butIs(node, place)}.`)
  },
})

/** A list, with the same field for each item. */
export const list = <Value>(field: Field<Value>): Field<readonly Value[]> => ({
  read: (node, place) => {
    const here = resolved(node, place)
    if (!isSeq(here)) return refuse(node, place, `must be a list${butIs(node, place)}.`)
    return here.items.flatMap((item, index) => {
      const found = isNode(item) ? field.read(item, { ...place, name: `${place.name}[${index}]` }) : undefined
      return found === undefined ? [] : [found]
    })
  },
})

/** Keys of any name with the same field for each value. `problem` looks at both. */
export const record = <Value>(
  field: Field<Value>,
  problem: (key: string, value: Value) => string | undefined,
): Field<{ readonly [key: string]: Value }> => ({
  read: (node, place) => {
    const pairs = pairsOf(node, place)
    if (pairs === undefined) return undefined
    const values = pairs.flatMap(({ key, keyNode, value: valueNode }): [string, Value][] => {
      const value = field.read(valueNode, { ...place, name: inside(place, key) })
      const wrong = value === undefined ? undefined : problem(key, value)
      if (wrong !== undefined) place.complain(keyNode, wrong)
      return value === undefined || wrong !== undefined ? [] : [[key, value]]
    })
    return Object.fromEntries(values)
  },
})

interface GroupOptions<Group> {
  /** Keys that must be there. */
  readonly needed?: readonly (keyof Group & string)[]
  /** Keys that people try, and what to do instead. */
  readonly refused?: ReadonlyMap<string, string>
}

/** Keys of known names, each with a field of its own. */
export const group = <Group extends object>(
  fields: Fields<Group>,
  { needed = [], refused }: GroupOptions<Group> = {},
): Field<Partial<Group>> => ({
  keys: Object.keys(fields),
  read: (node, place) => {
    const pairs = pairsOf(node, place, Object.keys(fields))
    if (pairs === undefined) return undefined
    const isKnown = (key: string): key is keyof Group & string => Object.hasOwn(fields, key)
    const found: { -readonly [Key in keyof Group]?: Group[Key] } = {}
    const take = <Key extends keyof Group & string>(key: Key, value: Node): void => {
      const taken = fields[key].read(value, { ...place, name: inside(place, key) })
      if (taken !== undefined) found[key] = taken
    }
    for (const { key, keyNode, value } of pairs) {
      if (isKnown(key)) take(key, value)
      else place.complain(keyNode, refused?.get(key) ?? unknownKey(key, place.name, fields))
    }
    for (const key of needed) {
      if (!pairs.some((pair) => pair.key === key)) place.complain(node, `${inside(place, key)} is missing: add it.`)
    }
    return found
  },
})

/** A group of which every key was found, or nothing: what is missing has been told. */
export const whole = <Group>(
  field: Field<Partial<Group>>,
  isWhole: (found: Partial<Group>) => found is Group,
): Field<Group> => ({
  ...(field.keys ? { keys: field.keys } : {}),
  read: (node, place) => {
    const found = field.read(node, place)
    return found !== undefined && isWhole(found) ? found : undefined
  },
})

const inside = (place: Place, key: string): string => (place.name === '' ? key : `${place.name}.${key}`)

function refuse(node: Node, place: Place, message: string): undefined {
  place.complain(node, `${visible(place.name)} ${message}`)
}

const resolved = (node: Node, { document }: Place): Node | undefined => (isAlias(node) ? node.resolve(document) : node)

function scalarOf(node: Node, place: Place): unknown {
  const here = resolved(node, place)
  return isScalar(here) ? here.value : undefined
}

/** The end of a complaint: what stands there instead. */
function butIs(node: Node, place: Place): string {
  const here = resolved(node, place)
  if (isSeq(here)) return ', and not a list'
  if (isMap(here)) return ', and not keys and values'
  const value = scalarOf(node, place)
  if (value === null || value === undefined || value === '') return ', and nothing stands there'
  const written = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return `, and not ${visible(written.length > 60 ? `${written.slice(0, 60)}…` : written)}`
}

interface KeyAndValue {
  readonly key: string
  readonly keyNode: Node
  readonly value: Node
}

function pairsOf(node: Node, place: Place, keys: readonly string[] = []): readonly KeyAndValue[] | undefined {
  const here = resolved(node, place)
  if (!isMap(here)) {
    const name = place.name === '' ? 'The file' : place.name
    const wanted = keys.length > 0 ? ` (${keys.join(', ')})` : ''
    place.complain(node, `${name} must hold keys and values${wanted}${butIs(node, place)}.`)
    return undefined
  }
  return here.items.flatMap(({ key, value }) => {
    if (!isNode(key)) return []
    if (!isScalar(key)) {
      place.complain(key, 'A key must be a name.')
      return []
    }
    return [{ key: String(key.value), keyNode: key, value: isNode(value) ? value : nothingAt(key) }]
  })
}

function nothingAt(key: Node): Node {
  const nothing = new Scalar(null)
  nothing.range = key.range ?? null
  return nothing
}

function unknownKey(key: string, place: string, fields: { readonly [key: string]: Field<unknown> }): string {
  const known = Object.keys(fields)
  const deeper = Object.entries(fields).find(([, field]) => field.keys?.includes(key))
  const near = deeper ? `${deeper[0]}.${key}` : nearestName(key, known)
  const hint = near ? `did you mean ${near}?` : `the keys are ${known.join(', ')}.`
  return `There is no key ${visible(JSON.stringify(key))}${place === '' ? '' : ` in ${place}`}: ${hint}`
}
