/** Runs all tests. Every file of tests is a process of its own, and most of its start is reading the same sources again. */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${availableParallelism()}`,
    'src/**/*.test.ts',
    'test/**/*.test.ts',
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: `${root}/.tmp/compiled` },
  },
)
process.exitCode = status ?? 1
