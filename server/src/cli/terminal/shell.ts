import { shellWord } from '../../report-model/command-text.ts';

/** Options that only say how an answer is shown, with whether a word follows. */
const onlyShown = new Map([
  ['--show', true],
  ['--by', true],
  ['--format', true],
  ['--fail-on', true],
  ['--summary', false],
  ['--decisions', false],
]);

/** The command that was typed, to be typed once more, without what only says how its answer is shown. */
export function commandAgain(command: string, args: readonly string[]): string {
  const end = args.indexOf('--');
  const isApart = end >= 0 && args.slice(end + 1).every((path) => !path.startsWith('-'));
  // Behind the end of options there are none; more follow here.
  const [paths, options] = isApart ? [args.slice(end + 1), args.slice(0, end)] : [[], args];
  const words = ['podium', command, ...paths];
  for (let at = 0; at < options.length; at++) {
    const word = options[at] ?? '';
    const [name = ''] = word.split('=', 1);
    const takesWord = onlyShown.get(name);
    if (takesWord === undefined) {
      words.push(...(word.startsWith('--') && word !== name ? [name, word.slice(name.length + 1)] : [word]));
    } else if (takesWord && word === name) {
      at += 1;
    }
  }
  return words.map(shellWord).join(' ');
}
