import type { WholeReport } from '../../report-model/report.ts';
import type { Played } from '../../simulation/compare/compare-runs.ts';
import type { Scenario } from '../../simulation/cluster/input.ts';

/** A run that was answered. */
export interface AnsweredRun {
  /** What was asked; only runs of the same are compared. */
  readonly question: string;
  /** Of which text, and with which operations. */
  readonly state: string;
  readonly scenario: Scenario;
  /** What it is a run of, as it was written. */
  readonly played: Played;
  readonly report: WholeReport;
}

/** The run that was answered last, and the one before it. */
export interface AnsweredRuns {
  readonly last: AnsweredRun;
  /** It stays while it is compared with. */
  readonly previous: AnsweredRun | undefined;
}

/** The run that another one would be compared with; undefined where there is none. */
export function previousOf(runs: AnsweredRuns | undefined, question: string): AnsweredRun | undefined {
  return runs?.last.question === question ? runs.previous : undefined;
}

export function afterRun(runs: AnsweredRuns | undefined, run: AnsweredRun, compares: boolean): AnsweredRuns {
  if (runs?.last.question !== run.question) return { last: run, previous: undefined };
  return { last: run, previous: compares || runs.last.state === run.state ? runs.previous : runs.last };
}
