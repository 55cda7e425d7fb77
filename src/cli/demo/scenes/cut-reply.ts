import { tool } from '../../../index.ts'
import type { Scene } from '../scene.ts'

const note = 'We ship on Friday at noon.'

/** One JSON object in each reply: a thought, half a call, a call, the answer. */
export function cutReply(): Scene {
  const notes: string[] = []
  return {
    title: 'The reply cut in half',
    mission: '002',
    story: 'Any model can write calls as JSON in plain text. Half a call is asked for again, not completed.',
    task: 'Note when we ship: on Friday at noon.',
    mode: 'json',
    tools: [saveNoteTo(notes)],
    script: [
      '{"scratchpad": "One note is enough. Then I confirm it."}',
      { text: '{"tool": "save_note", "arguments": {"title": "release", "text": "We ship on Fri', finish: 'length' },
      `{"scratchpad": "Whole, this time.", "tool": "save_note", "arguments": {"title": "release", "text": "${note}",}}`,
      '{"answer": "Noted: on Friday at noon."}',
    ],
    proofs: ({ turns, result }) => [
      {
        says: 'One note was saved, and it is the whole one.',
        holds: notes.length === 1 && notes[0] === `release: ${note}` && result.refusals['truncated'] === 1,
      },
      {
        says: 'The temperature rose after the reply that could not be read, and fell again.',
        holds: turns.map(({ temperature }) => temperature).join() === '0.7,0.7,0.9,0.7',
      },
    ],
  }
}

const text = { type: 'string' } as const

const saveNoteTo = (notes: string[]) =>
  tool({
    name: 'save_note',
    description: 'Saves a note.',
    input: { type: 'object', properties: { title: text, text }, required: ['title', 'text'] },
    run(given) {
      notes.push(`${given.title}: ${given.text}`)
      return `Saved ${given.title}.`
    },
  })
