import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { createAgent, openAICompatible, type RunEvent, type RunResult } from '../../index.ts'
import { type ReceivedRequest, startTestServer } from '../../test/index.ts'
import type { Cast, Scene, SceneRun, StrictReading } from './scene.ts'
import { readStrictly } from './strict.ts'
import { turnsOf } from './turns.ts'

/** Runs a scene: the agent, over HTTP, with a server on this machine that plays the script. */
export async function runScene(scene: Scene): Promise<SceneRun> {
  const { result, events, requests } = await played(scene, scene)
  const asked = events.flatMap((event) => (event.kind === 'request' ? [event.request] : []))
  const turns = turnsOf(events, await strictReadings(scene, asked))
  const comparison = scene.comparison && (await played(scene, scene.comparison)).result
  return { scene, result, turns, requests, ...(comparison ? { comparison } : {}) }
}

interface Played {
  readonly result: RunResult
  readonly events: readonly RunEvent[]
  readonly requests: readonly ReceivedRequest[]
}

async function played({ task, mode, nextStep = false }: Scene, { tools, script }: Cast): Promise<Played> {
  const server = await startTestServer(script)
  try {
    const agent = createAgent({ model: modelAt(server.url), tools, mode, nextStep, retries: 0 })
    const events: RunEvent[] = []
    const result = await agent.run(task, { onEvent: (event) => events.push(event) })
    return { result, events, requests: server.requests }
  } finally {
    await server.close()
  }
}

/** The same requests once more, to a server that plays the same script, for a reader that repairs nothing. */
async function strictReadings(
  { mode, tools, script }: Scene,
  requests: readonly LanguageModelV4CallOptions[],
): Promise<StrictReading[]> {
  const server = await startTestServer(script)
  try {
    const model = modelAt(server.url)
    const readings: StrictReading[] = []
    for (const request of requests) readings.push(await readStrictly(model, request, { mode, tools }))
    return readings
  } finally {
    await server.close()
  }
}

const modelAt = (baseURL: string): ReturnType<typeof openAICompatible> => openAICompatible({ baseURL, model: 'demo' })
