/** A tool whose calls somebody must allow, one by one: small payments run, large ones are asked for. */
import { createAgent, tool } from 'callwright'
import { z } from 'zod'
import { withModel } from './model.ts'

const pay = tool({
  name: 'pay',
  description: 'Pays somebody.',
  input: z.object({ to: z.string(), amount: z.number().positive() }),
  needsApproval: ({ amount }) => amount > 10,
  preview: ({ to, amount }) => `- balance\n+ balance, less ${amount} for ${to}`,
  run: ({ to, amount }) => `Paid ${amount} to ${to}.`,
})

const script = [
  { calls: [{ name: 'pay', arguments: '{"to": "Ada", "amount": "5"}' }] },
  { calls: [{ name: 'pay', arguments: '{"to": "Bob", "amount": 500}' }] },
  'Ada is paid. Bob is not: you did not allow it.',
]

await withModel(script, async (model) => {
  const agent = createAgent({
    model,
    tools: [pay],
    mode: 'native',
    approve({ call, preview }) {
      console.log(`Allow ${call.name} ${JSON.stringify(call.arguments)}?\n${preview}`)
      return 'no'
    },
  })
  const result = await agent.run('Pay 5 to Ada and 500 to Bob.')
  console.log(result.kind, '|', result.answer ?? result.message)
})
