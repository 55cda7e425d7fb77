/**
 * The core without dependencies, input or output: it runs in a browser as it runs in Node.
 *
 * @module
 */
export { fit } from '../fit/fit.ts'
export { type FitProblemCode, type FitProblemRow, fitProblems } from '../fit/problems.ts'
export { type FitRepair, type FitRepairCode, type FitRepairRow, fitRepairs } from '../fit/repairs.ts'
export type * from '../types.ts'
export { type ValueProblemCode, valueProblems } from '../value/problems.ts'
export { readValue, type ValueOptions } from '../value/read-value.ts'
export { type ValueRepair, type ValueRepairCode, type ValueRepairRow, valueRepairs } from '../value/repairs.ts'
export { type ArgumentRepairCode, type ArgumentRepairRow, argumentRepairs } from './argument-repairs.ts'
export type { CallForm, ChannelMarks, Dialect, ThoughtMarks } from './dialects/dialect.ts'
export { channels, dialects, lineDialects, thoughts } from './dialects/table.ts'
export { type CallToWrite, writeCall, writeCalls } from './dialects/write.ts'
export { type MarkupRepairCode, type MarkupRepairRow, markupRepairs } from './markup-repairs.ts'
export { type ReadProblemCode, type ReadProblemRow, readProblems } from './problems.ts'
export { createReader, type Reader, type ReadOptions, read, readStream, type StreamOptions } from './read.ts'
export { type ArgumentOptions, readArguments } from './read-arguments.ts'
export { rescue } from './rescue.ts'
