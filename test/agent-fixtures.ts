/** What the tests of the agent share: a model that says one thing in every mode, and tools that remember their calls. */
import {
  type AgentOptions,
  createAgent,
  type ModeName,
  type RunEvent,
  type RunnableTool,
  type RunResult,
  tool,
} from '../src/index.ts'
import { type Reply, type Script, type ScriptedModel, scriptedModel } from '../src/test/index.ts'
import type { JsonObject } from '../src/types.ts'

export const modes = ['native', 'structured', 'json', 'react'] as const satisfies readonly ModeName[]

/** A reply that calls a tool, with the text of its arguments as it stands. */
export function callWith(mode: ModeName, name: string, given: string, thought = ''): Reply {
  const scratchpad = thought === '' ? '' : `"scratchpad": ${JSON.stringify(thought)}, `
  switch (mode) {
    case 'native':
      return { ...(thought === '' ? {} : { text: thought }), calls: [{ name, arguments: given }] }
    case 'structured':
      return `{"thought": ${JSON.stringify(thought)}, "function": {"tool": "${name}", "arguments": ${given}}}`
    case 'json':
      return `{${scratchpad}"tool": "${name}", "arguments": ${given}}`
    case 'react':
      return `${thought === '' ? '' : `Thought: ${thought}\n`}Action: {"tool": "${name}", "tool_input": ${given}}`
  }
}

export const call = (mode: ModeName, name: string, given: JsonObject = {}, thought = ''): Reply =>
  callWith(mode, name, JSON.stringify(given), thought)

/** A reply that ends the run. */
export function answer(mode: ModeName, text: string): Reply {
  switch (mode) {
    case 'native':
      return text
    case 'structured':
      return JSON.stringify({ thought: 'done', function: { answer: text } })
    case 'json':
      return JSON.stringify({ answer: text })
    case 'react':
      return `Thought: done\nFinal Answer: ${text}`
  }
}

/** A reply that no mode can read: a call that was cut. */
export function unreadable(mode: ModeName, mark = 'half'): Reply {
  return callWith(mode, 'search', `{"query": "${mark}`)
}

const text = { type: 'string' } as const

/** The tools of the tests, and what was done with them, in its order. */
export function toolbox(): { readonly tools: RunnableTool[]; readonly ran: (readonly [string, unknown])[] } {
  const ran: (readonly [string, unknown])[] = []
  const note =
    <Given>(name: string, result: (given: Given) => unknown) =>
    (given: Given) => {
      ran.push([name, given])
      return result(given)
    }
  return {
    ran,
    tools: [
      tool({
        name: 'search',
        description: 'Searches.',
        input: { type: 'object', properties: { query: text, limit: { type: 'integer' } }, required: ['query'] },
        kind: 'pure',
        run: note('search', ({ query }) => `found ${query}`),
      }),
      tool({
        name: 'write_file',
        description: 'Writes a file.',
        input: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
        run: note('write_file', ({ path }) => `wrote ${path}`),
      }),
      tool({
        name: 'register',
        description: 'Registers an entry.',
        input: {
          type: 'object',
          properties: { entry: { type: 'object', properties: { id: text }, required: ['id'] }, note: text },
          required: ['entry'],
        },
        run: note('register', ({ entry }) => ({ registered: entry.id })),
      }),
      tool({
        name: 'now',
        description: 'Tells the time.',
        input: { type: 'object' },
        poll: true,
        run: note('now', () => 'noon'),
      }),
      tool({
        name: 'broken',
        description: 'Fails.',
        input: { type: 'object', properties: { part: text } },
        run: note('broken', () => {
          throw new Error('the disk is full')
        }),
      }),
    ],
  }
}

/** What a run came to, and all that happened in it. */
export interface Ran {
  readonly result: RunResult<unknown>
  readonly events: readonly RunEvent[]
  readonly model: ScriptedModel
  readonly ran: readonly (readonly [string, unknown])[]
}

/** Runs a task against a script. */
export async function ranWith(
  script: Script,
  options: Partial<AgentOptions<never>> & { readonly mode: ModeName | 'auto' },
): Promise<Ran> {
  const { tools, ran } = toolbox()
  const model = scriptedModel(script)
  const events: RunEvent[] = []
  const agent = createAgent({ tools, retryDelay: 1, ...options, model })
  const result = await agent.run('Do it.', { onEvent: (event) => void events.push(event) })
  return { result, events, model, ran }
}

/** The events of one kind. */
export const ofKind = <Kind extends RunEvent['kind']>(
  events: readonly RunEvent[],
  kind: Kind,
): Extract<RunEvent, { kind: Kind }>[] =>
  events.filter((event): event is Extract<RunEvent, { kind: Kind }> => event.kind === kind)

/** All that a model was told in a request, as one text. */
export const toldIn = (model: ScriptedModel, index = -1): string =>
  JSON.stringify(model.requests.at(index)?.prompt ?? '')
