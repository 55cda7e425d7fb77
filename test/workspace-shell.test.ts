/**
 * Attacks on run_bash, made for real, as the user who runs the tests and, when that is root, as an ordinary user too: the
 * whole file runs again in a process of that user. `attacks` says which test stands for which attack of the list.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { findSandbox } from '../src/tools/workspace/sandbox.ts'
import {
  alsoAsUser,
  folderFor,
  longTime,
  pathsOf,
  processesWith,
  SECRET,
  shellIn,
  skip,
} from './workspace-shell-setup.ts'

/** Attack of the list → the tests of this file that make it. */
export const attacks = {
  5: ['a file with a second name outside cannot be written through it'],
  8: [
    'what is protected and missing cannot be made',
    'what is protected cannot be moved out of the way',
    'what is protected at depth is taken back',
  ],
  9: [
    'no secret of the agent is in any environment',
    'no file that the agent was started with is open',
    'no core is dumped',
  ],
  10: [
    'processes are limited',
    'output is kept in bounds',
    'a file of 50 GB is not written',
    'memory is limited',
    'what is left behind ends with the command',
    'who ignores the request to end is ended',
    'an agent that is killed takes its command with it',
  ],
  11: ['a list of commands holds', 'a program of the workspace is not taken for one of the system'],
  12: ['there is no network', 'no socket outside or inside can be reached'],
  13: ['no rights, no mounts, no namespaces, no keyring', 'settings of the kernel are read-only'],
} as const

alsoAsUser(import.meta.url, 29)

describe('what commands may not touch', { skip, concurrency: 4 }, () => {
  test('in a read-only workspace nothing is written', async () => {
    const { run, root, at } = shellIn({ mode: 'read-only', protectedPaths: ['.git'] })
    writeFileSync(at('a'), 'a')
    const { text } = await run(
      'cat a; echo x > a; echo x > b; rm a; mkdir c; chmod 777 a; ln -s a d; echo x > /tmp/e && echo ok',
    )
    assert.equal(text.match(/Read-only file system/g)?.length, 6, text)
    assert.match(text, /\nok$/)
    assert.deepEqual(readdirSync(root), ['a'])
  })

  test('what is protected and missing cannot be made', async () => {
    const { run, root } = shellIn({ protectedPaths: ['.git', '.github/workflows', '.npmrc'] })
    const { text } = await run(
      [
        'mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit',
        'mkdir x && echo evil > x/config && mv -T x .git',
        'echo "gitdir: x" > .git',
        'rm -rf .git; ln -s x .git',
        'echo evil > .github/workflows/ci.yml',
        'echo evil > .npmrc',
        'echo fine > .github/notes.md',
        'git init . ; true',
      ].join('\n'),
    )
    assert.ok((text.match(/Read-only file system|Device or resource busy|Is a directory/g)?.length ?? 0) >= 6, text)
    assert.deepEqual(readdirSync(root).sort(), ['.github', 'x'], text)
    assert.deepEqual(readdirSync(join(root, '.github')), ['notes.md'])
  })

  test('placeholders leave nothing behind', async () => {
    const { run, root } = shellIn({ protectedPaths: ['.git', '.github/workflows'] })
    const seen = await run('ls -A')
    assert.match(seen.text, /\.git\n\.github$/)
    assert.deepEqual(readdirSync(root), [])
    assert.deepEqual(pathsOf(seen.notes), [])
  })

  test('what is protected cannot be moved out of the way', async () => {
    const { run, at } = shellIn({ protectedPaths: ['.git', '.github/workflows'] })
    mkdirSync(at('.github/workflows'), { recursive: true })
    mkdirSync(at('.git'))
    writeFileSync(at('.git/config'), 'good')
    const { text } = await run(
      'mv .github g; mv .github/workflows w; mkdir -p .github/workflows; echo evil > .github/workflows/x.yml; mv .git old; echo evil > .git/config; rm -rf .git .github; cat .git/config',
    )
    assert.match(text, /good$/)
    assert.deepEqual(readdirSync(at('.github/workflows')), [])
    assert.equal(readFileSync(at('.git/config'), 'utf8'), 'good')
  })

  test('what is protected at depth is taken back, and not lost', async () => {
    const isProtected = (path: string): boolean => path.split('/').includes('.git')
    const { run, at } = shellIn({ isProtected })
    mkdirSync(at('old/.git'), { recursive: true })
    symlinkSync('old', at('.git'))
    const { text, notes } = await run(
      'mkdir -p sub/.git/hooks; echo evil > sub/.git/hooks/pre-commit; echo evil > old/.git/x; mv old new; rm .git; ln -s sub .git',
    )
    assert.match(
      text,
      /\[leave sub\/\.git alone: it may not be made by commands; it is called sub\/\.git\.refused now\]/,
    )
    assert.deepEqual(
      [existsSync(at('sub/.git')), readFileSync(at('sub/.git.refused/hooks/pre-commit'), 'utf8')],
      [false, 'evil\n'],
    )
    assert.deepEqual(readdirSync(at('old/.git')), [])
    assert.equal(readlinkSync(at('.git')), 'old')
    assert.equal(JSON.stringify(notes.at(-1)?.['takenBack']).match(/"path"/g)?.length, 2)
    assert.deepEqual(pathsOf(notes), ['sub/.git.refused/hooks/pre-commit'])
  })

  test('two commands at once in one workspace take turns: none can swap what the other is about to mount', async () => {
    const options = { root: folderFor('both'), protectedPaths: ['.git'] }
    const order: string[] = []
    const slow = shellIn(options)
      .run('sleep 0.4; mkdir .git/hooks; echo "made $?"')
      .then(({ text }) => {
        order.push('slow')
        return text
      })
    await wait(100)
    await shellIn(options).run('true')
    order.push('quick')
    assert.match(await slow, /made 1/)
    assert.deepEqual([order, readdirSync(options.root)], [['slow', 'quick'], []])
  })

  test('what somebody else makes meanwhile stays', async () => {
    const { run, at } = shellIn({ protectedPaths: ['.git'] })
    const running = run('sleep 0.5')
    while (!existsSync(at('.git'))) await wait(10)
    writeFileSync(at('.git/HEAD'), 'mine')
    await running
    assert.equal(readFileSync(at('.git/HEAD'), 'utf8'), 'mine')
  })

  test('what is secret cannot be read, at any depth', async () => {
    const isHidden = (path: string): boolean => /(^|\/)(\.env|vault)$/.test(path)
    for (const mode of ['edit', 'read-only'] as const) {
      const { run, at } = shellIn({ mode, isHidden })
      mkdirSync(at('sub/vault'), { recursive: true })
      for (const path of ['.env', 'sub/.env', 'sub/vault/key']) writeFileSync(at(path), SECRET)
      const { text } = await run(
        'cat .env sub/.env sub/vault/key; cp .env x; mv sub s2; cat s2/.env; grep -r canary . ; true',
      )
      assert.doesNotMatch(text, new RegExp(SECRET))
      assert.match(text, /\.env: Permission denied/)
    }
  })

  test('a file with a second name outside cannot be written through it', async () => {
    const outside = join(folderFor('outside'), 'file')
    writeFileSync(outside, 'good')
    const { run, at } = shellIn()
    linkSync(outside, at('alias'))
    const { text } = await run('echo evil > alias; echo evil >> alias; truncate -s 0 alias; cat alias')
    assert.equal(readFileSync(outside, 'utf8'), 'good', text)
  })

  test('a file does not lend the rights of its owner', async () => {
    const { run, at } = shellIn()
    const { text } = await run('cp /bin/cat mine; chmod 4755 mine; ls -l mine')
    assert.match(text, /-rwsr-xr-x.*\[leave mine alone/s)
    assert.equal(lstatSync(at('mine')).mode & 0o7777, 0o755)
  })

  test('in the mode allowlist only what is writable is written', async () => {
    const { run, at } = shellIn({
      mode: 'allowlist',
      writablePaths: ['src'],
      commands: [{ program: 'cp', arguments: ['**'] }],
    })
    mkdirSync(at('src'))
    writeFileSync(at('a'), 'a')
    assert.deepEqual(pathsOf((await run('cp a src/b')).notes), ['src/b'])
    assert.match((await run('cp a c')).text, /Read-only file system/)
  })
})

describe('attacks from inside', { skip, concurrency: 3 }, () => {
  test('no secret of the agent is in any environment', async () => {
    const { text } = await shellIn().run(
      'env; cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"; ps eax; cat /proc/*/task/*/environ; ls /proc | grep -c "^[0-9]"',
    )
    assert.match(text, /HOME=\/tmp\/home/)
    assert.doesNotMatch(text, /canary/i)
  })

  test('no file that the agent was started with is open', async () => {
    const secret = join(folderFor('open'), 'secret')
    writeFileSync(secret, SECRET)
    const program = `
      import { runBash } from ${JSON.stringify(new URL('../src/tools/workspace/run-bash.ts', import.meta.url).href)}
      const made = runBash({ root: ${JSON.stringify(folderFor('shell'))}, mode: 'edit' })
      const context = { run: 'r', call: 'c', key: 'k', signal: new AbortController().signal, record: async () => undefined }
      console.log(await made.run({ command: 'ls -l /proc/self/fd /proc/1/fd; cat /proc/self/fd/77 /proc/1/fd/77' }, context))`
    // Node closes the lower numbers by itself.
    const words = [
      '-c',
      'exec "$@" 77< "$0"',
      secret,
      process.execPath,
      '--input-type=module-typescript',
      '-e',
      program,
    ]
    const { stdout, stderr } = spawnSync('bash', words, { encoding: 'utf8' })
    assert.match(stdout, /^exit code/, stderr)
    assert.doesNotMatch(stdout, new RegExp(`secret|${SECRET}`))
  })

  test('no core is dumped', async () => {
    const { run, root } = shellIn()
    const { text } = await run('ulimit -c; bash -c "kill -ABRT \\$\\$"; ls -A')
    assert.match(text, /\n0\n.*Aborted/s)
    assert.deepEqual(readdirSync(root), [])
  })

  test('processes are limited', async () => {
    const mark = longTime()
    const { run } = shellIn({ limits: { processes: 60 } })
    const { text } = await run(`bomb() { sleep ${mark} & bomb | bomb & }; bomb; sleep 5; echo survived`, 2)
    assert.match(text, /^(Start fewer processes|Send a larger timeout)/)
    assert.deepEqual(processesWith(mark), [])
    assert.match((await run('echo alive')).text, /alive/)
  })

  test('output is kept in bounds', async () => {
    const before = process.memoryUsage().rss
    const { text, notes } = await shellIn().run('echo first; yes', 1)
    assert.match(text, /^Send a larger timeout, or less work: the command was stopped after 1 s.*first\ny\n/s)
    assert.match(text, /\[… \d+ of \d+ bytes left out here …\]/)
    assert.ok(text.length < 51_000)
    assert.ok(Number(notes.at(-1)?.['outputSize']) > 1_000_000)
    assert.ok(process.memoryUsage().rss - before < 300_000_000)
  })

  test('a file of 50 GB is not written', async () => {
    const { run, root } = shellIn({ limits: { fileSize: 2 ** 20, temporary: 2 ** 21 } })
    const { text } = await run(
      'truncate -s 50G sparse; head -c 5M /dev/zero > full; for n in 1 2 3 4 5; do head -c 900K /dev/zero > /tmp/$n; done; head -c 900K /dev/zero > /dev/shm/a && echo shm',
    )
    assert.match(text, /File size limit exceeded.*No space left on device.*shm/s)
    for (const name of readdirSync(root)) assert.ok(lstatSync(join(root, name)).size <= 2 ** 20, name)
  })

  test('memory is limited', async () => {
    const { text } = await shellIn({ limits: { memory: 2 ** 29 } }).run(
      'node -e "const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))"; echo "status $?"',
    )
    assert.match(text, /status [1-9]\d*$/)
  })

  test('what is left behind ends with the command', async () => {
    const [first, second, third] = [longTime(), longTime(), longTime()]
    const { text } = await shellIn().run(
      `sleep ${first} & disown; setsid sleep ${second} & (trap '' TERM HUP; nohup sleep ${third} >/dev/null 2>&1 &) ; echo done`,
    )
    assert.match(text, /^exit code 0, .*\ndone/s)
    for (const mark of [first, second, third]) assert.deepEqual(processesWith(mark), [])
  })

  test('who ignores the request to end is ended', async () => {
    const mark = longTime()
    const { text } = await shellIn().run(
      `trap '' TERM INT HUP; setsid sleep ${mark} & while true; do sleep ${mark}; done`,
      1,
    )
    assert.match(text, /^Send a larger timeout/)
    assert.deepEqual(processesWith(mark), [])
  })

  test('a run that is aborted ends its command', async () => {
    const mark = longTime()
    const stop = new AbortController()
    const { run, at } = shellIn()
    const running = run(`touch started; sleep ${mark}`, 10, stop.signal)
    while (!existsSync(at('started'))) await wait(10)
    stop.abort()
    assert.match((await running).text, /^The command was stopped/)
    assert.deepEqual(processesWith(mark), [])
  })

  test('an agent that is killed takes its command with it', async () => {
    const mark = longTime()
    const root = folderFor('killed')
    const program = `
      import { runBash } from ${JSON.stringify(new URL('../src/tools/workspace/run-bash.ts', import.meta.url).href)}
      const made = runBash({ root: ${JSON.stringify(root)}, mode: 'edit', protectedPaths: ['.git'] })
      const context = { run: 'r', call: 'c', key: 'k', signal: new AbortController().signal, record: async () => undefined }
      await made.run({ command: 'touch started; setsid sleep ${mark}' }, context)`
    const agent = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: 'ignore',
      // What it leaves there when it is killed goes with the folder.
      env: { PATH: process.env['PATH'], TMPDIR: folderFor('left') },
    })
    const ended = new Promise((resolve) => agent.once('exit', resolve))
    while (!existsSync(join(root, 'started')) && agent.exitCode === null) await wait(20)
    assert.equal(processesWith(mark).length > 0, true)
    agent.kill('SIGKILL')
    await ended
    for (let tries = 0; tries < 100 && processesWith(mark).length > 0; tries++) await wait(20)
    assert.deepEqual(
      processesWith(mark).filter((pid) => pid !== String(agent.pid)),
      [],
    )
    assert.ok(existsSync(join(root, '.git')))
    await shellIn({ root, protectedPaths: ['.git'] }).run('true')
    assert.deepEqual(readdirSync(root), ['started'])
  })

  test('a list of commands holds', async () => {
    const { run, at } = shellIn({
      mode: 'allowlist',
      commands: [
        { program: 'git', arguments: ['log', '**'] },
        { program: 'find', arguments: ['**'] },
        { program: 'tar', arguments: ['**'] },
        { program: 'awk', arguments: ['**'] },
        { program: 'xargs', arguments: ['**'] },
        { program: 'echo', arguments: ['**'] },
      ],
    })
    for (const command of [
      'git log -c core.pager=touch',
      'git -c core.pager=touch log',
      "find . -exec touch evil ';'",
      'tar xf a --to-command=touch',
      'awk \'BEGIN { system("touch evil") }\'',
      'xargs touch',
      'echo a; touch evil',
      'echo a\ntouch evil',
      'echo $(touch evil)',
      'echo `touch evil`',
      'echo a > evil',
      'alias ls=touch',
      './ls',
    ]) {
      const { text, notes } = await run(command)
      assert.match(text, /^Send one program with plain arguments that the list allows/, command)
      assert.deepEqual(
        notes.map(({ kind }) => kind),
        ['command-refused'],
      )
    }
    const { text } = await run("echo '$(touch evil); `id` *' a\\;b")
    assert.match(text, /\n\$\(touch evil\); `id` \* a;b$/)
    assert.deepEqual(existsSync(at('evil')), false)
  })

  test('a program of the workspace is not taken for one of the system', async () => {
    const { run, at, root } = shellIn({ mode: 'allowlist', commands: [{ program: 'ls', arguments: ['**'] }] })
    for (const name of ['ls', 'bwrap', 'bash', 'mkfifo'])
      writeFileSync(at(name), '#!/bin/sh\necho evil\n', { mode: 0o755 })
    const path = process.env['PATH']
    process.env['PATH'] = `${root}:.:${path}`
    const { text } = await run('ls')
    process.env['PATH'] = path
    assert.match(text, /\nbash\nbwrap\nls\nmkfifo$/)
    assert.equal((await findSandbox({ folders: [root] })).kind, 'none')
    assert.equal((await findSandbox({ folders: ['/usr/bin'], workspace: '/usr' })).kind, 'none')
  })

  test('there is no network', async () => {
    const server = createServer((socket) => socket.end('reached'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const dial = (host: string, to: number): string => `(exec 3<>/dev/tcp/${host}/${to} && cat <&3) 2>&1`
    const command = [
      dial('127.0.0.1', port),
      dial('::1', port),
      dial('169.254.169.254', 80),
      dial('1.1.1.1', 53),
      'getent hosts example.com || echo unresolved',
      'cat /etc/resolv.conf; env | grep -i proxy; cat /proc/net/dev | wc -l',
    ].join('\n')
    const { text } = await shellIn().run(command)
    const reached = await shellIn({ network: true }).run(dial('127.0.0.1', port))
    server.close()
    assert.doesNotMatch(text, /reached/)
    assert.match(text, /Connection refused.*unreachable.*unresolved.*No such file.*\n3$/s)
    assert.match(reached.text, /reached$/)
  })

  test('no socket outside or inside can be reached', async () => {
    const { run, at } = shellIn()
    const places = [at('inside.sock'), join(folderFor('outside'), 'outside.sock'), `\0callwright-${process.pid}`]
    const servers = places.map((place) => createServer((socket) => socket.end('reached')).listen(place))
    await Promise.all(servers.map((server) => server.listening || once(server, 'listening')))
    const names = servers.map((server) => String(server.address()))
    writeFileSync(
      at('dial.cjs'),
      `for (const name of ${JSON.stringify(names)}) require('net').connect(name).on('data', (text) => console.log(String(text))).on('error', ({ code }) => console.log(code))`,
    )
    const { text } = await run('node dial.cjs')
    for (const server of servers) server.close()
    assert.doesNotMatch(text, /reached/)
    assert.match(text, /^exit code 0.*(E[A-Z]+\n){2}E[A-Z]+/s)
  })

  test('no rights, no mounts, no namespaces, no keyring', async (t) => {
    const numbers: { readonly [machine: string]: number } = { x64: 248, arm64: 217, riscv64: 217 }
    const { text } = await shellIn().run(
      [
        'grep -E "^(CapEff|CapPrm|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status | tr -s "\\t\\n" " "; echo',
        'mount -t tmpfs none /tmp; umount /tmp; umount -l /proc; mount -o remount,rw /usr; mknod device c 1 1',
        'unshare -U true; unshare -m true; unshare -Ur mount -t tmpfs none /tmp; nsenter -t 1 -m true',
        `type perl && perl -e '@words = ("user", "name", "value"); $done = syscall(${numbers[process.arch]}, @words, 5, -3); print "keyring $done $!\\n"'`,
        'kill -9 1; ls /proc/1/root/root; cat /proc/1/mem; touch /usr/x /x /etc/x /dev/x; chroot / true; echo end',
      ].join('\n'),
    )
    assert.match(text, /CapPrm: 0+ CapEff: 0+ CapBnd: 0+ NoNewPrivs: 1 Seccomp: 2/)
    assert.doesNotMatch(text, /\b(0|none)\b.*mounted/)
    assert.ok((text.match(/Operation not permitted|must be superuser|permission denied/gi)?.length ?? 0) >= 8, text)
    assert.equal(text.match(/Read-only file system/g)?.length, 4, text)
    if (/perl is/.test(text)) assert.match(text, /keyring -1 Operation not permitted/)
    else t.diagnostic('NOT CHECKED: the keyring, because there is no perl')
    assert.match(text, /\nend$/)
  })

  test('settings of the kernel are read-only', async () => {
    // Each one is given the value that it has.
    const { text } = await shellIn().run(
      'for name in vm/swappiness kernel/core_pattern kernel/hostname; do cp /proc/sys/$name /tmp/value; cat /tmp/value > /proc/sys/$name; done; echo 0 > /proc/self/oom_score_adj',
    )
    assert.equal(text.match(/Read-only file system/g)?.length, 4, text)
  })
})

test('each attack of the table has its test', () => {
  const source = readFileSync(new URL(import.meta.url), 'utf8')
  for (const name of Object.values(attacks).flat()) {
    assert.ok(source.includes(`test('${name}`), name)
  }
})
