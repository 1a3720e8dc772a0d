import type { WholeReport } from '../../report-model/report.ts';
import type { SimulateParams } from '../../protocol.ts';
import type { EndOfRun } from '../../simulation/capacity/fit.ts';

/** The run whose report was answered last: what is asked about it later. */
export interface ReportedRun {
  /** What was asked for, and what the client calls it. */
  readonly asked: SimulateParams;
  /** Of the model. */
  readonly version: number | undefined;
  readonly report: WholeReport;
  /** Kept when somebody has asked how much room is left there. */
  end: EndOfRun | undefined;
}
