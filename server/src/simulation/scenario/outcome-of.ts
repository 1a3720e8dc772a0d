import { workloadKey } from '../../kubernetes/names.ts';
import type { Pod } from '../../kubernetes/objects.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import { outcomeOfCluster, type Outcome, type RunDriver } from './simulate.ts';
import { type RolledOut, RollOuts } from '../run/roll-outs.ts';
import { settleWithTaints } from '../run/taint-evictions.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import type { Scenario, SimulationInput, SimulationOptions } from '../cluster/input.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';
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
    later: { nodes: [], pods: new Set(simulated.arriving.flat().filter(isLeftToRollOut(simulated, changed))) },
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

/**
 * Pods that are not made as their workload was: of a StatefulSet those that are missing come of its new template (source:
 * newVersionedStatefulSetPod), and one that is refused is asked for no more where others come that are not.
 */
export function isLeftToRollOut(
  simulated: SimulatedCluster,
  changed: readonly ChangedWorkload[],
): (pod: SimulatedPod) => boolean {
  const next = new Map(changed.flatMap((each) => (each.refusal === '' ? [[each.key, each.next] as const] : [])));
  return ({ workload, refusal, pod, origin, isStored }) => {
    if (isStored || next.size === 0) return false;
    const { kind, namespace, name } = simulated.workloads[workload]!;
    const object = next.get(workloadKey(kind, namespace, name));
    const template = object === undefined ? undefined : podTemplateOf(object);
    if (template === undefined) return false;
    if (kind === 'StatefulSet') return true;
    const draft = { metadata: { ...template.metadata, name: pod.metadata?.name, namespace }, spec: template.spec };
    return refusal !== '' && simulated.factory.create(draft as Pod, { workload, origin, shape: {} }).refusal === '';
  };
}
