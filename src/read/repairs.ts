import { fitRepairs } from '../fit/repairs.ts'
import type { RepairClass } from '../types.ts'
import { valueRepairs } from '../value/repairs.ts'
import { argumentRepairs } from './argument-repairs.ts'
import { markupRepairs } from './markup-repairs.ts'

/** Every change that a reading can make, whatever made it, by its code. */
export const repairs: { readonly [code: string]: { readonly class: RepairClass; readonly says: string } } = {
  ...valueRepairs,
  ...markupRepairs,
  ...argumentRepairs,
  ...fitRepairs,
}
