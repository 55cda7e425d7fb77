import { tool } from '../../../index.ts'
import type { Scene } from '../scene.ts'

const lines = ['import json', '', 'def parse(text):', '    return json.loads(text)']

/** An action that is a Python dict. */
export function pythonAction(): Scene {
  return {
    title: 'The single-quoted action',
    mission: '000',
    story: 'Shown Python dicts, a model writes them too. To a loop that knows only JSON, they are prose.',
    task: 'Which reader does parser.py use, and in which line?',
    mode: 'react',
    tools: [readFile],
    script: [
      `Thought: I look at the file before I judge it.\nAction: {'tool': 'read_file', 'tool_input': {'path': 'parser.py', 'numbered': True}}`,
      'Thought: Line 4 tells.\nFinal Answer: json.loads, in line 4.',
    ],
    exhibits: ({ requests }) => [{ label: 'history', text: lastAction(requests.at(-1)?.messages ?? []) }],
    proofs: ({ result, turns, requests }) => [
      {
        says: 'The tool ran at step 1, and the answer is the real one.',
        holds: turns[0]?.calls[0]?.outcome === 'ok' && result.answer === 'json.loads, in line 4.',
      },
      {
        says: 'The history holds the call as JSON, so that the model learns JSON from it.',
        holds:
          lastAction(requests.at(-1)?.messages ?? []) ===
          'Action: {"tool":"read_file","tool_input":{"path":"parser.py","numbered":true}}',
      },
    ],
  }
}

const readFile = tool({
  name: 'read_file',
  description: 'Reads a text file.',
  kind: 'pure',
  input: {
    type: 'object',
    properties: { path: { type: 'string' }, numbered: { type: 'boolean' } },
    required: ['path'],
  },
  run: ({ numbered = false }) =>
    lines.map((line, index) => (numbered ? `${index + 1}  ${line}` : line).trimEnd()).join('\n'),
})

/** The last action in what the model was sent. */
function lastAction(messages: readonly { readonly role: string; readonly content: unknown }[]): string {
  const said = messages.findLast(({ role }) => role === 'assistant')?.content
  return typeof said === 'string' ? (said.split('\n').find((line) => line.startsWith('Action:')) ?? '') : ''
}
