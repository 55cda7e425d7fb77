import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { called, textIn, toolOf, workspaceOf } from '../../../test/workspace-place.ts'
import { stateOf } from './file-state.ts'

describe('a change', () => {
  test('is recorded before the file is touched, with what is needed to bring it back', async () => {
    const root = workspaceOf({ a: 'old' })
    const onNote = (): void => assert.equal(textIn(root, 'a'), 'old')
    const mode = root.state('a')?.mode ?? 0
    const { notes } = await called(root, 'write_file', { path: 'a', content: 'new' }, { onNote })
    const before = { ...stateOf(Buffer.from('old'), mode), content: Buffer.from('old').toString('base64') }
    const after = stateOf(Buffer.from('new'), mode)
    assert.deepEqual(notes, [{ kind: 'file-change', stage: 'intent', path: 'a', before, after }])
    assert.deepEqual(root.state('a'), after)
  })

  test('of a new file says which folders are made for it', async () => {
    const root = workspaceOf({ 'x/a': '' })
    const { notes } = await called(root, 'write_file', { path: 'x/y/z/file', content: '' })
    assert.deepEqual([Object(notes[0])['before'], Object(notes[0])['folders']], [null, ['x/y', 'x/y/z']])
  })

  test('is not made when it cannot be recorded', async () => {
    const root = workspaceOf({ a: 'old' })
    const onNote = (): never => assert.fail('disk full')
    await assert.rejects(called(root, 'write_file', { path: 'a', content: 'new' }, { onNote }), /disk full/)
    assert.equal(textIn(root, 'a'), 'old')
  })

  test('is not made when somebody has changed the file meanwhile', async () => {
    const root = workspaceOf({ a: 'old' })
    const onNote = (): void => writeFileSync(join(root.folder, 'a'), 'by hand')
    const { result } = await called(root, 'edit_file', { path: 'a', old: 'old', new: 'new' }, { onNote })
    assert.equal(result, 'Read a again before you change it: it was changed meanwhile.')
    assert.equal(textIn(root, 'a'), 'by hand')
  })

  test('is not made when it was given up meanwhile', async () => {
    const root = workspaceOf({ a: 'old' })
    const stop = new AbortController()
    const options = { onNote: () => stop.abort(new Error('given up')), signal: stop.signal }
    await assert.rejects(called(root, 'write_file', { path: 'a', content: 'new' }, options), /given up/)
    assert.equal(textIn(root, 'a'), 'old')
  })

  test('keeps nothing of a file that holds a secret, or is too large', async () => {
    const root = workspaceOf({ a: 'key=hunter22', b: Buffer.alloc(1_000_001) })
    for (const path of ['a', 'b']) {
      const { notes } = await called(root, 'write_file', { path, content: 'new' }, { secrets: ['hunter22'] })
      assert.deepEqual(Object.keys(Object(notes[0])['before']), ['hash', 'mode', 'size'], path)
    }
  })

  test('that nobody has heard of again is told by the file itself', async () => {
    const root = workspaceOf({ a: 'old' })
    const input = { path: 'a', old: 'old', new: 'new' }
    const { notes } = await called(root, 'edit_file', input)
    const verdict = async (content: string | undefined): Promise<unknown> => {
      rmSync(join(root.folder, 'a'), { force: true })
      if (content !== undefined) writeFileSync(join(root.folder, 'a'), content)
      return toolOf(root, 'edit_file').verify?.(input, [{ kind: 'other' }, ...notes, null, []])
    }
    assert.deepEqual(
      [await verdict('new'), await verdict('old'), await verdict('else'), await verdict(undefined)],
      ['done', 'not-done', 'conflict', 'conflict'],
    )
    assert.equal(await toolOf(root, 'edit_file').verify?.(input, []), 'not-done')
  })

  test('can be looked at before, and be asked for', async () => {
    const needsApproval = ({ path }: { readonly path: string }): boolean => path.endsWith('.py')
    const root = workspaceOf({ 'a.py': 'x = 1\n' })
    const [edit, write] = ['edit_file', 'write_file'].map((name) => toolOf(root, name, { needsApproval }))
    const change = { path: 'a.py', old: '1', new: '2' }
    assert.deepEqual([edit?.needsApproval(change), write?.needsApproval({ path: 'a', content: '' })], [true, false])
    const diff = '--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2'
    assert.equal(await edit?.preview?.(change), diff)
    assert.equal(await write?.preview?.({ path: 'a.py', content: 'x = 2\n' }), diff)
    assert.equal(textIn(root, 'a.py'), 'x = 1\n')
  })
})
