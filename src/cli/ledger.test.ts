/** Runs that are kept: `callwright run`, `runs`, `show` and `resume` as processes, against a real ledger and a real server. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createAgent, openLedger, type RunEvent } from '../index.ts'
import { type ChatRequest, type Reply, type Script, scriptedModel, startTestServer } from '../test/index.ts'

const command = fileURLToPath(new URL('../../bin/callwright.js', import.meta.url))
const entry = new URL('../index.ts', import.meta.url).href
const root = mkdtempSync(join(tmpdir(), 'callwright-ledger-'))
after(() => rmSync(root, { recursive: true, force: true }))

const tools = join(root, 'tools.mjs')
writeFileSync(
  tools,
  `import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tool } from ${JSON.stringify(entry)}
const text = { type: 'string' }
const word = { type: 'object', properties: { word: text }, required: ['word'] }
export const tools = [
  tool({ name: 'look_up', description: 'Looks up.', kind: 'pure', input: word,
    run: ({ word }) => word + ' means \\u001b[31mred' + (process.env.CALLWRIGHT_API_KEY ?? '') }),
  tool({ name: 'mark', description: 'Marks.', input: { type: 'object' },
    run: (_, { run }) => { appendFileSync('marks.txt', run + '\\n'); return 'marked' } }),
  // Kills its process the first time that it is called in a run.
  tool({ name: 'die', description: 'Dies.', kind: 'idempotent', input: { type: 'object' },
    run: (_, { run }) => {
      if (existsSync('died-' + run)) return 'survived'
      writeFileSync('died-' + run, '')
      process.kill(process.pid, 'SIGKILL')
    } }),
  tool({ name: 'hold', description: 'Holds.', kind: 'pure', input: { type: 'object' },
    run: async () => { while (!existsSync('go')) await sleep(20); return 'held' } }),
]
`,
)

interface Finished {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

interface Started {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
  /** What it has said so far. */
  readonly said: () => string
}

type Variables = { readonly [name: string]: string }

/** Starts the command in a folder, without any of the person's own settings. */
function start(folder: string, words: readonly string[], variables: Variables = {}): Started {
  const kept = Object.entries(process.env).filter(([name]) => !/^(CALLWRIGHT|OPENAI|OLLAMA)/.test(name))
  const env = { ...Object.fromEntries(kept), ...variables }
  const child = spawn(process.execPath, [command, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  const finished = new Promise<Finished>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, ...said })),
  )
  return { child, finished, said: () => said.out + said.err }
}

const callwright = (folder: string, words: readonly string[], variables?: Variables): Promise<Finished> =>
  start(folder, words, variables).finished

const newFolder = (): string => mkdtempSync(join(root, 'work-'))
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20)
}

/** One reply after the other, by how far the conversation is: so that a run can be gone on with, and many at once. */
const byTurn =
  (...replies: readonly Reply[]) =>
  ({ messages }: ChatRequest): Reply =>
    replies[messages.filter(({ role }) => role === 'assistant').length] ?? 'There is no more.'

const call = (name: string, given: string | object = {}): Reply => ({
  calls: [{ name, arguments: given }],
  usage: { input: 10, output: 2 },
})
const dying: Script = byTurn(call('mark'), call('die'), 'Survived.')
const holding: Script = byTurn(call('hold'), 'Held.')
const runWords = (url: string, ...words: readonly string[]): string[] => [
  ...['run', '--base-url', url, '--model', 'scripted', '--tools', tools, '--mode', 'native', ...words],
]

describe('runs that are kept', { concurrency: 2 }, () => {
  test('run, runs, show and the statistics tell of one run', async () => {
    const folder = newFolder()
    await using server = await startTestServer([
      call('look_up', `{'word': 'rot', 'language': 'de'}`),
      call('look_up', '{}'),
      'Red.\u001b[2J',
    ])
    const run = await callwright(folder, runWords(server.url, 'Translate rot.'))
    assert.deepEqual([run.code, run.out], [0, 'Red.\u001b[2J\n'])
    const id = /^ {2}run ([0-9a-f]{8})\n/.exec(run.err)?.[1] ?? ''
    assert.match(run.err, new RegExp(`3 steps, 24 tokens, .* callwright show ${id}\n$`))

    const [list, table, story, step, raw, lines, statistics, counts] = await Promise.all([
      callwright(folder, ['runs', '--json', '--state', 'answered', '--since', '1h']),
      callwright(folder, ['runs']),
      callwright(folder, ['show', id.slice(0, 4)]),
      callwright(folder, ['show', id, '--step', '1']),
      callwright(folder, ['show', '--raw']),
      callwright(folder, ['show', id, '--jsonl']),
      callwright(folder, ['runs', '--stats']),
      callwright(folder, ['runs', '--stats', '--json']),
    ])
    const [listed] = JSON.parse(list.out)
    assert.deepEqual(
      [listed.state, listed.steps, listed.usage, listed.model, listed.task],
      ['answered', 3, { input: 20, output: 4 }, 'scripted', 'Translate rot.'],
    )
    assert.ok(listed.run.startsWith(id))
    assert.match(table.out, new RegExp(`${id} +\\ds +answered +3 +24 +[\\d.]+ kB +scripted +Translate rot\\.`))

    assert.match(story.out, /task +Translate rot\.\n +model +scripted, mode native/)
    assert.match(story.out, /step 1 {2}native, temperature 0\.7\n +wrote +look_up \{'word': 'rot', 'language': 'de'\}/)
    assert.match(
      story.out,
      /call +look_up \{"word":"rot"\}\n +repaired +python-literal, parameter-ignored \(language\)/,
    )
    assert.match(story.out, /gave +look_up: rot means ␛\[31mred/)
    assert.match(story.out, /refused +look_up\n +parameter-missing\n +Send look_up again with "word"/)
    assert.match(story.out, /answer +Red\.␛\[2J\n +ended +answered/)
    assert.match(story.out, /spent +3 steps, 20 tokens in, 4 out/)
    assert.ok(!story.out.includes('\u001b'))

    assert.match(step.out, /call +look_up\n +\{\n +"word": "rot"\n +\}/)
    assert.match(step.out, /shown +rot means ␛\[31mred\n +\[note: ignored language/)
    assert.doesNotMatch(step.out, /step 2|refused/)
    assert.equal(
      raw.out,
      `--- step 1\nlook_up {'word': 'rot', 'language': 'de'}\n--- step 2\nlook_up {}\n--- step 3\nRed.\u001b[2J\n`,
    )
    const events = JSON.parse(`[${lines.out.trimEnd().replaceAll('\n', ',')}]`)
    assert.deepEqual([events[0].event.kind, events.at(-1).event.kind], ['run-start', 'run-end'])
    assert.equal(events.at(-1).sequence, events.length - 1)
    assert.ok(events.every(({ at }: { at: unknown }) => typeof at === 'number'))

    const { all, tools: byTool, ignored } = JSON.parse(counts.out)
    assert.deepEqual(
      [all.calls, all.repaired, all.refused, all.repairs, all.refusals],
      [2, 1, 1, { 'python-literal': 1, 'parameter-ignored': 1 }, { 'parameter-missing': 1 }],
    )
    assert.deepEqual([byTool[0].tool, byTool[0].calls], ['look_up', 2])
    assert.deepEqual(ignored, [{ tool: 'look_up', parameter: 'language', calls: 1, of: 2, models: ['scripted'] }])
    assert.match(statistics.out, /look_up\.language +1 +50 % +scripted/)
    assert.match(statistics.out, /Python literals: still needed, in the last calls of scripted \(50 %\)/)
  })

  test('a run that was killed in the middle of a tool goes on by the beginning of its id, from anywhere', async () => {
    const folder = newFolder()
    await using server = await startTestServer(dying)
    const killed = await callwright(folder, runWords(server.url, '--instructions', 'Be brave.', 'Try.'))
    assert.equal(killed.signal, 'SIGKILL')
    const file = join(folder, '.callwright/ledger.db')
    const [row] = JSON.parse((await callwright(folder, ['runs', '--json', '--state', 'interrupted'])).out)
    assert.equal(row.task, 'Try.')
    const resumed = await callwright(root, ['resume', row.run.slice(0, 6), '--ledger', file])
    assert.deepEqual([resumed.code, resumed.out], [0, 'Survived.\n'])
    assert.equal(readFileSync(join(folder, 'marks.txt'), 'utf8'), `${row.run}\n`)
    assert.equal(server.requests.length, 3)
    assert.match(JSON.stringify(server.requests.at(-1)?.messages[0]), /Be brave\./)
    assert.doesNotMatch(resumed.err, /another setup/)
    // Its answer is given again, and nobody is asked; a message asks.
    const again = await callwright(folder, ['resume', row.run])
    assert.deepEqual([again.code, again.out, server.requests.length], [0, 'Survived.\n', 3])
    const more = await callwright(folder, ['resume', row.run, '--message', 'And now?'])
    assert.deepEqual([more.code, more.out, server.requests.length], [0, 'There is no more.\n', 4])
  })

  test('resume --all goes on with each that was killed, and says how they ended', async () => {
    const folder = newFolder()
    await using server = await startTestServer(dying)
    const file = join(folder, '.callwright/ledger.db')
    const keys = ['one', 'two', 'three']
    const killed = await Promise.all(keys.map((key) => callwright(folder, runWords(server.url, '--key', key, 'Try.'))))
    assert.ok(killed.every(({ signal }) => signal === 'SIGKILL'))
    // One of somebody's own program: nobody knows its tools.
    const ledger = openLedger<RunEvent>(file)
    ledger.take('four')
    ledger.append('four', {
      ...{ kind: 'run-start', taskHash: '', run: 'four', task: 'Own.', mode: 'native', model: 'own', at: 0 },
      setup: { instructions: '', tools: { gone: 'hash' } },
    })
    ledger.release('four')
    ledger.close()
    const all = await callwright(folder, ['resume', '--all'])
    assert.equal(all.code, 1)
    for (const key of keys) assert.match(all.err, new RegExp(`\n {2}${key} +answered +Survived\\.\n`))
    assert.match(all.err, /\n {2}four +not resumed +Run four was not started by callwright run/)
    assert.match(all.err, /3 of 4 runs answered\./)
    const marks = readFileSync(join(folder, 'marks.txt'), 'utf8').trimEnd().split('\n')
    assert.deepEqual(marks.toSorted(), keys.toSorted())
    assert.match(
      (await callwright(folder, ['runs', '--ledger', file, 'prune', '--older-than', '0s'])).out,
      /Removed 4 runs\. 1 of them/,
    )
    const none = await callwright(folder, ['resume', '--all'])
    assert.deepEqual([none.code, none.err], [0, '\n  No run waits to be gone on with.\n'])
  })

  test('a run that somebody works on is followed, not resumed, and not removed', async () => {
    const folder = newFolder()
    await using server = await startTestServer(holding)
    const running = start(folder, runWords(server.url, '--key', 'live', 'Wait.'))
    await until(() => running.said().includes('hold {}'))
    const follower = start(folder, ['show', 'live', '--follow'])
    const [refused, pruned] = await Promise.all([
      callwright(folder, ['resume', 'live']),
      callwright(folder, ['runs', 'prune', '--older-than', '0s']),
      until(() => follower.said().includes('call      hold')),
    ])
    assert.equal(refused.code, 1)
    assert.match(refused.err, new RegExp(`being worked on by process ${running.child.pid}`))
    assert.match(refused.err, /callwright resume live --force/)
    assert.match(pruned.out, /nothing to remove/)
    assert.match(follower.said(), new RegExp(`live {2}running by process ${running.child.pid}`))
    assert.doesNotMatch(follower.said(), /ended/)
    writeFileSync(join(folder, 'go'), '')
    const [first, followed] = await Promise.all([running.finished, follower.finished])
    assert.deepEqual([first.code, first.out, followed.code], [0, 'Held.\n', 0])
    assert.match(followed.out, /gave +hold: held[\s\S]*answer +Held\.[\s\S]*spent +2 steps/)
  })

  test('--force takes a run over, and whoever had it stops; who follows a killed one is told', async () => {
    const folder = newFolder()
    await using server = await startTestServer(holding)
    const running = start(folder, runWords(server.url, '--key', 'live', 'Wait.'))
    await until(() => running.said().includes('hold {}'))
    const taker = start(folder, ['resume', 'live', '--force'])
    await until(() => taker.said().includes('hold {}'))
    writeFileSync(join(folder, 'go'), '')
    const [old, taken] = await Promise.all([running.finished, taker.finished])
    assert.deepEqual([taken.code, taken.out], [0, 'Held.\n'])
    assert.deepEqual([old.code, old.out], [1, ''])
    assert.match(old.err, /taken over by another process/)

    rmSync(join(folder, 'go'))
    const killed = start(folder, runWords(server.url, '--key', 'killed', 'Wait.'))
    await until(() => killed.said().includes('hold {}'))
    const follower = start(folder, ['show', 'killed', '--follow'])
    await until(() => follower.said().includes('call      hold'))
    killed.child.kill('SIGKILL')
    const followed = await follower.finished
    assert.equal(followed.code, 1)
    assert.match(followed.out, /go on +callwright resume killed/)
  })

  test('the same key is the same run; another task with it is a mistake', async () => {
    const folder = newFolder()
    await using server = await startTestServer(['Once.'])
    const words = runWords(server.url, '--key', 'nightly', '--ledger', 'own.db')
    const first = await callwright(folder, [...words, 'Go.'])
    const [second, other] = await Promise.all([
      callwright(folder, [...words, 'Go.']),
      callwright(folder, [...words, 'Do something else.']),
    ])
    assert.deepEqual([first.out, second.code, second.out, server.requests.length], ['Once.\n', 0, 'Once.\n', 1])
    assert.match(first.err, /callwright show nightly --ledger own\.db/)
    assert.equal(other.code, 2)
    assert.match(other.err, /The run nightly has another task: Go\./)
  })

  test('a changed setup is told, and so is a run that is paused or failed', async () => {
    const folder = newFolder()
    await using server = await startTestServer([{ error: { status: 401 } }, 'Now.'])
    const failed = await callwright(folder, runWords(server.url, '--key', 'a', 'Go.'))
    assert.equal(failed.code, 1)
    assert.match(failed.err, /failed: .*\n.*\n?Look at it: +callwright show a\nGo on with it: callwright resume a\n/)
    const others = join(folder, 'others.mjs')
    writeFileSync(
      others,
      `import { tools as all } from ${JSON.stringify(tools)}\nexport const tools = all.filter(({ name }) => name !== 'die')\n`,
    )
    const resumed = await callwright(folder, ['resume', 'a', '--tools', 'others.mjs'])
    assert.deepEqual([resumed.code, resumed.out], [0, 'Now.\n'])
    assert.match(resumed.err, /goes on with another setup: the tool die is gone/)
    assert.match((await callwright(folder, ['show', 'a'])).out, /changed +the tool die is gone/)
  })

  test('a secret of the environment is neither kept nor shown', async () => {
    const folder = newFolder()
    const canary = 'canary-4711-nightingale'
    const variables = { CALLWRIGHT_API_KEY: canary, OTHER_TOKEN: `${canary}-token` }
    const script = byTurn(
      {
        thought: `It is ${canary}.`,
        calls: [{ name: 'look_up', arguments: { word: `${canary}-token`, [canary]: canary } }],
      },
      call('die'),
      `The key is ${canary}.`,
    )
    await using server = await startTestServer(script)
    const words = runWords(server.url, '--key', 'a', '--instructions', `Never say ${canary}.`, `Use ${canary}.`)
    const seen = [await callwright(folder, [...words, '--verbose'], variables)]
    assert.equal(seen[0]?.signal, 'SIGKILL')
    const inside = (name: string): string => readFileSync(join(folder, '.callwright', name), 'latin1')
    const bytes = (): string => readdirSync(join(folder, '.callwright')).map(inside).join('')
    assert.ok(existsSync(join(folder, '.callwright/ledger.db-wal')))
    const kept = [bytes()]
    const broken = join(folder, 'broken.mjs')
    writeFileSync(broken, `throw new Error('no ' + process.env.CALLWRIGHT_API_KEY)\n`)
    const late = join(folder, 'late.mjs')
    writeFileSync(
      late,
      `export { tools } from ${JSON.stringify(tools)}\nsetTimeout(() => { throw new Error('late ' + process.env.OTHER_TOKEN) }, 1)\n`,
    )
    seen.push(await callwright(folder, ['resume', 'a', '--json'], variables))
    kept.push(bytes())
    seen.push(
      ...(await Promise.all([
        callwright(folder, ['show', 'a']),
        callwright(folder, ['show', 'a', '--jsonl']),
        callwright(folder, ['run', '--tools', broken, 'Go.'], variables),
        callwright(folder, ['run', '--tools', late, 'Go.', '--base-url', server.url], variables),
      ])),
    )
    assert.deepEqual(
      seen.map(({ code }) => code),
      [null, 0, 0, 0, 2, 1],
    )
    assert.equal(server.requests[0]?.headers['authorization'], `Bearer ${canary}`)
    assert.match(JSON.stringify(server.requests[0]?.messages), new RegExp(canary))
    assert.match(seen[1]?.out ?? '', /The key is \[redacted by callwright\]/)
    assert.match(seen[4]?.err ?? '', /no \[redacted/)
    assert.match(seen[5]?.err ?? '', /late \[redacted/)
    for (const [index, { out, err }] of seen.entries()) assert.ok(!(out + err).includes('nightingale'), String(index))
    for (const text of kept) {
      assert.ok(text.includes('Never say [redacted'))
      assert.ok(!text.includes('nightingale'))
    }
  })

  test('a ledger that cannot be used is said before anybody is asked; --no-record needs none', async () => {
    const folder = newFolder()
    await using server = await startTestServer(['Here.'])
    writeFileSync(join(folder, '.callwright'), 'in the way')
    writeFileSync(join(folder, 'no.db'), 'This is text and no ledger at all. '.repeat(50))
    const [blocked, wrong, none] = await Promise.all([
      callwright(folder, runWords(server.url, 'Go.')),
      callwright(folder, runWords(server.url, 'Go.'), { CALLWRIGHT_LEDGER: 'no.db' }),
      callwright(folder, ['runs', '--ledger', 'nowhere.db']),
    ])
    assert.deepEqual([blocked.code, wrong.code, none.code, server.requests.length], [1, 1, 1, 0])
    assert.match(blocked.err, /^The folder of the ledger cannot be made.*--no-record\.\n$/s)
    assert.match(wrong.err, /^This is no ledger.*no\.db/)
    assert.match(none.err, /^There is no ledger at .*nowhere\.db: callwright run makes one/)
    const free = await callwright(folder, runWords(server.url, '--no-record', 'Go.'))
    assert.deepEqual([free.code, free.out], [0, 'Here.\n'])
    assert.doesNotMatch(free.err, /callwright show/)
  })

  test('runs, their names and their sizes: what is not there, not unique, not understood', async () => {
    const folder = newFolder()
    const file = join(folder, '.callwright/ledger.db')
    const ledger = openLedger<RunEvent>(file)
    for (const [key, task] of [
      ['night-1', 'a'.repeat(300_000)],
      ['night-2', 'Short.'],
    ] as const) {
      const agent = createAgent({ model: scriptedModel([{ text: 'Yes.' }]), mode: 'native', recorder: ledger })
      await agent.run(task, { key })
    }
    ledger.close()
    const cases: readonly (readonly [words: readonly string[], code: number, said: RegExp])[] = [
      [['show', 'zebra'], 1, /There is no run zebra in .*The last ones are:\n {2}night-/],
      [['show', 'night-2', '--step', '7'], 1, /There is no step 7 in run night-2: its steps are 1 to 1\./],
      [['runs', '--limit', '1'], 0, /night-2.*Short\.\n\n {2}1 of 2 runs, 30\d kB, in .*; --limit 2 shows more/],
      [['runs', 'prune', '--keep-size', '100kB', '--dry-run'], 0, /night-1[^\n]*\n\n {2}This run would be removed/],
    ]
    const shown = await Promise.all(cases.map(([words]) => callwright(folder, words)))
    for (const [index, [words, code, said]] of cases.entries()) {
      const { code: got, out, err } = shown[index] ?? assert.fail()
      assert.equal(got, code, words.join(' '))
      assert.match(out + err, said)
    }
    const pruned = await callwright(folder, ['runs', 'prune', '--keep-size', '100kB'])
    assert.match(pruned.out, /Removed 1 run\. The ledger takes [\d.]+ kB, \d{3} kB less than before/)
    assert.ok(readFileSync(file).length < 100_000)
    assert.doesNotMatch((await callwright(folder, ['runs'])).out, /night-1/)
  })
})
