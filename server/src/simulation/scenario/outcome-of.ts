import { outcomeOfCluster, type Outcome, type RunDriver } from './simulate.ts';
import { type RolledOut, RollOuts } from '../run/roll-outs.ts';
import { settleWithTaints } from '../run/taint-evictions.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import { type ChangedWorkload, changedWorkloads } from './changed-workloads.ts';

export interface EndedInput {
  readonly simulated: SimulatedCluster;
  readonly outcome: Outcome;
  readonly rolledOut: readonly RolledOut[];
  /** What it took to ask autoscalers, in microseconds. */
  readonly cost?: number;
}

/** How an input ends, with what is changed of running workloads rolled out; without an account of it. */
export function* outcomeOf(
  input: SimulationInput,
  scenario: Scenario,
  options: SimulationOptions = {},
): Generator<void, EndedInput> {
  const { before, changed } = changedWorkloads(input);
  const simulated = yield* buildCluster(before);
  const outcome = yield* outcomeOfCluster(
    simulated,
    scenario,
    options,
    changed.length === 0 ? undefined : rolling(simulated, changed),
  );
  return { simulated, outcome, rolledOut: outcome.rolledOut };
}

/** Changes are rolled out, and nothing else happens. */
export function rolling(simulated: SimulatedCluster, changed: readonly ChangedWorkload[]): RunDriver {
  return {
    *go({ run, controllers }, onEvent) {
      const rollOuts = new RollOuts(simulated, run, controllers, changed);
      const { nodes } = yield* settleWithTaints(run, controllers, (event) => {
        onEvent(event);
        rollOuts.follow(event);
      });
      return {
        events: [],
        drains: [],
        pressures: [],
        taints: nodes,
        rollOuts: rollOuts.results(),
      };
    },
  };
}
