import { isSchemaObject, schemaAt } from '../fit/schema.ts'
import type { JsonObject } from '../types.ts'
import type { StringWatch } from './bodies/json-scan.ts'
import type { TextWatch } from './bodies/tag-scan.ts'
import { argumentKeys, nameKeys } from './envelope.ts'
import type { OfferedTool } from './tools.ts'

/** Who is told when a call has a name. */
export interface FlowEvents {
  /** The name is complete, and that of a tool. */
  start(tool: OfferedTool): void
}

/**
 * Tells the arguments of a marked call while they come in: of those parameters that are plain texts by their schema, so
 * that nothing later can change them. All deltas together are the JSON of the arguments.
 */
export class ArgumentFlow implements StringWatch, TextWatch {
  private readonly events: FlowEvents
  private readonly resolve: (name: string) => OfferedTool | undefined
  private readonly isEnvelope: boolean
  private tool: OfferedTool | undefined
  /** What passes by: the name of the tool, or a parameter. */
  private passing: { readonly kind: 'name'; text: string } | { readonly kind: 'text'; readonly key: string } | undefined
  /** What was told of each parameter, as it is written in JSON. Only the last may go on. */
  private readonly told = new Map<string, string[]>()
  /** The start of the text that passes by, as long as it may be that of a Windows path. */
  private start = ''
  private untold = ''
  private isOver = false

  /** With a tool, what comes are its arguments; without one it is an envelope, and the name stands in it. */
  constructor(tool: OfferedTool | undefined, resolve: (name: string) => OfferedTool | undefined, events: FlowEvents) {
    this.tool = tool
    this.isEnvelope = tool === undefined
    this.resolve = resolve
    this.events = events
  }

  wants(depth: number, keys: readonly string[]): boolean {
    this.passing = undefined
    const [, outer = '', inner = ''] = keys
    if (!this.tool) {
      if (depth !== 1 || !nameKeys.some((known) => known === outer)) return false
      this.passing = { kind: 'name', text: '' }
      return true
    }
    const isParameter = this.isEnvelope ? depth === 2 && argumentKeys.some((known) => known === outer) : depth === 1
    return isParameter && this.wantsText(this.isEnvelope ? inner : outer)
  }

  wantsText(key: string): boolean {
    if (this.isOver || !this.tool || this.told.has(key) || !isPlainText(this.tool, key)) return false
    this.passing = { kind: 'text', key }
    return true
  }

  piece(raw: string): void {
    const { passing } = this
    if (passing?.kind === 'name') passing.text += raw
    else if (passing) this.say(passing.key, raw)
  }

  text(text: string): void {
    this.piece(JSON.stringify(text).slice(1, -1))
  }

  closed(): void {
    const { passing } = this
    const tool = passing?.kind === 'name' ? this.resolve(passing.text) : undefined
    this.passing = undefined
    if (!tool) return
    this.tool = tool
    this.events.start(tool)
  }

  private say(key: string, raw: string): void {
    if (this.isOver) return
    const pieces = this.told.get(key)
    if (!pieces) this.start = ''
    if (this.start.length < 3) {
      this.start += raw.slice(0, 3)
      // The backslashes of a Windows path may turn out to be no escapes.
      this.isOver = /^(?:[A-Za-z]:)?\\/.test(this.start)
      if (this.isOver) return
    }
    if (pieces) pieces.push(raw)
    else {
      this.untold += `${this.told.size === 0 ? '{' : '",'}${JSON.stringify(key)}:"`
      this.told.set(key, [raw])
    }
    this.untold += raw
  }

  /** What has come and is not told yet. */
  take(): string {
    const { untold } = this
    this.untold = ''
    return untold
  }

  /** What remains to be told, `undefined` when what was told is not how it came out. */
  rest(parameters: JsonObject): string | undefined {
    if (this.ended?.parameters !== parameters) this.ended = { parameters, rest: this.restOf(parameters) }
    return this.ended.rest
  }

  private ended: { readonly parameters: JsonObject; readonly rest: string | undefined } | undefined

  private restOf(parameters: JsonObject): string | undefined {
    const told = [...this.told].map(([key, pieces]) => [key, decoded(pieces.join(''))] as const)
    const last = told.at(-1)
    if (!last) return JSON.stringify(parameters)
    const isSame = told.every(([key, text], index) => {
      const value = Object.hasOwn(parameters, key) ? parameters[key] : undefined
      return (
        typeof value === 'string' &&
        text !== undefined &&
        (index < told.length - 1 ? value === text : value.startsWith(text))
      )
    })
    if (!isSame) return undefined
    const open = (parameters[last[0]] as string).slice(last[1]?.length ?? 0)
    const others = Object.keys(parameters).filter((key) => !this.told.has(key))
    const tail = others.map((key) => `,${JSON.stringify(key)}:${JSON.stringify(parameters[key])}`).join('')
    return `${JSON.stringify(open).slice(1, -1)}"${tail}}`
  }
}

/** The text of the start of a JSON string. */
function decoded(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`)
  } catch {
    return undefined
  }
}

/** Whether a parameter is a text by its schema, and nothing but that. */
function isPlainText({ schema }: OfferedTool, key: string): boolean {
  const part = isSchemaObject(schema) ? schemaAt(schema['properties'], key) : undefined
  if (!isSchemaObject(part) || part['type'] !== 'string') return false
  return !['enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in part)
}
