import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findSandbox } from './sandbox.ts'
import { nodeFolders } from './sandbox-arguments.ts'
import { systemCallFilter } from './sandbox-filter.ts'
import { openHeredoc } from './shell-heredoc.ts'
import { HeadAndTail } from './shell-output.ts'

describe('a heredoc that the shell changes', () => {
  const cases: readonly (readonly [command: string, replaced: string | undefined])[] = [
    ['cat > a <<EOF\nprice = $10\nEOF', '$1'],
    ['cat > a <<EOF\nname = $name;\nEOF', '$name'],
    [`cat > a <<EOF\n\${x}\nEOF`, '${'],
    ['cat > a <<EOF\n$(id)\nEOF', '$('],
    ['cat > a <<EOF\nrun `id`\nEOF', '`'],
    ['cat > a <<-EOF\n\tx $y\n\tEOF\necho', '$y'],
    ['cat > a << EOF\n$y\nEOF', '$y'],
    ["cat <<'A' <<B\n$x\nA\n$y\nB", '$y'],
    ["cat > a <<'EOF'\n$x\nEOF\ncat > b <<EOF\n$z\nEOF", '$z'],
    ["cat > a <<'EOF'\nprice = $10 `x`\nEOF", undefined],
    ['cat > a <<"EOF"\n$x\nEOF', undefined],
    ['cat > a <<\\EOF\n$x\nEOF', undefined],
    ['cat > a <<EOF\nplain text, 10 $ and \\$x\nEOF', undefined],
    ['cat <<<"$x"', undefined],
    ['echo $((1<<2))\necho $x', undefined],
    ["echo '<<EOF'\n$x\nEOF", undefined],
    ['# cat <<EOF\n$x\nEOF', undefined],
    ["echo 'a\n<<EOF\n$x\nEOF\n'", undefined],
    ['cat > a <<EOF\nno end $x', undefined],
  ]
  for (const [command, replaced] of cases) {
    test(JSON.stringify(command), () => assert.equal(openHeredoc(command)?.replaced, replaced))
  }

  test('takes time that grows as the command', () => {
    assert.equal(openHeredoc('cat <<EOF\n'.repeat(100_000)), undefined)
  })
})

describe('head and tail of an output', () => {
  const kept = (room: number, pieces: readonly string[]): string => {
    const output = new HeadAndTail(room)
    for (const piece of pieces) output.push(Buffer.from(piece))
    return output.text()
  }
  test('short is whole', () => assert.equal(kept(10, ['abc', 'def', 'ghij']), 'abcdefghij'))
  test('the middle is left out, and said', () => {
    assert.equal(kept(10, ['abcdefghijklmnop']), 'abcde\n[… 6 of 16 bytes left out here …]\nlmnop')
    assert.equal(kept(10, [...'abcdefghijklmnop']), 'abcde\n[… 6 of 16 bytes left out here …]\nlmnop')
  })
  test('no character is cut', () => {
    assert.equal(kept(10, ['äöüäöüäöü']), 'äö\n[… 8 of 18 bytes left out here …]\nöü')
    assert.equal(kept(6, ['😀😀😀😀']), '\n[… 10 of 16 bytes left out here …]\n')
  })
  test('the room does not grow', () => {
    const output = new HeadAndTail(1_000)
    for (let count = 0; count < 20_000; count++) output.push(Buffer.alloc(1_000, 'y'))
    assert.equal(output.size, 20_000_000)
    assert.equal(output.cut, 19_999_000)
    assert.ok(output.text().length < 1_100)
  })
})

describe('the sandbox is never silently a lower one', () => {
  test('none is installed: said with what to type', async () => {
    const { kind, why, type } = await findSandbox({ folders: ['/nowhere'] })
    assert.equal(kind, 'none')
    if (process.platform === 'linux') {
      assert.match(why, /not installed: there is no bwrap in \/nowhere/)
      assert.match(type.join(), /bubblewrap/)
    }
  })
  test('none is installed, and somebody accepts that', async () => {
    const { kind, why } = await findSandbox({ folders: ['/nowhere'], unsafeShell: true })
    assert.equal(kind, 'unsafe')
    assert.match(why, /without a sandbox, as was asked for/)
  })
})

test('the filter has eight bytes for each instruction, and ends by allowing', () => {
  for (const machine of ['x64', 'arm64', 'riscv64']) {
    const filter = systemCallFilter(machine)
    assert.equal((filter?.length ?? 1) % 8, 0)
    assert.equal(filter?.readUInt32LE(filter.length - 4), 0x7fff0000)
  }
  assert.equal(systemCallFilter('s390x'), undefined)
})

test('of a Node in a home folder nothing but the program is readable', () => {
  assert.deepEqual(nodeFolders('/home/me/bin/node'), ['/home/me/bin/node'])
  assert.deepEqual(nodeFolders('/usr/bin/node'), [])
})
