import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { ToolDefinitionError } from './errors.ts'
import { type ToolContext, type ToolDefinition, tool } from './tool.ts'

const context: ToolContext = {
  run: 'r',
  call: 'c',
  key: 'r/c',
  signal: new AbortController().signal,
  record: async () => undefined,
}
const text = { type: 'string' } as const
const good = { name: 'read_file', description: 'Reads a file.', input: { type: 'object' }, run: () => '' }

describe('a tool that cannot be offered is said when it is defined', () => {
  const cases: readonly (readonly [name: string, definition: object, message: RegExp])[] = [
    ['no name', { ...good, name: undefined }, /Name the tool with letters, digits/],
    ['a name with a space', { ...good, name: 'read file' }, /"read file" is not taken by model servers/],
    ['a name with a dot', { ...good, name: 'fs.read' }, /"fs\.read" is not taken/],
    ['a name that is too long', { ...good, name: 'x'.repeat(65) }, /at most 64/],
    ['no description', { ...good, description: ' ' }, /Give read_file a description/],
    ['no function', { ...good, run: 'cat' }, /Give read_file a function run/],
    ['no input', { ...good, input: undefined }, /Give read_file an input/],
    ['a schema that is none', { ...good, input: 'string' }, /schema of read_file is "string"/],
    ['a schema of no object', { ...good, input: text }, /arguments are an object, and its schema is of type string/],
    ['zod that has no JSON Schema', { ...good, input: z.object({ when: z.date() }) }, /cannot be told as JSON Schema/],
    ['a kind that there is not', { ...good, kind: 'twice' }, /kind is one of pure, idempotent, verifiable, once/],
    ['verifiable without verify', { ...good, kind: 'verifiable' }, /needs verify\(\)/],
    [
      'an option that there is not',
      { ...good, needApproval: true },
      /there is no option needApproval; did you mean needsApproval\?/,
    ],
    ['the shape of a zod object without the object', { ...good, input: { a: z.string() } }, /z\.object\(\{ … \}\)/],
    [
      'parameters without properties',
      { ...good, input: { a: { type: 'string' } } },
      /put the parameters under properties/,
    ],
    ['a repair that there is not', { ...good, policy: { 'python-litteral': 'deny' } }, /python-litteral/],
    ['no time', { ...good, timeout: 0 }, /timeout is a number above 0/],
    ['no room', { ...good, observationLimit: -1 }, /observationLimit is a number above 0/],
  ]
  for (const [name, definition, message] of cases) {
    test(name, () => {
      assert.throws(
        () => tool(definition as ToolDefinition),
        (error) => ToolDefinitionError.isInstance(error) && message.test(error.message),
      )
    })
  }
})

test('defaults: once, 60 seconds, 2,000 characters, no approval', () => {
  const { kind, timeout, observationLimit, poll, needsApproval } = tool(good as ToolDefinition)
  assert.deepEqual([kind, timeout, observationLimit, poll, needsApproval({})], ['once', 60_000, 2_000, false, false])
})

test('what run takes is inferred from a JSON Schema', async () => {
  const made = tool({
    name: 'write_file',
    description: 'Writes.',
    input: {
      type: 'object',
      properties: { path: text, lines: { type: 'array', items: { type: 'integer' } }, mode: { enum: ['a', 'w'] } },
      required: ['path'],
    },
    run({ path, lines, mode }) {
      const typed: { path: string; lines: number[] | undefined; mode: 'a' | 'w' | undefined } = { path, lines, mode }
      // @ts-expect-error path is no number
      const wrong: number = path
      return [typed.path, wrong, typed.lines, typed.mode]
    },
  })
  assert.deepEqual(await made.run({ path: 'x' }, context), ['x', 'x', undefined, undefined])
})

test('what run takes is the output of a Standard Schema: with its defaults and transforms', async () => {
  const made = tool({
    name: 'repeat',
    description: 'Repeats.',
    input: z.object({ word: z.string().transform((word) => word.length), times: z.number().default(2) }),
    run({ word, times }) {
      const typed: { word: number; times: number } = { word, times }
      // @ts-expect-error word was transformed
      const wrong: string = word
      return [typed.word, wrong, typed.times]
    },
  })
  assert.deepEqual(await made.run({ word: 'abc' }, context), [3, 3, 2])
})

test('a tool that throws at once rejects, as one that does so later', async () => {
  const made = tool({
    ...good,
    input: { type: 'object' },
    run: () => {
      throw new Error('no')
    },
  })
  await assert.rejects(made.run({}, context), /no/)
})
