import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { FileChange } from '../tools/workspace/change.ts'
import type { Finish, JsonObject, JsonValue, Problem, Repair } from '../types.ts'
import type { EndKind } from './ends.ts'
import type { ModeName } from './modes/names.ts'

/** Tokens, as the provider counts them; zero where it does not. */
export interface Usage {
  readonly input: number
  readonly output: number
}

/** A call as it ran, or is about to. */
export interface RunCall {
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
  readonly metadata?: Metadata
}

/** What a provider wants to be given back with a piece of its own, such as a signature. */
export type Metadata = { readonly [provider: string]: JsonObject }

/** A piece of what a model wrote, as its provider gave it. */
export type ReplyPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Out of an error of a server that could not read it: a reply, or the arguments of a call. */
  | { readonly kind: 'rescued'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string; readonly metadata?: Metadata }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: string; readonly metadata?: Metadata }

/** A thought that its provider wants back as it was. */
export interface SignedThought {
  readonly text: string
  readonly metadata: Metadata
}

/** A file that a tool gave, for models that see it. */
export interface ObservedFile {
  readonly mediaType: string
  readonly data: string
}

/** What a run was begun with, by its hashes: the instructions, and each tool. */
export interface Setup {
  readonly instructions: string
  readonly tools: { readonly [name: string]: string }
}

/** What became of a call. `unknown`: it was begun, and the run was stopped before it ended. */
export type Outcome = 'ok' | 'error' | 'not-run' | 'unknown'

/** Why a reply was not taken as it was. */
export type FeedbackReason = 'unreadable' | 'refused' | 'cut' | 'thought' | 'announcement' | 'output'

/** What a model is told to do better, and what it thought, where that is all it said. */
export interface Advice {
  readonly reason: FeedbackReason
  readonly text: string
  readonly thought?: string
}

/** A call as it was read. */
export interface ReadCall {
  readonly call: RunCall
  readonly dialect: string
  readonly repairs: readonly Repair[]
}

/** A call that must not run. */
export interface RefusedRunCall {
  readonly name?: string
  readonly raw: string
  readonly problems: readonly Problem[]
}

/**
 * What happens in a run, in its order. docs/agent.md draws it. Those that `recorded` names are kept; the state of a run is
 * what they add up to, and nothing else.
 */
export type RunEvent =
  | {
      readonly kind: 'run-start'
      readonly run: string
      readonly task: string
      /** What tells tasks apart, also where a secret was taken out of the record. */
      readonly taskHash: string
      readonly mode: ModeName
      readonly model: string
      readonly setup: Setup
      readonly at: number
    }
  | { readonly kind: 'setup-change'; readonly setup: Setup; readonly changes: readonly string[] }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'run-resume'; readonly model: string; readonly at: number }
  | { readonly kind: 'mode-probe'; readonly mode: ModeName; readonly works: boolean; readonly usage: Usage }
  | { readonly kind: 'mode-change'; readonly mode: ModeName; readonly reason: string }
  | { readonly kind: 'step-start'; readonly step: number; readonly mode: ModeName; readonly temperature?: number }
  | { readonly kind: 'observations-shrink'; readonly count: number; readonly characters: number }
  | { readonly kind: 'model-retry'; readonly reason: string; readonly wait: number }
  | { readonly kind: 'setting-refused'; readonly setting: 'temperature' }
  | { readonly kind: 'request'; readonly step: number; readonly request: LanguageModelV4CallOptions }
  | { readonly kind: 'text-delta' | 'thought-delta'; readonly text: string }
  | {
      readonly kind: 'reply'
      readonly step: number
      readonly parts: readonly ReplyPart[]
      readonly finish: Finish
      readonly usage: Usage
      readonly seconds: number
    }
  | ({ readonly kind: 'call-repaired' } & ReadCall)
  | ({ readonly kind: 'call-refused' } & RefusedRunCall)
  | {
      readonly kind: 'reply-read'
      readonly thought?: string
      readonly signed?: readonly SignedThought[]
      readonly text?: string
      readonly calls: readonly ReadCall[]
      readonly refused: readonly RefusedRunCall[]
      /** What tells the calls apart, those that must not run too; without those of tools that poll. */
      readonly signatures: readonly string[]
      /** The final answer, when it is one. */
      readonly answer?: string
      /** The answer as its schema wants it, and what had to be repaired for that. */
      readonly output?: JsonValue
      readonly outputRepairs?: readonly Repair[]
      /** What the model is to be told, when its calls have run. */
      readonly advice?: Advice
    }
  | { readonly kind: 'call-repeat'; readonly call: RunCall; readonly times: number; readonly isBlocked: boolean }
  | { readonly kind: 'approval-ask'; readonly call: RunCall; readonly hash: string; readonly preview?: string }
  | {
      readonly kind: 'approval-answer'
      readonly call: RunCall
      readonly hash: string
      readonly answer: 'yes' | 'no' | 'always' | 'later'
    }
  | { readonly kind: 'tool-start'; readonly call: RunCall; readonly key: string }
  | { readonly kind: 'tool-note'; readonly call: string; readonly note: JsonValue }
  | {
      readonly kind: 'tool-end'
      readonly call: RunCall
      readonly outcome: Outcome
      /** What the tool gave, whole. */
      readonly result: string
      /** What the model is shown of it. */
      readonly observation: string
      readonly files?: readonly ObservedFile[]
      readonly seconds: number
    }
  | ({ readonly kind: 'feedback' } & Advice)
  | { readonly kind: 'answer-forced'; readonly reason: string }
  /** Somebody took back what the run did to files, or took that back. */
  | { readonly kind: 'undo'; readonly changes: readonly FileChange[]; readonly at: number }
  | {
      readonly kind: 'run-end'
      readonly end: EndKind
      readonly message: string
      readonly answer?: string
      readonly at: number
    }

/** An event of one kind. */
export type EventOf<Kind extends RunEvent['kind']> = Extract<RunEvent, { readonly kind: Kind }>

/** What the loop tells while it works: everything that happens, in its order. */
export type Tell = (event: RunEvent) => Promise<void>

const passing: ReadonlySet<RunEvent['kind']> = new Set([
  ...(['request', 'text-delta', 'thought-delta', 'call-repaired', 'call-refused'] as const),
])

/** Whether an event belongs into the record of its run. Others only tell sooner, or in parts, what one of these says. */
export const isRecorded = ({ kind }: RunEvent): boolean => !passing.has(kind)
