import { labels } from './bodies/action-body.ts'
import { PARAGRAPH } from './bodies/bare-body.ts'
import type { Dialect } from './dialects/dialect.ts'
import { around, channels, dialects, inventions, lineDialects, thoughts, turnEnds } from './dialects/table.ts'
import type { HeadMarks } from './head.ts'
import { type Closers, closersOf, Literals } from './literals.ts'

/** What the rows of the table with one opener have in common. */
export interface Opener {
  readonly rows: readonly Dialect[]
  readonly marks: HeadMarks
  readonly closers: Closers
  /** Closers of tags: those of all families, since models mix them. */
  readonly tagClosers: readonly string[]
  /** What begins another call. */
  readonly next: readonly string[]
}

/** What a literal means in prose. */
export type Meaning =
  | { readonly kind: 'call'; readonly opener: Opener }
  | { readonly kind: 'marker' }
  | { readonly kind: 'channel' }
  | { readonly kind: 'thought-end' }
  | { readonly kind: 'thought'; readonly close: string }
  | { readonly kind: 'invention'; readonly close: string }

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]
const allClosers = unique(dialects.flatMap(({ close }) => close))

function openerOf(rows: readonly Dialect[]): Opener {
  const close = unique(rows.flatMap((row) => row.close))
  const quotes = unique(rows.flatMap((row) => row.quotes ?? []))
  const openEnd = rows[0]?.openEnd
  return {
    rows,
    marks: {
      ...(openEnd === undefined ? {} : { openEnd }),
      close,
      around: unique([
        ...rows.flatMap(({ nameEnd, around = [] }) => [...(nameEnd ? [nameEnd] : []), ...around]),
        ...around,
      ]),
    },
    closers: closersOf(close, quotes),
    tagClosers: unique([...close, ...allClosers]),
    next: unique(rows.flatMap((row) => [...row.open, ...(row.section ?? []).flat()])),
  }
}

const openers = unique(dialects.flatMap(({ open }) => open)).map((text) => {
  const rows = dialects.filter(({ open }) => open.includes(text))
  return { text, means: { kind: 'call', opener: openerOf(rows) } as const }
})

/** The literals that mean something in prose, from the table. An opener counts before a marker of the same letters. */
export const proseLiterals = new Literals<Meaning>(
  [
    ...openers,
    ...dialects.flatMap(({ section = [], close }) =>
      [...section.flat(), ...close]
        // Fences are read by themselves.
        .filter((text) => text.trim() !== '```')
        .map((text) => ({ text, means: { kind: 'marker' } as const })),
    ),
    ...turnEnds.map((text) => ({ text, means: { kind: 'marker' } as const })),
    ...thoughts.flatMap(({ open, close }) => [
      { text: open, means: { kind: 'thought', close } as const },
      { text: close, means: { kind: 'thought-end' } as const },
    ]),
    ...inventions.map(({ open, close }) => ({ text: open, means: { kind: 'invention', close } as const })),
    ...channels.open.map((text) => ({ text, means: { kind: 'channel' } as const })),
    ...channels.close.map((text) => ({ text, means: { kind: 'marker' } as const })),
  ],
  ['{', '[', '<', '`', '\n', ':', '='],
)

/** What means a call at the start of a line. */
export const lineOpeners = new Literals<Opener>(
  lineDialects.flatMap((row) => row.open.map((text) => ({ text, means: openerOf([row]) }))),
)

/** What text without a marker cannot go over and still be one call. */
export const barriers = new Literals<unknown>([
  ...openers,
  ...[...channels.open, ...thoughts.map(({ open }) => open)].map((text) => ({ text, means: undefined })),
  ...labels.texts.map((text) => ({ text: `\n${text}`, means: undefined })),
  { text: PARAGRAPH, means: undefined },
])

/** What ends a message in a channel. */
export const messageEnds = new Literals(
  [...channels.close, ...channels.open].map((text) => ({ text, means: undefined })),
)

/** What ends a thought. */
export const thoughtEnds: readonly string[] = unique(thoughts.map(({ close }) => close))

/** Calls of a channel, whose name stands in the header. */
export const channelOpener: Opener = openerOf([
  {
    ...{ name: channels.name, families: channels.families, open: channels.open, close: channels.close },
    form: 'name-json',
  },
])

/** Tokens between the name of a tool and its arguments that tell a call whose opener is missing, or comes too late. */
export const nameMarks: readonly string[] = unique(
  dialects.flatMap(({ nameEnd, open }) => (nameEnd === undefined ? [] : [nameEnd, ...open])),
)
/** What may stand between a name without an opener and its arguments. */
export const bareMarks = nameMarks

/** Calls whose name comes first. */
export const namedOpener: Opener = openerOf([{ name: 'named', families: [], open: [], close: [], form: 'name-json' }])

/** Keys that name a tool at the start of lines of `key: value`. */
export const toolKeys = new Literals<undefined>(
  ['tool:', 'Tool:', 'tool_name:', 'function:'].map((text) => ({ text, means: undefined })),
)
