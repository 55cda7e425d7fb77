/** What every error of this project is. A mark rather than a class tells them apart, so that two copies of it agree. */
const MARK = Symbol.for('callwright.error')

/** An error whose reason is a mistake in a program, or a tool's own word to the model. */
export class CallwrightError extends Error {
  readonly [MARK]: string

  constructor(name: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = name
    this[MARK] = name
  }

  /** Whether a value is an error of this project, whichever copy of it made it. */
  static isInstance(value: unknown): value is CallwrightError {
    return typeof value === 'object' && value !== null && MARK in value
  }
}

const isNamed = (value: unknown, name: string): boolean => CallwrightError.isInstance(value) && value.name === name

/** A tool that cannot be offered to a model as it is. */
export class ToolDefinitionError extends CallwrightError {
  readonly tool: string | undefined

  constructor(tool: string | undefined, message: string, options?: ErrorOptions) {
    super('ToolDefinitionError', message, options)
    this.tool = tool
  }

  static override isInstance(value: unknown): value is ToolDefinitionError {
    return isNamed(value, 'ToolDefinitionError')
  }
}

/**
 * Thrown by a tool to ask the model for another try. The message is what the model reads: say what to send.
 *
 * @example
 * if (!isDay(day)) throw new ToolRetry('Send "day" as YYYY-MM-DD.')
 */
export class ToolRetry extends CallwrightError {
  constructor(message: string) {
    super('ToolRetry', message)
  }

  static override isInstance(value: unknown): value is ToolRetry {
    return isNamed(value, 'ToolRetry')
  }
}

/** An agent that was set up or used in a way that cannot work. */
export class AgentError extends CallwrightError {
  constructor(message: string, options?: ErrorOptions) {
    super('AgentError', message, options)
  }

  static override isInstance(value: unknown): value is AgentError {
    return isNamed(value, 'AgentError')
  }
}

/** The words of anything that was thrown. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error)
  } catch {
    return 'something was thrown that has no words'
  }
}
