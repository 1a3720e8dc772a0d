/** An answer without the commands of a terminal, and without the parameters that stand for them where a tool answers. */
export function withoutCommands(answer: string): string {
  return answer
    .trim()
    .replaceAll(/^ {4,6}(?:podium (?:simulate|drain)|whatIf:) .*\n/gm, '')
    .replaceAll(/^For your own nodes: .*\n/gm, '')
    .replaceAll(/ · --show \w+/g, '')
    .replace(/\sMore:\s--show\s[\w,]+\.?$/, '');
}
