import type { Reading, ToolLike } from '../types.ts'
import { Assembler } from './assembler.ts'
import { Framer } from './framer.ts'
import type { ArgumentOptions } from './read-arguments.ts'
import { FrameReader } from './read-frame.ts'
import { offeredTool } from './tools.ts'

export interface ReadOptions extends ArgumentOptions {
  readonly tools: readonly ToolLike[]
}

/** Reads what a model wrote as the calls it meant. */
export function read(text: string, { tools, ...options }: ReadOptions): Reading {
  const reader = new FrameReader(tools.map(offeredTool), options)
  const assembler = new Assembler(reader)
  const framer = new Framer(assembler, reader.canRead)
  framer.push(text)
  framer.end()
  return assembler.end()
}
