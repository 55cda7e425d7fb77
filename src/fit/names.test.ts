/** Which names are kin. A wrong rename runs a call that nobody meant, so the second list matters more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areKin, isTypo, KinIndex } from './names.ts'

const kin = [
  ['cmd', 'command'],
  ['filePath', 'path'],
  ['filePath', 'absolutePath'],
  ['file_path', 'filepath'],
  ['FilePath', 'file-path'],
  ['maxResults', 'max_results'],
  ['oldText', 'old_string'],
  ['new_str', 'newString'],
  ['dir', 'directory'],
  ['folder', 'directory'],
  ['cwd', 'workingDirectory'],
  ['workdir', 'working_dir'],
  ['url', 'uri'],
  ['query_string', 'query'],
  ['q', 'query'],
  ['file_content', 'content'],
  ['max_results', 'maximumResults'],
  ['HTTPMethod', 'http_method'],
  ['msg', 'message'],
]

const strangers = [
  ['query', 'url'],
  ['file', 'path'],
  ['text', 'content'],
  ['start_line', 'end_line'],
  ['line_end', 'line_start'],
  ['user_id', 'order_id'],
  ['old_path', 'new_path'],
  ['source_path', 'destination_path'],
  ['relative_path', 'absolute_path'],
  ['input_file', 'output_file'],
  ['from', 'to'],
  ['count', 'country'],
  ['name', 'username'],
  ['id', 'index'],
  ['timeout', 'time'],
  ['min_price', 'max_price'],
  ['end', 'encoding'],
  ['pass', 'password'],
  ['class', 'clas'],
  ['eur_to_usd', 'usd_to_eur'],
  ['id_list', 'list_id'],
  ['full_name', 'file_name'],
  ['full_name', 'name'],
  ['file_query', 'query'],
  ['text_color', 'color'],
  ['minutes', 'minute'],
  ['days', 'day'],
  ['lines', 'line'],
  ['link_text', 'link'],
  ['cell_value', 'cell'],
  ['temp', 'temperature'],
  ['', 'path'],
  ['__', 'path'],
]

test('names that are kin', () => {
  for (const [one = '', other = ''] of kin) {
    assert.ok(areKin(one, other), `${one} ${other}`)
    assert.ok(areKin(other, one), `${other} ${one}`)
  }
})

test('names that are not, however near they look', () => {
  for (const [one = '', other = ''] of strangers) {
    assert.ok(!areKin(one, other), `${one} ${other}`)
    assert.ok(!areKin(other, one), `${other} ${one}`)
  }
})

test('the singular and the plural are kin where one of them is a list', () => {
  const pairs = [
    'label labels',
    'id ids',
    'query queries',
    'address addresses',
    'status statuses',
    'file_path file_paths',
  ]
  for (const pair of pairs) {
    const [one = '', other = ''] = pair.split(' ')
    assert.deepEqual(new KinIndex([other]).kinOf(one), [{ name: other, isPlural: true }])
    assert.deepEqual(new KinIndex([one]).kinOf(other), [{ name: one, isPlural: true }])
  }
  assert.deepEqual(new KinIndex(['bus', 'class', 'news']).kinOf('clas'), [])
})

test('a slip of one letter', () => {
  for (const [one, other] of [
    ['fliter', 'filter'],
    ['recursve', 'recursive'],
    ['limmit', 'limit'],
    ['patch', 'match'],
  ]) {
    assert.ok(isTypo(one ?? '', other ?? ''), `${one} ${other}`)
  }
  for (const [one, other] of [
    ['path', 'path'],
    ['from', 'format'],
    ['ab', 'abc'],
    ['first', 'frist_'],
  ]) {
    assert.ok(!isTypo(one ?? '', other ?? ''), `${one} ${other}`)
  }
})
