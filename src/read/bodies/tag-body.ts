import type { Body, UnitEnd, UnitText } from './body.ts'
import { TagScan, type TextWatch } from './tag-scan.ts'

/** Parameters in tags of their own. */
export class TagBody implements Body {
  private readonly scan: TagScan
  private readonly from: number

  constructor(
    from: number,
    tags: readonly string[],
    closers: readonly string[],
    more: { readonly watch?: TextWatch | undefined; readonly next: readonly string[] },
  ) {
    this.from = from
    this.scan = new TagScan(tags, closers, from, more)
  }

  get settled(): number {
    return this.scan.settled
  }

  read({ window, offset, isEnd }: UnitText): UnitEnd | undefined {
    const result = this.scan.read(window, offset, isEnd)
    if (result.kind === 'more') return undefined
    const end = result.kind === 'broken' ? result.at : result.end
    const { parameters } = this.scan
    const isBroken = result.kind === 'broken'
    return { end, from: this.from, to: end, kind: 'tags', parameters, isClosed: result.kind === 'closed', isBroken }
  }
}
