import { isDeepStrictEqual } from 'node:util'
import { type Schema, Validator } from '@cfworker/json-schema'
import { fit, readArguments } from '../src/index.ts'
import type { JsonSchema, JsonValue } from '../src/types.ts'
import type { Bar, Benchmark, Block, Table } from './benchmark.ts'
import {
  brokenCall,
  brokenRepairs,
  type ListCase,
  listCases,
  listSchema,
  patternSchema,
  tool,
  validCall,
} from './fit-inputs.ts'
import { load, versionIn, versionOf } from './peers.ts'
import { type BarPanel, barPlot, type Fill } from './plot.ts'
import { middleHalf, multiple, ratios, slope } from './ratios.ts'
import { figure, median, race } from './timing.ts'

const RACE = { rounds: 21, sample: 40, budget: 18_000 }
/** The longest list takes seconds. */
const GROWTH = { rounds: 5, sample: 40, budget: 0 }
/** One run of a contender is so many calls, so that the clock costs nothing beside them. */
const CALLS = 50
const SIZES = [100, 1_000, 10_000, 100_000]
const MOST_FOR_VALID = 1.3
const MOST_GROWTH = 1.1

const validatorName = '@cfworker/json-schema'

/** One program at one task. */
interface Entry {
  readonly name: string
  readonly version: string
  readonly fill: Fill
  /** What became of the call, in words. */
  readonly outcome: string
  readonly run: () => unknown
}

interface Task {
  readonly title: string
  /** What the times of this task are measured by, and its name in the head of the table. */
  readonly base: Entry
  readonly unit: string
  /** What a validator says that is right. */
  readonly verdict: Verdict
  readonly entries: readonly Entry[]
}

type Verdict = 'accepts' | 'refuses'

type Times = ReadonlyMap<Entry, readonly number[]>

/** What the schema layer costs: beside the validator that it builds on, and as lists grow. */
export const fitting: Benchmark = {
  name: 'fit',
  async measure(say) {
    const tasks = await makeTasks()
    const entries = tasks.flatMap((task) => task.entries)
    say(`${tasks.length} tasks, ${entries.length} entries; up to ${RACE.rounds} rounds`)
    const times = raced(entries)
    const grown = listCases.map((one) => {
      say(`${one.name}: lists of up to ${SIZES.at(-1)?.toLocaleString('en')} items; ${GROWTH.rounds} rounds`)
      return growthOf(one)
    })

    const [valid] = tasks
    const ours = valid?.entries[0]
    const ratio = valid && ours ? median(ratiosOf(ours, valid.base, times)) : Number.NaN
    return {
      title: 'Fitting to a schema',
      bars: [
        {
          what: 'fit of a valid call, 20 parameters',
          wanted: `at most ${figure(MOST_FOR_VALID)} × the validator`,
          measured: `${figure(ratio)} × the validator`,
          isMet: ratio <= MOST_FOR_VALID,
        },
        ...grown.map(
          ({ one, exponent }): Bar => ({
            what: `growth of fit, ${one.name}`,
            wanted: `exponent at most ${figure(MOST_GROWTH)}`,
            measured: `exponent ${figure(exponent)}`,
            isMet: exponent <= MOST_GROWTH,
          }),
        ),
      ],
      blocks: [
        intro,
        {
          kind: 'plot',
          file: 'benchmark-fit.svg',
          says: 'Time of callwright beside two validators for a valid call, a broken call, and the text of a valid call. The tables below have the same figures.',
          svg: barPlot(
            'Fitting a call to a schema of 20 parameters',
            'time as a multiple of the plain validator, median of the rounds; shorter is faster; each panel has its own scale',
            tasks.map((task) => panelOf(task, times)),
          ),
        },
        ...tasks.flatMap((task): Block[] => [`**${task.title}**`, tableOf(task, times)]),
        reading,
        ...grown.flatMap(({ one, table }): Block[] => [`**broken lists: ${one.name}**`, table]),
        growthReading,
      ],
      faults: [...faults(tasks), ...grown.flatMap((one) => one.faults)],
    }
  },
}

async function makeTasks(): Promise<Task[]> {
  const accepts = { plain: validatorFor(tool.input), patterns: validatorFor(patternSchema) }
  const ajvAccepts = { plain: await ajvFor(tool.input), patterns: await ajvFor(patternSchema) }
  const text = JSON.stringify(validCall)

  const version = await versionIn('../package.json')
  const [validatorVersion, ajvVersion] = [await versionOf(validatorName, '../node_modules'), await versionOf('ajv')]
  const ours = (outcome: string, run: () => unknown): Entry => ({
    name: 'callwright',
    version,
    fill: 'ours',
    outcome,
    run,
  })
  const judged = (run: () => boolean): { outcome: Verdict; run: () => boolean } => ({
    outcome: run() ? 'accepts' : 'refuses',
    run,
  })
  const validator = (run: () => boolean): Entry => ({
    name: validatorName,
    version: validatorVersion,
    fill: 'strict',
    ...judged(run),
  })
  const ajv = (run: () => boolean): Entry => ({ name: 'ajv', version: ajvVersion, fill: 'peer', ...judged(run) })
  const parsing = (entry: Entry): Entry => ({ ...entry, name: `JSON.parse + ${entry.name}` })

  const plain = validator(() => accepts.plain(validCall))
  const withPatterns = validator(() => accepts.patterns(validCall))
  const parsed = parsing(validator(() => accepts.plain(JSON.parse(text))))
  return [
    {
      title: 'a valid call',
      base: plain,
      unit: 'the validator',
      verdict: 'accepts',
      entries: [
        ours(validOutcome(tool.input), () => fit(validCall, tool.input)),
        plain,
        ajv(() => ajvAccepts.plain(validCall)),
      ],
    },
    {
      title: 'a valid call, two texts with a pattern',
      base: withPatterns,
      unit: 'the validator',
      verdict: 'accepts',
      entries: [
        ours(validOutcome(patternSchema), () => fit(validCall, patternSchema)),
        withPatterns,
        ajv(() => ajvAccepts.patterns(validCall)),
      ],
    },
    {
      title: 'the call broken in five ways',
      base: plain,
      unit: 'the validator on the valid call',
      verdict: 'refuses',
      entries: [
        ours(brokenOutcome(), () => fit(brokenCall, tool.input)),
        validator(() => accepts.plain(brokenCall)),
        ajv(() => ajvAccepts.plain(brokenCall)),
      ],
    },
    {
      title: 'the text of the valid call',
      base: parsed,
      unit: 'JSON.parse and the validator',
      verdict: 'accepts',
      entries: [
        ours(textOutcome(text), () => readArguments(text, tool)),
        parsed,
        parsing(ajv(() => ajvAccepts.plain(JSON.parse(text)))),
      ],
    },
  ]
}

async function ajvFor(schema: JsonSchema): Promise<(value: unknown) => boolean> {
  const { Ajv2020 } = await load('ajv/dist/2020.js')
  return new Ajv2020({ allowUnionTypes: true }).compile(schema)
}

/** The plain validator, made once. It writes into the schema that it is given. */
function validatorFor(schema: JsonSchema): (value: JsonValue) => boolean {
  const validator = new Validator(structuredClone(schema) as Schema, '2020-12')
  return (value) => validator.validate(value).valid
}

function validOutcome(schema: JsonSchema): string {
  const { value, repairs, problems } = fit(validCall, schema)
  return value === validCall && repairs.length + problems.length === 0 ? 'right: untouched' : WRONG
}

function brokenOutcome(): string {
  const { value, repairs, problems } = fit(brokenCall, tool.input)
  const codes = repairs.map(({ code }) => code).sort()
  const isRight = problems.length === 0 && isDeepStrictEqual(value, validCall)
  return isRight && isDeepStrictEqual(codes, brokenRepairs) ? 'right: the valid call, five repairs named' : WRONG
}

function textOutcome(text: string): string {
  const { calls, refused } = readArguments(text, tool)
  const [call] = calls
  const isRight = calls.length === 1 && refused.length === 0 && isDeepStrictEqual(call?.arguments, validCall)
  return isRight && call?.repairs.length === 0 ? 'right' : WRONG
}

const WRONG = '**wrong**'

/** What would make the figures worthless: a wrong value, or validators that judge otherwise than expected. */
const faults = (tasks: readonly Task[]): string[] =>
  tasks.flatMap(({ title, verdict, entries }) =>
    entries
      .filter(({ fill, outcome }) => (fill === 'ours' ? outcome === WRONG : outcome !== verdict))
      .map(({ name, outcome }) => `${name} on ${title}: ${outcome}`),
  )

/** All tasks run in one race, so that each round has all of them. */
function raced(entries: readonly Entry[]): Times {
  const names = new Map(entries.map((entry, index) => [entry, `${index} ${entry.name}`]))
  const times = race(
    entries.map((entry) => ({ name: names.get(entry) ?? '', run: () => repeated(entry.run) })),
    RACE,
  )
  return new Map(entries.map((entry) => [entry, times.get(names.get(entry) ?? '') ?? []]))
}

function repeated(run: () => unknown): unknown {
  let result: unknown
  for (let call = 0; call < CALLS; call++) result = run()
  return result
}

const ratiosOf = (entry: Entry, base: Entry, times: Times): number[] =>
  ratios(times.get(entry) ?? [], times.get(base) ?? [])

function tableOf({ base, unit, entries }: Task, times: Times): Table {
  return {
    kind: 'table',
    columns: ['program', `time, × ${unit}`, 'middle half of the rounds', 'outcome'],
    rows: entries.map((entry) => {
      const found = ratiosOf(entry, base, times)
      const spread = entry === base ? '' : middleHalf(found)
      return [`${entry.name} ${entry.version}`, multiple(median(found)), spread, entry.outcome]
    }),
  }
}

function panelOf({ title, base, unit, entries }: Task, times: Times): BarPanel {
  const rows = entries.map((entry) => {
    const value = median(ratiosOf(entry, base, times))
    const refuses = entry.outcome === 'refuses' ? ', refuses' : ''
    const label = entry.name.replace(validatorName, 'cfworker')
    return { label, fill: entry.fill, value, says: `${multiple(value)} ×${refuses}` }
  })
  const isBar = title === 'a valid call'
  const goal = isBar ? { goal: { value: MOST_FOR_VALID, says: `${MOST_FOR_VALID} × ${unit}` } } : {}
  return { title: `${title} (1 = ${unit})`, rows, ...goal }
}

interface Growth {
  readonly one: ListCase
  readonly exponent: number
  readonly table: Table
  readonly faults: readonly string[]
}

function growthOf(one: ListCase): Growth {
  const validate = validatorFor(listSchema)
  const lists = SIZES.map((size) => ({ size, right: one.right(size), broken: one.broken(size) }))
  const times = race(
    lists.flatMap(({ size, right, broken }) => [
      { name: `fit ${size}`, run: () => fit(broken, listSchema) },
      { name: `validator ${size}`, run: () => validate(right) },
    ]),
    GROWTH,
  )
  const fits = SIZES.map((size) => times.get(`fit ${size}`) ?? [])
  const [shortest = []] = fits
  const exponents = shortest.map((_, round) =>
    slope(SIZES.map((size, index) => [Math.log(size), Math.log(fits[index]?.[round] ?? Number.NaN)])),
  )
  return {
    one,
    exponent: median(exponents),
    table: {
      kind: 'table',
      columns: ['items', `time an item, × that of ${SIZES[0]}`, 'time, × the validator on the right list', 'exponent'],
      rows: SIZES.map((size, index) => {
        const here = fits[index] ?? []
        const before = fits[index - 1]
        const factor = size / (SIZES[index - 1] ?? size)
        return [
          size.toLocaleString('en'),
          figure((median(ratios(here, shortest)) * (SIZES[0] ?? size)) / size),
          figure(median(ratios(here, times.get(`validator ${size}`) ?? []))),
          before ? figure(Math.log(median(ratios(here, before))) / Math.log(factor)) : '',
        ]
      }),
    },
    faults: lists
      .filter(({ right, broken }) => {
        const { value, problems } = fit(broken, listSchema)
        return problems.length > 0 || !isDeepStrictEqual(value, right)
      })
      .map(({ size }) => `callwright fitted a wrong value, ${one.name}, ${size} items`),
  }
}

const intro = `One tool with 20 parameters, six of them required (texts, integers, enums, a nested object, lists of texts, integers and objects), and a call with 16 of
them, ${JSON.stringify(validCall).length} characters as JSON: [bench/fit-inputs.ts](../bench/fit-inputs.ts). The five faults of the broken call: a text for a number, \`desc\` for the required
\`description\`, a key that the tool does not have, the nested object as JSON text, and one item where a list is wanted. "The validator" is ${validatorName}, made once and
called with the value, as callwright's main entry uses it inside. ajv, which compiles a schema to code by \`new Function\`, is a yardstick.`

const reading = `How to read it: times are multiples of the unit in the head of each table and are the median of the ratios in up to ${RACE.rounds} rounds; each round runs all
entries of the four tables, beginning with another one each time. *refuses* is all that a validator can do with the broken call, and it stops at the first fault.
Patterns cost callwright more than the others: it has them matched by re2js, in time that grows with the text alone, and hands them to the validator as rules
of their own.`

const growthReading = `Lists of objects with three keys. The last column is the exponent of the growth from the row before: 1 is linear, 2 is quadratic. The bar takes the
slope through all four sizes, the median of ${GROWTH.rounds} rounds.`
