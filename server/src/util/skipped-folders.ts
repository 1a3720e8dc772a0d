/**
 * Folders that are not searched for manifests: what package managers bring, and what programs keep for themselves in a
 * repository or in a home folder. Other hidden folders (`.argocd`, `.github`, `.archive`) are searched, as kubectl does.
 */
export const skippedFolders: readonly string[] = [
  'node_modules',
  // Of version control and editors; local history would be a second copy of everything.
  ...['.git', '.hg', '.jj', '.svn', '.history', '.idea', '.vs', '.vscode', '.vscode-server', '.vscode-test'],
  // Of package managers and languages.
  ...['.asdf', '.bundle', '.cargo', '.conda', '.dotnet', '.gradle', '.ivy2', '.m2', '.npm', '.nuget', '.nvm'],
  ...['.pnpm-store', '.pyenv', '.rbenv', '.rustup', '.sdkman', '.tox', '.venv', '.yarn'],
  // Of what builds and runs.
  ...['.aws-sam', '.cache', '.config', '.direnv', '.docker', '.local', '.minikube', '.next', '.nuxt', '.nx'],
  ...['.pulumi', '.serverless', '.terraform', '.terragrunt-cache', '.Trash', '.turbo'],
];
