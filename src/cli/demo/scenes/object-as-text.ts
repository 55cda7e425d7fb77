import { isObject } from '../../../fit/judge.ts'
import { ToolRetry, tool, validator } from '../../../index.ts'
import type { JsonValue } from '../../../types.ts'
import type { Scene } from '../scene.ts'

const entry = '{"id": "foo"}'
const given = JSON.stringify({ artifact: 'registry', args: ['register', entry], comment: entry })

/** An object that was sent as a text, beside a text that only looks like an object. */
export function objectAsText(): Scene {
  const registry = new Map<string, { readonly comment: string | undefined }>()
  const invoke = invokeOn(registry)
  return {
    title: 'The object sent as a text',
    mission: '004',
    story: 'Models put objects into quotes, even when told not to. The schema says which text to open.',
    task: 'Register the entry with the id foo, and send it along as a comment.',
    mode: 'native',
    tools: [invoke],
    script: [{ calls: [{ name: 'invoke_artifact', arguments: given }] }, 'The entry foo is registered.'],
    exhibits: () => [
      {
        label: 'too far',
        text: `A reader that opens every text that is JSON is wrong, too: ${objections(opened(JSON.parse(given)), invoke.schema)}`,
        isWrong: true,
      },
    ],
    proofs: () => [
      { says: 'The registry was given an object, and found its id.', holds: registry.has('foo') },
      {
        says: 'The comment is of type string, and stayed the text that it was.',
        holds: registry.get('foo')?.comment === entry,
      },
    ],
  }
}

const text = { type: 'string' } as const

const invokeOn = (registry: Map<string, { readonly comment: string | undefined }>) =>
  tool({
    name: 'invoke_artifact',
    description: 'Calls a method of an artifact.',
    input: {
      type: 'object',
      properties: {
        artifact: text,
        args: { type: 'array', prefixItems: [text, { type: 'object', properties: { id: text }, required: ['id'] }] },
        comment: text,
      },
      required: ['artifact', 'args'],
    },
    run({ args, comment }) {
      const item = Array.isArray(args) ? args[1] : undefined
      if (!isObject(item)) throw new ToolRetry('Send the entry as an object.')
      registry.set(String(item['id']), { comment })
      return `Registered ${String(item['id'])}.`
    },
  })

/** A value in which every text that is JSON was opened, wherever it stands. */
function opened(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.startsWith('{') ? JSON.parse(value) : value
  if (Array.isArray(value)) return value.map(opened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, opened(inner)]))
}

const objections = (value: JsonValue, schema: Parameters<typeof validator.check>[1]): string =>
  validator
    .check(value, schema)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ')
