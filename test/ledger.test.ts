/** The ledger: one file that survives processes, disks and mistakes. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  createAgent,
  type Ledger,
  LedgerError,
  type LedgerFault,
  openLedger,
  type RunEvent,
  sqliteStore,
  tool,
} from '../src/index.ts'
import { migrations } from '../src/ledger/schema.ts'
import { scriptedModel, storeChecks } from '../src/test/index.ts'
import { answer, call, toolbox } from './agent-fixtures.ts'
import { effects, linesOf, sent, workOn } from './crash-task.ts'

const folder = mkdtempSync(join(tmpdir(), 'callwright-ledger-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const newFile = (): string => join(folder, `${files++}`, 'ledger.db')
const program = fileURLToPath(new URL('crash-task.ts', import.meta.url))
const mode = 'json'

describe('what every store must do: SQLite', () => {
  for (const { name, check } of storeChecks) {
    test(name, () => {
      const file = newFile()
      check(sqliteStore(file), () => sqliteStore(file))
    })
  }
})

describe('a file that cannot be used is said, with what to do', () => {
  const fails = (fault: LedgerFault, remedy: RegExp) => (error: unknown) =>
    LedgerError.isInstance(error) && error.fault === fault && remedy.test(error.message)

  test('one of a newer version', () => {
    const file = newFile()
    sqliteStore(file).close()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 99')
    database.close()
    assert.throws(() => sqliteStore(file), fails('newer', /written by a newer version \(99\).*Use the version/))
  })

  test('a database of somebody else', () => {
    const file = newFile()
    sqliteStore(file).close()
    const other = join(folder, 'other.db')
    const database = new DatabaseSync(other)
    database.exec('CREATE TABLE mine (x)')
    database.close()
    assert.throws(() => sqliteStore(other), fails('damaged', /This is no ledger.*Move the file away/))
  })

  test('a text', () => {
    const file = join(folder, 'text.db')
    writeFileSync(file, 'These are my notes, and no database at all.'.repeat(40))
    assert.throws(() => sqliteStore(file), fails('damaged', /no ledger/))
    assert.match(readFileSync(file, 'utf8'), /^These are my notes/)
  })

  test('one that was damaged', async () => {
    const file = newFile()
    const ledger = openLedger<RunEvent>(file)
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      await createAgent({ model: scriptedModel(['Done. '.repeat(400)]), recorder: ledger }).run('Do it.', { key })
    }
    ledger.close()
    const bytes = readFileSync(file)
    bytes.fill(0xff, 4_096, bytes.length)
    writeFileSync(file, bytes)
    assert.throws(
      () => {
        const store = sqliteStore(file)
        for (const { run } of store.list()) store.load(run)
      },
      fails('damaged', /damaged/),
    )
    truncateSync(file, 100)
    assert.throws(() => sqliteStore(file), fails('damaged', /./))
  })

  test('one on a network file system', () => {
    assert.throws(
      () => sqliteStore(newFile(), { fileSystemOf: () => 0x6969 }),
      fails('network', /Put the ledger on a local disk/),
    )
  })

  test('one that is not there, to look at', () => {
    assert.throws(() => sqliteStore(newFile(), { readOnly: true }), fails('unreachable', /There is no ledger/))
  })

  test('a folder where the file should be', () => {
    assert.throws(() => sqliteStore(folder), fails('unreachable', /Check the path/))
  })

  test('one that may not be written', { skip: process.platform === 'win32' && 'has other rights' }, async () => {
    const file = newFile()
    sqliteStore(file).close()
    const script = `import { sqliteStore } from ${JSON.stringify(new URL('../src/ledger/index.ts', import.meta.url).href)}
      try { sqliteStore(${JSON.stringify(file)}).take('r', 'x') } catch (error) { console.log(error.fault) }`
    chmodSync(file, 0o444)
    chmodSync(join(file, '..'), 0o555)
    chmodSync(folder, 0o755)
    // To root nothing is read-only: the program runs as nobody then.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { ...nobody, cwd: folder })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    await new Promise((resolve) => child.on('close', resolve))
    assert.equal(output.trim(), 'read-only')
    chmodSync(join(file, '..'), 0o755)
  })

  test('a full disk stops the run before the next effect, and nothing that was there is lost', async () => {
    const file = newFile()
    const ledger = openLedger<RunEvent>(file, { store: sqliteStore(file, { mostPages: 40 }) })
    const { tools, ran } = toolbox()
    const long = (index: number): string =>
      JSON.stringify({ tool: 'write_file', arguments: { path: String(index), content: 'x'.repeat(3_000) } })
    const model = scriptedModel((_, index) => long(index))
    const result = await createAgent({ model, tools, mode, recorder: ledger, limits: { steps: 50 } }).run('Fill it.', {
      key: 'r',
    })
    assert.equal(result.kind, 'failed')
    assert.match(result.message, /The disk of the ledger is full.*Free some space, then resume the run/)
    ledger.close()
    const again = openLedger<RunEvent>(file)
    const events = again.load('r') ?? []
    assert.equal(events.filter(({ kind }) => kind === 'tool-start').length, ran.length)
    assert.ok(ran.length > 1)
    const answered = await createAgent({
      model: scriptedModel([answer(mode, 'Enough.')]),
      tools,
      mode,
      recorder: again,
      limits: { steps: 50 },
    }).resume('r')
    assert.equal(answered.answer, 'Enough.')
    again.close()
  })
})

test('a file of the first version is brought up to date, with all that is in it', () => {
  const file = newFile()
  sqliteStore(file).close()
  rmSync(file)
  const database = new DatabaseSync(file)
  database.exec(migrations[0] ?? '')
  database.exec(`PRAGMA user_version = 1; PRAGMA application_id = ${0x43574c47}`)
  database.exec(`INSERT INTO runs (run, created_at, updated_at, task) VALUES ('old', 1, 2, 'Do it.')`)
  database.exec(`INSERT INTO events (run, sequence, epoch, at, kind, body) VALUES ('old', 0, 1, 3, 'k', '{}')`)
  database.close()
  const store = sqliteStore(file)
  assert.deepEqual(store.load('old'), [{ sequence: 0, at: 3, kind: 'k', body: '{}' }])
  assert.deepEqual([store.list()[0]?.task, store.list()[0]?.settings], ['Do it.', undefined])
  store.close()
})

describe('runs', () => {
  const agentOn = (ledger: Ledger<RunEvent>, script: readonly string[], options = {}) =>
    createAgent({ model: scriptedModel(script), tools: toolbox().tools, mode, recorder: ledger, ...options })

  test('the model replied, and the process is another: nobody is asked again', async () => {
    const file = newFile()
    const first = openLedger<RunEvent>(file)
    const done = await agentOn(first, [String(call(mode, 'search', { query: 'a' })), '{"answer": "Found."}']).run(
      'Look.',
      { key: 'r' },
    )
    first.close()
    const second = openLedger<RunEvent>(file)
    const again = await agentOn(second, []).run('Look.', { key: 'r' })
    assert.deepEqual([again.answer, again.steps, again.kind], [done.answer, 2, 'answered'])
    second.close()
  })

  test('approval that was given is kept across a restart, and one that was not is asked for again', async () => {
    const file = newFile()
    const paid: number[] = []
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
      needsApproval: true,
      run: ({ amount }) => void paid.push(amount),
    })
    const script = [call(mode, 'pay', { amount: 1 }), call(mode, 'pay', { amount: 2 }), answer(mode, 'Paid.')].map(
      String,
    )
    const first = openLedger<RunEvent>(file)
    const answers = ['always', 'no'] as const
    const before = await agentOn(first, script.slice(0, 1), { tools: [pay], approve: () => 'later' }).run('Pay.', {
      key: 'r',
    })
    assert.deepEqual([before.kind, paid], ['paused', []])
    first.close()
    const second = openLedger<RunEvent>(file)
    let asked = 0
    const after = await agentOn(second, script.slice(1), {
      tools: [pay],
      approve: () => answers[asked++] ?? 'no',
    }).resume('r')
    assert.deepEqual([after.answer, paid, asked], ['Paid.', [1, 2], 1])
    const hashes = second.load('r')?.flatMap((event) => (event.kind === 'approval-answer' ? [event.hash] : []))
    assert.deepEqual(
      hashes?.map((hash) => hash.length),
      [64, 64],
    )
    second.close()
  })

  test('a changed tool and changed instructions are said on resume', async () => {
    const file = newFile()
    const first = openLedger<RunEvent>(file)
    await agentOn(first, [], { stopWhen: () => 'now' }).run('Look.', { key: 'r' })
    first.close()
    const second = openLedger<RunEvent>(file)
    const { tools } = toolbox()
    await agentOn(second, ['{"answer": "Found."}'], { tools: tools.slice(1), instructions: 'Be terse.' }).resume('r')
    const change = second.load('r')?.find((event) => event.kind === 'setup-change')
    assert.deepEqual(change?.kind === 'setup-change' && change.changes, [
      'the instructions have changed',
      'the tool search is gone',
    ])
    second.close()
  })

  test('a verify that hangs or throws leaves the outcome unknown', async () => {
    for (const verify of [() => new Promise<never>(() => undefined), () => Promise.reject(new Error('no'))]) {
      const file = newFile()
      const stop = new AbortController()
      const ran: unknown[] = []
      const put = tool({
        name: 'put',
        description: 'Puts.',
        input: { type: 'object' },
        kind: 'verifiable',
        timeout: 30,
        verify,
        run: () => void ran.push(1),
      })
      const first = openLedger<RunEvent>(file)
      const onEvent = ({ kind }: RunEvent): void => void (kind === 'tool-start' && stop.abort())
      await agentOn(first, [String(call(mode, 'put'))], { tools: [put] }).run('Put.', {
        key: 'r',
        signal: stop.signal,
        onEvent,
      })
      first.close()
      const second = openLedger<RunEvent>(file)
      const result = await agentOn(second, [String(answer(mode, 'Unknown.'))], { tools: [put] }).resume('r')
      assert.deepEqual([result.answer, ran], ['Unknown.', []])
      second.close()
    }
  })

  test('a run in the mode auto that was stopped before the model was asked finds out on resume', async () => {
    const file = newFile()
    const first = openLedger<RunEvent>(file)
    const down = scriptedModel([{ error: { status: 401 } }])
    const { tools } = toolbox()
    const failed = await createAgent({ model: down, tools, recorder: first }).run('Look.', { key: 'r' })
    assert.equal(failed.kind, 'failed')
    first.close()
    const second = openLedger<RunEvent>(file)
    const none = { error: { status: 400, body: { error: { message: 'does not support tools' } } } }
    const model = scriptedModel([none, 'no schema either', '{"answer": "Found."}'])
    const result = await createAgent({ model, tools, recorder: second }).resume('r')
    assert.deepEqual([result.mode, result.answer], ['json', 'Found.'])
    second.close()
  })

  test('budgets do not reset', async () => {
    const file = newFile()
    const usage = { input: 50, output: 50 }
    const first = openLedger<RunEvent>(file)
    const model = scriptedModel([
      { text: String(call(mode, 'now')), usage },
      { text: String(call(mode, 'now')), usage },
    ])
    const { tools } = toolbox()
    const before = await createAgent({ model, tools, mode, recorder: first, limits: { tokens: 150 } }).run('Go.', {
      key: 'r',
    })
    assert.equal(before.kind, 'out-of-budget')
    first.close()
    const second = openLedger<RunEvent>(file)
    const after = await agentOn(second, ['{"answer": "x"}'], { limits: { tokens: 150 } }).resume('r')
    assert.deepEqual([after.kind, after.usage], ['out-of-budget', { input: 100, output: 100 }])
    second.close()
  })

  test('with unknownOutcome: pause, a call that was begun and never heard of pauses the run', async () => {
    const file = newFile()
    const first = openLedger<RunEvent>(file)
    const { tools, ran } = toolbox()
    const stop = new AbortController()
    const onEvent = ({ kind }: RunEvent): void => void (kind === 'tool-start' && stop.abort())
    const agent = agentOn(first, [String(call(mode, 'write_file', { path: 'a', content: 'b' }))], { tools })
    await agent.run('Write.', { key: 'r', signal: stop.signal, onEvent })
    first.close()
    const second = openLedger<RunEvent>(file)
    const paused = await agentOn(second, [], { tools, unknownOutcome: 'pause' }).resume('r')
    assert.deepEqual([paused.kind, ran], ['paused', []])
    const told = scriptedModel([answer(mode, 'I looked.')])
    const after = await createAgent({ model: told, tools, mode, recorder: second }).resume('r')
    assert.equal(after.answer, 'I looked.')
    assert.match(JSON.stringify(told.requests[0]?.prompt), /Look whether it was done before you call write_file again/)
    second.close()
  })
})

describe('secrets', () => {
  for (const kind of ['pure', 'idempotent', 'verifiable'] as const) {
    test(`a ${kind} call that was cut off is not run again with what stands in the place of its secret`, async () => {
      const file = newFile()
      const seen: unknown[] = []
      const stop = new AbortController()
      const login = tool({
        name: 'login',
        description: 'Logs in.',
        input: { type: 'object', properties: { password: { type: 'string' } }, required: ['password'] },
        kind,
        verify: (input) => {
          seen.push(input)
          return 'not-done'
        },
        run: (input) => void seen.push(input),
      })
      const first = openLedger<RunEvent>(file, { secrets: [canary] })
      const onEvent = ({ kind }: RunEvent): void => void (kind === 'tool-start' && stop.abort())
      const script = [call(mode, 'login', { password: canary })]
      const options = { tools: [login], mode } as const
      const model = scriptedModel(script)
      await createAgent({ ...options, model, recorder: first }).run('Log in.', {
        key: 'r',
        signal: stop.signal,
        onEvent,
      })
      first.close()
      const second = openLedger<RunEvent>(file, { secrets: [canary] })
      const again = createAgent({ ...options, model: scriptedModel([answer(mode, 'Not done.')]), recorder: second })
      assert.deepEqual([(await again.resume('r')).answer, seen], ['Not done.', []])
      second.close()
    })
  }

  test('a record stays JSON whatever is taken out of it, and its task its own', async () => {
    const file = newFile()
    const key = 'pa"ss\\word99'
    const ledger = openLedger<RunEvent>(file, { secrets: [key] })
    const { tools } = toolbox()
    const odd = { path: 'a', content: JSON.stringify({ cookie: null, authorization: 12_345, key }) }
    const model = scriptedModel([call(mode, 'write_file', odd), answer(mode, 'Done.')])
    const agent = createAgent({ model, tools, mode, recorder: ledger })
    await agent.run(`Use ${key}.`, { key: 'r' })
    assert.equal((await agent.run(`Use ${key}.`, { key: 'r' })).answer, 'Done.')
    assert.ok(!JSON.stringify(ledger.load('r')).includes('word99'))
    ledger.close()
  })

  const canary = 'canary-7f3a9b2c-very-secret'
  const shapes = ['sk-proj-abcdefghijklmnop1234', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'AKIAABCDEFGHIJKLMNOP']

  test('neither what was named nor what looks like one is in the file, and a call that held one is not run from it', async () => {
    const file = newFile()
    const ledger = openLedger<RunEvent>(file, { secrets: [canary] })
    const { tools, ran } = toolbox()
    const written = call(mode, 'write_file', {
      path: 'env',
      content: `KEY=${canary}\nAuthorization: Bearer abc.def.ghi-jkl`,
    })
    const model = scriptedModel([
      call(mode, 'search', { query: shapes.join(' ') }),
      { text: String(written), thought: `the key is ${canary}` },
    ])
    const agent = createAgent({ model, tools, mode, recorder: ledger, limits: { steps: 2 }, retries: 0 })
    const stop = new AbortController()
    let starts = 0
    const onEvent = ({ kind }: RunEvent): void => void (kind === 'tool-start' && ++starts === 2 && stop.abort())
    const result = await agent.run(`Use ${canary}.`, { key: 'r', signal: stop.signal, onEvent })
    assert.equal(result.kind, 'aborted')
    ledger.close()
    const bytes = readdirSync(join(file, '..')).map((name) => readFileSync(join(file, '..', name), 'latin1'))
    for (const secret of [canary, ...shapes, 'abc.def.ghi'])
      assert.ok(
        bytes.every((text) => !text.includes(secret)),
        secret,
      )
    const again = openLedger<RunEvent>(file, { secrets: [canary] })
    const after = createAgent({ model: scriptedModel([answer(mode, 'Not written.')]), tools, mode, recorder: again })
    assert.equal((await after.resume('r')).answer, 'Not written.')
    assert.deepEqual(
      ran.map(([name]) => name),
      ['search'],
    )
    again.close()
  })
})

/** Starts the task of the crash tests in a process of its own. */
function started(words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  const waiting: { readonly text: string; readonly resolve: () => void }[] = []
  child.stdout.on('data', (chunk) => {
    output += chunk
    for (const { text, resolve } of waiting) if (output.includes(text)) resolve()
  })
  const closed = new Promise<string>((resolve) => child.on('close', () => resolve(output)))
  const says = (text: string) => new Promise<void>((resolve) => waiting.push({ text, resolve }))
  return { child, closed, says }
}

const done = (place: string): string[] => linesOf(join(place, 'effects.txt')).sort()

describe('several processes', { skip: process.platform === 'win32' && 'needs signals' }, () => {
  test('a process that was stopped, and whose run was taken over, can do nothing more when it wakes up', async () => {
    const place = mkdtempSync(join(folder, 'zombie-'))
    const { child, closed, says } = started([place, 'r', 'before tool-end'])
    await says('waiting')
    child.kill('SIGSTOP')
    await assert.rejects(
      workOn({ folder: place, run: 'r', point: () => undefined }),
      /is being worked on by process \d+/,
    )
    const result = await workOn({ folder: place, run: 'r', point: () => undefined, force: true })
    assert.equal(result.answer, 'All done.')
    const before = done(place)
    writeFileSync(join(place, 'go'), '')
    child.kill('SIGCONT')
    assert.match(await closed, /failed after \d+ points: Run r was taken over by another process/)
    assert.deepEqual(done(place), before)
    assert.deepEqual(before, effects.map((effect) => `r ${effect}`).sort())
  })

  test('the same key in two processes at once is one run', async () => {
    const place = mkdtempSync(join(folder, 'twice-'))
    const first = started([place, 'r', 'before tool-start'])
    await first.says('waiting')
    const second = started([place, 'r', '-1'])
    assert.match(await second.closed, /refused .* is being worked on by process/)
    writeFileSync(join(place, 'go'), '')
    assert.match(await first.closed, /answered/)
    assert.deepEqual(done(place), effects.map((effect) => `r ${effect}`).sort())
  })

  test('a hundred runs that are killed together all go on', async (t) => {
    const place = mkdtempSync(join(folder, 'many-'))
    const { closed, child } = started([place, 'r', '3000', '100'])
    await closed
    assert.equal(child.signalCode, 'SIGKILL')
    const interrupted = 100 - openEnded(place)
    assert.ok(interrupted > 10, `${interrupted} were interrupted`)
    for (let index = 0; index < 100; index++) {
      const result = await workOn({ folder: place, run: `r-${index}`, point: () => undefined })
      assert.equal(result.answer, 'All done.')
    }
    const wanted = Array.from({ length: 100 }, (_, index) => effects.map((effect) => `r-${index} ${effect}`)).flat()
    assert.deepEqual(done(place), wanted.sort())
    assert.equal(new Set(linesOf(join(place, 'keys.txt'))).size, 100 * sent.length)
    t.diagnostic(`${interrupted} of 100 runs were interrupted; ${wanted.length} effects, each once`)
  })

  const openEnded = (place: string): number => {
    const ledger = openLedger<RunEvent>(join(place, 'ledger.db'), { readOnly: true })
    const ended = ledger.list().filter(({ end }) => end !== undefined).length
    ledger.close()
    return ended
  }
})
