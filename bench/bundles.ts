import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import type { Benchmark } from './benchmark.ts'
import { load, versionOf } from './peers.ts'
import { figure } from './timing.ts'

/** The part of esbuild's results that is used here. */
interface Built {
  readonly outputFiles: readonly { readonly contents: Uint8Array; readonly text: string }[]
  readonly metafile: {
    readonly inputs: { readonly [file: string]: unknown }
    readonly outputs: {
      readonly [file: string]: {
        readonly inputs: { readonly [file: string]: { readonly bytesInOutput: number } }
        readonly imports: readonly { readonly path: string }[]
      }
    }
  }
}

type Build = (options: { readonly [name: string]: unknown }) => Promise<Built>

const root = fileURLToPath(new URL('..', import.meta.url))
const core = "export * from './src/read/index.ts'"
/** What of the main entry reads and fits. The agent and the models beside it need Node. */
const readers = ['createReader', 'fit', 'read', 'readArguments', 'readStream', 'readValue', 'rescue', 'validator']
const entries = [
  { name: 'callwright/read: the core', text: core },
  {
    name: 'callwright: what reads and fits, with the validator',
    text: `export { ${readers.join(', ')} } from './src/index.ts'`,
  },
]

/** How large callwright is where that counts: on its way to a browser. */
export const bundles: Benchmark = {
  name: 'bundles',
  async measure(say) {
    const { build }: { build: Build } = await load('esbuild')
    say(`${entries.length} entries, built by esbuild for a browser`)
    const built = await Promise.all(entries.map(({ text }) => bundle(build, text, 'esm')))
    const foreign = Object.keys(built[0]?.metafile.inputs ?? {}).filter(
      (file) => file !== ENTRY && !file.startsWith('src/'),
    )
    const answer = await bareAnswer(build)
    const faults = [
      ...foreign.map((file) => `the core brings in ${file}`),
      ...built.flatMap((one, index) => importsOf(one).map((path) => `${entries[index]?.name} imports ${path}`)),
      ...(answer === wantedAnswer ? [] : [`the bundled core read: ${answer}`]),
    ]
    return {
      title: 'Size in a browser',
      bars: [],
      blocks: [
        `Each as one minified module, built by esbuild ${await versionOf('esbuild')} with \`--platform=browser\`: the core with all of its exports; of the main entry, what a program gets that imports
${readers.map((name) => `\`${name}\``).join(', ')}, without the agent and the models, which need Node. No builtin of Node may be left in either. KB are thousands of bytes; gzip is at its best level.`,
        {
          kind: 'table',
          columns: ['entry', 'minified', 'gzipped', 'of it minified: callwright', ...dependencies],
          rows: built.map((one, index) => [entries[index]?.name ?? '', ...sizesOf(one).map(kilobytes)]),
        },
        faults.length === 0 ? standing : `**Wrong:** ${faults.join('; ')}.`,
      ],
      faults,
    }
  },
}

const dependencies = ['@cfworker/json-schema', 're2js']

/** Bytes minified, gzipped, and how many of the minified ones each part has. */
function sizesOf({ outputFiles, metafile }: Built): number[] {
  const contents = outputFiles[0]?.contents ?? new Uint8Array()
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  const parts = ['src/', ...dependencies.map((name) => `node_modules/${name}/`)].map((folder) =>
    inputs.reduce((sum, [file, { bytesInOutput }]) => sum + (file.startsWith(folder) ? bytesInOutput : 0), 0),
  )
  return [contents.length, gzipSync(contents, { level: 9 }).length, ...parts]
}

/** What a bundle still asks its surroundings for. */
const importsOf = ({ metafile }: Built): string[] =>
  Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))

/** By this name esbuild knows an entry that is no file. */
const ENTRY = '<stdin>'

const bundle = (build: Build, text: string, format: 'esm' | 'iife'): Promise<Built> =>
  build({
    absWorkingDir: root,
    stdin: { contents: text, resolveDir: root, loader: 'ts' },
    external: ['node:*'],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outfile: 'bundle.js',
    platform: 'browser',
    format,
    ...(format === 'iife' ? { globalName: 'callwright' } : {}),
  })

/** What the core, bundled, makes of a broken call where there is nothing but the language. */
async function bareAnswer(build: Build): Promise<string> {
  const { outputFiles } = await bundle(build, core, 'iife')
  const context = createContext({})
  try {
    runInContext(outputFiles[0]?.text ?? '', context)
    return runInContext(
      `const properties = { command: { type: 'string' }, timeout: { type: 'integer' } }
       const tool = { name: 'bash', input: { type: 'object', properties, required: ['command'] } }
       JSON.stringify(callwright.readArguments("{'cmd': 'ls', 'timeout': '60'}", tool).calls[0].arguments)`,
      context,
    )
  } catch (error) {
    return String(error)
  }
}

const wantedAnswer = '{"command":"ls","timeout":60}'

const kilobytes = (bytes: number): string => (bytes === 0 ? '' : `${figure(bytes / 1000)} KB`)

const standing = `The core builds for a browser: it needs no builtin of Node, and brings in no file but its own. It also runs in a context that has nothing but the language
itself, neither Node's globals nor a browser's: there it read \`{'cmd': 'ls', 'timeout': '60'}\` as \`${wantedAnswer}\`.`
