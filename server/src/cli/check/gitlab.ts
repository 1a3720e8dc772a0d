import { createHash } from 'node:crypto';
import type { Severity } from '../../language/rules/support/rule.ts';
import { jsonText } from '../terminal/json.ts';
import type { CheckResult, Problem } from './check-result.ts';

/** Source: docs.gitlab.com, Code Quality report format (info, minor, major, critical, blocker). */
const severities: Readonly<Record<Severity, string>> = {
  error: 'critical',
  warning: 'major',
  information: 'minor',
  hint: 'info',
};

/** What is new as a Code Quality report, which GitLab shows in a merge request and beside the lines. */
export function renderGitlab({ problems }: CheckResult): string {
  const times = new Map<string, number>();
  const entries = problems.map((problem) => {
    // A fingerprint outlives edits of other lines; of equal findings each has its own.
    const identity = JSON.stringify([problem.code, problem.path, problem.message]);
    const time = times.get(identity) ?? 0;
    times.set(identity, time + 1);
    return entryOf(problem, createHash('sha256').update(`${identity}${time}`).digest('hex'));
  });
  return `${jsonText(entries)}\n`;
}

function entryOf({ code, severity, message, path, range }: Problem, fingerprint: string): object {
  return {
    description: message,
    check_name: code,
    fingerprint,
    severity: severities[severity],
    location: { path, lines: { begin: range.start.line + 1, end: range.end.line + 1 } },
  };
}
