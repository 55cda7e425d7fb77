import { SeenTexts } from '../read/seen.ts'
import type { JsonValue } from '../types.ts'
import { readValue } from '../value/read-value.ts'
import type { EndKind } from './ends.ts'
import type { Advice, EventOf, RunCall, RunEvent, Setup, Usage } from './events.ts'
import { LoopGuard } from './loop-guard.ts'
import type { ModeName } from './modes/names.ts'
import { noteOf } from './observe.ts'
import type { Entry, Observation } from './transcript.ts'

/** Calls of the last reply that have no result yet. */
export interface Pending {
  readonly calls: readonly RunCall[]
  readonly observations: Map<string, Observation>
  /** Calls that were begun. */
  readonly started: Set<string>
  /** What their tools said of them, by the id of the call. */
  readonly notes: Map<string, JsonValue[]>
}

/** Where a run stands. It is what the events of the run add up to, so that a recorded run can be gone on with. */
export interface RunState {
  run: string
  task: string
  taskHash: string
  mode: ModeName
  /** Modes in which the model could not be read. */
  readonly failedModes: Set<ModeName>
  readonly entries: Entry[]
  /** Model turns since the task or the last message. */
  steps: number
  /** Model turns of the whole run. */
  turns: number
  unreadable: number
  errors: number
  isNudged: boolean
  takesTemperature: boolean
  readonly guard: LoopGuard
  /** What tools gave: a call that stands there word for word is an echo. */
  readonly seen: SeenTexts
  usage: Usage
  readonly repairs: Map<string, number>
  readonly refusals: Map<string, number>
  /** What the model is told of the repairs in a call, by its id. */
  readonly notes: Map<string, string>
  /** Tools that somebody allowed for the whole run. */
  readonly allowed: Set<string>
  /** Calls that somebody allowed, by their ids. */
  readonly approved: Set<string>
  /** A reply that was not yet read. */
  unread: EventOf<'reply'> | undefined
  pending: Pending | undefined
  /** What the model is to be told next. */
  advice: Advice | undefined
  answer: string | undefined
  /** The answer as its schema wants it. */
  output: JsonValue | undefined
  /** The last attempt is under way, or has been made: there will be no other. */
  isForced: boolean
  isOver: boolean
  /** What the run was last set up with. */
  setup: Setup
  /** How long the model and the tools have worked. */
  seconds: number
  end: { readonly kind: EndKind; readonly message: string; readonly answer?: string } | undefined
}

/** A run of which nothing has happened yet. */
export const newState = (): RunState => ({
  run: '',
  task: '',
  taskHash: '',
  mode: 'native',
  failedModes: new Set(),
  entries: [],
  steps: 0,
  turns: 0,
  unreadable: 0,
  errors: 0,
  isNudged: false,
  takesTemperature: true,
  guard: new LoopGuard(),
  seen: new SeenTexts(),
  usage: { input: 0, output: 0 },
  repairs: new Map(),
  refusals: new Map(),
  notes: new Map(),
  allowed: new Set(),
  approved: new Set(),
  unread: undefined,
  pending: undefined,
  advice: undefined,
  answer: undefined,
  output: undefined,
  isForced: false,
  isOver: false,
  setup: { instructions: '', tools: {} },
  seconds: 0,
  end: undefined,
})

/** The state that the events of a run add up to. */
export function stateOf(events: Iterable<RunEvent>): RunState {
  const state = newState()
  for (const event of events) apply(state, event)
  return state
}

/** What a person who goes on with a run forgives it. */
const fresh = { unreadable: 0, errors: 0, end: undefined }

/** Takes the next event of a run. Nothing else ever changes its state. */
export function apply(state: RunState, event: RunEvent): void {
  switch (event.kind) {
    case 'run-start':
      state.run = event.run
      state.task = event.task
      state.taskHash = event.taskHash
      state.mode = event.mode
      state.setup = event.setup
      state.entries.push({ kind: 'user', text: event.task })
      return
    case 'setup-change':
      state.setup = event.setup
      return
    case 'message':
      settle(state)
      state.entries.push({ kind: 'user', text: event.text })
      Object.assign(state, { ...fresh, steps: 0, isNudged: false, isForced: false, isOver: false })
      Object.assign(state, { unread: undefined, advice: undefined, answer: undefined })
      state.guard.forgive()
      return
    case 'run-resume':
      Object.assign(state, fresh)
      if (!state.unread) Object.assign(state, { isForced: false, isOver: false })
      state.guard.forgive()
      return
    case 'mode-probe':
      spend(state, event.usage)
      return
    case 'mode-change':
      if (state.unreadable > 0) state.failedModes.add(state.mode)
      state.mode = event.mode
      state.unreadable = 0
      return
    case 'setting-refused':
      state.takesTemperature = false
      return
    case 'step-start':
      state.end = undefined
      return
    case 'answer-forced':
      state.isForced = true
      return
    case 'reply':
      spend(state, event.usage)
      state.steps++
      state.turns = event.step
      state.seconds += event.seconds
      state.unread = event
      return
    case 'reply-read':
      read(state, event)
      return
    case 'approval-answer':
      if (event.answer === 'always') state.allowed.add(event.call.name)
      if (event.answer === 'yes') state.approved.add(event.call.id)
      return
    case 'tool-start':
      state.pending?.started.add(event.call.id)
      return
    case 'tool-note': {
      const notes = state.pending?.notes.get(event.call) ?? []
      state.pending?.notes.set(event.call, [...notes, event.note])
      return
    }
    case 'tool-end':
      state.seconds += event.seconds
      ended(state, event)
      return
    case 'feedback':
      advised(state, event)
      return
    case 'run-end':
      state.end = {
        kind: event.end,
        message: event.message,
        ...(event.answer === undefined ? {} : { answer: event.answer }),
      }
      if (event.answer !== undefined) state.entries.push({ kind: 'answer', text: event.answer })
  }
}

function read(state: RunState, event: EventOf<'reply-read'>): void {
  const { thought, text, signed, refused } = event
  state.unread = undefined
  state.advice = event.advice
  state.answer = event.answer
  state.output = event.output
  for (const { code } of event.outputRepairs ?? []) count(state.repairs, code)
  state.isOver = state.isForced
  state.guard.round(event.signatures)
  for (const { problems } of refused) for (const { code } of problems) count(state.refusals, code)
  for (const { call, repairs } of event.calls) {
    for (const { code } of repairs) count(state.repairs, code)
    state.notes.set(call.id, noteOf(call.name, repairs))
  }
  const calls = event.calls.map(({ call }) => call)
  if (calls.length === 0) return
  state.unreadable = 0
  state.pending = { calls, observations: new Map(), started: new Set(), notes: new Map() }
  state.entries.push({
    kind: 'calls',
    calls,
    ...(thought ? { thought } : {}),
    ...(text ? { text } : {}),
    ...(signed ? { signed } : {}),
  })
}

function ended(state: RunState, { call, outcome, observation, result, files = [] }: EventOf<'tool-end'>): void {
  state.pending?.observations.set(call.id, { call, text: observation, result, isError: outcome === 'error', files })
  if (outcome === 'ok') state.errors = 0
  else if (outcome === 'error') state.errors++
  if (state.pending && state.pending.observations.size >= state.pending.calls.length) settle(state)
}

/** Results stand in the order of the calls, also where they came in another. What never came is said so. */
function settle(state: RunState): void {
  const { pending } = state
  if (!pending) return
  state.pending = undefined
  for (const call of pending.calls) {
    const text = pending.started.has(call.id)
      ? 'The outcome of this call is unknown: the run was stopped while it was at work.'
      : 'This call was not run: the run was stopped before it.'
    const observation = pending.observations.get(call.id) ?? { call, text, result: text, isError: true, files: [] }
    state.entries.push({ kind: 'observation', observation })
    for (const text of textsIn(observation.result)) state.seen.add(text)
  }
}

/** A result, and where it is JSON the texts inside of it, which a model copies without their escapes. */
function textsIn(result: string): string[] {
  const texts = [result]
  const stack: unknown[] = /^[{[]/.test(result) ? [readValue(result, { strict: true }).value] : []
  while (stack.length > 0) {
    const here = stack.pop()
    if (typeof here === 'string') texts.push(here)
    else if (typeof here === 'object' && here !== null) stack.push(...Object.values(here))
  }
  return texts
}

function advised(state: RunState, { reason, text, thought }: Advice): void {
  state.advice = undefined
  if (reason === 'refused') {
    state.errors++
    state.unreadable = 0
  } else if (reason === 'announcement') state.isNudged = true
  else if (reason !== 'thought') state.unreadable++
  replaceFeedback(state)
  if (thought !== undefined) state.entries.push({ kind: 'thought', text: thought })
  state.entries.push({ kind: 'feedback', text: reason === 'thought' ? text : `About your last reply: ${text}` })
}

/** Of advice that was not followed, only the last stays: the same words again and again teach nothing. */
function replaceFeedback({ entries }: RunState): void {
  if (entries.at(-1)?.kind === 'feedback' && entries.at(-2)?.kind !== 'thought') entries.pop()
}

function spend(state: RunState, { input, output }: Usage): void {
  state.usage = { input: state.usage.input + input, output: state.usage.output + output }
}

const count = (counts: Map<string, number>, key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1)
