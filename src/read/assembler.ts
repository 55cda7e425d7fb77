import type { Call, Part, ReadEvent, Reading, RefusedCall, Span } from '../types.ts'
import { ArgumentFlow } from './argument-flow.ts'
import { fenceIn, isAloneInFence, isFenceOrSpace, isProgram, isSeparator } from './fences.ts'
import type { Frame, FrameOpening, FrameSink } from './frame.ts'
import { isMidSentence, isSentenceOpen, speakAgainst, standsForItself } from './mentions.ts'
import { readProblem } from './problems.ts'
import type { FrameReader, ReadFrame } from './read-frame.ts'
import type { SeenTexts } from './seen.ts'
import type { OfferedTool } from './tools.ts'

export interface AssemblerOptions {
  /** So many characters behind a call without a marker may still speak against it. */
  readonly patience: number
  readonly seen: SeenTexts
  readonly mostCalls: number
}

/** So much space behind a marker may wait for a call beside it. */
const LONGEST_WAIT = 1_000
/** So many of the words before a call are remembered. */
const WORDS = 600

/** A part, or a piece of text that is told, while more of it may come. */
type GrowingPart = { readonly kind: Part['kind']; raw: string; readonly span: [number, number] }
type GrowingText = { readonly kind: 'text-delta' | 'thought-delta'; text: string }

/** Something that was found in the text, in its order. */
type Item = { readonly kind: Part['kind']; readonly raw: string }

/** Calls without a marker, with nothing but commas between them, that wait for what follows. */
interface Group {
  readonly found: { readonly frame: Frame; readonly read: ReadFrame; readonly between: readonly Item[] }[]
  readonly before: string
  /** The markers right before it, and whether it stands in a fence. */
  readonly markers: string
  readonly isFenced: boolean
  after: Item[]
  length: number
}

/** Puts together what a framer finds: events while it comes, and the reading in the end. */
export class Assembler implements FrameSink {
  private readonly events: (ReadEvent | GrowingText)[] = []
  private readonly reader: FrameReader
  private readonly options: AssemblerOptions
  private readonly parts: GrowingPart[] = []
  private readonly calls: Call[] = []
  private readonly refused: RefusedCall[] = []
  private offset = 0
  private group: Group | undefined
  /** Markers of which nobody knows yet whether they stand beside a call. */
  private markers = ''
  private isFenced = false
  /** What the last calls said. */
  private lastCalls = ''
  /** Whether anything was said that a person sees, or called. */
  private hasSpoken = false
  /** The words since the last call, the last of them at least. */
  private words = ''
  /** Whether the last thing but space was a call or markup. */
  private isBehind = false
  private answered = ''
  private noted = ''
  private count = 0
  /** The call that has begun, and whether it was announced. */
  private opened: { readonly index: number | undefined; readonly flow: ArgumentFlow } | undefined

  constructor(reader: FrameReader, options: AssemblerOptions) {
    this.reader = reader
    this.options = options
  }

  text(raw: string): void {
    const isBeside = this.markers !== '' && raw.trim() === '' && this.markers.length + raw.length <= LONGEST_WAIT
    if (isBeside) this.markers += raw
    else this.found('text', raw)
  }

  thought(raw: string): void {
    this.found('thought', raw)
  }

  answer(raw: string): void {
    this.found('text', raw)
    this.answered += raw
  }

  markup(raw: string): void {
    this.found('markup', raw)
  }

  marker(raw: string): void {
    if (raw.startsWith('```')) this.isFenced = !this.isFenced
    if (this.isBehindCall()) this.found('markup', raw)
    else this.markers += raw
  }

  /** All that waits was thought, and no call in it was meant. */
  thoughtEnd(raw: string): void {
    this.decide(true)
    this.found('markup', raw)
  }

  /** A marked call begins. Only what stands before can speak against it, so that is asked now. */
  open(opening: FrameOpening): ArgumentFlow | 'text' {
    this.decide()
    const before = this.words.slice(-WORDS) + fenceIn(this.markers)
    const isMention =
      speakAgainst(before, '', 'sentence') ||
      // A marker around the call is no part of a sentence.
      (this.markers === '' && isMidSentence(before)) ||
      (this.isFenced && !isAloneInFence(before, '', []))
    this.flushMarkers(isMention ? 'text' : 'markup')
    if (isMention || this.isFull) return 'text'
    const { dialect } = opening
    const start = ({ name }: OfferedTool): void => {
      const index = this.count++
      this.opened = { flow, index }
      this.events.push({ kind: 'call-start', index, name, dialect })
    }
    const tool = this.reader.toolOf(opening)
    const flow = new ArgumentFlow(tool, (name) => this.reader.offered(name), { start })
    this.opened = { flow, index: undefined }
    if (tool) start(tool)
    return flow
  }

  frame(frame: Frame): void {
    if (frame.isMarked) this.marked(frame)
    else if (this.isFull) this.text(frame.raw)
    else {
      const read = this.reader.read(frame)
      const isFound =
        read.calls.length + read.refused.length > 0 || read.answer !== undefined || read.thought !== undefined
      if (isFound) this.hold(frame, read)
      else this.text(frame.raw)
    }
  }

  /** A call without a marker waits for what follows it, together with those right beside it. */
  private hold(frame: Frame, read: ReadFrame): void {
    const { isFenced } = this
    if (this.group) this.flushMarkers('markup')
    // What was flushed may have filled the patience of the group, and decided over it.
    const { group } = this
    const texts = group?.after.flatMap(({ kind, raw }) => (kind === 'text' ? [raw] : [])).join('')
    const isBeside = group?.after.every(({ kind }) => kind === 'text' || kind === 'markup') && isSeparator(texts ?? '')
    if (group && isBeside && isFenced === group.isFenced) {
      group.found.push({ frame, read, between: group.after })
      group.after = []
      group.length = 0
      return
    }
    this.decide()
    const { markers } = this
    this.markers = ''
    const before = this.words.slice(-WORDS) + fenceIn(markers)
    this.group = { found: [{ frame, read, between: [] }], before, markers, isFenced, after: [], length: 0 }
  }

  end(): Reading {
    this.flushMarkers('text')
    this.decide()
    const { calls, refused, parts } = this
    const answer = this.answered.trim()
    if (answer !== '') this.events.push({ kind: 'answer', text: answer })
    const thought = this.joined('thought') + this.noted
    const said = { ...(thought === '' ? {} : { thought }), ...(answer === '' ? {} : { answer }) }
    const complete = refused.every(({ problems }) => problems.every(({ code }) => code !== 'truncated'))
    return { calls, refused, text: this.joined('text'), ...said, parts, complete }
  }

  /** The events since the last time, with what has come of the arguments of an open call. */
  take(): ReadEvent[] {
    const { index, flow } = this.opened ?? {}
    const delta = flow?.take() ?? ''
    if (index !== undefined && delta !== '') this.events.push({ kind: 'arguments-delta', index, delta })
    return this.events.splice(0)
  }

  private joined(wanted: Part['kind']): string {
    return this.parts
      .filter(({ kind }) => kind === wanted)
      .map(({ raw }) => raw)
      .join('')
  }

  /** Beyond the limit calls are not read any more; one of them tells why. */
  private get isFull(): boolean {
    return this.calls.length + this.refused.length > this.options.mostCalls
  }

  private marked(frame: Frame): void {
    const { opened } = this
    this.opened = undefined
    this.put(frame, this.reader.read(frame), opened)
  }

  private isBehindCall(): boolean {
    return !this.group && this.markers === '' && this.isBehind
  }

  private flushMarkers(kind: 'text' | 'markup'): void {
    const { markers } = this
    this.markers = ''
    if (markers !== '') this.found(kind, markers)
  }

  private found(kind: Part['kind'], raw: string): void {
    if (this.markers !== '') this.flushMarkers('text')
    const { group } = this
    if (!group) {
      this.part(kind, raw)
      return
    }
    // The window counts characters, so that the pieces cannot matter.
    const room = this.options.patience - group.length
    group.after.push({ kind, raw: raw.slice(0, room) })
    group.length += Math.min(raw.length, room)
    if (raw.length < room) return
    this.decide()
    if (raw.length > room) this.part(kind, raw.slice(room))
  }

  /** What is certain: it becomes a part, and is told. */
  private part(kind: Part['kind'], raw: string): void {
    const { parts } = this
    const last = parts[parts.length - 1]
    const end = this.offset + raw.length
    const isSame = last?.kind === kind && kind !== 'call' && kind !== 'refused'
    if (isSame) {
      last.raw += raw
      last.span[1] = end
    } else parts.push({ kind, raw, span: [this.offset, end] })
    this.offset = end
    if (kind === 'text') {
      this.say('text-delta', raw)
      // Cut only now and then: a stream comes in small pieces.
      this.words = raw.length > WORDS ? raw.slice(-WORDS) : this.words + raw
      if (this.words.length > 8 * WORDS) this.words = this.words.slice(-WORDS)
    }
    if (kind === 'call' || kind === 'refused') this.words = ''
    if (kind !== 'text') this.isBehind = kind !== 'thought'
    else if (this.isBehind) this.isBehind = raw.trim() === ''
    if (kind === 'thought') this.say('thought-delta', raw)
    if (this.hasSpoken || kind === 'thought' || kind === 'markup') return
    this.hasSpoken = kind !== 'text' || !isFenceOrSpace(raw)
  }

  /** Tells a piece of text, together with the one before it that was not taken yet. */
  private say(kind: 'text-delta' | 'thought-delta', text: string): void {
    const last = this.events.at(-1)
    if (last?.kind === kind) (last as GrowingText).text += text
    else this.events.push({ kind, text })
  }

  /** Calls that must not run although they can be read: echoes, and those beyond the limit. */
  private screened(frame: Frame, read: ReadFrame): ReadFrame {
    const { mostCalls, seen } = this.options
    const isEcho = read.calls.length > 0 && seen.has(frame.raw)
    const isTooMany = this.calls.length + this.refused.length + read.calls.length > mostCalls
    if (!isEcho && !isTooMany) return read
    const filled = { detail: String(mostCalls) }
    const problem = readProblem(isEcho ? 'echoed' : 'too-many-calls', this.reader.toolNames, filled)
    const refused = read.calls.map((call) => ({ ...call, problems: [problem] }))
    return { calls: [], refused: [...refused, ...read.refused] }
  }

  /** A call that came out otherwise than it was told while it came must not run: somebody has seen the other one. */
  private asTold(read: ReadFrame, flow: ArgumentFlow | undefined): ReadFrame {
    const [first, ...others] = read.calls
    if (!first || !flow || flow.rest(first.arguments) !== undefined) return read
    const problem = readProblem('told-otherwise', this.reader.toolNames)
    return { calls: others, refused: [{ ...first, problems: [problem] }, ...read.refused] }
  }

  private put(
    frame: Frame,
    read: ReadFrame,
    started?: { readonly index: number | undefined; readonly flow: ArgumentFlow | undefined },
  ): void {
    const { calls, refused } = this.screened(frame, this.asTold(read, started?.flow))
    this.lastCalls = sameness(calls)
    this.think(read.thought)
    const span: Span = [frame.start, frame.start + frame.raw.length]
    const place = { dialect: frame.dialect, span, raw: frame.raw }
    let first = started?.index
    const next = (): number => {
      const index = first ?? this.count++
      first = undefined
      return index
    }
    for (const found of calls) {
      const isStarted = first !== undefined
      const index = next()
      const call: Call = { ...found, ...place }
      this.calls.push(call)
      if (!isStarted) this.events.push({ kind: 'call-start', index, name: call.name, dialect: call.dialect })
      const rest = isStarted ? started?.flow?.rest(call.arguments) : undefined
      const told = isStarted ? (started?.flow?.take() ?? '') : ''
      this.events.push({ kind: 'arguments-delta', index, delta: told + (rest ?? JSON.stringify(call.arguments)) })
      this.events.push({ kind: 'call-end', index, call })
    }
    for (const found of refused) {
      const call: RefusedCall = { ...found, ...place }
      this.refused.push(call)
      this.events.push({ kind: 'call-refused', index: next(), call })
    }
    this.part(calls.length > 0 ? 'call' : 'refused', frame.raw)
  }

  /** Whether a call without a marker only says again what the call right before it said: models stutter. */
  private isRepeat({ calls }: ReadFrame): boolean {
    return this.isBehind && calls.length > 0 && this.lastCalls === sameness(calls)
  }

  /** Whether nothing else stands in the reply, thoughts and a fence aside. */
  private isAlone(markers: string, behind: string): boolean {
    return !this.hasSpoken && isFenceOrSpace(markers) && isFenceOrSpace(behind)
  }

  /** The reply is an object that holds the answer, or a thought, and nothing else. */
  private putAnswer(frame: Frame, { answer, thought }: ReadFrame): void {
    if (answer !== undefined) this.answered += this.answered === '' ? answer : `\n${answer}`
    this.think(thought)
    this.part('markup', frame.raw)
  }

  /** A thought that stands in an object. */
  private think(thought: string | undefined): void {
    if (thought === undefined) return
    this.noted += thought
    this.say('thought-delta', thought)
  }

  /** Decides over what has waited: the words before and behind may speak against it. */
  private decide(isThought = false): void {
    const { group } = this
    if (!group) return
    this.group = undefined
    const { before, markers, isFenced, after } = group
    const behind = after.map(({ raw }) => raw).join('')
    const isMention =
      isThought ||
      isSentenceOpen(before, behind) ||
      speakAgainst(before, behind, 'window') ||
      (isFenced && isProgram(before, behind)) ||
      (!isFenced && group.found.some(({ frame }) => isBareCode(frame)) && !standsForItself(before, behind)) ||
      (isFenced &&
        !isAloneInFence(
          before,
          behind,
          group.found.map(({ frame }) => frame.raw),
        ))
    const isAnswer = group.found.every(({ read }) => read.calls.length + read.refused.length === 0)
    const isText = isThought || (isAnswer ? !this.isAlone(markers, behind) : isMention)
    if (markers !== '') this.part(isText ? 'text' : 'markup', markers)
    for (const { frame, read, between } of group.found) {
      for (const { kind, raw } of between) this.part(kind, raw)
      const isProtocol = read.calls.length + read.refused.length === 0
      if (isText || (isProtocol && !isAnswer)) this.part('text', frame.raw)
      else if (this.isRepeat(read)) this.part('markup', frame.raw)
      else if (isProtocol) this.putAnswer(frame, read)
      else this.put(frame, read)
    }
    const fence = isFenced && !isText ? (/^\s*```\s*/.exec(behind)?.[0].length ?? 0) : 0
    if (fence > 0) this.part('markup', behind.slice(0, fence))
    let at = 0
    for (const { kind, raw } of after) {
      const rest = raw.slice(Math.max(0, fence - at))
      at += raw.length
      if (rest !== '') this.part(kind, rest)
    }
  }
}

/** Code that only the name of a tool makes a call. */
const isBareCode = ({ dialect, raw }: Frame): boolean =>
  dialect !== 'json' && !(dialect === 'pythonic' && raw.startsWith('['))

const sameness = (calls: ReadFrame['calls']): string =>
  calls.map(({ name, arguments: given }) => `${name}${JSON.stringify(given)}`).join('\n')
