import { outcomeOfScene, type Outcome, type Play } from './simulate.ts';
import { type RolledOut, RollOuts } from '../run/roll-outs.ts';
import { TaintEvictions } from '../run/taint-evictions.ts';
import { buildScene } from '../cluster/build-scene.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import type { Scene } from '../cluster/scene.ts';
import { type ChangedWorkload, changedWorkloads } from './changed-workloads.ts';

export interface EndedInput {
  readonly scene: Scene;
  readonly outcome: Outcome;
  readonly rolledOut: readonly RolledOut[];
}

/** How an input ends, with what is changed of running workloads rolled out; without an account of it. */
export function* outcomeOf(
  input: SimulationInput,
  scenario: Scenario,
  options: SimulationOptions = {},
): Generator<void, EndedInput> {
  const { before, changed } = changedWorkloads(input);
  const scene = yield* buildScene(before);
  const outcome = yield* outcomeOfScene(
    scene,
    scenario,
    options,
    changed.length === 0 ? undefined : rolling(scene, changed),
  );
  return { scene, outcome, rolledOut: outcome.rolledOut };
}

/** Changes are rolled out, and nothing else happens. */
export function rolling(scene: Scene, changed: readonly ChangedWorkload[]): Play {
  return {
    *go({ run, controllers }, tell) {
      const rollOuts = new RollOuts(scene, run, controllers, changed);
      const taintEvictions = new TaintEvictions(run, controllers);
      yield* run.settle((event) => {
        tell(event);
        rollOuts.follow(event);
        taintEvictions.follow(event);
      });
      return {
        events: [],
        drains: [],
        pressures: [],
        taints: taintEvictions.nodes,
        rollOuts: rollOuts.results(),
      };
    },
  };
}
