import type { FileResult } from './run-file.ts';

const anyMinor = 'any';

/** Agreement by file and minor, as a table in Markdown: `agreeing/all`. */
export function tableOf(results: ReadonlyMap<string, FileResult>): string {
  const cells = new Map<string, Map<string, string>>();
  const columns = new Set<string>();
  for (const [path, { cases, disagreements }] of results) {
    const [folder, name] = path.includes('/') ? (path.split('/') as [string, string]) : [anyMinor, path];
    const column = folder.replace(/^v/, '');
    columns.add(column);
    let row = cells.get(name);
    if (row === undefined) cells.set(name, (row = new Map<string, string>()));
    row.set(column, `${cases - disagreements.length}/${cases}`);
  }
  const order = [...columns].sort();
  const lines = [
    ['file', ...order],
    ['---', ...order.map(() => '---')],
  ];
  for (const [name, row] of [...cells].sort(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push([`\`${name}\``, ...order.map((column) => row.get(column) ?? '')]);
  }
  return `${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
}
