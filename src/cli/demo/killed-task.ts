import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import {
  createAgent,
  openAICompatible,
  openLedger,
  type RunEvent,
  type RunnableTool,
  type RunResult,
  tool,
} from '../../index.ts'
import { type ChatRequest, type Reply, startTestServer } from '../../test/index.ts'

/** The key of the run: whoever uses it again goes on with it. */
export const KEY = 'invitations'
const guests = ['Ada', 'Bob', 'Carol']

export const ledgerIn = (folder: string): string => join(folder, 'ledger.db')

/** Who was invited, in the order in which it happened. */
export function sentIn(folder: string): string[] {
  const file = join(folder, 'sent.txt')
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

/**
 * Works on the task of the last scene, or goes on with it. `killsItself`: the process ends by SIGKILL behind the second
 * invitation, when it has gone out and nobody has recorded that yet.
 */
export async function invite(
  folder: string,
  { killsItself, onEvent }: { readonly killsItself: boolean; readonly onEvent?: (event: RunEvent) => void },
): Promise<RunResult> {
  const ledger = openLedger<RunEvent>(ledgerIn(folder))
  const server = await startTestServer(replyTo)
  try {
    const model = openAICompatible({ baseURL: server.url, model: 'demo' })
    const agent = createAgent({ model, tools: toolsIn(folder, killsItself), mode: 'native', recorder: ledger })
    return await agent.run(`Invite ${guests.join(', ')}.`, { key: KEY, ...(onEvent ? { onEvent } : {}) })
  } finally {
    await server.close()
    ledger.close()
  }
}

const toolsIn = (folder: string, killsItself: boolean): RunnableTool[] => [
  tool({
    name: 'send_invitation',
    description: 'Sends an invitation. It cannot be called back.',
    input: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    kind: 'once',
    run({ to }) {
      const file = openSync(join(folder, 'sent.txt'), 'a')
      writeSync(file, `${to}\n`)
      fsyncSync(file)
      closeSync(file)
      if (killsItself && to === guests[1]) process.kill(process.pid, 'SIGKILL')
      return `Sent to ${to}.`
    },
  }),
  tool({
    name: 'list_sent',
    description: 'Says who was invited.',
    input: { type: 'object' },
    kind: 'pure',
    run: () => `Sent to ${sentIn(folder).join(', ')}.`,
  }),
]

/** The model: it goes by the results that it was shown, and looks where one is unknown. */
function replyTo({ messages }: ChatRequest): Reply {
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []))
  if (results.at(-1)?.includes('outcome is unknown')) return { calls: [{ name: 'list_sent', arguments: {} }] }
  const next = guests.find((guest) => !results.some((result) => result.startsWith('Sent to') && result.includes(guest)))
  if (next === undefined) return 'All three are invited.'
  return { calls: [{ name: 'send_invitation', arguments: { to: next } }] }
}
