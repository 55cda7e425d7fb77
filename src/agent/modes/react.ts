import { outputLine, system, toolList, type Writing, writtenMessages } from './messages.ts'
import type { Mode } from './mode.ts'

const ANSWER = 'Final Answer:'

const writing: Writing = {
  calls: (calls, thought) =>
    [
      ...(thought ? [`Thought: ${thought}`] : []),
      ...calls.map(({ name, arguments: given }) => `Action: ${JSON.stringify({ tool: name, tool_input: given })}`),
    ].join('\n'),
  thought: (text) => `Thought: ${text}`,
  answer: (text) => `${ANSWER} ${text}`,
  observation: ({ text, isError }) => `Observation: ${isError ? 'Error: ' : ''}${text}`,
}

const CALL = 'Action: {"tool": "…", "tool_input": {…}}'

/** Lines of Thought and Action, answered by Observation: for models that were never taught to call tools. */
export const react: Mode = {
  name: 'react',
  plainText: 'answer',
  request: ({ instructions, tools, entries, output }) => ({
    prompt: [
      system(
        instructions,
        [
          ...(tools.length > 0
            ? [
                'Work in turns. In each, write a thought and one action, and then stop:',
                'Thought: what you know, and what to do next',
                CALL,
                'The result comes as an Observation; never write one yourself, and never guess it.',
              ]
            : []),
          'When the task is done, write:',
          'Thought: why it is done',
          `${ANSWER} the answer`,
        ].join('\n'),
        tools.length > 0 ? toolList(tools) : '',
        outputLine(output),
      ),
      ...writtenMessages(entries, writing),
    ],
    stopSequences: ['\nObservation:'],
  }),
  reminder: ({ tools }) =>
    tools.length === 0 ? `Reply with "${ANSWER} …".` : `Reply with a line ${CALL} or with "${ANSWER} …".`,
}
