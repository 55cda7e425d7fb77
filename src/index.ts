/**
 * Callwright reads what a language model wrote as the calls it meant, names every repair, and refuses to guess.
 *
 * @module
 */
export * from './read/index.ts'
