import { ToolRetry, tool } from '../../../index.ts'
import type { Scene } from '../scene.ts'

const prices = "PRICE = '$10'\n"
const blog = 'from prices import PRICE\nprint(f"It costs {PRICE}")\n'

const invented = JSON.stringify({ path: 'prices.py', content: prices, line_end: '\n', overwrite: true })
const heredoc = `{"command":${JSON.stringify(`cat > blog.py <<'EOF'\n${blog}EOF`)}],"timeout":60}`

/** Parameters that the tool never had, and a heredoc with a bracket too many. */
export function inventedParameter(): Scene {
  const files = new Map<string, string>()
  return {
    title: 'The invented parameter',
    mission: '001',
    story: 'Models invent parameters, and close brackets that they never opened. Neither must end a run.',
    task: 'Write prices.py, and blog.py, which prints the price.',
    mode: 'native',
    tools: [writeFileTo(files), runBashOn(files)],
    script: [
      { calls: [{ name: 'write_file', arguments: invented }] },
      {
        error: {
          status: 500,
          body: {
            error: {
              message: `error parsing tool call: raw='${heredoc}', err=invalid character ']' after object key:value pair`,
              type: 'api_error',
            },
          },
        },
      },
      'Both files are written.',
    ],
    proofs: ({ requests, turns }) => [
      {
        says: 'Both files are there, byte for byte as the model wrote them, quotes and $10 too.',
        holds: files.get('prices.py') === prices && files.get('blog.py') === blog,
      },
      {
        says: 'The model was told by name what was ignored.',
        holds: JSON.stringify(requests[1]?.messages).includes('ignored line_end, overwrite, which write_file'),
      },
      {
        says: "The server's error was no end: the one tool that takes these arguments ran, and nothing was asked twice.",
        holds:
          turns[1]?.parts[0]?.kind === 'rescued' &&
          turns[1].calls[0]?.call.name === 'run_bash' &&
          requests.length === 3,
      },
    ],
  }
}

const text = { type: 'string' } as const

const writeFileTo = (files: Map<string, string>) =>
  tool({
    name: 'write_file',
    description: 'Writes a text file.',
    input: {
      type: 'object',
      properties: { path: text, content: text },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    run({ path, content }) {
      files.set(path, content)
      return `Wrote ${path} (${content.length} characters).`
    },
  })

/** A shell that knows one thing: how to write a file from a heredoc. */
const runBashOn = (files: Map<string, string>) =>
  tool({
    name: 'run_bash',
    description: 'Runs a command.',
    input: {
      type: 'object',
      properties: { command: text, timeout: { type: 'integer' } },
      required: ['command'],
      additionalProperties: false,
    },
    run({ command }) {
      const [first = '', ...rest] = command.split('\n')
      const [, path, end] = /^cat > (\S+) <<'(\w+)'$/.exec(first) ?? []
      if (path === undefined || rest.at(-1) !== end) throw new ToolRetry("Send cat > FILE <<'EOF', the text, and EOF.")
      files.set(path, `${rest.slice(0, -1).join('\n')}\n`)
      return 'Exit code 0.'
    },
  })
