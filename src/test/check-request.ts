import type { ChatRequest } from '../wire/chat.ts'
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../wire/json.ts'

/** A request as it came, or what is wrong with it. */
export type CheckedRequest =
  | { readonly kind: 'request'; readonly request: ChatRequest }
  | { readonly kind: 'refused'; readonly problem: string }

const roles = ['system', 'developer', 'user', 'assistant', 'tool']

/** Checks a request as strictly as the strictest servers do. */
export function checkRequest(body: unknown): CheckedRequest {
  const problems: string[] = []
  if (isRequest(body, problems)) return { kind: 'request', request: body }
  return { kind: 'refused', problem: problems.join(' ') }
}

function isRequest(body: unknown, problems: string[]): body is ChatRequest {
  const { model, messages, tools, stream } = fieldsOf(body)
  if (!isFields(body)) problems.push('The body is no JSON object.')
  else if (textOf(model) === undefined) problems.push('The field model is missing: name a model.')
  else if (listOf(messages).length === 0) problems.push('The field messages is no list with a message in it.')
  else if (stream !== undefined && typeof stream !== 'boolean') problems.push('The field stream is no boolean.')
  else {
    const problem = messagesProblem(listOf(messages)) ?? toolsProblem(tools)
    if (problem !== undefined) problems.push(problem)
  }
  return problems.length === 0
}

/** What is wrong with the order or the shape of messages; the first thing only. */
function messagesProblem(messages: readonly unknown[]): string | undefined {
  /** Ids of calls whose results have not come. */
  const open = new Set<string>()
  let isStart = true
  for (const [index, value] of messages.entries()) {
    const message = fieldsOf(value)
    const { role } = message
    const where = `messages[${index}]`
    if (!roles.some((known) => known === role)) {
      return `${where} has the role ${JSON.stringify(role) ?? 'undefined'}; known are ${roles.join(', ')}.`
    }
    const isSystem = role === 'system' || role === 'developer'
    if (isSystem && !isStart) return `${where} is a ${role} message, but those come first.`
    isStart &&= isSystem
    if (role === 'tool') {
      const problem = resultProblem(message, where, open)
      if (problem !== undefined) return problem
      continue
    }
    if (open.size > 0) return `${where} comes before the results of the calls ${[...open].join(', ')}.`
    const problem =
      contentProblem(message, where) ?? (role === 'assistant' ? callsProblem(message, where, open) : undefined)
    if (problem !== undefined) return problem
  }
  return open.size > 0 ? `The results of the calls ${[...open].join(', ')} are missing.` : undefined
}

function resultProblem({ tool_call_id: id, content }: Fields, where: string, open: Set<string>): string | undefined {
  const given = textOf(id)
  if (given === undefined) return `${where} is the result of no call: tool_call_id is missing.`
  if (!open.delete(given))
    return `${where} is the result of ${given}, but no call before it that still waits has this id.`
  return typeof content === 'string' || Array.isArray(content) ? undefined : `${where}.content is no text.`
}

function contentProblem({ role, content, tool_calls: calls }: Fields, where: string): string | undefined {
  if (typeof content === 'string') return undefined
  const isCall = role === 'assistant' && listOf(calls).length > 0
  if (isCall && (content === null || content === undefined)) return undefined
  if (!Array.isArray(content)) return `${where}.content is no text and no list.`
  const wrong = content.findIndex((part) => textOf(fieldsOf(part)['type']) === undefined)
  return wrong < 0 ? undefined : `${where}.content[${wrong}] has no type.`
}

function callsProblem({ tool_calls: calls }: Fields, where: string, open: Set<string>): string | undefined {
  for (const [index, call] of listOf(calls).entries()) {
    const { id, type, function: made } = fieldsOf(call)
    const { name, arguments: input } = fieldsOf(made)
    const place = `${where}.tool_calls[${index}]`
    const given = textOf(id)
    if (given === undefined) return `${place} has no id.`
    if (open.has(given)) return `${place} has the id ${given}, which another call has.`
    if (type !== 'function' || textOf(name) === undefined) return `${place} is no function with a name.`
    if (typeof input !== 'string') return `${place}.function.arguments is no text.`
    open.add(given)
  }
  return undefined
}

function toolsProblem(tools: unknown): string | undefined {
  if (tools === undefined) return undefined
  if (!Array.isArray(tools)) return 'The field tools is no list.'
  const wrong = tools.findIndex((tool) => {
    const { type, function: made } = fieldsOf(tool)
    return type !== 'function' || textOf(fieldsOf(made)['name']) === undefined
  })
  return wrong < 0 ? undefined : `tools[${wrong}] is no function with a name.`
}
