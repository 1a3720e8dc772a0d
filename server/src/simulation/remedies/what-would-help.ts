import type { Remedy } from '../../report-model/remedy.ts';
import type { WholeReport } from '../../report-model/report.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import { startOf } from '../scenario/simulate-scenario.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import { findRemedies } from './find-remedies.ts';
import { unblocking } from './unblocking.ts';

/**
 * What would help against what is bad in the report of a run with events, each tried. In a cluster that stays as it is,
 * against all of it; in a drain, against what blocks it. Yields after each decision.
 * @param fixed so many of the events stay as they are, whatever is tried
 */
export function* whatWouldHelp(
  report: WholeReport,
  input: SimulationInput,
  scenario: Scenario,
  events: readonly ScenarioEvent[],
  options: SimulationOptions = {},
  fixed = 0,
): Generator<void, readonly Remedy[]> {
  const { start, later } = startOf(input, events);
  if (later.length === 0) return yield* findRemedies(report, start, scenario, options);
  return yield* unblocking(report, input, scenario, events, options, fixed);
}
