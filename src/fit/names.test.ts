/** Which names are kin. A wrong rename runs a call that nobody meant, so the second list matters more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areKin } from './names.ts'

const kin = [
  ['cmd', 'command'],
  ['filePath', 'path'],
  ['filePath', 'absolutePath'],
  ['file_path', 'filepath'],
  ['FilePath', 'file-path'],
  ['maxResults', 'max_results'],
  ['max_results', 'maximumResult'],
  ['oldText', 'old_string'],
  ['new_str', 'newString'],
  ['dir', 'directory'],
  ['folder', 'directory'],
  ['cwd', 'workingDirectory'],
  ['workdir', 'working_dir'],
  ['label', 'labels'],
  ['url', 'uri'],
  ['query_string', 'query'],
  ['q', 'query'],
  ['file_contents', 'content'],
  ['HTTPMethod', 'http_method'],
  ['msg', 'message'],
  ['queries', 'query'],
  ['addresses', 'address'],
  ['statuses', 'status'],
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
