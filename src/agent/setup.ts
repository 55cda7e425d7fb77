import { createHash } from 'node:crypto'
import type { Setup } from './events.ts'
import type { Settings } from './settings.ts'

/** What tells two values apart, without telling what they are. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)

/** What an agent is set up with, so that a run that goes on with another setup can say so. */
export const setupOf = ({ instructions, tools }: Settings): Setup => ({
  instructions: hashOf(instructions),
  tools: Object.fromEntries(
    [...tools.values()].map(({ name, description, schema, kind }) => [name, hashOf([description, schema, kind])]),
  ),
})

/** How one setup differs from another, in words. */
export function changesIn(before: Setup, now: Setup): string[] {
  const names = new Set([...Object.keys(before.tools), ...Object.keys(now.tools)])
  const tools = [...names].flatMap((name) => {
    const [old, current] = [before.tools[name], now.tools[name]]
    if (old === current) return []
    return [`the tool ${name} ${current === undefined ? 'is gone' : old === undefined ? 'is new' : 'has changed'}`]
  })
  return [...(before.instructions === now.instructions ? [] : ['the instructions have changed']), ...tools]
}
