import { type Arm, type Arms, loadArms } from './agent-arms.ts'
import { type Figures, raceAgents, SIDE_ROUNDS, withServer } from './agent-race.ts'
import { CALLS, Sheet, STEPS } from './agent-task.ts'
import type { Bar, Benchmark, Table } from './benchmark.ts'
import { middleHalf, multiple, ratios } from './ratios.ts'
import { figure, median } from './timing.ts'

const RACE = { rounds: 100, runs: 10, warmUp: 30 }

type Measured = ReadonlyMap<Arm, Figures>

/** What the loop itself costs, beside the loop of the AI SDK on the same server. */
export const agents: Benchmark = {
  name: 'agents',
  async measure(say) {
    const sheet = new Sheet()
    return withServer(async (url) => {
      const { streamed, whole } = await loadArms(url, sheet)
      const entrants = [streamed, whole].flatMap((arms) =>
        armsOf(arms).map((arm) => ({ arm, isMain: arm === arms.ours || arm === arms.theirs })),
      )
      say(`${entrants.length} ways to make runs of ${STEPS} steps; ${RACE.rounds} rounds, about a minute`)
      const measured = await raceAgents(entrants, sheet, RACE)
      const faults = entrants.flatMap(({ arm }) => {
        const wrong = measured.get(arm)?.wrong ?? 0
        return wrong > 0 ? [`${arm.program}, ${arm.how}: ${wrong} runs did not do the task`] : []
      })
      return {
        title: 'The cost of the agent’s loop',
        bars: [
          barOf('a step of the agent, replies streamed', streamed, measured),
          barOf('a step of the agent, replies whole', whole, measured),
        ],
        blocks: [
          intro,
          '**replies streamed**',
          tableOf(streamed, measured),
          '**replies whole**',
          tableOf(whole, measured),
          reading,
        ],
        faults,
      }
    })
  },
}

const armsOf = ({ bare, ours, quiet, theirs, usual }: Arms): Arm[] => [
  bare,
  ours,
  ...(quiet ? [quiet] : []),
  theirs,
  usual,
]

type Clock = 'wall' | 'cpu'

const timesOf = (arm: Arm, clock: Clock, measured: Measured): readonly number[] => measured.get(arm)?.[clock] ?? []

const known = (figures: readonly number[]): number[] => figures.filter(Number.isFinite)

/** How much longer one takes than the other, in the rounds that both were in. */
const sharesOf = (arm: Arm, base: Arm, clock: Clock, measured: Measured): number[] =>
  known(ratios(timesOf(arm, clock, measured), timesOf(base, clock, measured)))

function barOf(what: string, { ours, theirs }: Arms, measured: Measured): Bar {
  const wall = median(sharesOf(ours, theirs, 'wall', measured))
  const cpu = median(sharesOf(ours, theirs, 'cpu', measured))
  return {
    what,
    wanted: 'at most 1 × ToolLoopAgent over the same model',
    measured: `${multiple(wall)} × in time, ${multiple(cpu)} × in CPU time`,
    isMet: wall <= 1 && cpu <= 1,
  }
}

function tableOf(arms: Arms, measured: Measured): Table {
  const { bare, theirs, usual } = arms
  return {
    kind: 'table',
    columns: [
      'program',
      'how',
      'runs',
      'time a step, ms',
      'time, × ToolLoopAgent',
      'middle half of the rounds',
      'CPU time a step, ms',
      'CPU time, × ToolLoopAgent',
      'middle half of the rounds',
      'of it the loop’s own, ms',
    ],
    rows: armsOf(arms).map((arm) => {
      const clocked = (['wall', 'cpu'] as const).flatMap((clock) => {
        const shares = sharesOf(arm, theirs, clock, measured)
        const spread = arm === theirs ? '' : middleHalf(shares)
        return [figure(median(known(timesOf(arm, clock, measured)))), multiple(median(shares)), spread]
      })
      const runs = known(timesOf(arm, 'wall', measured)).length * RACE.runs
      const own = arm === bare || arm === usual ? '' : figure(ownCost(arm, bare, measured))
      return [arm.program, arm.how, runs.toLocaleString('en'), ...clocked, own]
    }),
  }
}

/** What a step costs above one that nobody's loop makes. */
function ownCost(arm: Arm, bare: Arm, measured: Measured): number {
  const base = timesOf(bare, 'cpu', measured)
  return median(known(timesOf(arm, 'cpu', measured).map((time, round) => time - (base[round] ?? Number.NaN))))
}

const intro = `Runs of ${STEPS} steps against the scripted server of \`callwright/test\`, which runs in a process of its own on this machine: ${CALLS} calls of a tool that does next to nothing, as native calls of
Chat Completions, and an answer. Every run is checked: the answer, the steps, and how often the tool ran. All agents are given the same tool with the same zod schema and the same instructions. The
bar is for \`ToolLoopAgent\` over the very model object that callwright's agent has, so that nothing but the loops differs.`

const reading = `How to read it: all in one process, in ${RACE.rounds} rounds, beginning with another one each time. A round is ${RACE.runs} runs of each of the two loops over the same model; the others are in every ${SIDE_ROUNDS}th round. Figures are medians of the rounds. Time is that on
the clock, with the server's share in it; CPU time is that of the process with the agents alone. *No agent* asks the model and makes the calls in a bare loop that checks nothing: what is above it is
the loop's own cost. The last row of each table is the AI SDK with the provider that one would usually give it, which brings its own HTTP client.`
