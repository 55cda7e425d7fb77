/**
 * Keeps the head and the tail of what a program says, in a room that does not grow.
 *
 * @example
 * const output = new HeadAndTail(50_000)
 * output.push(Buffer.from('text'))
 * output.text() // 'text'
 */
export class HeadAndTail {
  /** Bytes that came. */
  size = 0
  private readonly headRoom: number
  private readonly tailRoom: number
  private readonly head: Buffer[] = []
  private headSize = 0
  private tail: Buffer[] = []
  private tailSize = 0

  constructor(room: number) {
    this.headRoom = Math.ceil(room / 2)
    this.tailRoom = Math.floor(room / 2)
  }

  push(bytes: Buffer): void {
    this.size += bytes.length
    const first = bytes.subarray(0, this.headRoom - this.headSize)
    if (first.length > 0) {
      this.head.push(Buffer.from(first))
      this.headSize += first.length
    }
    const rest = bytes.subarray(first.length)
    if (rest.length === 0) return
    this.tail.push(Buffer.from(rest.subarray(-this.tailRoom)))
    this.tailSize += Math.min(rest.length, this.tailRoom)
    // Now and then is enough: twice the room is still little.
    if (this.tailSize > 2 * this.tailRoom) this.trim()
  }

  /** Bytes that were not kept. */
  get cut(): number {
    return this.size - this.headSize - Math.min(this.tailSize, this.tailRoom)
  }

  /** What was kept, with the number of bytes that are missing in between. */
  text(): string {
    this.trim()
    const head = Buffer.concat(this.head)
    const tail = Buffer.concat(this.tail)
    if (this.cut === 0) return Buffer.concat([head, tail]).toString()
    const words = `[… ${this.cut} of ${this.size} bytes left out here …]`
    return `${wholeEnd(head).toString()}\n${words}\n${wholeStart(tail).toString()}`
  }

  private trim(): void {
    const all = Buffer.concat(this.tail)
    const kept = this.tailRoom === 0 ? Buffer.alloc(0) : all.subarray(-this.tailRoom)
    this.tail = [Buffer.from(kept)]
    this.tailSize = kept.length
  }
}

/** A character in UTF-8 has four bytes at most; those after its first one begin with these bits. */
const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

function wholeStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && isInside(bytes[start])) start++
  return bytes.subarray(start)
}

/** Without the first bytes of a character whose others are missing. */
function wholeEnd(bytes: Buffer): Buffer {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && isInside(bytes[start])) start--
  const first = bytes[start] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes
}
