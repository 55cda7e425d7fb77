/** An agent with one tool. Its model sends single quotes and a parameter that nobody asked for; the tool runs all the same. */
import { createAgent, tool } from 'callwright'
import { withModel } from './model.ts'

const highWater = tool({
  name: 'high_water',
  description: 'Tells when high water is at a port.',
  input: { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] },
  kind: 'pure',
  run: ({ port }) => ({ port, at: '12:40' }),
})

const script = [`{'tool': 'high_water', 'arguments': {'port': 'Brest', 'unit': 'metres'}}`, '{"answer": "At 12:40."}']

await withModel(script, async (model) => {
  const agent = createAgent({ model, tools: [highWater], mode: 'json' })
  const result = await agent.run('When is high water in Brest?')
  console.log(result.kind, '|', result.answer ?? result.message)
  console.log('repairs', result.repairs)
})
