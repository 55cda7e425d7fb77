import { offeredTool } from '../read/tools.ts'
import type { ToolLike } from '../types.ts'
import { inputText } from './input.ts'
import { UsageError } from './usage-error.ts'

/** The tool in a file: one tool, or the one of that name in a list, in any of the forms that people have. */
export async function toolIn(file: string, name: string | undefined): Promise<ToolLike> {
  const tools = toolsOf(parsed(await inputText(file), file))
  const names = tools.map((tool) => nameOf(tool, file))
  const chosen = name === undefined ? (tools.length === 1 ? 0 : -1) : names.indexOf(name)
  const tool = tools[chosen]
  if (tool !== undefined) return tool
  if (tools.length === 0) throw new UsageError(`${file} holds no tool.`)
  const list = names.join(', ')
  throw new UsageError(
    name === undefined
      ? `${file} holds several tools: add --name with one of ${list}.`
      : `${file} holds no tool named ${name}: it has ${list}.`,
  )
}

/** All tools of a file. */
export async function toolsIn(file: string): Promise<readonly ToolLike[]> {
  const tools = toolsOf(parsed(await inputText(file), file))
  for (const tool of tools) nameOf(tool, file)
  if (tools.length === 0) throw new UsageError(`${file} holds no tool.`)
  return tools
}

function parsed(text: string, file: string): unknown {
  if (text.trim() === '') throw new UsageError(`${file} is empty: it should hold a tool as JSON.`)
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${file} is not JSON: ${reason}.`)
  }
}

/** A list of tools, a list under `tools` as requests and MCP servers have it, or one tool alone. */
function toolsOf(content: unknown): readonly ToolLike[] {
  if (Array.isArray(content)) return content
  const isList = typeof content === 'object' && content !== null && 'tools' in content && Array.isArray(content.tools)
  return isList ? (content.tools as ToolLike[]) : [content as ToolLike]
}

function nameOf(tool: ToolLike, file: string): string {
  try {
    return offeredTool(tool).name
  } catch (error) {
    const isSchema = typeof tool === 'object' && tool !== null && 'properties' in tool
    const hint = isSchema ? ' It looks like a schema: put it under "input", beside a "name".' : ''
    if (error instanceof TypeError) throw new UsageError(`${file}: ${error.message}${hint}`)
    throw error
  }
}
