/** A word as a POSIX shell reads it: as it stands where it has only letters that mean nothing to a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Options that only say how an answer is shown, with whether a word follows. */
const onlyShown = new Map([
  ['--show', true],
  ['--format', true],
  ['--fail-on', true],
  ['--summary', false],
  ['--decisions', false],
]);

/** The command that was typed, to be typed once more, without what only says how its answer is shown. */
export function commandAgain(command: string, args: readonly string[]): string {
  const words = ['podium', command];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    const takesWord = onlyShown.get(word.replace(/=.*/s, ''));
    if (takesWord === undefined) words.push(word);
    else if (takesWord && !word.includes('=')) at += 1;
  }
  // Behind it options are none; more follow here.
  const end = words.indexOf('--');
  if (end >= 0 && words.slice(end).every((word) => word === '--' || !word.startsWith('-'))) words.splice(end, 1);
  return words.map(shellWord).join(' ');
}
