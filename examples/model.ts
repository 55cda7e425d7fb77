/**
 * The model of the examples: your own where CALLWRIGHT_BASE_URL and CALLWRIGHT_MODEL name one (and CALLWRIGHT_API_KEY its
 * key), else one that says what a script says, on a real server of this machine.
 */
import { openAICompatible } from 'callwright'
import { type Script, startTestServer } from 'callwright/test'

/** Calls back with a model, and closes what was opened for it. */
export async function withModel<Result>(
  script: Script,
  use: (model: ReturnType<typeof openAICompatible>) => Promise<Result>,
): Promise<Result> {
  const { CALLWRIGHT_BASE_URL: baseURL, CALLWRIGHT_MODEL: model, CALLWRIGHT_API_KEY: apiKey } = process.env
  if (baseURL && model) return use(openAICompatible({ baseURL, model, ...(apiKey ? { apiKey } : {}) }))
  await using server = await startTestServer(script)
  return await use(openAICompatible({ baseURL: server.url, model: 'scripted' }))
}
