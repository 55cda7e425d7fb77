/** What a benchmark is: a name and a function that measures. The report lays out what it returns. */
export interface Benchmark {
  readonly name: string
  /** `say` tells the person who waits what is going on. */
  measure(say: (line: string) => void): Section | Promise<Section>
}

/** One chapter of docs/benchmarks.md. */
export interface Section {
  readonly title: string
  readonly blocks: readonly Block[]
  readonly bars: readonly Bar[]
  /** What is wrong whatever the machine: callwright gave a wrong value. */
  readonly faults: readonly string[]
}

/** A paragraph, a table or a picture. */
export type Block = string | Table | Plot

export interface Table {
  readonly kind: 'table'
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Long tables stand folded under this line in the docs, and not on the terminal. */
  readonly folded?: string
}

export interface Plot {
  readonly kind: 'plot'
  /** The name of the file under docs/images. */
  readonly file: string
  /** What the picture shows, in words. */
  readonly says: string
  readonly svg: string
}

/** A figure that the project means to hold. */
export interface Bar {
  readonly what: string
  readonly wanted: string
  readonly measured: string
  readonly isMet: boolean
}
