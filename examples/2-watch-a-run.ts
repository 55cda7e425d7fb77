/** Everything that happens in a run, as it happens: a bad reply, advice, the temperature that rises, and the call. */
import { createAgent, tool } from 'callwright'
import { withModel } from './model.ts'

const readFile = tool({
  name: 'read_file',
  description: 'Reads a file.',
  input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  kind: 'pure',
  run: ({ path }) => `The first line of ${path}.`,
})

const script = [
  'Thought: I need the file\nAction: {"tool": "read_file", "tool_input": {"path": "not',
  'Thought: I need the file\nAction: {"tool": "read_file", "tool_input": {"path": "notes.md"}}',
  'Thought: I have it\nFinal Answer: It begins with "The first line".',
]

await withModel(script, async (model) => {
  const run = createAgent({ model, tools: [readFile], mode: 'react' }).stream('What does notes.md say?')
  for await (const event of run) {
    if (event.kind === 'step-start') console.log(`step ${event.step} at temperature ${event.temperature}`)
    else if (event.kind === 'feedback') console.log(`  advice: ${event.text.split('\n')[0]}`)
    else if (event.kind === 'tool-end') console.log(`  ${event.call.name} gave: ${event.observation}`)
  }
  const result = await run.result
  console.log(result.kind, '|', result.answer ?? result.message)
})
