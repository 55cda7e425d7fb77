import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findLocalServers, type LocalServer, type LocalServerOptions } from '../models/local-servers.ts'
import { findSandbox, type Sandbox } from '../tools/workspace/sandbox.ts'
import { shownURL } from './base-url.ts'
import { checkModel } from './check-model.ts'
import { ConfigError, type ConfigProblem, type LoadedConfig, loadConfig } from './config.ts'
import { contextFinding, type Finding } from './context-advice.ts'
import { chooseModel, type Environment, type ModelChoice, type Source, variables } from './model-choice.ts'
import { showDiagnosis } from './show-diagnosis.ts'
import { paintFor } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export const summary = 'say which model would be used, and what is missing'

export const help = `callwright doctor [--json] [--base-url URL] [--model NAME] [--config FILE]

Looks at what is needed to talk to a model: Node, callwright.yaml, environment variables, model servers on this machine,
and the model that would be used. Says what is missing and what to type. Shows no key and no value of a variable.

  --base-url URL   the server to use, which speaks as OpenAI does: http://127.0.0.1:11434/v1
  --model NAME     the model to use
  --config FILE    instead of callwright.yaml in this folder
  --json           print what was found as JSON, for programs

A model is chosen by these options, else by the file, else by CALLWRIGHT_BASE_URL, CALLWRIGHT_MODEL and
CALLWRIGHT_API_KEY, else by OPENAI_BASE_URL and OPENAI_API_KEY, else it is the only one that a local server has.

Exit code: 0 a model can be used, 1 none can, 2 the command was not understood.
`

/** What the doctor found. */
export interface Diagnosis {
  /** Whether a model can be used. */
  readonly ready: boolean
  readonly node: { readonly version: string; readonly needed: string; readonly enough: boolean }
  readonly config: {
    readonly file?: string
    readonly problems: readonly (ConfigProblem | { readonly message: string })[]
  }
  /** Variables that are set and looked at; never what they hold. */
  readonly variables: readonly string[]
  readonly servers: readonly LocalServer[]
  /** What commands of an agent run in. */
  readonly shell: Pick<Sandbox, 'kind' | 'name' | 'why' | 'type'>
  readonly model?: {
    readonly name: string
    readonly baseURL: string
    readonly from: Source
    readonly modelFrom: Source | 'only model'
    readonly keyFrom?: string
  }
  /** What to do to have a model, where none was found. */
  readonly missing?: string
  readonly findings: readonly Finding[]
}

/** What the doctor looks at, so that tests can give it another world. */
export interface World {
  readonly environment: Environment
  readonly folder: string
  readonly nodeVersion: string
  readonly sandbox: () => Promise<Sandbox>
  readonly ports: NonNullable<LocalServerOptions['ports']> | undefined
  /** Milliseconds for a question to a local server, and for one to a server that was named. */
  readonly timeouts: { readonly local: number; readonly named: number }
  readonly out: { readonly write: (text: string) => unknown; readonly isTTY?: boolean; readonly columns?: number }
}

const ourWorld = (): World => ({
  environment: process.env,
  folder: process.cwd(),
  nodeVersion: process.versions.node,
  sandbox: findSandbox,
  ports: undefined,
  timeouts: { local: 500, named: 5000 },
  out: process.stdout,
})

/** `callwright doctor`: prints what it found, and returns the exit code. */
export async function run(words: readonly string[], given: Partial<World> = {}): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      json: { type: 'boolean' },
      model: { type: 'string' },
      'base-url': { type: 'string' },
      config: { type: 'string' },
    },
  })
  const world = { ...ourWorld(), ...given }
  const flags = { model: values.model, baseURL: values['base-url'] }
  const diagnosis = await examine(flags, values.config, world)
  const { out } = world
  if (values.json) out.write(`${JSON.stringify(diagnosis, null, 2)}\n`)
  else {
    const lines = showDiagnosis(diagnosis, paintFor(out), Math.min(out.columns ?? 100, 110) - 4)
    out.write(`\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`)
  }
  return diagnosis.ready ? 0 : 1
}

async function examine(
  flags: { readonly model: string | undefined; readonly baseURL: string | undefined },
  configFile: string | undefined,
  world: World,
): Promise<Diagnosis> {
  const { environment, folder, ports, timeouts } = world
  const node = nodeNeeds(world.nodeVersion)
  const servers = await findLocalServers({ environment, timeout: timeouts.local, ...(ports ? { ports } : {}) })
  const config = await configIn(folder, configFile)
  const { kind, name, why, type } = await world.sandbox()
  const seen = {
    shell: { kind, name, why, type },
    node,
    config: { ...(config.file === undefined ? {} : { file: config.file }), problems: config.problems },
    variables: setVariables(environment, config.loaded),
    servers,
  }
  // What a broken file would have chosen, nobody knows.
  if (config.problems.length > 0) return { ready: false, ...seen, findings: warningsOf(servers) }
  const choice = await chooseModel({
    flags,
    config: config.loaded?.config,
    environment,
    findServers: async () => servers,
    timeout: timeouts.named,
  })
  if (choice.kind === 'missing') {
    return { ready: false, ...seen, missing: choice.message, findings: warningsOf(servers) }
  }
  const mode = config.loaded?.config.mode
  const findings = await checkModel(choice, { servers, environment, timeout: timeouts.named, mode })
  const isReady = node.enough && findings.every(({ kind }) => kind !== 'problem')
  return { ready: isReady, ...seen, model: shownChoice(choice), findings }
}

const shownChoice = (choice: ModelChoice & { readonly kind: 'found' }): NonNullable<Diagnosis['model']> => ({
  name: choice.model,
  baseURL: shownURL(choice.baseURL),
  from: choice.from,
  modelFrom: choice.modelFrom,
  ...(choice.keyFrom === undefined ? {} : { keyFrom: choice.keyFrom }),
})

/** The first small context of each server: what helps against it helps all of its models. */
const warningsOf = (servers: readonly LocalServer[]): Finding[] =>
  servers.flatMap(({ kind, models }) => models.flatMap((model) => contextFinding(model, kind, false) ?? []).slice(0, 1))

function nodeNeeds(version: string): Diagnosis['node'] {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const needed = String(engines.node).replace('>=', '')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number)
  return { version, needed, enough: major > neededMajor || (major === neededMajor && minor >= neededMinor) }
}

interface FoundConfig {
  readonly file?: string
  readonly loaded?: LoadedConfig
  readonly problems: Diagnosis['config']['problems']
}

async function configIn(folder: string, named: string | undefined): Promise<FoundConfig> {
  try {
    const loaded = await loadConfig(folder, named)
    return loaded ? { file: loaded.file, loaded, problems: [] } : { problems: [] }
  } catch (error) {
    if (error instanceof ConfigError) return { file: error.file, problems: error.problems }
    if (error instanceof UsageError) return { problems: [{ message: error.message }] }
    throw error
  }
}

/** The variables that have a say and are set; of no variable more than its name. */
function setVariables(environment: Environment, loaded: LoadedConfig | undefined): string[] {
  const names = [
    ...variables.flatMap((row) => [row.baseURL, ...('model' in row ? [row.model] : []), row.apiKey]),
    'OLLAMA_HOST',
    'OLLAMA_CONTEXT_LENGTH',
    ...(loaded?.config.apiKeyFrom ? [loaded.config.apiKeyFrom] : []),
  ]
  return [...new Set(names)].filter((name) => environment[name]?.trim())
}
