import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseCommand } from './command.ts'
import { dangerIn } from './command-dangers.ts'
import { type CommandRule, checkCommand, programPlace } from './command-rules.ts'

describe('a command is read as a program and plain arguments', () => {
  const cases: readonly (readonly [text: string, words: readonly string[]])[] = [
    ['ls', ['ls']],
    ['  git   status\t', ['git', 'status']],
    ["git log --format='%h $s `x` | & ;'", ['git', 'log', '--format=%h $s `x` | & ;']],
    ['echo "a b" c"d"e', ['echo', 'a b', 'cde']],
    ['echo "a \\"b\\" \\\\ \\n"', ['echo', 'a "b" \\ \\n']],
    ['echo a\\ b \\| \\$HOME', ['echo', 'a b', '|', '$HOME']],
    ['echo \'\' ""', ['echo', '', '']],
    ['grep a#b c~d e!f', ['grep', 'a#b', 'c~d', 'e!f']],
    ['cat größe.txt', ['cat', 'größe.txt']],
    ["find . -name '*.ts'", ['find', '.', '-name', '*.ts']],
  ]
  for (const [text, [program, ...rest]] of cases) {
    test(text, () => assert.deepEqual(parseCommand(text), { kind: 'command', program, arguments: rest }))
  }
})

describe('what a shell would do something with is refused', () => {
  const cases: readonly (readonly [text: string, reason: RegExp])[] = [
    ['', /names no program/],
    ["''", /names no program/],
    ['git log | head', /"\|" is a pipe/],
    ['git status; rm -rf .', /";" is a second command/],
    ['git status && rm x', /"&" is a second command/],
    ['sleep 9 &', /"&" is a second command/],
    ['git status\nrm x', /second line/],
    ['git log "a\nb"', /second line/],
    ['git log a\\\nb', /second line/],
    ['git status\rrm x', /second line/],
    ['cat < /etc/passwd', /"<" is a redirection/],
    ['echo x > y', /">" is a redirection/],
    ['echo $(id)', /"\$" is a substitution/],
    ['echo $HOME', /"\$" is a substitution/],
    ['echo "$(id)"', /use single quotes/],
    ['echo "`id`"', /use single quotes/],
    ['echo `id`', /"`" is a substitution/],
    ['(id)', /subshell/],
    ['ls *', /quote it/],
    ['ls a?', /quote it/],
    ['ls [ab]', /quote it/],
    ['ls {a,b}', /quote it/],
    ['ls ~', /home folder/],
    ['ls # all', /comment/],
    ['! ls', /negation/],
    ['PATH=. ls', /a variable/],
    ["echo 'a", /not closed/],
    ['echo a\\', /second line/],
    ['echo a\0b', /no text/],
  ]
  for (const [text, reason] of cases) {
    test(JSON.stringify(text), () => {
      const parsed = parseCommand(text)
      assert.equal(parsed.kind, 'refused')
      assert.match(parsed.kind === 'refused' ? parsed.reason : '', reason)
    })
  }
})

const rules: readonly CommandRule[] = [
  { program: 'git', arguments: ['status'] },
  { program: 'git', arguments: ['log', '**'] },
  { program: 'git', arguments: ['-c', 'color.ui=never', 'diff'] },
  { program: 'pytest', arguments: ['tests/*.py', '**'] },
  { program: 'find', arguments: ['**'] },
  { program: 'tar', arguments: ['**'] },
  { program: 'node', arguments: ['**'] },
  { program: 'python3', arguments: ['**'] },
  { program: 'env', arguments: ['**'] },
  { program: 'xargs', arguments: ['**'] },
  { program: 'awk', arguments: ['**'] },
  { program: 'bash', arguments: ['**'] },
  { program: 'sh', arguments: ['build.sh'] },
  { program: 'ls' },
]

describe('a list of commands', () => {
  const cases: readonly (readonly [text: string, refusal: RegExp | undefined])[] = [
    ['git status', undefined],
    ['git status -s', /other arguments/],
    ['git', /other arguments/],
    ['git log --oneline -n 3', undefined],
    ['git push', /other arguments/],
    ['git -c color.ui=never diff', undefined],
    ['git -c core.pager=evil diff', /other arguments/],
    ['git log -c core.pager=evil', /-c makes git run/],
    ['git log --exec-path=/tmp', /--exec-path=\/tmp makes/],
    ['git log --exec-pat=/tmp', /--exec-pat=\/tmp makes/],
    ['git log --output=../x', /--output=/],
    ['pytest tests/a.py -x', undefined],
    ['pytest other/a.py', /other arguments/],
    ['pytest tests/', /other arguments/],
    ["find . -name '*.ts'", undefined],
    ["find . -exec rm '{}' +", /-exec makes find run/],
    ["find . -name x -execdir sh ';'", /-execdir makes/],
    ['find . -delete', /-delete makes/],
    ['tar xf a.tar', undefined],
    ['tar xf a.tar --to-command=sh', /--to-command=sh makes/],
    ['tar xf a.tar --to-com=sh', /--to-com=sh makes/],
    ['tar cf a.tar . --checkpoint=1 --checkpoint-action=exec=sh', /--checkpoint/],
    ['node app.js', undefined],
    ["node -e 'x()'", /-e makes node run/],
    ["node -pe 'x()'", /-pe makes node run/],
    ["node --eval='x()'", /--eval=x\(\) makes/],
    ["python3 -c 'import os'", /-c makes python3 run/],
    ["python3 -Sc 'import os'", /-Sc makes python3 run/],
    ['env sh', /env runs what it is given/],
    ['xargs rm', /xargs runs what it is given/],
    ['awk \'BEGIN { system("id") }\'', /awk runs what it is given/],
    ["bash -c 'id'", /bash runs what it is given/],
    ['sh build.sh', undefined],
    ["sh -c 'id'", /other arguments/],
    ['ls', undefined],
    ['ls -l', /other arguments/],
    ['./ls', /\.\/ls is not on the list/],
    ['/bin/ls', /\/bin\/ls is not on the list/],
    ['rm x', /rm is not on the list/],
    ['bwrap sh', /bwrap is not on the list/],
  ]
  for (const [text, refusal] of cases) {
    test(text, () => {
      const verdict = checkCommand(text, rules)
      assert.equal(verdict.kind, refusal ? 'refused' : 'allowed', JSON.stringify(verdict))
      if (refusal) assert.match(verdict.kind === 'refused' ? verdict.reason : '', refusal)
    })
  }

  test('an empty list allows nothing', () => assert.equal(checkCommand('ls', []).kind, 'refused'))
})

test('a version behind the name of a program changes nothing', () => {
  assert.equal(dangerIn('python3.11', ['-c', 'x']), '-c')
  assert.equal(dangerIn('python3.11', ['a.py']), undefined)
})

test('a program is found in folders of the system, and never by a path that was written', () => {
  assert.equal(programPlace('sh', '/nowhere:/bin'), '/bin/sh')
  assert.equal(programPlace('./sh', '/bin'), undefined)
  assert.equal(programPlace('../bin/sh', '/bin'), undefined)
})

test('a long command takes time that grows as its length', () => {
  const text = `echo ${'"a" '.repeat(100_000)}`
  const parsed = parseCommand(text)
  assert.equal(parsed.kind === 'command' && parsed.arguments.length, 100_000)
})
