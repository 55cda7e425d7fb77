/** The command line was not understood: told on one line, with exit code 2. */
export class UsageError extends Error {}
