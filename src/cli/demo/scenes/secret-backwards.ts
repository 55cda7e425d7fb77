import { tool } from '../../../index.ts'
import type { ReplyFunction } from '../../../test/index.ts'
import type { Scene } from '../scene.ts'

const SECRET = 'NcS9euQa'
/** What a model made of it in its head, one letter after the other, in a benchmark. */
const IN_ITS_HEAD = 'aQueu9ScN'

/** A text that is reversed by a tool, and not by the model. */
export function secretBackwards(): Scene {
  return {
    title: 'The secret backwards',
    mission: '003',
    story: 'The JSON is perfect here, and still: models foretell text. What must be exact is left to a tool.',
    task: 'Return the secret backwards.',
    mode: 'structured',
    nextStep: true,
    tools: [getSecret, reverseText],
    script: [
      step('I do not know the secret yet.', ['get it', 'reverse it', 'answer'], 'get_secret', {}),
      step(`The secret is ${SECRET}.`, ['reverse it', 'answer'], 'reverse_text', { text: SECRET }),
      answered,
    ],
    comparison: {
      tools: [getSecret],
      script: [
        step('I do not know the secret yet.', ['get it', 'answer'], 'get_secret', {}),
        final('I reverse it letter by letter.', IN_ITS_HEAD),
      ],
    },
    exhibits: ({ result, comparison }) => [
      { label: 'secret', text: counted(SECRET) },
      { label: 'by head', text: difference(comparison?.answer ?? ''), isWrong: !isBackwards(comparison?.answer) },
      { label: 'by tool', text: difference(result.answer ?? ''), isWrong: !isBackwards(result.answer) },
    ],
    proofs: ({ result, comparison, turns }) => [
      { says: 'The answer is the secret backwards.', holds: isBackwards(result.answer) },
      {
        says: 'Without the tool it is not: the nine letters are what a model wrote in a real run.',
        holds: !isBackwards(comparison?.answer),
      },
      {
        says: 'What was right was not touched: no repairs.',
        holds: turns.every(({ calls }) => calls.every(({ repairs }) => repairs.length === 0)),
      },
    ],
  }
}

const getSecret = tool({
  name: 'get_secret',
  description: 'Tells the secret.',
  kind: 'pure',
  input: { type: 'object', properties: {} },
  run: () => SECRET,
})

const reverseText = tool({
  name: 'reverse_text',
  description: 'Reverses a text, letter by letter.',
  kind: 'pure',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => [...text].reverse().join(''),
})

const step = (state: string, plan: readonly string[], name: string, given: object): string =>
  JSON.stringify({
    current_state: state,
    plan,
    task_completed: false,
    function: { tool: name, arguments: given },
  })

const final = (state: string, answer: string): string =>
  JSON.stringify({ current_state: state, plan: ['answer'], task_completed: true, function: { answer } })

/** The model passes on what the tool gave it. */
const answered: ReplyFunction = ({ messages }) => final('The tool has reversed it.', String(messages.at(-1)?.content))

const isBackwards = (answer = ''): boolean =>
  answer.length === SECRET.length && [...answer].every((letter, index) => letter === SECRET.at(-1 - index))

const counted = (word: string): string => `${word.padEnd(10)} ${word.length} letters`

function difference(word: string): string {
  if (isBackwards(word)) return `${counted(word)}, all of them right`
  const wrong = [...word].findIndex((letter, index) => letter !== SECRET.at(-1 - index))
  return `${counted(word)}, wrong from letter ${wrong + 1} on`
}
