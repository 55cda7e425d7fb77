import type { Oddity } from '../frame.ts'
import type { Body, UnitEnd, UnitText } from './body.ts'
import { TagScan, type TagScanOptions } from './tag-scan.ts'

/** Parameters in tags of their own. */
export class TagBody implements Body {
  readonly isForward = false
  private readonly scan: TagScan
  private readonly from: number
  private readonly usual: readonly string[]

  /** `usual` are those of the closers that the dialect has. */
  constructor(from: number, usual: readonly string[], options: TagScanOptions) {
    this.from = from
    this.usual = usual
    this.scan = new TagScan(from, { ...options, usual })
  }

  get settled(): number {
    return this.scan.settled
  }

  read({ window, offset, isEnd }: UnitText): UnitEnd | undefined {
    const result = this.scan.read(window, offset, isEnd)
    if (!result) return undefined
    const { kind, end, closer } = result
    const { parameters, strays } = this.scan
    const oddities: Oddity[] = strays.map((text) => ({ code: 'tag-doubled', text }))
    if (closer !== undefined && !this.usual.includes(closer)) oddities.push({ code: 'end-replaced', text: closer })
    return {
      end,
      from: this.from,
      to: end,
      parameters,
      oddities,
      isClosed: kind === 'closed',
      isBroken: kind === 'broken',
    }
  }
}
