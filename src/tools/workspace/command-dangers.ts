/** Arguments by which a program runs another one, or code, or writes where it was not told to. */
interface Danger {
  readonly programs: readonly string[]
  /** Options; with a value behind them too (`--exec-path=x`), and one-letter options among others (`-xc`). */
  readonly options: readonly string[]
}

/** Programs that run what they are given: no argument of theirs may be left open by a rule. */
export const launchers: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'csh', 'tcsh', 'fish', 'ash', 'busybox', 'toybox'],
  ...['env', 'xargs', 'parallel', 'nice', 'nohup', 'timeout', 'time', 'stdbuf', 'setsid', 'ionice', 'taskset', 'chrt'],
  ...['sudo', 'doas', 'su', 'runuser', 'setpriv', 'unshare', 'nsenter', 'chroot', 'bwrap', 'flock', 'script', 'watch'],
  ...['strace', 'ltrace', 'gdb', 'lldb', 'valgrind', 'perf', 'ssh', 'scp', 'rsync', 'socat', 'nc', 'ncat', 'expect'],
  ...[
    'awk',
    'gawk',
    'mawk',
    'nawk',
    'sed',
    'ed',
    'ex',
    'vi',
    'vim',
    'nvim',
    'emacs',
    'less',
    'more',
    'man',
    'screen',
    'tmux',
  ],
])

/** The options that a rule must name in so many words. The sandbox is what confines; this is a help, and no boundary. */
const dangers: readonly Danger[] = [
  {
    programs: ['git'],
    options: [
      ...['-c', '-C', '--config-env', '--exec-path', '--git-dir', '--work-tree', '--namespace', '--super-prefix'],
      ...['--upload-pack', '--receive-pack', '--ext-diff', '--textconv', '--open-files-in-pager', '-O', '--output'],
      ...['--exec', '-x', '--template', '--editor', '--pager', '-p', '--paginate', '--gpg-sign', '-S', '--interactive'],
    ],
  },
  {
    programs: ['find'],
    options: ['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls'],
  },
  {
    programs: ['tar', 'bsdtar', 'gtar'],
    options: [
      ...['--to-command', '--use-compress-program', '-I', '--checkpoint-action', '--rsh-command', '--rmt-command'],
      ...['--info-script', '--new-volume-script', '-F', '--absolute-names', '-P'],
    ],
  },
  {
    programs: ['node', 'nodejs', 'bun', 'deno', 'tsx', 'ts-node'],
    options: [
      ...['-e', '--eval', '-p', '--print', '-r', '--require', '--import', '--loader', '--experimental-loader'],
      ...['-i', '--interactive', '--inspect', '--inspect-brk', '--env-file', '--openssl-config'],
    ],
  },
  { programs: ['python', 'python2', 'python3', 'pypy3'], options: ['-c', '-m', '-i', '-x'] },
  { programs: ['perl', 'ruby'], options: ['-e', '-E', '-r', '-M', '-m', '-n', '-p', '-i', '-I'] },
  { programs: ['php'], options: ['-r', '-B', '-R', '-F', '-E', '-d', '-a'] },
  { programs: ['lua', 'luajit', 'R', 'Rscript', 'julia'], options: ['-e', '-l', '-i', '-E', '-L'] },
  {
    programs: ['npm', 'npx', 'pnpm', 'yarn'],
    options: ['exec', 'x', 'dlx', '-c', '--call', '--script-shell', '--node-options', '--prefix'],
  },
  { programs: ['make', 'gmake'], options: ['--eval', '-f', '--file', '--makefile', '-C', '--directory', '-I'] },
  { programs: ['cargo', 'go'], options: ['--config', '-exec', '-toolexec', '-C', '-overlay', '-modfile'] },
  { programs: ['sort'], options: ['--compress-program', '-o', '--output', '-T'] },
  { programs: ['split'], options: ['--filter'] },
  { programs: ['zip', 'unzip', '7z'], options: ['-TT', '--unzip-command', '-T'] },
  {
    programs: ['curl', 'wget'],
    options: [
      '-o',
      '-O',
      '--output',
      '-K',
      '--config',
      '--use-askpass',
      '--post-file',
      '-T',
      '--upload-file',
      '-d',
      '--data',
    ],
  },
  { programs: ['gcc', 'cc', 'clang', 'g++', 'c++'], options: ['-wrapper', '-fplugin', '-B', '-specs'] },
]

/**
 * The argument of a program that must not be left open by a rule, or nothing.
 *
 * @example
 * dangerIn('git', ['log', '-c', 'core.pager=x']) // '-c'
 */
export function dangerIn(program: string, words: readonly string[]): string | undefined {
  const name = program.replace(/[\d.]+$/, '') || program
  if (launchers.has(program) || launchers.has(name)) return words[0]
  const options = dangers
    .filter(({ programs }) => programs.includes(program) || programs.includes(name))
    .flatMap((danger) => danger.options)
  return words.find((word) => options.some((option) => isOption(word, option)))
}

function isOption(word: string, option: string): boolean {
  if (word === option) return true
  // Programs take a long option by its beginning, too.
  if (option.startsWith('--')) {
    const name = word.split('=')[0] ?? ''
    return name.length > 2 && (option === name || (option.startsWith(name) && name.startsWith('--')))
  }
  // find and gcc have long options with one dash; one letter may stand among others, with its value behind it.
  if (option.length > 2 || !option.startsWith('-')) return false
  return /^-[A-Za-z]/.test(word) && !word.startsWith('--') && word.slice(1).includes(option.slice(1))
}
