import type { Sandbox } from '../tools/workspace/sandbox.ts'
import { type Paint, visible } from './terminal.ts'

/** Which sandbox holds the commands of `run_bash`, in lines for a person. */
export function showSandbox({ kind, name, why, type }: Sandbox, paint: Paint): string[] {
  if (kind === 'bubblewrap') return [`${visible(name)} ${paint.dim('holds the commands of run_bash')}`]
  const said = kind === 'unsafe' ? paint.red('NO SANDBOX: ') : 'run_bash runs nothing. '
  return [`${said}${visible(why)}`, ...type.map((line) => `  ${paint.bold(visible(line))}`)]
}
