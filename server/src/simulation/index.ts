/** The simulation: scenarios on declared objects, told as a report. */
export { defaultAssumedNodes } from './assumed-nodes.ts';
export {
  UnknownScenarioError,
  type AssumedNodes,
  type Scenario,
  type SimulationInput,
  type SimulationOptions,
} from './input.ts';
export { ArrivalPreviews, type ArrivalPreview } from './preview.ts';
export type * from './report.ts';
export { reportVersion } from './report.ts';
export { simulate, simulateChange } from './simulate.ts';

/** Runs a simulation without pausing. */
export function runToEnd<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
