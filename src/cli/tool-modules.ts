import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf, type RunnableTool } from '../tools/index.ts'
import { UsageError } from './usage-error.ts'

/** The tools that modules export: each export that is a tool, or a list of tools. */
export async function toolsOf(modules: readonly string[]): Promise<RunnableTool[]> {
  const found = await Promise.all(modules.map(toolsIn))
  return found.flat()
}

async function toolsIn(module: string): Promise<RunnableTool[]> {
  const file = resolve(module)
  if (!existsSync(file)) throw new UsageError(`There is no file ${module}: it should be a module that exports tools.`)
  let content: { readonly [name: string]: unknown }
  try {
    content = await import(pathToFileURL(file).href)
  } catch (error) {
    throw new UsageError(`${module} cannot be loaded: ${messageOf(error)}`)
  }
  const tools = new Set(Object.values(content).flat().filter(isTool))
  if (tools.size === 0) {
    throw new UsageError(`${module} exports no tool: export what tool({ name, description, input, run }) returns.`)
  }
  return [...tools]
}

const isTool = (value: unknown): value is RunnableTool =>
  typeof value === 'object' && value !== null && 'run' in value && 'schema' in value && 'needsApproval' in value
