import { json } from './json.ts'
import type { Mode } from './mode.ts'
import type { ModeName } from './names.ts'
import { native } from './native.ts'
import { react } from './react.ts'
import { structured } from './structured.ts'

/** Every mode, by its name. */
export const modes: { readonly [name in ModeName]: Mode } = { native, structured, json, react }
