import type { Remedy } from '../../report-model/remedy.ts';
import type { WholeReport } from '../../report-model/report.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import { startOf } from '../scenario/simulate-scenario.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import { findRemedies } from './find-remedies.ts';
import { unblocking } from './unblocking/unblocking.ts';

/**
 * What would help against what is bad in the report of a run with events, each tried with all of them; in a
 * drain also against what blocks it. Yields after each decision.
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
  return [
    ...(yield* unblocking(report, input, scenario, events, options, fixed)),
    ...(yield* findRemedies(report, input, scenario, options, undefined, events)),
  ];
}
