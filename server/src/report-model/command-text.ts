/** A word as a POSIX shell reads it: as it stands where it has only letters that mean nothing to a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** What gives the same answer in a terminal: a command with operations to be tried. */
export function withWhatIfs(command: string | undefined, whatIf: readonly string[]): string {
  return [command ?? 'podium simulate .', ...whatIf.map((text) => `--what-if ${shellWord(text)}`)].join(' ');
}
