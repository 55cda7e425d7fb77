import type { LanguageModelV4StreamPart, LanguageModelV4Text, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { createReader, type Reader } from '../read/read.ts'
import type { Finish, ReadEvent, Reading } from '../types.ts'
import type { Reply } from './reply.ts'

/** What a provider says of a text beside the text itself. */
export type TextNotes = Pick<LanguageModelV4Text, 'citations' | 'providerMetadata'>

/**
 * One text of a reply, read as it comes in. What comes out are parts of a stream: the text without its calls, in
 * pieces with ids of their own, the thoughts in it as reasoning, and the calls.
 */
export class TextBlock {
  private readonly id: string
  private readonly reply: Reply
  private readonly reader: Reader
  private readonly callIds = new Map<number, string>()
  private parts: LanguageModelV4StreamPart[] = []
  private open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined
  private pieces = 0
  /** Space that may be all there is between two calls. */
  private space = ''
  private thoughtSpace = ''
  /** What the provider said last, for the next part of the text. */
  private metadata: SharedV4ProviderMetadata | undefined

  constructor(id: string, reply: Reply, metadata?: SharedV4ProviderMetadata) {
    this.id = id
    this.reply = reply
    this.reader = createReader(reply.reading)
    this.metadata = metadata
  }

  push(text: string, metadata?: SharedV4ProviderMetadata): LanguageModelV4StreamPart[] {
    this.metadata = metadata ?? this.metadata
    for (const event of this.reader.push(text)) this.tell(event)
    return this.take()
  }

  /** Nothing more will come of this text. */
  end(finish: Finish, notes: TextNotes = {}): LanguageModelV4StreamPart[] {
    const { events, reading } = this.reader.end({ finish })
    const object = this.reply.isJson ? objectOf(reading) : undefined
    for (const event of events) if (object === undefined || event.kind !== 'thought-delta') this.tell(event)
    const isAnswerHidden = reading.answer !== undefined && reading.text.trim() === ''
    if (object !== undefined || isAnswerHidden) this.text(object ?? reading.answer ?? '')
    this.metadata = notes.providerMetadata ?? this.metadata
    // A text in which there was nothing to read comes out as it came in, even an empty one.
    const isPlain = reading.parts.every(({ kind }) => kind === 'text')
    if (isPlain && !this.open) this.say('text', this.space)
    this.close(notes)
    return this.take()
  }

  /** The reply broke off: what is certain to be text is told, and no call is made of what waits. */
  abandon(): LanguageModelV4StreamPart[] {
    for (const event of this.reader.end({ finish: 'length' }).events) if (event.kind === 'text-delta') this.tell(event)
    this.close()
    return this.take()
  }

  private tell(event: ReadEvent): void {
    if (event.kind === 'text-delta') this.text(event.text)
    else if (event.kind === 'thought-delta') this.think(event.text)
    else if (event.kind === 'call-start') {
      this.close()
      const id = this.reply.newId()
      this.callIds.set(event.index, id)
      this.parts.push({ type: 'tool-input-start', id, toolName: event.name })
    } else if (event.kind === 'arguments-delta') {
      this.parts.push({ type: 'tool-input-delta', id: this.idOf(event.index), delta: event.delta })
    } else if (event.kind === 'call-end') {
      const id = this.idOf(event.index)
      this.parts.push({ type: 'tool-input-end', id }, this.reply.called(id, event.call))
    } else if (event.kind === 'call-refused') {
      this.close()
      const id = this.callIds.get(event.index)
      if (id !== undefined) this.parts.push({ type: 'tool-input-end', id })
      this.reply.refused(event.call)
    }
  }

  private idOf(index: number): string {
    return this.callIds.get(index) ?? ''
  }

  private text(text: string): void {
    if (this.open?.kind === 'text') this.say('text', text)
    else {
      this.space += text
      if (text.trim() !== '') this.say('text', this.space)
    }
  }

  private think(text: string): void {
    if (this.open?.kind === 'reasoning') this.say('reasoning', text)
    else {
      this.thoughtSpace += text
      if (text.trim() !== '') this.say('reasoning', this.thoughtSpace)
    }
  }

  private say(kind: 'text' | 'reasoning', delta: string): void {
    if (this.open?.kind !== kind) {
      this.close()
      // Only the first piece has the name that the provider knows.
      const id = kind === 'text' && this.pieces === 0 ? this.id : `${this.id}-${kind}-${this.pieces}`
      this.pieces++
      this.open = { kind, id }
      this.parts.push({ type: `${kind}-start`, id, ...this.takeMetadata(kind) })
    }
    this.space = ''
    this.thoughtSpace = ''
    if (delta !== '') this.parts.push({ type: `${kind}-delta`, id: this.open.id, delta, ...this.takeMetadata(kind) })
  }

  private close(notes: TextNotes = {}): void {
    this.space = ''
    this.thoughtSpace = ''
    const { open } = this
    if (!open) return
    if (open.kind === 'reasoning') this.parts.push({ type: 'reasoning-end', id: open.id })
    else {
      const { citations } = notes
      this.parts.push({
        type: 'text-end',
        id: open.id,
        ...(citations ? { citations } : {}),
        ...this.takeMetadata('text'),
      })
    }
    this.open = undefined
  }

  private takeMetadata(kind: 'text' | 'reasoning'): { providerMetadata?: SharedV4ProviderMetadata } {
    const { metadata } = this
    if (!metadata || kind !== 'text') return {}
    this.metadata = undefined
    return { providerMetadata: metadata }
  }

  private take(): LanguageModelV4StreamPart[] {
    const { parts } = this
    this.parts = []
    return parts
  }
}

/** The object that a whole reply is, where the reader found an answer or a thought in it. */
function objectOf({ calls, refused, parts }: Reading): string | undefined {
  if (calls.length + refused.length > 0) return undefined
  return parts.find(({ kind, raw }) => kind === 'markup' && raw.trimStart().startsWith('{'))?.raw
}
