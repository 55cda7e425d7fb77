import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorkspace } from '../../../tools/workspace/index.ts'
import type { Scene } from '../scene.ts'

const prices = "PRICE = '$10'\n"
const blog = 'from prices import PRICE\nprint(f"It costs {PRICE}")\n'

const invented = JSON.stringify({ path: 'prices.py', content: prices, overwrite: true, language: 'python' })
const heredoc = `{"command":${JSON.stringify(`cat > blog.py <<'EOF'\n${blog}EOF`)}],"timeout":60}`

/** Parameters that the tool never had, and a heredoc with a bracket too many. */
export function inventedParameter(): Scene {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-demo-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // The commands are our own: where there is no sandbox, they may run without.
  const { tools } = openWorkspace(folder, { unsafeShell: true })
  const content = (name: string): string => readFileSync(join(folder, name), 'utf8')
  return {
    title: 'The invented parameter',
    mission: '001',
    story:
      'Models invent parameters, and close brackets that they never opened. Neither must end a run. The files are real.',
    task: 'Write prices.py, and blog.py, which prints the price.',
    mode: 'native',
    tools: tools.filter(({ name }) => name === 'write_file' || name === 'run_bash'),
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
        says: 'Both files are on the disk, byte for byte as the model wrote them, quotes and $10 too.',
        holds: content('prices.py') === prices && content('blog.py') === blog,
      },
      {
        says: 'What many models invent has become real (overwrite); of the rest the model was told by name.',
        holds: JSON.stringify(requests[1]?.messages).includes('ignored language, which write_file does not take'),
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
