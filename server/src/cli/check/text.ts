import { addTo } from '../../util/maps.ts';
import { count, list } from '../../util/words.ts';
import type { Severity } from '../../language/rules/support/rule.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import { unseenSummary } from '../../simulation/report/unseen.ts';
import { terminalStyle, type Style } from '../terminal/style.ts';
import { printable } from '../terminal/text.ts';
import type { CheckResult, Problem, ProblemPlace } from './check-result.ts';

/** One line for each problem, as compilers print them, with related places below; and a summary. */
export function renderText(result: CheckResult, hidden: readonly Unseen[], colour: boolean): string {
  const style = terminalStyle(colour);
  // What fails the check though nothing was found comes first.
  const unchecked = unseenSummary(hidden).map((line) => style.bad(`Not checked: ${printable(line)}`));
  const problems = byCause(result.problems).flatMap((alike) => problemLines(alike, style));
  const lines = [...unchecked, ...problems];
  const others = { ...result, unseen: result.unseen.filter((one) => !hidden.includes(one)) };
  const rest = [summary(result), ...knownLines(result, style), judge(result), ...notSeen(others)];
  return `${[...lines, ...(lines.length === 0 ? [] : ['']), ...rest].join('\n')}\n`;
}

/** More of what was there before is counted. */
const mostKnown = 20;

/** What was there before: of a commit each, of a baseline only how many. */
function knownLines({ known }: CheckResult, style: Style): string[] {
  if (known === undefined) return [];
  const { from, problems, gone } = known;
  const lines = [
    problems.length === 0
      ? `None was known from ${printable(from)}.`
      : `${count(problems.length, 'more problem')} known from ${printable(from)}, which ${problems.length === 1 ? 'does' : 'do'} not count.`,
  ];
  if (gone > 0) {
    lines.push(
      `${count(gone, 'known problem')} ${gone === 1 ? 'is' : 'are'} gone${from.startsWith('git ') ? '.' : ': podium baseline --prune takes them out.'}`,
    );
  }
  if (!from.startsWith('git ')) return lines;
  lines.push(...problems.slice(0, mostKnown).map((problem) => style.faint(`    ${firstLine(problem)}`)));
  if (problems.length > mostKnown) {
    lines.push(`    and ${count(problems.length - mostKnown, 'more', 'more')}: --format json`);
  }
  return lines;
}

function firstLine({ path, range, severity, message, code }: Problem): string {
  const [first = ''] = message.split(/\r?\n/, 1);
  return `${printable(path)}:${range.start.line + 1}: ${severity}: ${printable(first)} [${code}]`;
}

function judge({ kubernetes: { release, why } }: CheckResult): string {
  return `Judged as Kubernetes ${release.minor}: ${printable(why)}`;
}

/** What the findings do not rest on, counted, and what was run for them. */
function notSeen({ unseen, unsaid, tests, tools, targets }: CheckResult): string[] {
  const lines = unseenSummary(unseen).map((line) => `Not seen: ${printable(line)}`);
  const left = [...unsaid.values()].reduce((sum, amount) => sum + amount, 0);
  if (left > 0) {
    const rules = [...unsaid].map(([code, amount]) => `${code} ${amount}`).join(', ');
    lines.push(
      `Not said: ${count(left, 'problem')} (${rules}) of something that is missing, which what is not seen may bring. Render or exclude that, and they are said.`,
    );
  }
  if (tests > 0) {
    lines.push(
      `Left out: ${count(tests, 'file')} of tests, examples and earlier releases (--exclude '!GLOB' takes files in).`,
    );
  }
  if (targets.length > 1) lines.push(`Targets: ${list(targets.map(printable), 12)}.`);
  if (tools.length > 0) lines.push(`Ran ${tools.map(printable).join(' and ')}.`);
  return lines;
}

/** Which sources show a finding: not what it is. */
const ofSources = / \(in [^()]*\)$/;

/** Advice that says the same elsewhere is told once, at the first place; anything else at each. */
function byCause(problems: readonly Problem[]): readonly (readonly [Problem, ...Problem[]])[] {
  const byText = new Map<string, [Problem, ...Problem[]]>();
  for (const [index, problem] of problems.entries()) {
    const { severity, code, message } = problem;
    const isAdvice = severity === 'hint' || severity === 'information';
    const key = isAdvice ? JSON.stringify([severity, code, message.replace(ofSources, '')]) : `${index}`;
    addTo(byText, key, problem);
  }
  return [...byText.values()];
}

/** Of more places than these it is told how many there are. */
const mostPlaces = 3;

function alsoAt(others: readonly Problem[], style: Style): string[] {
  if (others.length === 0) return [];
  const more = others.length - mostPlaces;
  const named = others.slice(0, mostPlaces).map((problem) => place(problem, style));
  return [`    also at ${named.join(', ')}${more > 0 ? `, and ${count(more, 'more place')}: --format json` : ''}`];
}

function problemLines([problem, ...others]: readonly [Problem, ...Problem[]], style: Style): string[] {
  const [first = '', ...rest] = problem.message.split(/\r?\n/);
  const severity = severityPaint(problem.severity, style)(problem.severity);
  return [
    `${place(problem, style)}: ${severity}: ${printable(first)} ${style.faint(`[${problem.code}]`)}`,
    ...rest.map((line) => `    ${printable(line)}`),
    ...problem.related.map((related) => `    ${place(related, style)}: ${printable(related.message)}`),
    ...alsoAt(others, style),
  ];
}

/** Lines and columns from 1, as editors and terminals understand them. */
function place({ path, range }: ProblemPlace, style: Style): string {
  return style.strong(`${printable(path)}:${range.start.line + 1}:${range.start.character + 1}`);
}

function severityPaint(severity: Severity, style: Style): (text: string) => string {
  switch (severity) {
    case 'error':
      return style.bad;
    case 'warning':
      return style.warning;
    case 'information':
      return style.good;
    case 'hint':
      return style.faint;
  }
}

function summary({ problems, files, hasObjects, unseen, known }: CheckResult): string {
  const which = known === undefined ? '' : 'new ';
  if (problems.length === 0) {
    const what = hasObjects || unseen.length > 0 ? `${which}problems` : 'Kubernetes manifests';
    return `No ${what} in ${count(files, 'file')}.`;
  }
  const amount = (severity: Severity): number => problems.filter((problem) => problem.severity === severity).length;
  const parts = [
    [amount('error'), 'error', 'errors'],
    [amount('warning'), 'warning', 'warnings'],
    [amount('information'), 'information', 'information'],
    [amount('hint'), 'hint', 'hints'],
  ] as const;
  const lines = parts.filter(([number]) => number > 0).map(([number, one, many]) => count(number, one, many));
  const affected = new Set(problems.map(({ path }) => path)).size;
  return `${which === '' ? '' : 'New: '}${lines.join(', ')} in ${affected} of ${count(files, 'file')}.`;
}
