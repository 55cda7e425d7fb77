import { createAgent, type ModeName, modeNames, tool } from '../../src/index.ts'
import { type Reply, scriptedModel } from '../../src/test/index.ts'
import type { ChatMessage } from '../../src/wire/chat.ts'
import { chatRequestOf } from '../../src/wire/request.ts'

const text = { type: 'string' } as const

/** The replies of one model, in the words of each mode: half a call, a call with faults, the answer. */
const scripts: { readonly [mode in ModeName]: readonly Reply[] } = {
  native: [
    { calls: [{ name: 'write_file', arguments: '{"path": "tides.md", "content": "High wat' }] },
    { calls: [{ name: 'write_file', arguments: `{'path': 'tides.md', 'content': "It's at noon", 'line_end': 'LF'}` }] },
    'It is written.',
  ],
  structured: [
    '{"current_state": "nothing written", "plan": ["write the fi',
    `{"current_state": "nothing written", "plan": ["write the file"], "task_completed": false, "function": {"tool": "write_file", "arguments": {"path": "tides.md", "content": "It's at noon", "line_end": "LF"}}}`,
    '{"current_state": "written", "plan": ["answer"], "task_completed": true, "function": {"answer": "It is written."}}',
  ],
  json: [
    '{"tool": "write_file", "arguments": {"path": "tides.md", "content": "High wat',
    `{'scratchpad': 'one file will do', 'tool': 'write_file', 'arguments': {'path': 'tides.md', 'content': "It's at noon", 'line_end': 'LF'}}`,
    '{"answer": "It is written."}',
  ],
  react: [
    'Thought: one file will do\nAction: {"tool": "write_file", "tool_input": {"path": "tides.md", "content": "High wat',
    `Thought: one file will do\nAction: {'tool': 'write_file', 'tool_input': {'path': 'tides.md', 'content': "It's at noon", 'line_end': 'LF'}}`,
    'Thought: done\nFinal Answer: It is written.',
  ],
}

const writeFile = tool({
  name: 'write_file',
  description: 'Writes a file.',
  input: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  run: ({ path, content }) => `Wrote ${path} (${content.length} characters).`,
})

/** The page with what each mode sends: the last request of the same run in each. */
export async function transcriptsPage(): Promise<string> {
  const sections = await Promise.all(modeNames.map(sectionOf))
  return `<!-- Made by "npm run docs" from runs of the agent. -->

# What each mode sends

The same run in each of the four modes of [the agent](agent.md), as its last request shows it. In each, the model first wrote half a call, then one with faults (a Python dict, or a
parameter that the tool does not have), then the answer. The half call is not in the history: what could not be read is never shown to the model again, only the advice that it led to. The second
one stands there in canonical JSON, as it ran.

${sections.join('\n\n')}
`
}

async function sectionOf(mode: ModeName): Promise<string> {
  const model = scriptedModel(scripts[mode])
  const agent = createAgent({ model, mode, tools: [writeFile], nextStep: true })
  await agent.run('Note in tides.md that high water is at noon.', { key: 'tides' })
  const last = model.requests.at(-1)
  if (!last) throw new Error(`The mode ${mode} sent no request.`)
  const { messages, tools, response_format: format, stop } = chatRequestOf(last, 'a-model')
  const beside = [
    ...(tools ? [`tools: ${JSON.stringify(tools)}`] : []),
    ...(format ? [`response_format: ${JSON.stringify(format)}`] : []),
    ...(stop ? [`stop: ${JSON.stringify(stop)}`] : []),
  ]
  return [`## ${mode}`, '', '````text', ...messages.map(shown), ...beside, '````'].join('\n')
}

function shown(message: ChatMessage): string {
  const { role } = message
  const said = typeof message.content === 'string' ? message.content : JSON.stringify(message.content ?? '')
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  const id = message.role === 'tool' ? ` ${message.tool_call_id}` : ''
  return [`=== ${role}${id}`, ...(said === '""' ? [] : [said]), ...calls.map((call) => JSON.stringify(call)), ''].join(
    '\n',
  )
}
