/** The simulation: scenarios on declared objects, told as a report. */
export { defaultAssumedNodes } from './scene/assumed-nodes.ts';
export {
  notComparedFiles,
  UnknownScenarioError,
  type AssumedNodes,
  type Scenario,
  type SimulationInput,
  type SimulationOptions,
} from './scene/input.ts';
export { ArrivalPreviews, type ArrivalPreview } from './run/preview.ts';
export { simulate, simulateChange } from './run/simulate.ts';

/** Runs a simulation without pausing. */
export function runToEnd<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
