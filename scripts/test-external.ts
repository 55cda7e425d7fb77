/** Runs a few tasks against the endpoint that the environment names, in every mode. Says so loudly when there is none. */
import { createAgent, modeNames, openAICompatible, tool } from '../src/index.ts'

const { CALLWRIGHT_BASE_URL: baseURL, CALLWRIGHT_MODEL: model, CALLWRIGHT_API_KEY: apiKey } = process.env

const secret = 'NcS9euQa'
const tools = [
  tool({
    name: 'get_secret',
    description: 'Gives the secret.',
    input: { type: 'object' },
    kind: 'pure',
    run: () => secret,
  }),
  tool({
    name: 'reverse_text',
    description: 'Writes a text backwards, exactly.',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    kind: 'pure',
    run: ({ text }) => [...text].reverse().join(''),
  }),
  tool({
    name: 'add',
    description: 'Adds numbers.',
    input: {
      type: 'object',
      properties: { numbers: { type: 'array', items: { type: 'number' } } },
      required: ['numbers'],
    },
    kind: 'pure',
    run: ({ numbers }) => numbers.reduce((sum, number) => sum + number, 0),
  }),
]

const tasks = [
  { task: 'What is 3417 + 2289 + 44? Use the tool.', wanted: /5,?750/ },
  { task: 'Tell me the secret.', wanted: new RegExp(secret) },
  { task: 'Tell me the secret backwards. Use the tools for both.', wanted: /aQue9ScN/ },
]

if (!baseURL || !model) {
  process.stdout.write(
    '\nSKIPPED: nothing was tested against a real model.\nSet CALLWRIGHT_BASE_URL and CALLWRIGHT_MODEL (and CALLWRIGHT_API_KEY where it needs one), and run this again:\n  CALLWRIGHT_BASE_URL=http://127.0.0.1:11434/v1 CALLWRIGHT_MODEL=qwen3:8b npm run test:external\n\n',
  )
} else {
  let wrong = 0
  for (const mode of ['auto', ...modeNames] as const) {
    for (const { task, wanted } of tasks) {
      const endpoint = openAICompatible({ baseURL, model, ...(apiKey ? { apiKey } : {}) })
      const result = await createAgent({ model: endpoint, tools, mode }).run(task)
      const isRight = wanted.test(result.answer ?? '')
      if (!isRight) wrong++
      const repairs = Object.keys(result.repairs).join(', ')
      process.stdout.write(
        `${isRight ? 'right' : 'WRONG'}  ${mode.padEnd(10)} ${result.kind.padEnd(17)} ${result.steps} steps  ${task}${repairs ? `  (${repairs})` : ''}\n${isRight ? '' : `       ${result.answer ?? result.message}\n`}`,
      )
    }
  }
  process.stdout.write(`\n${wrong} of ${(modeNames.length + 1) * tasks.length} went wrong.\n`)
  process.exitCode = wrong > 0 ? 1 : 0
}
