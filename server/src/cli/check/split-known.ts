import { type Baseline, KnownProblems } from '../../language/known/baseline.ts';
import type { ProblemIdentity } from '../../language/known/problem-identity.ts';
import type { CheckResult, Problem } from './check-result.ts';

/** Takes what is known out of the problems of a check. */
export function splitKnown(
  result: CheckResult,
  identities: readonly ProblemIdentity[],
  baseline: Baseline,
  from: string,
): CheckResult {
  const left = new KnownProblems(baseline);
  const known: Problem[] = [];
  const problems = result.problems.filter((problem, index) => {
    const identity = identities[index];
    if (identity === undefined || !left.take(identity)) return true;
    known.push(problem);
    return false;
  });
  return { ...result, problems, known: { from, problems: known, gone: left.gone } };
}
