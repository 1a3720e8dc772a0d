import type { CheckResult, Problem } from './check-result.ts';

/** Grows when a field changes its meaning or goes. */
const formatVersion = 1;

/** One object, for programs. Ranges count from 0, as in the language server protocol. */
export function checkData(result: CheckResult) {
  const { problems, files, unseen, unsaid, tools, withoutSandbox, targets, kubernetes, known } = result;
  const summary = { files, error: 0, warning: 0, information: 0, hint: 0 };
  for (const { severity } of problems) summary[severity] += 1;
  const { release, why } = kubernetes;
  const judge = { minor: release.minor, why };
  const described = problems.map(problemOf);
  const before = known === undefined ? {} : { known: { ...known, problems: known.problems.map(problemOf) } };
  const left = [...unsaid].map(([code, amount]) => ({ code, count: amount }));
  const seen = { unseen, unsaid: left, targets, tools, withoutSandbox };
  return { version: formatVersion, summary, kubernetes: judge, problems: described, ...before, ...seen };
}

function problemOf({ path, range, severity, code, message, related }: Problem) {
  return {
    path,
    range,
    severity,
    code,
    message,
    related: related.map((place) => ({ path: place.path, range: place.range, message: place.message })),
  };
}
