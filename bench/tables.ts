import type { Table } from './benchmark.ts'

/** A table as Markdown; long ones stand folded. */
export function markdownTable({ columns, rows, folded }: Table): string {
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const table = [row(columns), row(columns.map(() => '---')), ...rows.map(row)].join('\n')
  return folded === undefined ? table : `<details>\n<summary>${folded}</summary>\n\n${table}\n\n</details>`
}

/** A table for a terminal: columns in line, no frame. */
export function terminalTable({ columns, rows }: Table): string {
  const lines = [columns, ...rows].map((cells) => cells.map((cell) => cell.replaceAll(/[*`]/g, '')))
  const widths = columns.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)))
  const written = lines.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return written.map((line) => `  ${line.trimEnd()}`).join('\n')
}

/** A text as a code span that may stand in a table: line breaks are shown, backticks fenced. */
export function code(text: string): string {
  if (text === '') return '(empty)'
  const shown = text.replaceAll('\n', '⏎').replaceAll('\t', '⇥').replaceAll('\u001b', '␛')
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? fence + shown + fence : `${fence} ${shown} ${fence}`
}
