/** The server of the agent benchmark, in a process of its own: what it does is no time of the loop's. */
import { startTestServer } from '../src/test/index.ts'
import { replyTo } from './agent-task.ts'

const server = await startTestServer((request) => {
  // The server keeps requests for assertions; nobody makes any here.
  server.requests.length = 0
  return replyTo(request.messages)
})
process.once('disconnect', () => void server.close())
process.send?.(server.url)
