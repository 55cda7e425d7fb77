/**
 * The core without dependencies, input or output: it runs in a browser as it runs in Node.
 *
 * @module
 */
export type * from '../types.ts'
export { type ValueProblemCode, valueProblems } from '../value/problems.ts'
export { readValue, type ValueOptions } from '../value/read-value.ts'
export { type ValueRepair, type ValueRepairCode, type ValueRepairRow, valueRepairs } from '../value/repairs.ts'
