/** Files that are allowed to be written, and that somebody runs later with rights of his own: who builds, tests or installs. */
const names =
  /(?:^|\/)(?:package\.json|(?:gnu)?makefile|justfile|rakefile|taskfile\.ya?ml|dockerfile|compose\.ya?ml|docker-compose\.ya?ml|setup\.(?:py|cfg)|conftest\.py|noxfile\.py|tox\.ini|pyproject\.toml|build\.rs|cmakelists\.txt|build\.gradle(?:\.kts)?|gemfile|\.pre-commit-config\.yaml)$|\.(?:sh|bash|bat|cmd|ps1|mk|service|desktop)$|(?:\.|_|\b)(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)test_[^/]*\.py$/i

/** Whether a file is of a kind that somebody runs later, outside of any sandbox: the record says so of a change of it. */
export const runsLater = (path: string): boolean => names.test(path)
