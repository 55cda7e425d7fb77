import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import type { ModeName, Prices, RunLimits } from '../agent/index.ts'
import { checkPolicy } from '../read/check-policy.ts'
import type { CommandRule } from '../tools/workspace/command-rules.ts'
import type { WorkspaceOptions } from '../tools/workspace/workspace-tools.ts'
import type { Policy, Verdict } from '../types.ts'
import { baseURLProblem } from './base-url.ts'
import { type Field, file, flag, group, list, number, orFalse, record, text, whole, word } from './config-field.ts'
import { inputText } from './input.ts'
import { visible } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** What callwright.yaml can say. All of it may be left out. */
export interface Config {
  readonly model?: string
  /** Of a server that speaks OpenAI's Chat Completions. */
  readonly baseURL?: string
  /** The name of the environment variable that holds the key. */
  readonly apiKeyFrom?: string
  readonly instructions?: string
  /** Modules that export tools, as whole paths. */
  readonly tools?: readonly string[]
  readonly mode?: ModeName | 'auto'
  /** What may be repaired, by repair code. */
  readonly policy?: Policy
  readonly limits?: RunLimits
  /** `false` sends none, for models that take none. */
  readonly temperature?: number | false
  /** Tokens that the model takes. */
  readonly context?: number
  readonly prices?: Prices
  /** The folder in which the run is at work, as tools for files and commands. */
  readonly workspace?: WorkspaceConfig
  /** Whether a person is asked before a tool runs that needs a yes. */
  readonly approve?: 'ask' | 'never'
  /** Where runs are kept, as a whole path. */
  readonly ledger?: string
}

/** What the tools for files and commands may do. */
export type WorkspaceConfig = Pick<
  WorkspaceOptions,
  'mode' | 'writable' | 'readable' | 'protect' | 'commands' | 'network' | 'unsafeShell' | 'needsApproval' | 'shell'
>

/** Something wrong in a file; line and column count from 1. */
export interface ConfigProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A file that cannot be used, with all that is wrong in it. */
export class ConfigError extends UsageError {
  readonly file: string
  readonly problems: readonly ConfigProblem[]

  constructor(file: string, problems: readonly ConfigProblem[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    const lines = problems.map(({ line, column, message }) => `\n  line ${line}, column ${column}: ${message}`)
    super(`${file} has ${count}:${lines.join('')}`)
    this.file = file
    this.problems = problems
  }
}

const fileNames = ['callwright.yaml', 'callwright.yml']

/** Keys that would hold a secret. */
const secretKeys = ['apiKey', 'api_key', 'apikey', 'key', 'token', 'secret', 'password']
const SECRET_REFUSED =
  'A key does not belong in this file: put it in an environment variable and name that, such as "apiKeyFrom: OPENAI_API_KEY".'

const isRule = (found: Partial<CommandRule>): found is CommandRule => found.program !== undefined

const isPriced = (found: Partial<Prices>): found is Prices => found.input !== undefined && found.output !== undefined

/** A file that need not be there yet, named from the folder of the configuration; its whole path comes out. */
function path(): Field<string> {
  return {
    read: (node, place) => {
      const written = text().read(node, place)
      return written === undefined ? undefined : resolve(place.folder, written)
    },
  }
}

/** The shape of the file, key by key. */
const shape = group<Config>(
  {
    model: text(),
    baseURL: text({ problem: baseURLProblem }),
    apiKeyFrom: text({ secret: true, problem: variableProblem }),
    instructions: text(),
    tools: list(file()),
    mode: word('auto', 'native', 'structured', 'json', 'react'),
    policy: record(word<Verdict>('allow', 'deny', 'ask'), policyProblem),
    limits: group<RunLimits>({
      steps: number({ least: 1, whole: true }),
      tokens: number({ least: 1, whole: true }),
      seconds: number({ least: 0, above: true }),
      money: number({ least: 0, above: true }),
    }),
    temperature: orFalse(number({ least: 0, most: 2, alternative: 'false' })),
    context: number({ least: 1, whole: true }),
    prices: whole(
      group<Prices>({ input: number({ least: 0 }), output: number({ least: 0 }) }, { needed: ['input', 'output'] }),
      isPriced,
    ),
    workspace: group<WorkspaceConfig>({
      mode: word('read-only', 'edit', 'allowlist'),
      writable: list(text()),
      readable: list(text()),
      protect: list(text()),
      commands: list(
        whole(group<CommandRule>({ program: text(), arguments: list(text()) }, { needed: ['program'] }), isRule),
      ),
      shell: flag(),
      network: flag(),
      unsafeShell: flag(),
      needsApproval: flag(),
    }),
    approve: word('ask', 'never'),
    ledger: path(),
  },
  { refused: new Map(secretKeys.map((name) => [name, SECRET_REFUSED])) },
)

/** What the parser finds, in words that say what to do; else its own words serve. */
const mistakes: { readonly [code: string]: string } = {
  DUPLICATE_KEY: 'This key stands here twice: keep one of them.',
  TAB_AS_INDENT: 'A tab cannot indent in YAML: use spaces.',
  MULTIPLE_DOCS: 'A second document begins here: keep one, without "---".',
}

/** Reads the text of a configuration file: what it says, and all that is wrong in it. */
export function parseConfig(
  source: string,
  folder: string,
): { readonly config: Config; readonly problems: readonly ConfigProblem[] } {
  const lineCounter = new LineCounter()
  const document = parseDocument(source, { lineCounter, prettyErrors: false })
  const problems: ConfigProblem[] = []
  const complainAt = (offset: number, message: string): void => {
    const { line, col: column } = lineCounter.linePos(offset)
    problems.push({ line, column, message })
  }
  for (const error of [...document.errors, ...document.warnings]) {
    complainAt(error.pos[0], mistakes[error.code] ?? `This is not YAML: ${visible(error.message)}.`)
  }
  // A text that is not YAML has no keys to speak of.
  const isReadable = document.errors.every(({ code }) => code === 'DUPLICATE_KEY')
  const config =
    isReadable && document.contents !== null
      ? shape.read(document.contents, {
          name: '',
          document,
          folder,
          complain: (node, message) => complainAt(node.range?.[0] ?? 0, message),
        })
      : undefined
  problems.sort((one, other) => one.line - other.line || one.column - other.column)
  return { config: config ?? {}, problems }
}

/** A configuration and the file that it stands in. */
export interface LoadedConfig {
  readonly file: string
  readonly config: Config
}

/** Loads the named file, or callwright.yaml of a folder, or nothing where there is none. Throws a UsageError. */
export async function loadConfig(folder: string, named?: string): Promise<LoadedConfig | undefined> {
  const present = fileNames.filter((name) => existsSync(join(folder, name)))
  if (named === undefined && present.length > 1) {
    throw new UsageError(`There are both ${present.join(' and ')}: keep one of them.`)
  }
  const file = named ?? present[0]
  if (file === undefined) return undefined
  const path = resolve(folder, file)
  const { config, problems } = parseConfig(await inputText(path), dirname(path))
  if (problems.length > 0) throw new ConfigError(file, problems)
  return { file, config }
}

function variableProblem(value: string): string | undefined {
  if (/^[A-Z_][A-Z0-9_]*$/.test(value)) return undefined
  return 'must be the name of an environment variable in capitals, such as OPENAI_API_KEY, and not the key itself'
}

/** The words of the check that the reader makes, here with a place. */
function policyProblem(code: string, verdict: Verdict): string | undefined {
  try {
    checkPolicy({ [code]: verdict })
    return undefined
  } catch (error) {
    if (error instanceof TypeError) return error.message
    throw error
  }
}
