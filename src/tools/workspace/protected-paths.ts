import { type Glob, globOf } from './globs.ts'

/** A path that tools must not touch, or not in every way. What lies inside of it is meant as well. */
export interface ProtectedPath {
  /** A glob; without `/` it means a name in any folder. */
  readonly path: string
  /** `if-allowed`: when the options name it as readable. */
  readonly read: 'yes' | 'if-allowed' | 'never'
  readonly write: 'if-allowed' | 'never'
  /** Why, in words that follow a colon. */
  readonly reason: string
  /** Means files alone, and no folder of this name. */
  readonly isFile?: boolean
}

const fixed = (reason: string, ...paths: readonly string[]): ProtectedPath[] =>
  paths.map((path) => ({ path, read: 'yes', write: 'never', reason }))

/**
 * What is protected in every workspace, also where it does not exist yet: what runs by itself later, outside of any
 * sandbox, and what holds secrets. Names are compared without regard to case and to characters that cannot be seen.
 */
export const protectedPaths: readonly ProtectedPath[] = [
  { path: '.callwright', read: 'never', write: 'never', reason: 'the record of the runs is kept there' },
  { path: '.callwright-*', read: 'never', write: 'never', reason: 'it is being written by this program' },
  { path: '.env*', read: 'if-allowed', write: 'if-allowed', reason: 'such files hold secrets' },
  { path: '.git-credentials', read: 'if-allowed', write: 'never', reason: 'it holds secrets' },
  { path: '.netrc', read: 'if-allowed', write: 'never', reason: 'it holds secrets' },
  { path: '.envrc', read: 'if-allowed', write: 'never', reason: 'it runs when somebody enters the folder' },
  ...fixed('git runs programs that are named there', '.git', '.gitmodules', '.gitattributes', '.gitconfig', '.husky'),
  {
    path: 'HEAD',
    read: 'yes',
    write: 'never',
    reason: 'with such a file git takes the folder for a repository, and runs programs that its settings name',
    isFile: true,
  },
  ...fixed('this program takes tools and rules from it', 'callwright.yaml', 'callwright.yml'),
  ...fixed(
    'servers run it, with secrets',
    '**/.github/workflows',
    '**/.github/actions',
    '**/.gitea/workflows',
    '**/.forgejo/workflows',
    '.gitlab-ci.yml',
    '.travis.yml',
    'Jenkinsfile',
    'azure-pipelines.yml',
    '.circleci',
  ),
  ...fixed(
    'an editor runs programs that are named there',
    '.vscode',
    '.idea',
    '.zed',
    '.devcontainer',
    '*.code-workspace',
    '.exrc',
    '.vimrc',
    '.nvimrc',
    '.nvim.lua',
    '.dir-locals.el',
  ),
  ...fixed('an agent runs programs that are named there', '.mcp.json', '.claude', '.codex', '.cursor', '.gemini'),
  ...fixed('npm takes programs and servers from it', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs'),
  ...fixed(
    'a shell runs it when it starts',
    '.profile',
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.bash_logout',
    '.bash_aliases',
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.zlogin',
    '.zlogout',
    '.kshrc',
    '.cshrc',
    '.tcshrc',
    '.login',
    '.inputrc',
    '**/.config/fish',
  ),
]

/**
 * A name as it is compared with those of protected paths: as file systems may see it that do not regard case, do not see
 * some characters, or drop what stands at the end.
 *
 * @example
 * foldedName('.G\u200cIT. ') // '.git'
 */
export function foldedName(name: string): string {
  if (/^[a-z_-][a-z0-9_.-]*[a-z0-9]$/.test(name)) return name
  const seen = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
  // What NTFS drops: streams behind a colon, and dots and spaces at the end.
  const kept = seen.replace(/(?<=.):.*$/s, '')
  let end = kept.length
  while (end > 0 && (kept[end - 1] === '.' || kept[end - 1] === ' ')) end--
  const plain = kept.slice(0, end)
  return /^git~\d$/.test(plain) ? '.git' : plain
}

/** Finds the protections under which a path stands: none, one or several, which all hold. */
export function protectionFinder(paths: readonly ProtectedPath[]): (parts: readonly string[]) => ProtectedPath[] {
  const isPlain = ({ path }: ProtectedPath): boolean => !/[/*?[{]/.test(path)
  const byName = Map.groupBy(paths.filter(isPlain), ({ path }) => foldedGlob(path))
  const others: readonly (readonly [ProtectedPath, Glob])[] = paths
    .filter((one) => !isPlain(one))
    .map((one) => [one, globOf(foldedGlob(one.path))])
  return (parts) => {
    const folded = parts.map(foldedName)
    const last = folded.length - 1
    const named = folded.flatMap((name, index) =>
      (byName.get(name) ?? []).filter(({ isFile = false }) => !isFile || index === last),
    )
    const prefixes = folded.map((_, index) => folded.slice(0, index + 1))
    return [...named, ...others.flatMap(([one, glob]) => (prefixes.some(glob) ? [one] : []))]
  }
}

const foldedGlob = (glob: string): string => glob.normalize('NFKC').toUpperCase().toLowerCase()
