import type { ReadOptions } from '../read/read.ts'
import type { Call, RefusedCall } from '../types.ts'

/** How `callwright()` reads the replies of a model. */
export interface CallwrightOptions extends Omit<ReadOptions, 'tools' | 'finish' | 'seen'> {
  /** Texts that the model was given beside the results of tools: a call that stands there word for word is an echo. */
  readonly seen?: string | readonly string[]
  /** For models that take no tools: they are told in the system prompt, and calls and results are written as text. */
  readonly prompted?: boolean
  /** Is told each call that was not read as it was written. */
  readonly onRepair?: (call: Call) => void
  /** Is told each call that must not run. */
  readonly onRefused?: (call: RefusedCall) => void
  /** Makes the ids of calls that were found in text. Default: nine random letters and digits. */
  readonly generateId?: () => string
}
