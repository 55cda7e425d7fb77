/** The reader alone, for an agent of your own: what may run, and what to say to the model of the rest. */
import { read, rescue } from 'callwright'

const text = { type: 'string' }
const tools = [
  {
    name: 'write_file',
    input: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  },
]

const replies = [
  `<tool_call>{"name": "write_file", "arguments": {'filePath': 'a.py', "content": "x = 1"], }}</tool_call>`,
  '<tool_call>{"name": "write_file", "arguments": {"path": "a.py", "content": "x = ',
  'You could call `write_file(path="a.py", content="x")` for that.',
]

for (const reply of replies) {
  const { calls, refused } = read(reply, { tools })
  for (const call of calls) console.log('runs   ', call.name, call.arguments)
  for (const call of refused) console.log('refused', call.problems[0]?.message.split('\n')[0])
  if (calls.length + refused.length === 0) console.log('no call')
}

const error = new Error(`error parsing tool call: raw='{"path":"a.py","content":"x = 1"]}', err=invalid character ']'`)
console.log('rescued', rescue(error, { tools })?.calls[0]?.arguments)
