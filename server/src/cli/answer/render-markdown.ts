import { escapeMarkdown, fenced } from '../../util/markup.ts';
import { type CommandAnswer, textOf } from './answer.ts';

export function answerMarkdown({ verdict, parts, transcript = [] }: CommandAnswer): string {
  const blocks = [`### ${escapeMarkdown(verdict)}`];
  for (const { title, lines, rows } of parts) {
    if (title !== '') blocks.push(`**${escapeMarkdown(title)}**`);
    if (lines.length > 0) blocks.push(lines.map((line) => `- ${escapeMarkdown(textOf(line))}`).join('\n'));
    if (rows === undefined) continue;
    const [head = [], ...others] = rows.map((row) => `| ${row.map(escapeMarkdown).join(' | ')} |`);
    blocks.push([head, `|${'---|'.repeat(rows[0]?.length ?? 0)}`, ...others].join('\n'));
  }
  if (transcript.length > 0) {
    blocks.push(`<details><summary>Transcript</summary>\n\n${fenced(transcript.join('\n'))}\n\n</details>`);
  }
  return `${blocks.join('\n\n')}\n`;
}
