import type { WholeReport } from '../contract/report.ts';
import { say } from '../kit/say.ts';
import { compareReports } from '../simulation/compare/compare-reports.ts';
import type { SimulationInput } from '../simulation/scene/input.ts';

/** A run that was answered. */
export interface AnsweredRun {
  /** What was asked; only runs of the same are compared. */
  readonly question: string;
  /** Of which text, and with which operations. */
  readonly state: string;
  readonly input: SimulationInput;
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

/** A report with what differs from an earlier run. */
export function sincePrevious(previous: AnsweredRun, { report, input }: AnsweredRun): WholeReport {
  const inputs = { earlier: previous.input, now: input };
  return { ...report, comparison: compareReports(previous.report, report, say`the previous run`, inputs) };
}
