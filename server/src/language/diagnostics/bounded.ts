import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import { say } from '../../util/say.ts';
import { count, grouped } from '../../util/words.ts';
import type { Found } from './find-problems.ts';

/** What is told at the most of files that are not open. */
export const mostFiles = 2_000;
export const mostProblems = 5_000;

type FileEntry = readonly [uri: string, diagnostics: readonly Diagnostic[]];

/**
 * What is told of all that was found: everything of files that are open, and of the others the gravest, so far as anybody
 * reads. The last of those says how much more there is.
 *
 * @param most `files` and `problems`, of those that are not open
 */
export function bounded(
  found: Found,
  isOpen: (uri: string) => boolean,
  most: { readonly files: number; readonly problems: number } = { files: mostFiles, problems: mostProblems },
): Found {
  const open = [...found].filter(([uri]) => isOpen(uri));
  const closed = [...found].filter(([uri]) => !isOpen(uri));
  const total = closed.reduce((sum, [, { length }]) => sum + length, 0);
  if (closed.length <= most.files && total <= most.problems) return found;
  const kept: FileEntry[] = [];
  let problems = 0;
  for (const [uri, diagnostics] of closed.sort(gravestFirst)) {
    const room = most.problems - problems;
    if (kept.length === most.files || room === 0) break;
    kept.push([uri, diagnostics.length <= room ? diagnostics : [...diagnostics].sort(inGravity).slice(0, room)]);
    problems += Math.min(room, diagnostics.length);
  }
  const last = kept.at(-1);
  const rest = closed.length - kept.length;
  const left = total - problems;
  const where = rest === 0 ? say`in these files` : say`in ${count(rest, 'other file')}`;
  const message = say`Podium shows ${count(problems, 'problem')} of files that are not open. There ${left === 1 ? 'is' : 'are'} ${grouped(left)} more ${where}. A file that is opened is shown in full, and \`podium check\` lists all.`;
  const start = { line: 0, character: 0 };
  const severity = DiagnosticSeverity.Information;
  if (last !== undefined) {
    kept[kept.length - 1] = [
      last[0],
      [...last[1], { range: { start, end: start }, severity, source: 'podium', message }],
    ];
  }
  return new Map([...open, ...kept]);
}

function gravestFirst([aUri, a]: FileEntry, [bUri, b]: FileEntry): number {
  return gravest(a) - gravest(b) || (aUri < bUri ? -1 : 1);
}

function gravest(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.reduce((least, diagnostic) => Math.min(least, gravity(diagnostic)), Infinity);
}

function inGravity(a: Diagnostic, b: Diagnostic): number {
  return gravity(a) - gravity(b);
}

function gravity({ severity = DiagnosticSeverity.Error }: Diagnostic): number {
  return severity;
}
