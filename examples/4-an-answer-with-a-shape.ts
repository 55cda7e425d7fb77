/** A final answer that fits a schema, and a second question in the same conversation. */
import { createAgent, tool } from 'callwright'
import { z } from 'zod'
import { withModel } from './model.ts'

const weather = tool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  input: z.object({ city: z.string() }),
  kind: 'pure',
  run: ({ city }) => `${city}: 3 degrees, rain`,
})

const script = [
  '{"tool": "weather", "arguments": {"city": "Bern"}}',
  '{"answer": "It is cold."}',
  `{"answer": {"city": "Bern", "degrees": "3", "sky": "RAIN"}}`,
  '{"answer": {"city": "Bern", "degrees": 37.4, "sky": "rain"}}',
]

await withModel(script, async (model) => {
  const agent = createAgent({
    model,
    tools: [weather],
    mode: 'json',
    output: z.object({ city: z.string(), degrees: z.number(), sky: z.enum(['sun', 'cloud', 'rain']) }),
  })
  const first = await agent.run('What is the weather in Bern?')
  if (first.kind === 'answered') console.log('degrees', first.output.degrees, 'sky', first.output.sky)
  const second = await agent.continue(first.run, 'And in Fahrenheit?')
  if (second.kind === 'answered') console.log('degrees', second.output.degrees)
})
