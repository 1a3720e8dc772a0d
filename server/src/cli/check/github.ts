import type { Severity } from '../../language/rules/support/rule.ts';
import { printable } from '../terminal/text.ts';
import type { CheckResult, Problem } from './check-result.ts';

/** GitHub knows three. */
const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

/** Workflow commands, which GitHub Actions shows as annotations beside the lines. */
export function renderGithub({ problems }: CheckResult): string {
  return problems.map((problem) => `${annotation(problem)}\n`).join('');
}

function annotation({ severity, path, range: { start, end }, code, message }: Problem): string {
  const properties: readonly (readonly [string, string | number])[] = [
    ['file', printable(path)],
    ['line', start.line + 1],
    ['endLine', end.line + 1],
    // GitHub takes columns only within one line.
    ...(start.line === end.line
      ? ([
          ['col', start.character + 1],
          ['endColumn', end.character + 1],
        ] as const)
      : []),
    ['title', `podium ${code}`],
  ];
  const list = properties.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',');
  return `::${commands[severity]} ${list}::${escapeData(message)}`;
}

/** Source: escapeData and escapeProperty in actions/toolkit, packages/core/src/command.ts */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
