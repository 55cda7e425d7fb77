import { z } from 'zod'
import { instructions, lookUp, type Model, type Outcome, type Sheet, STEPS, task } from './agent-task.ts'

type Request = Parameters<Model['doStream']>[0]

/** What of a reply a run cannot do without. */
interface Said {
  text: string
  call?: { readonly id: string; readonly input: string }
}

const { $schema, ...schema } = z.toJSONSchema(lookUp.input)
const { name, description } = lookUp
const tools: NonNullable<Request['tools']> = [
  { type: 'function', name, description, inputSchema: { ...schema, type: 'object' } },
]

async function saidStreamed(model: Model, request: Request): Promise<Said> {
  const said: Said = { text: '' }
  const { stream } = await model.doStream(request)
  for await (const part of stream) {
    if (part.type === 'text-delta') said.text += part.delta
    else if (part.type === 'tool-call') said.call = { id: part.toolCallId, input: part.input }
    else if (part.type === 'error') throw part.error
  }
  return said
}

async function saidWhole(model: Model, request: Request): Promise<Said> {
  const said: Said = { text: '' }
  const { content } = await model.doGenerate(request)
  for (const part of content) {
    if (part.type === 'text') said.text += part.text
    else if (part.type === 'tool-call') said.call = { id: part.toolCallId, input: part.input }
  }
  return said
}

/** What a run costs without an agent: the model asked, the call parsed and made, and nothing checked. */
export async function bareRun(model: Model, sheet: Sheet, isStreamed: boolean): Promise<Outcome> {
  const prompt: Request['prompt'] = [
    { role: 'system', content: instructions },
    { role: 'user', content: [{ type: 'text', text: task }] },
  ]
  for (let steps = 1; steps <= STEPS; steps++) {
    const request = { prompt, tools }
    const { text, call } = await (isStreamed ? saidStreamed(model, request) : saidWhole(model, request))
    if (!call) return { answer: text, steps }
    const named = { toolCallId: call.id, toolName: name }
    const input: { cell: number } = JSON.parse(call.input)
    const output = { type: 'text' as const, value: sheet.lookUp(input) }
    prompt.push({ role: 'assistant', content: [{ type: 'tool-call', ...named, input }] })
    prompt.push({ role: 'tool', content: [{ type: 'tool-result', ...named, output }] })
  }
  return { steps: STEPS }
}
