import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { placeName } from '../../fit/explain.ts'
import { isObject } from '../../fit/judge.ts'
import { isSchemaObject } from '../../fit/schema.ts'
import { type ModeName, type RunnableTool, validator } from '../../index.ts'
import type { JsonSchema, JsonValue } from '../../types.ts'
import { fieldsOf, parsed, textOf } from '../../wire/json.ts'
import type { StrictReading } from './scene.ts'

/** Asks for a reply and reads it as strictly as many an agent does: JSON.parse, then the schema, and nothing else. */
export async function readStrictly(
  model: LanguageModelV4,
  request: LanguageModelV4CallOptions,
  { mode, tools }: { readonly mode: ModeName; readonly tools: readonly RunnableTool[] },
): Promise<StrictReading> {
  let text = ''
  try {
    const { content } = await model.doGenerate(request)
    text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    for (const part of content) {
      if (part.type === 'tool-call') checkCall(part.toolName, strictValue(part.input), tools)
    }
    if (mode === 'react') checkAction(text, tools)
    else if (mode !== 'native') checkObject(text, tools)
    return { kind: 'read' }
  } catch (error) {
    if (error instanceof Unread) {
      return { kind: 'failed', reason: error.message, consequence: consequences[mode](text) }
    }
    if (APICallError.isInstance(error)) {
      return { kind: 'failed', reason: saidBy(error), consequence: 'There is no reply at all, and the run ends.' }
    }
    throw error
  }
}

/** A strict reader does not know what this is. */
class Unread extends Error {}

const askedAgain = (): string => 'The reply is thrown away, and the model is asked again.'

/** What agents do with a reply that their strict reader does not know. */
const consequences: { readonly [mode in ModeName]: (text: string) => string } = {
  native: () => 'The call is not run, and the model is told that it made a mistake.',
  structured: askedAgain,
  json: askedAgain,
  // Where no action is found, the old ReAct parsers take the reply for the end.
  react: (text) => `No tool runs, and the final answer is: ${text}`,
}

function saidBy({ statusCode, responseBody = '' }: APICallError): string {
  const { message } = fieldsOf(fieldsOf(parsed(responseBody))['error'])
  return `HTTP ${statusCode}: ${textOf(message) ?? responseBody}`
}

function strictValue(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Unread(`JSON.parse: ${error.message}`)
    throw error
  }
}

/** Lines of Thought and Action, of which only JSON is an action. */
function checkAction(text: string, tools: readonly RunnableTool[]): void {
  const action = /^Action:(.*)$/m.exec(text)?.[1]
  if (action === undefined) return
  const value = strictValue(action.trim())
  if (!isObject(value)) throw new Unread('The action is no object.')
  checkCall(String(value['tool']), value['tool_input'] ?? {}, tools)
}

/** One object: a call, the answer or a thought, by itself or as the `function` of a step. */
function checkObject(text: string, tools: readonly RunnableTool[]): void {
  const value = strictValue(text)
  if (!isObject(value)) throw new Unread('The reply is no object.')
  const step = isObject(value['function']) ? value['function'] : value
  if (step['tool'] !== undefined) checkCall(String(step['tool']), step['arguments'] ?? {}, tools)
}

function checkCall(name: string, given: JsonValue, tools: readonly RunnableTool[]): void {
  const tool = tools.find((offered) => offered.name === name)
  if (!tool) throw new Unread(`There is no tool ${name}.`)
  const objections = validator.check(given, tool.schema).map(({ path, message }) => `${placeName(path)}: ${message}`)
  // To a function that is called by the names of its parameters, others are an error.
  const strangers = strangersIn(given, tool.schema).map((key) => `${JSON.stringify(key)}: not a parameter`)
  const all = [...objections, ...strangers]
  if (all.length > 0) throw new Unread(`The schema of ${name}: ${all.join('; ')}`)
}

function strangersIn(given: JsonValue, schema: JsonSchema): string[] {
  const properties = isSchemaObject(schema) ? schema['properties'] : undefined
  if (!isObject(given) || !isSchemaObject(properties)) return []
  return Object.keys(given).filter((key) => !Object.hasOwn(properties, key))
}
