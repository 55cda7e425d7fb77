/**
 * The entry: `npm run bench` runs every benchmark and writes docs/benchmarks.md.
 * `node bench/run.ts values` runs the named ones and only prints.
 *
 * To add one, write a module that exports a `Benchmark`, and name it in the list.
 */
import { agents } from './agent.ts'
import type { Benchmark, Section } from './benchmark.ts'
import { brokenValues } from './broken-values.ts'
import { bundles } from './bundles.ts'
import { fitting } from './fit.ts'
import { ledgers } from './ledger.ts'
import { PeersMissing } from './peers.ts'
import { reading } from './reader.ts'
import { printSections, writeReport } from './report.ts'
import { values } from './values.ts'
import { workspaces } from './workspace.ts'

const benchmarks: readonly Benchmark[] = [values, brokenValues, fitting, reading, agents, ledgers, workspaces, bundles]

async function run(names: readonly string[]): Promise<number> {
  const unknown = names.find((name) => !benchmarks.some((benchmark) => benchmark.name === name))
  if (unknown !== undefined) {
    console.error(`Name one of: ${benchmarks.map(({ name }) => name).join(', ')}. There is no benchmark ${unknown}.`)
    return 2
  }
  const sections: Section[] = []
  for (const benchmark of benchmarks) {
    if (names.length > 0 && !names.includes(benchmark.name)) continue
    sections.push(await benchmark.measure((line) => console.log(`${benchmark.name}: ${line}`)))
  }
  printSections(sections)
  if (names.length === 0) {
    await writeReport(sections)
    console.log('\nWritten: docs/benchmarks.md and its pictures in docs/images.')
  }
  return sections.some(({ faults }) => faults.length > 0) ? 1 : 0
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof PeersMissing)) throw error
  console.error(`Type: npm ci --prefix bench
That installs what callwright is measured against; "${error.message}" is missing. \`npm run bench\` does both.`)
  process.exitCode = 2
}
