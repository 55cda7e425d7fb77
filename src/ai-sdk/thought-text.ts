import type { ThoughtMarks } from '../read/dialects/dialect.ts'
import { thoughts } from '../read/dialects/table.ts'

/** Takes the marks off a thought that comes in pieces: the SDK has parts of their own for thoughts. */
export class ThoughtText {
  private held = ''
  private isInside = false
  private marks: readonly ThoughtMarks[] = thoughts

  /** What is certain to be thought by now. */
  push(text: string): string {
    this.held += text
    let said = ''
    for (;;) {
      if (!this.isInside && !this.enter()) return said
      const closers = this.marks.flatMap(({ close }) => (close === '' ? [] : [close]))
      const closer = first(this.held, closers)
      if (!closer) break
      said += this.held.slice(0, closer.at)
      this.held = this.held.slice(closer.at + closer.mark.length)
      this.isInside = false
    }
    const rest = this.held.length - openEnd(this.held, this.marks)
    said += this.held.slice(0, rest)
    this.held = this.held.slice(rest)
    return said
  }

  /** The thought is over: what is held back was no mark. */
  end(): string {
    const { held } = this
    this.held = ''
    this.isInside = false
    return held
  }

  /** Whether the start of a thought is known: it is one of the marks, or none. */
  private enter(): boolean {
    const { held } = this
    const opened = thoughts.find(({ open }) => held.startsWith(open))
    if (!opened && thoughts.some(({ open }) => open.startsWith(held))) return false
    this.marks = opened ? [opened] : thoughts
    this.held = opened ? held.slice(opened.open.length) : held
    this.isInside = true
    return true
  }
}

function first(text: string, marks: readonly string[]): { readonly at: number; readonly mark: string } | undefined {
  const found = marks.map((mark) => ({ mark, at: text.indexOf(mark) })).filter(({ at }) => at >= 0)
  return found.sort((one, other) => one.at - other.at)[0]
}

/** How much of the end of a text may still become a closing mark. */
function openEnd(text: string, marks: readonly ThoughtMarks[]): number {
  const longest = Math.max(...marks.map(({ close }) => close.length))
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length)
    if (marks.some(({ close }) => close.startsWith(end))) return length
  }
  return 0
}
