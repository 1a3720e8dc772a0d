import { escapeMarkup } from '../../util/markup.ts';
import { printable } from '../terminal/text.ts';
import { type CommandAnswer, textOf } from './answer.ts';

/** Nothing is loaded, and nothing runs. */
const pageStyle = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
h1{font-size:1.3rem}h2{font-size:1rem;margin:1.2rem 0 .2rem}ul{margin:0;padding-left:1.2rem}li{overflow-wrap:anywhere}
td,th{text-align:left;padding:0 .8rem .2rem 0}pre{overflow-x:auto}b{font-weight:inherit;white-space:nowrap}`;

/** Longer names are broken where the line ends. */
const longestUnbroken = 30;

/** A page of its own, for any browser. */
export function answerPage({ verdict, parts, transcript = [] }: CommandAnswer): string {
  const escaped = (text: string): string => escapeMarkup(printable(text));
  // No line breaks a name at its hyphens.
  const shown = (text: string): string =>
    escaped(text).replaceAll(/\S+/g, (word) =>
      word.includes('-') && word.length <= longestUnbroken ? `<b>${word}</b>` : word,
    );
  const sections = parts.map(({ title, lines, rows = [] }) =>
    [
      title === '' ? '' : `<h2>${shown(title)}</h2>`,
      lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${shown(textOf(line))}</li>`).join('\n')}</ul>`,
      rows.length === 0 ? '' : `<table>${rows.map((row, at) => rowOf(row.map(shown), at === 0)).join('\n')}</table>`,
    ].join(''),
  );
  const printed =
    transcript.length === 0
      ? ''
      : `<details><summary>Transcript</summary><pre tabindex="0">${transcript.map(escaped).join('\n')}</pre></details>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(verdict)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${shown(verdict)}</h1>
${[...sections, printed].join('\n')}
</main>
</body>
</html>
`;
}

function rowOf(cells: readonly string[], isHead: boolean): string {
  const name = isHead ? 'th scope="col"' : 'td';
  return `<tr>${cells.map((cell) => `<${name}>${cell}</${name.slice(0, 2)}>`).join('')}</tr>`;
}
