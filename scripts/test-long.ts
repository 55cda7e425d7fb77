/** Runs all tests with many more cases and fresh seeds: some ten minutes, before a landing that touches what they cover. */
import { spawnSync } from 'node:child_process'

const seed = String(Date.now() % 1_000_000_007)
const environment = { CALLWRIGHT_LONG: '60', CALLWRIGHT_LITERALS: '300000', CALLWRIGHT_SEED: seed }
process.stdout.write(`Long tests with ${JSON.stringify(environment)}\n`)
const { status } = spawnSync(process.execPath, ['--test', 'src/**/*.test.ts', 'test/**/*.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...environment },
})
process.exitCode = status ?? 1
