import { mkdir, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, platform } from 'node:os'
import type { Bar, Block, Section, Table } from './benchmark.ts'
import { markdownTable, terminalTable } from './tables.ts'

const docs = new URL('../docs/', import.meta.url)

/** Writes docs/benchmarks.md and its pictures. */
export async function writeReport(sections: readonly Section[]): Promise<void> {
  await mkdir(new URL('images/', docs), { recursive: true })
  for (const plot of sections.flatMap(({ blocks }) => blocks)) {
    if (typeof plot === 'object' && plot.kind === 'plot') {
      await writeFile(new URL(`images/${plot.file}`, docs), plot.svg)
    }
  }
  await writeFile(new URL('benchmarks.md', docs), reportText(sections))
}

function reportText(sections: readonly Section[]): string {
  const bars = sections.flatMap((section) => section.bars)
  const chapters = sections.map(({ title, blocks }) => `## ${title}\n\n${blocks.map(markdown).join('\n\n')}`)
  const text = [
    '# Benchmarks',
    `\`npm run bench\` measures what this page shows and writes it anew, pictures included. It takes about five minutes. The last run was on
Node ${process.versions.node} (V8 ${process.versions.v8}), ${platform()} ${arch()}, ${availableParallelism()} processors. Compare ratios, not figures: another machine has other figures, and another
run on the same machine differs by some per cent.`,
    '## The bars',
    'What callwright means to hold, each as a ratio within one run. No test fails over a time; this table says where we stand.',
    markdownTable(barsTable(bars)),
    ...chapters,
    '## Limits of these figures',
    limits,
  ]
  return `${text.join('\n\n')}\n`
}

function markdown(block: Block): string {
  if (typeof block === 'string') return block
  return block.kind === 'table' ? markdownTable(block) : `![${block.says}](images/${block.file})`
}

/** Shows on the terminal what the report will hold: the tables that are not folded, the bars, and what is wrong. */
export function printSections(sections: readonly Section[]): void {
  for (const { title, blocks, faults } of sections) {
    console.log(`\n${title}`)
    for (const block of blocks) {
      if (typeof block === 'string') {
        if (block.startsWith('**')) console.log(`\n  ${block.replaceAll('**', '')}`)
      } else if (block.kind === 'table' && block.folded === undefined) console.log(terminalTable(block))
    }
    for (const fault of faults) console.log(`  WRONG: ${fault}`)
  }
  const bars = sections.flatMap((section) => section.bars)
  if (bars.length > 0) console.log(`\nThe bars\n${terminalTable(barsTable(bars))}`)
}

const barsTable = (bars: readonly Bar[]): Table => ({
  kind: 'table',
  columns: ['what', 'wanted', 'measured', ''],
  rows: bars.map(({ what, wanted, measured, isMet }) => [what, wanted, measured, isMet ? 'met' : '**not met**']),
})

const limits = `- The texts are made up, and made by us; the small ones show kinds of faults, not how often models make them. A corpus of real replies is another measurement.
- All characters of the large texts fit one byte each (Latin-1), as most arguments do. One emoji makes V8 keep a text with two bytes a character, and readers slow down.
- jsonrepair is measured alone. Many programs try \`JSON.parse\` first and call it only on failure; on valid JSON they run at the speed of \`JSON.parse\`,
  and are spared that jsonrepair changes some of it (the first of the small texts).
- jsonrepair returns text in which a big integer still has all its digits; it is the \`JSON.parse\` behind it that rounds. partial-json can be told not to accept
  partial strings and objects, and then throws more often. Both are measured as their documentation first shows them.
- Memory and start-up time are not measured.`
