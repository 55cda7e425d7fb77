import type { ModeName, Outcome, Repair, ReplyPart, RunCall, RunnableTool, RunResult } from '../../index.ts'
import type { ReceivedRequest, Reply, ReplyFunction } from '../../test/index.ts'
import type { Problem } from '../../types.ts'

/** A short run of the agent that shows one thing. A new one is data; nothing else has to change. */
export interface Scene {
  readonly title: string
  /** The number of the document that the scene comes from. */
  readonly mission: string
  /** Why this matters, in a sentence or two. */
  readonly story: string
  readonly task: string
  readonly mode: ModeName
  /** Asks for where things stand and for a plan, in the structured mode. */
  readonly nextStep?: boolean
  readonly tools: readonly RunnableTool[]
  /** What the model writes, reply by reply. */
  readonly script: readonly (Reply | ReplyFunction)[]
  /** The same task with other tools, to compare with. */
  readonly comparison?: Cast
  /** What is worth a look beside the steps. */
  readonly exhibits?: (run: SceneRun) => readonly Exhibit[]
  /** What must be true in the end. */
  readonly proofs: (run: SceneRun) => readonly Proof[]
}

/** Who plays in a run. */
export type Cast = Pick<Scene, 'tools' | 'script'>

/** A line with a label of at most eight characters. */
export interface Exhibit {
  readonly label: string
  readonly text: string
  readonly isWrong?: boolean
}

export interface Proof {
  readonly says: string
  readonly holds: boolean
}

/** What came of a scene. */
export interface SceneRun {
  readonly scene: Scene
  readonly result: RunResult
  readonly turns: readonly Turn[]
  /** What the server was asked. */
  readonly requests: readonly ReceivedRequest[]
  /** How the comparison ended, where there is one. */
  readonly comparison?: RunResult
}

/** One reply of the model, and what followed from it. */
export interface Turn {
  readonly step: number
  readonly temperature: number | undefined
  readonly parts: readonly ReplyPart[]
  readonly calls: readonly TurnCall[]
  readonly refused: readonly TurnRefusal[]
  readonly thought?: string
  readonly answer?: string
  /** What a reader makes of the same reply that repairs nothing. */
  readonly strict: StrictReading
}

export interface TurnCall {
  readonly call: RunCall
  readonly dialect: string
  readonly repairs: readonly Repair[]
  readonly outcome: Outcome
  readonly observation: string
}

export interface TurnRefusal {
  readonly name?: string
  readonly problems: readonly Problem[]
}

/** What a strict reader makes of a reply, and what comes of that. */
export type StrictReading =
  | { readonly kind: 'read' }
  | { readonly kind: 'failed'; readonly reason: string; readonly consequence: string }
