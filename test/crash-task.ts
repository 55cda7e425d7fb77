/**
 * A task with effects of every kind, for a process that is killed in the middle of it. Run by itself it works on the task
 * and kills itself at one point: node test/crash-task.ts FOLDER RUN POINT
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createAgent, openLedger, type Recorder, type RunEvent, type RunResult, tool } from '../src/index.ts'
import { type ChatRequest, type Reply, scriptedModel } from '../src/test/index.ts'

const text = { type: 'string' } as const
const label = { type: 'object', properties: { label: text, again: { type: 'boolean' } }, required: ['label'] } as const

/** A line that is on the disk when this returns. */
function write(file: string, line: string): void {
  const descriptor = openSync(file, 'a')
  writeSync(descriptor, `${line}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
}

export const linesOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []

/** What the task does, in order; what stands together is called in one reply. */
export const goals = [['note a'], ['put b'], ['get c', 'get d'], ['note e', 'send f']]

/** Every effect of the task that stands in the file of effects; what is sent stands in that of the keys. */
export const effects = goals.flat().filter((goal) => /^(?:note|put)/.test(goal))
export const sent = goals.flat().filter((goal) => goal.startsWith('send'))

interface Task {
  readonly folder: string
  readonly run: string
  /** Is called at every point at which the process may die. */
  readonly point: (name: string) => void
  readonly force?: boolean
}

/** Works on the task, or goes on with it. */
export async function workOn({ folder, run, point, force = false }: Task): Promise<RunResult> {
  const file = join(folder, 'effects.txt')
  const act = (goal: string): string => {
    point(`before ${goal}`)
    write(file, `${run} ${goal}`)
    point(`after ${goal}`)
    return `did ${goal}`
  }
  const isDone = (goal: string): boolean => linesOf(file).includes(`${run} ${goal}`)
  const tools = [
    tool({ name: 'get', description: 'Gets.', input: label, kind: 'pure', run: ({ label }) => `did get ${label}` }),
    tool({ name: 'note', description: 'Notes.', input: label, run: ({ label }) => act(`note ${label}`) }),
    tool({
      name: 'put',
      description: 'Puts.',
      input: label,
      kind: 'verifiable',
      verify: ({ label }) => (isDone(`put ${label}`) ? 'done' : 'not-done'),
      run: async ({ label }, { record }) => {
        await record({ before: 'nothing' })
        return act(`put ${label}`)
      },
    }),
    tool({
      name: 'send',
      description: 'Sends.',
      input: label,
      kind: 'idempotent',
      // As a service does that knows idempotency keys: the same key again changes nothing.
      run: ({ label }, { key }) => {
        const keys = join(folder, 'keys.txt')
        if (linesOf(keys).includes(key)) return `did send ${label}`
        point(`before send ${label}`)
        write(keys, key)
        point(`after send ${label}`)
        return `did send ${label}`
      },
    }),
    tool({
      name: 'look',
      description: 'Looks what was done.',
      input: { type: 'object' },
      kind: 'pure',
      poll: true,
      run: () =>
        `there is: ${linesOf(file)
          .filter((line) => line.startsWith(`${run} `))
          .join(', ')}`,
    }),
  ]
  const model = scriptedModel((request) => {
    point('before a reply')
    return replyTo(request, run)
  })
  const ledger = openLedger<RunEvent>(join(folder, 'ledger.db'), { force })
  const recorder: Recorder<RunEvent> = {
    take: (id) => ledger.take(id),
    append(id, event) {
      point(`before ${event.kind}`)
      ledger.append(id, event)
      point(`after ${event.kind}`)
    },
    release: (id) => ledger.release(id),
    load: (id) => ledger.load(id),
  }
  try {
    const agent = createAgent({ model, tools, mode: 'native', recorder, limits: { steps: 40 } })
    return await agent.run('Do all of it.', { key: run })
  } finally {
    ledger.close()
  }
}

/** What a careful model says next: it follows the results that it was given, and looks when it is told to. */
function replyTo({ messages }: ChatRequest, run: string): Reply {
  const calls = new Map<string, string>()
  const done = new Set<string>()
  let mustLook = false
  let isAgain = false
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const { id, function: call } of message.tool_calls ?? []) {
        calls.set(id, `${call.name} ${JSON.parse(call.arguments).label ?? ''}`.trim())
      }
    } else if (message.role === 'tool') {
      const goal = calls.get(message.tool_call_id) ?? ''
      const result = String(message.content)
      if (result.includes('outcome is unknown')) mustLook = isAgain = true
      else if (goal === 'look') {
        mustLook = false
        for (const line of result.slice('there is: '.length).split(', ')) done.add(line.replace(`${run} `, ''))
      } else if (/^did |was done/.test(result)) done.add(goal)
    }
  }
  if (mustLook) return { calls: [{ name: 'look', arguments: {} }] }
  const [next] = goals.map((group) => group.filter((goal) => !done.has(goal))).filter((group) => group.length > 0)
  if (!next) return 'All done.'
  return {
    calls: next.map((goal) => {
      const [name = '', label = ''] = goal.split(' ')
      return { name, arguments: { label, ...(isAgain ? { again: true } : {}) } }
    }),
  }
}

/** Waits in place, as a process does that hangs, until a file is there. */
function waitFor(file: string): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4))
  while (!existsSync(file)) Atomics.wait(nothing, 0, 0, 10)
}

if (import.meta.main) {
  const [folder = '', run = '', at = '', count = '1'] = process.argv.slice(2)
  let passed = 0
  const point = (name: string): void => {
    if (passed++ === Number(at)) process.kill(process.pid, 'SIGKILL')
    if (name !== at) return
    process.stdout.write('waiting\n')
    waitFor(join(folder, 'go'))
  }
  const names = count === '1' ? [run] : Array.from({ length: Number(count) }, (_, index) => `${run}-${index}`)
  const results = await Promise.allSettled(names.map((name) => workOn({ folder, run: name, point })))
  for (const result of results) {
    const { kind, message } =
      result.status === 'fulfilled' ? result.value : { kind: 'refused', message: String(result.reason) }
    process.stdout.write(`${kind} after ${passed} points: ${message}\n`)
  }
}
