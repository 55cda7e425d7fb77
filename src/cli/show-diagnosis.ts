import type { LocalServer } from '../models/local-servers.ts'
import type { ListedModel } from '../models/model-list.ts'
import { shownURL } from './base-url.ts'
import { type Finding, tokens } from './context-advice.ts'
import type { Diagnosis } from './doctor.ts'
import { type Paint, visible, widthOf } from './terminal.ts'

const LABEL_WIDTH = 10
const MOST_MODELS = 12

/** What the doctor found, as a person sees it. */
export function showDiagnosis(diagnosis: Diagnosis, paint: Paint, width: number): string[] {
  const { ready, node, config, variables, servers, shell, model, missing, findings } = diagnosis
  const room = width - LABEL_WIDTH
  const lines = [
    ...field(node.enough ? paint.green : paint.red, 'node', [
      node.enough
        ? `${node.version} ${paint.dim(`(${node.needed} or newer is needed)`)}`
        : `${node.version} is too old: install Node ${node.needed} or newer, from https://nodejs.org`,
    ]),
    ...configLines(config, paint, room),
    ...field(
      paint.dim,
      'variables',
      variables.length > 0
        ? [`${listed(variables)} ${variables.length > 1 ? 'are' : 'is'} set`]
        : [paint.dim('none is set')],
    ),
    ...field(
      servers.length > 0 ? paint.green : paint.dim,
      'servers',
      servers.length > 0
        ? servers.flatMap((server) => serverLines(server, paint))
        : [paint.dim('no model server was found on this machine')],
    ),
    ...shellLines(shell, paint, room),
  ]
  if (model) {
    const key = model.keyFrom === undefined ? '' : `, with the key in ${model.keyFrom}`
    const said = [
      `${paint.bold(visible(model.name))} at ${visible(shownURL(model.baseURL))}`,
      paint.dim(reasonOf(model) + key),
    ]
    lines.push(...field(ready ? paint.green : paint.red, 'model', said))
  }
  if (missing !== undefined) lines.push('', ...field(paint.red, 'missing', wrappedLines(missing, room)))
  for (const { kind, message, type = [] } of findings) {
    const typed = type.length > 0 ? ['', ...type.map((line) => `  ${paint.bold(line)}`)] : []
    lines.push('', ...field(paintOf(kind, paint), kind, [...wrappedLines(message, room), ...typed]))
  }
  return [...lines, '', paint.bold(verdictOf(diagnosis))]
}

/** What stands between the commands of an agent and the machine. */
function shellLines({ kind, name, why, type }: Diagnosis['shell'], paint: Paint, room: number): string[] {
  if (kind === 'bubblewrap')
    return field(paint.green, 'shell', [`${name} ${paint.dim('confines the commands of an agent')}`])
  const typed = type.map((line) => `  ${paint.bold(line)}`)
  return field(paint.yellow, 'shell', [...wrappedLines(`run_bash refuses to run: ${why}`, room), ...typed])
}

const paintOf = (kind: Finding['kind'], paint: Paint) => (kind === 'problem' ? paint.red : paint.yellow)

function verdictOf({ ready, node, config, missing, findings }: Diagnosis): string {
  const problems = [
    ...(node.enough ? [] : [node.version]),
    ...config.problems,
    ...(missing === undefined ? [] : [missing]),
    ...findings.filter(({ kind }) => kind === 'problem'),
  ]
  const warnings = findings.length - findings.filter(({ kind }) => kind === 'problem').length
  const also = warnings === 0 ? '' : `, ${count(warnings, 'warning')}`
  return ready ? `A model can be used${also}.` : `No model can be used: ${count(problems.length, 'problem')}${also}.`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

function configLines({ file, problems }: Diagnosis['config'], paint: Paint, room: number): string[] {
  if (problems.length === 0) {
    return field(file ? paint.green : paint.dim, 'file', [
      file ? visible(file) : paint.dim('no callwright.yaml in this folder'),
    ])
  }
  const said = problems.flatMap((problem) => {
    const place = 'line' in problem ? `line ${problem.line}, column ${problem.column}: ` : ''
    return wrappedLines(place + problem.message, room)
  })
  return field(paint.red, 'file', file ? [`${visible(file)} cannot be used:`, ...said] : said)
}

function serverLines({ name, version, url, state, models }: LocalServer, paint: Paint): string[] {
  const head = `${paint.bold(name)}${version ? ` ${visible(version)}` : ''} at ${visible(shownURL(url))}`
  const states = { loading: 'still loading its model: try again in a moment', locked: 'wants a key to list its models' }
  if (models.length === 0) return [head, `  ${paint.dim(state ? states[state] : 'no model')}`]
  const shown = models.slice(0, MOST_MODELS)
  const longest = Math.max(...shown.map((model) => widthOf(visible(model.name))))
  const rows = shown.map((model) => {
    const shownName = visible(model.name)
    return `  ${shownName}${' '.repeat(longest - widthOf(shownName))}  ${paint.dim(factsOf(model))}`.trimEnd()
  })
  const rest = models.length > MOST_MODELS ? [`  ${paint.dim(`… and ${models.length - MOST_MODELS} more`)}`] : []
  return [head, ...rows, ...rest]
}

function factsOf({ context, contextNow, tools }: ListedModel): string {
  const facts: string[] = []
  if (contextNow !== undefined && context !== undefined && context !== contextNow) {
    facts.push(`${contextNow.toLocaleString('en-US')} of ${tokens(context)}`)
  } else if (contextNow !== undefined) facts.push(tokens(contextNow))
  else if (context !== undefined) facts.push(`not loaded, up to ${tokens(context)}`)
  if (tools !== undefined) facts.push(tools ? 'calls tools' : 'does not call tools by itself')
  return facts.join(', ')
}

const sources = {
  flag: 'named by an option',
  file: 'named in the file',
  environment: 'named by a variable',
  'local server': 'found on this machine',
  'only model': 'the only model there',
} as const

function reasonOf({ from, modelFrom }: NonNullable<Diagnosis['model']>): string {
  if (modelFrom === from) return sources[from]
  return modelFrom === 'only model'
    ? `the server is ${sources[from]}, and it is ${sources[modelFrom]}`
    : `the model is ${sources[modelFrom]}, the server ${sources[from]}`
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** The lines of a text, those that are too long broken between words; lines to type stay whole. */
function wrappedLines(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('  ')) return [visible(line)]
    const lines: string[] = []
    let row = ''
    for (const word of visible(line).split(' ')) {
      if (row !== '' && row.length + 1 + word.length > width) {
        lines.push(row)
        row = word
      } else row = row === '' ? word : `${row} ${word}`
    }
    return [...lines, row]
  })
}

/** A label, and lines beside it. */
function field(colour: (text: string) => string, label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) =>
    index === 0 ? colour(label) + ' '.repeat(LABEL_WIDTH - label.length) + line : ' '.repeat(LABEL_WIDTH) + line,
  )
}
