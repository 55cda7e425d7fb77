#!/usr/bin/env node
// Plain JavaScript in an old dialect on purpose: it must run far enough on any Node to say what is wrong.
import { existsSync } from 'node:fs'
import * as modules from 'node:module'

var version = process.versions.node.split('.').map(Number)
if (version[0] < 22 || (version[0] === 22 && version[1] < 18)) {
  process.stderr.write(
    'Callwright needs Node 22.18 or newer; this is Node ' +
      process.versions.node +
      '.\nIn a checkout, "npx callwright" uses the Node that "npm ci" brings along. Elsewhere, install a newer Node: https://nodejs.org\n',
  )
  process.exit(1)
}

// Starts twice as fast from the second time on; old Nodes do not have it.
if (modules.enableCompileCache) modules.enableCompileCache()

// A checkout runs its sources as they stand; the published package has only dist/.
var source = new URL('../src/cli/main.ts', import.meta.url)
var built = new URL('../dist/cli/main.js', import.meta.url)
import((existsSync(source) ? source : built).href).then((cli) => cli.main(process.argv.slice(2)))
