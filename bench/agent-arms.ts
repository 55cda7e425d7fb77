import { createAgent, openAICompatible, tool } from '../src/index.ts'
import { bareRun } from './agent-bare.ts'
import { instructions, lookUp, type Model, type Outcome, type Sheet, task } from './agent-task.ts'
import { load, versionIn, versionOf } from './peers.ts'

/** One way to make a run. */
export interface Arm {
  readonly program: string
  readonly how: string
  run(): Promise<Outcome>
}

/** What is compared where replies are asked for in one way. All of them ask the same server. */
export interface Arms {
  /** No agent: what a run costs without anybody's loop. */
  readonly bare: Arm
  readonly ours: Arm
  /** Ours, where nobody listens. */
  readonly quiet?: Arm
  /** The other loop over our model: nothing but the loops differs. */
  readonly theirs: Arm
  /** The other loop over the provider that it is usually given. */
  readonly usual: Arm
}

/** The part of the peer that is used here. */
interface Provider {
  createOpenAICompatible(options: { name: string; baseURL: string; includeUsage: boolean }): {
    chatModel(name: string): Model
  }
}

export async function loadArms(
  baseURL: string,
  sheet: Sheet,
): Promise<{ readonly streamed: Arms; readonly whole: Arms }> {
  const { ToolLoopAgent, tool: peerTool }: typeof import('ai') = await load('ai')
  const { createOpenAICompatible }: Provider = await load('@ai-sdk/openai-compatible')
  const model = openAICompatible({ baseURL, model: 'scripted' })
  const usualModel = createOpenAICompatible({ name: 'scripted', baseURL, includeUsage: true }).chatModel('scripted')

  const tools = [tool({ ...lookUp, kind: 'pure', run: sheet.lookUp })]
  const streaming = createAgent({ model, tools, instructions, mode: 'native' })
  const waiting = createAgent({ model, tools, instructions, mode: 'native', streaming: false })
  const { description, input: inputSchema } = lookUp
  const peerTools = { [lookUp.name]: peerTool({ description, inputSchema, execute: sheet.lookUp }) }
  const theirs = new ToolLoopAgent({ model, tools: peerTools, instructions })
  const usual = new ToolLoopAgent({ model: usualModel, tools: peerTools, instructions })

  const streamOurs = async (): Promise<Outcome> => {
    const stream = streaming.stream(task)
    let steps = 0
    for await (const event of stream) if (event.kind === 'step-start') steps++
    const { answer } = await stream.result
    return { answer, steps }
  }
  const streamTheirs = async (agent: typeof theirs): Promise<Outcome> => {
    const result = await agent.stream({ prompt: task })
    let steps = 0
    for await (const part of result.stream) if (part.type === 'start-step') steps++
    return { answer: await result.text, steps }
  }
  const generateTheirs = async (agent: typeof theirs): Promise<Outcome> => {
    const { text, steps } = await agent.generate({ prompt: task })
    return { answer: text, steps: steps.length }
  }
  const program = `callwright ${await versionIn('../package.json')}`
  const peer = `ai ${await versionOf('ai')}`
  const provider = `over @ai-sdk/openai-compatible ${await versionOf('@ai-sdk/openai-compatible')}`
  return {
    streamed: {
      bare: { program: 'no agent', how: '`doStream` in a loop', run: () => bareRun(model, sheet, true) },
      ours: { program, how: '`agent.stream`, every event read', run: streamOurs },
      quiet: { program, how: '`agent.run`, nobody listens', run: () => streaming.run(task) },
      theirs: { program: peer, how: '`ToolLoopAgent.stream`, every part read', run: () => streamTheirs(theirs) },
      usual: { program: peer, how: `the same ${provider}`, run: () => streamTheirs(usual) },
    },
    whole: {
      bare: { program: 'no agent', how: '`doGenerate` in a loop', run: () => bareRun(model, sheet, false) },
      ours: { program, how: '`agent.run` with `streaming: false`', run: () => waiting.run(task) },
      theirs: { program: peer, how: '`ToolLoopAgent.generate`', run: () => generateTheirs(theirs) },
      usual: { program: peer, how: `the same ${provider}`, run: () => generateTheirs(usual) },
    },
  }
}
