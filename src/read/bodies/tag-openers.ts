import type { Brackets, PairMarks } from '../dialects/dialect.ts'
import { brackets, pairs, parameterTags } from '../dialects/tag-dialects.ts'
import { skip } from './space.ts'

/**
 * How the tag of a parameter says its name:
 *
 * - `tag`: `<parameter=path>a.md</parameter>`
 * - `attribute`: `<parameter name="path">a.md</parameter>`
 * - `pair`: `<arg_key>path</arg_key><arg_value>a.md</arg_value>`
 * - `name`: `<path>a.md</path>`
 * - `label`: `<parameter>path</parameter>a.md`
 */
export type TagForm = 'tag' | 'attribute' | 'pair' | 'name' | 'label'

/** The start of a parameter. */
export interface TagOpener {
  readonly form: TagForm
  readonly name: string
  /** Where its text starts. */
  readonly end: number
  /** What closes it, its own closer first. */
  readonly closers: readonly string[]
  /** The form is the family's own. */
  readonly isUsual: boolean
  /** No space in it belongs to the tags. */
  readonly isExact?: boolean
}

/** So long may the tag of a parameter be; what is longer is none. */
const LONGEST_TAG = 200

/** The start of a parameter that stands here. `names` are those of the tool's parameters. */
export function openerAt(
  text: string,
  index: number,
  names: ReadonlySet<string>,
  isEnd: boolean,
): TagOpener | 'more' | undefined {
  const whole = text.slice(index, index + LONGEST_TAG)
  const isAll = isEnd || whole.length === LONGEST_TAG
  for (const marks of pairs) {
    const found = pairAt(whole, marks)
    // What comes first in the table counts first, also while it may still come.
    if (found === 'more' && !isAll) return found
    if (found && found !== 'more') return { ...found, end: index + found.end }
  }
  for (const row of brackets) {
    const found = tagAt(whole, row, names)
    if (found === 'more' && !isAll) return found
    if (found && found !== 'more') return { ...found, end: index + found.end }
  }
  return undefined
}

const isStartOf = (whole: string, part: string): boolean => part.startsWith(whole)

/** Key and value with marks of their own. The mark before the value gets lost (vLLM 49248). */
function pairAt(whole: string, { open, keyEnd, value, close }: PairMarks): TagOpener | 'more' | undefined {
  if (!whole.startsWith(open)) return isStartOf(whole, open) ? 'more' : undefined
  const end = keyEnd || value
  const at = whole.indexOf(end, open.length)
  if (at < 0) return 'more'
  const name = whole.slice(open.length, at).trim()
  if (name.includes('\n')) return undefined
  const behind = at + end.length
  const opener = { form: 'pair', name, closers: [close] } as const
  if (!keyEnd) return { ...opener, end: behind, isUsual: true, isExact: true }
  const from = skip(whole, behind)
  if (whole.startsWith(value, from)) return { ...opener, end: from + value.length, isUsual: true }
  return isStartOf(whole.slice(from), value) ? 'more' : { ...opener, end: behind, isUsual: false }
}

function tagAt(whole: string, row: Brackets, names: ReadonlySet<string>): TagOpener | 'more' | undefined {
  const { open, end, close, takesAny = false } = row
  if (!whole.startsWith(open)) return isStartOf(whole, open) ? 'more' : undefined
  const length = whole.indexOf(end, open.length)
  if (length < 0) return takesAny || mayBeTag(whole.slice(open.length), names) ? 'more' : undefined
  const inside = whole.slice(open.length, length)
  const from = length + end.length
  const closer = (tag: string): string => `${close}${tag}${end}`
  if (takesAny) {
    const isName = /^[^\s</"'=]+$/.test(inside)
    return isName ? { form: 'name', name: inside, end: from, closers: [closer(inside)], isUsual: true } : undefined
  }
  const found = nameIn(inside, names)
  if (!found) return undefined
  const { form, name, tag } = found
  if (form !== 'label') {
    const others = [name, ...parameterTags].map(closer).filter((other) => other !== closer(tag))
    return { form, name, end: from, closers: [closer(tag), ...others], isUsual: form !== 'name' }
  }
  const label = whole.indexOf(closer(tag), from)
  if (label < 0) return 'more'
  const labelled = whole.slice(from, label).trim()
  if (!names.has(labelled)) return undefined
  return { form, name: labelled, end: label + closer(tag).length, closers: [closer(tag)], isUsual: false }
}

/** Whether this may be the start of a tag that has not come to its end. */
function mayBeTag(start: string, names: ReadonlySet<string>): boolean {
  const isTag = (tag: string): boolean =>
    isStartOf(start, tag) || (start.startsWith(tag) && /^[=\s]/.test(start.slice(tag.length)))
  return parameterTags.some(isTag) || [...names].some((name) => isStartOf(start, name))
}

function nameIn(
  inside: string,
  names: ReadonlySet<string>,
): { readonly form: TagForm; readonly name: string; readonly tag: string } | undefined {
  if (names.has(inside)) return { form: 'name', name: inside, tag: inside }
  for (const tag of parameterTags) {
    if (!inside.startsWith(tag)) continue
    const rest = inside.slice(tag.length)
    if (rest.trim() === '') return { form: 'label', name: '', tag }
    const isInTag = rest.startsWith('=')
    if (!isInTag && !/^\s/.test(rest)) continue
    const name = isInTag
      ? rest
          .slice(1)
          .trim()
          .replace(/^["']|["']$/g, '')
      : nameAttribute(rest)
    if (name) return { form: isInTag ? 'tag' : 'attribute', name, tag }
  }
  return undefined
}

const attributeList = /^(?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))+\s*\/?$/

/** The value of the attribute that names a parameter. What is no list of attributes is a tag that was not ended. */
function nameAttribute(attributes: string): string | undefined {
  if (!attributeList.test(attributes)) return undefined
  const [, double, single, bare] = /\b(?:name|key)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/.exec(attributes) ?? []
  return double ?? single ?? bare
}
