import { resolve } from 'node:path'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  type Agent,
  type AgentOptions,
  createAgent,
  defaultInstructions,
  type ModeName,
  modeNames,
} from '../agent/index.ts'
import { openAICompatible } from '../models/index.ts'
import { AgentError, type RunnableTool } from '../tools/index.ts'
import { cleaned, type Redact } from '../tools/redact.ts'
import { WorkspaceRefusal } from '../tools/workspace/refusal.ts'
import { openWorkspace } from '../tools/workspace/workspace-tools.ts'
import { askOn } from './ask-approval.ts'
import { shownURL } from './base-url.ts'
import type { Config, WorkspaceConfig } from './config.ts'
import { chooseModel } from './model-choice.ts'

import { type Paint, paintFor } from './terminal.ts'
import { toolsOf } from './tool-modules.ts'
import { UsageError } from './usage-error.ts'

/** How a run was started, as its ledger keeps it: `callwright resume` needs nothing else. No key stands in it. */
export interface RunSettings extends Omit<Config, 'ledger'> {
  /** Where the tools are at work. */
  readonly folder: string
  /** The recording that the replies were taken from. */
  readonly replay?: string
}

/** What the flags of a command say of its run. */
export interface RunFlags {
  readonly tools?: readonly string[] | undefined
  readonly mode?: string | undefined
  readonly instructions?: string | undefined
  readonly steps?: string | undefined
  readonly workspace?: boolean | undefined
  readonly 'read-only'?: boolean | undefined
  readonly 'unsafe-shell'?: boolean | undefined
  readonly replay?: string | undefined
}

/** What flags and file say together, before a model was chosen. Flags come first. */
export function settingsFrom(flags: RunFlags, { ledger, ...config }: Config): RunSettings {
  const mode = modeOf(flags.mode)
  const steps = stepsOf(flags.steps)
  return {
    ...config,
    folder: process.cwd(),
    ...(flags.tools ? { tools: flags.tools.map((file) => resolve(file)) } : {}),
    ...(mode === undefined ? {} : { mode }),
    ...workspaceFrom(flags, config.workspace),
    ...(flags.instructions === undefined ? {} : { instructions: flags.instructions }),
    ...(steps === undefined ? {} : { limits: { ...config.limits, steps } }),
    ...(flags.replay === undefined ? {} : { replay: resolve(flags.replay) }),
  }
}

function workspaceFrom(flags: RunFlags, config: WorkspaceConfig | undefined): { workspace?: WorkspaceConfig } {
  const isWanted = flags.workspace || flags['read-only'] || config !== undefined
  if (!isWanted && flags['unsafe-shell']) throw new UsageError('--unsafe-shell goes with --workspace.')
  if (!isWanted) return {}
  return {
    workspace: {
      ...config,
      ...(flags['read-only'] ? { mode: 'read-only' } : {}),
      ...(flags['unsafe-shell'] ? { unsafeShell: true } : {}),
    },
  }
}

/** The tools of a run, and what the model is told of them beside its instructions. */
export interface Toolbox {
  readonly tools: readonly RunnableTool[]
  readonly instructions: string
}

/** Loads the modules of a run, and opens its folder as a workspace where that is wanted. */
export async function toolboxOf(settings: RunSettings, ledger: string, secrets: readonly string[]): Promise<Toolbox> {
  const own = await toolsOf(settings.tools ?? [])
  if (!settings.workspace) return { tools: own, instructions: '' }
  try {
    const workspace = openWorkspace(settings.folder, { ...settings.workspace, keep: [ledger], secrets })
    return { tools: [...workspace.tools, ...own], instructions: workspace.instructions }
  } catch (error) {
    if (WorkspaceRefusal.isInstance(error)) throw new UsageError(error.message)
    throw error
  }
}

/** A model, with the settings that name it. */
export type Chosen =
  | { readonly kind: 'chosen'; readonly model: LanguageModelV4; readonly settings: RunSettings }
  | { readonly kind: 'missing'; readonly message: string }

/** Chooses the model to talk to; the settings then say which it was. */
export async function chosenModel(
  flags: { readonly model: string | undefined; readonly baseURL: string | undefined },
  settings: RunSettings,
  command?: string,
): Promise<Chosen> {
  const choice = await chooseModel({ flags, config: settings, ...(command === undefined ? {} : { command }) })
  if (choice.kind === 'missing') return choice
  const { baseURL, model: name, apiKey, keyFrom } = choice
  const { baseURL: said, apiKeyFrom, ...others } = settings
  // A URL that holds more than an address is not kept, and a key is kept in mind only for the server that it is for.
  const isPlain = shownURL(baseURL) === baseURL
  const server = isPlain ? { baseURL, ...(keyFrom === undefined ? {} : { apiKeyFrom: keyFrom }) } : {}
  const model = openAICompatible({ baseURL, model: name, ...(apiKey === undefined ? {} : { apiKey }) })
  return { kind: 'chosen', model, settings: { ...others, model: name, ...server } }
}

/** An agent by settings. Mistakes in them are those of the command line. */
export function agentBy(
  settings: RunSettings,
  {
    toolbox,
    ...parts
  }: Pick<AgentOptions, 'model'> & Partial<Pick<AgentOptions, 'recorder'>> & { readonly toolbox: Toolbox },
  redact: Redact,
): Agent {
  const { mode, limits, temperature, context, prices, policy } = settings
  const isAsking = settings.approve !== 'never' && process.stdin.isTTY && process.stderr.isTTY
  try {
    return createAgent({
      ...parts,
      tools: toolbox.tools,
      instructions: [settings.instructions ?? defaultInstructions, toolbox.instructions].filter(Boolean).join('\n\n'),
      ...(mode === undefined ? {} : { mode }),
      ...(limits ? { limits } : {}),
      ...(temperature === undefined ? {} : { temperature }),
      ...(context === undefined ? {} : { context }),
      ...(prices ? { prices } : {}),
      ...(policy ? { policy } : {}),
      ...(isAsking ? { approve: approvalOn(paintFor(process.stderr), redact) } : {}),
    })
  } catch (error) {
    if (AgentError.isInstance(error)) throw new UsageError(error.message)
    throw error
  }
}

function approvalOn(paint: Paint, redact: Redact): NonNullable<AgentOptions['approve']> {
  const ask = askOn({ input: process.stdin, output: process.stderr }, paint)
  return ({ signal, ...request }) => ask({ ...cleaned(request, redact), signal })
}

function modeOf(word: string | undefined): ModeName | 'auto' | undefined {
  if (word === undefined || word === 'auto') return word
  const mode = modeNames.find((name) => name === word)
  if (!mode) throw new UsageError(`--mode takes auto, ${modeNames.join(', ')}, and not ${word}.`)
  return mode
}

function stepsOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  const steps = Number(word)
  if (!Number.isInteger(steps) || steps < 1)
    throw new UsageError(`--steps takes a whole number above 0, and not ${word}.`)
  return steps
}
