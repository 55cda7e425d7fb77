import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

/** A place inside of the workspace that is not as the rest of it. */
export interface Mount {
  readonly access: 'write' | 'read' | 'hide'
  /** Absolute. */
  readonly path: string
  readonly isFolder: boolean
}

/** What a command in the sandbox sees. */
export interface SandboxView {
  /** The workspace; it has the same path inside and outside, so that paths in what programs say are true. */
  readonly root: string
  readonly access: 'write' | 'read'
  /** In the order in which they are made: what lies deeper comes later. */
  readonly mounts: readonly Mount[]
  readonly network: boolean
  /** More that may be read, such as the folder of a compiler: absolute paths. */
  readonly readable: readonly string[]
  /** Bytes that `/tmp` may hold. */
  readonly temporary: number
  /** Files to be put in place: where they are, and where they are seen. */
  readonly files: readonly (readonly [path: string, seen: string])[]
}

/** Numbers of the open files by which bubblewrap is told things, and tells. */
export const descriptors = { words: 3, filter: 4, status: 5 } as const

const HOME = '/tmp/home'
const rootFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** Of /etc what programs cannot do without, and no secret of the system among it. */
const settings = [
  'alternatives',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'ssl/certs',
  'ssl/openssl.cnf',
  'pki/tls/certs',
  'pki/ca-trust/extracted',
  'ca-certificates',
  'localtime',
  'mime.types',
  'protocols',
  'services',
]
const networkSettings = ['resolv.conf', 'hosts', 'nsswitch.conf', 'gai.conf']

/** The system as every command sees it: nothing but programs, read-only. */
export function baseArguments(network: boolean): string[] {
  return [
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    ...['--cap-drop', 'ALL', '--new-session', '--die-with-parent', '--clearenv'],
    ...['--ro-bind', '/usr', '/usr'],
    ...rootFolders.flatMap((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found?.isSymbolicLink()) return ['--symlink', readlinkSync(path), path]
      return found ? ['--ro-bind', path, path] : []
    }),
    ...['--ro-bind-try', '/nix/store', '/nix/store'],
    // As root, the settings of the kernel could be written through a /proc that is not read-only.
    ...['--proc', '/proc', '--remount-ro', '/proc'],
  ]
}

/**
 * What bubblewrap is told to let a command see this and no more.
 *
 * @example
 * const words = sandboxArguments({ root: '/w/app', access: 'write', mounts: [], network: false, readable: [], temporary: 1e8, files: [] })
 */
export function sandboxArguments(view: SandboxView): string[] {
  const { root, access, mounts, network, readable, files } = view
  const temporary = String(view.temporary)
  const outside = readable.filter((path) => !isInside(path, root) && existsSync(path))
  const etc = [...settings, ...(network ? networkSettings : [])].filter((name) => existsSync(`/etc/${name}`))
  const environment = { PATH: searchPath(outside), HOME, TMPDIR: '/tmp', LANG: 'C.UTF-8', TERM: 'dumb', PWD: root }
  return [
    ...baseArguments(network),
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...etc.flatMap((name) => ['--ro-bind', `/etc/${name}`, `/etc/${name}`]),
    ...['--dev', '/dev', '--size', temporary, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', temporary, '--tmpfs', '/tmp', '--dir', HOME],
    ...outside.flatMap((path) => ['--ro-bind', path, path]),
    ...[access === 'write' ? '--bind' : '--ro-bind', root, root],
    ...mounts.flatMap(mountArguments),
    ...files.flatMap(([path, seen]) => ['--ro-bind', path, seen]),
    ...['--remount-ro', '/', '--chdir', root],
    ...['--seccomp', String(descriptors.filter), '--json-status-fd', String(descriptors.status)],
  ]
}

function mountArguments({ access, path, isFolder }: Mount): string[] {
  if (access === 'write') return ['--bind', path, path]
  if (access === 'read') return ['--ro-bind', path, path]
  // A device that is mounted so cannot be opened: whoever reads a hidden file is told that it is not permitted.
  return isFolder ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path]
}

/** Where programs are looked for: folders of the system, and of what else may be read. None of them can be written. */
export function searchPath(readable: readonly string[] = []): string {
  const folders = readable.map((path) => join(path, 'bin')).filter((path) => existsSync(path))
  const files = readable.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile()).map(dirname)
  const system = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
  return [...new Set([...folders, ...system, ...files])].join(':')
}

/**
 * What must be readable for commands to have the Node that runs this: its folder where npm lies beside it, else the
 * program alone, because what else is there is nobody's business.
 */
export function nodeFolders(program: string = process.execPath): string[] {
  const folder = dirname(dirname(program))
  if (isInside(program, '/usr')) return []
  const isWhole = basename(dirname(program)) === 'bin' && existsSync(join(folder, 'lib', 'node_modules', 'npm'))
  return [isWhole ? folder : program]
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep)
