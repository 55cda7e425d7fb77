import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4TextPart } from '@ai-sdk/provider'
import { labelOf, toolLine } from '../../fit/label.ts'
import { documentOf, isSchemaObject, schemaEntries } from '../../fit/schema.ts'
import type { RunnableTool } from '../../tools/tool.ts'
import type { JsonSchema } from '../../types.ts'
import type { RunCall } from '../events.ts'
import type { Entry, Observation } from '../transcript.ts'

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart

const textPart = (text: string): LanguageModelV4TextPart => ({ type: 'text', text })

export const user = (text: string, files: readonly LanguageModelV4FilePart[] = []): LanguageModelV4Message => ({
  role: 'user',
  content: [textPart(text), ...files],
})

export const assistant = (text: string): LanguageModelV4Message => ({ role: 'assistant', content: [textPart(text)] })

/** One system message of several paragraphs. */
export const system = (...paragraphs: readonly string[]): LanguageModelV4Message => ({
  role: 'system',
  content: paragraphs.filter((paragraph) => paragraph !== '').join('\n\n'),
})

/** Messages of the user that follow each other are one: the templates of many models take no two in a row. */
export function merged(messages: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  const result: LanguageModelV4Message[] = []
  for (const message of messages) {
    const last = result.at(-1)
    if (message.role !== 'user' || last?.role !== 'user') result.push(message)
    else result[result.length - 1] = { ...last, content: joined([...last.content, ...message.content]) }
  }
  return result
}

function joined(parts: readonly UserPart[]): UserPart[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return [textPart(texts.join('\n\n')), ...parts.filter((part) => part.type === 'file')]
}

/** The files of an observation, as parts of a message. */
export const filesOf = ({ files }: Observation): LanguageModelV4FilePart[] =>
  files.map(({ mediaType, data }) => ({ type: 'file', mediaType, data: { type: 'data', data } }))

/** How a mode that knows only text writes what was done. */
export interface Writing {
  readonly calls: (calls: readonly RunCall[], thought: string | undefined) => string
  readonly thought: (text: string) => string
  readonly answer: (text: string) => string
  readonly observation: (observation: Observation) => string
}

/** The history as messages of text. */
export const writtenMessages = (entries: readonly Entry[], write: Writing): LanguageModelV4Message[] =>
  merged(entries.map((entry) => writtenMessage(entry, write)))

function writtenMessage(entry: Entry, write: Writing): LanguageModelV4Message {
  switch (entry.kind) {
    case 'user':
    case 'feedback':
      return user(entry.text)
    case 'thought':
      return assistant(write.thought(entry.text))
    case 'answer':
      return assistant(write.answer(entry.text))
    case 'calls':
      return assistant(write.calls(entry.calls, entry.thought ?? entry.text))
    case 'observation':
      return user(write.observation(entry.observation), filesOf(entry.observation))
  }
}

/** A tool's line is at most this long. */
const LINE = 600

/** The tools as a text, a paragraph each: what it is for, its line, what its author says of the parameters. */
export function toolList(tools: readonly RunnableTool[]): string {
  const paragraphs = tools.map(({ name, description, schema }) => {
    const line = toolLine(name, schema, documentOf(schema), LINE)
    return [`- ${description}`, `  ${line}`, ...parameterLines(schema)].join('\n')
  })
  return `The tools (* = required):\n${paragraphs.join('\n')}`
}

function parameterLines(schema: JsonSchema): string[] {
  if (!isSchemaObject(schema)) return []
  return schemaEntries(schema['properties']).flatMap(([name, part]) => {
    const description = isSchemaObject(part) ? part['description'] : undefined
    return typeof description === 'string' && description !== '' ? [`    ${name}: ${description}`] : []
  })
}

/** What the final answer must be, in words. Nothing where it is plain text. */
export function outputLine(output: JsonSchema | undefined): string {
  if (output === undefined) return ''
  return `The final answer is JSON of this shape (* = required): ${labelOf(output, documentOf(output))}`
}
