/** The package as its users get it: built, packed, installed into an empty folder, imported by every way it offers. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const subpaths = Object.keys(manifest.exports).filter((path) => path !== './package.json')
const names = subpaths.map((path) => path.replace(/^\./, 'callwright'))
const isWindows = process.platform === 'win32'

function run(command: string, words: readonly string[], folder: string): string {
  return execFileSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    shell: isWindows,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
const npm = (words: readonly string[], folder: string): string => run('npm', words, folder)
const tool = (name: string): string => join(root, 'node_modules', '.bin', name)

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-'))
  const installed = join(folder, 'node_modules', 'callwright')

  before(() => {
    npm(['run', 'build'], root)
    const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
    npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', join(folder, packed.filename)], folder)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('every subpath imports from JavaScript', () => {
    const program = names.map(
      (name) =>
        `const m = await import('${name}'); if (Object.keys(m).length === 0) throw new Error('${name} is empty')`,
    )
    writeFileSync(join(folder, 'consumer.js'), program.map((line) => `{ ${line} }`).join('\n'))
    run(process.execPath, ['consumer.js'], folder)
  })

  test('every subpath has types, under both ways of resolving', () => {
    const lines = names.map(
      (name, index) => `import * as m${index} from '${name}'\nexport const n${index}: object = m${index}`,
    )
    const use = `import { readValue, type ValueReading } from 'callwright'\nexport const reading: ValueReading = readValue('{}')`
    const misuse = `// @ts-expect-error a text is wanted\nreadValue(1)`
    writeFileSync(join(folder, 'consumer.ts'), [use, misuse, ...lines].join('\n'))
    for (const way of [
      ['--module', 'nodenext'],
      ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ]) {
      // The types of @ai-sdk/provider import those of json-schema, which it does not bring.
      const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--types', '']
      run(tool('tsc'), [...strict, ...way, 'consumer.ts'], folder)
    }
  })

  test('the command runs', () => {
    const command = join(installed, 'bin', 'callwright.js')
    assert.equal(run(process.execPath, [command, '--version'], folder).trim(), manifest.version)
    assert.match(run(process.execPath, [command, 'demo'], folder), /6 of 6 scenes came out as they must/)
  })

  test('publint and attw have nothing to say', () => {
    assert.match(run(tool('publint'), ['--strict', root], folder), /All good/)
    run(tool('attw'), ['--pack', root, '--profile', 'esm-only'], folder)
  })

  test('it is light: under 2 MB of its own, and five small dependencies', () => {
    const [packed] = JSON.parse(npm(['pack', '--json', '--dry-run', '--ignore-scripts'], root))
    assert.ok(packed.unpackedSize < 2_000_000, `${packed.unpackedSize} bytes`)
    const names = ['@ai-sdk/provider', '@cfworker/json-schema', 'eventsource-parser', 're2js', 'yaml']
    assert.deepEqual(Object.keys(manifest.dependencies), names)
    const paths: string[] = packed.files.map(({ path }: { path: string }) => path)
    assert.deepEqual(
      paths.filter((path) => /\.test\.|fixtures|\.tgz$|^src|^test/.test(path)),
      [],
    )
  })
})
