import type { Decision, NodeName } from '../../scheduler/decision.ts';
import { ReplacingControllers } from '../run/replacements.ts';
import { RollOuts, type WorkloadChange } from '../run/roll-outs.ts';
import type { Run } from '../run/run.ts';
import type { RunEvent } from '../run/run-event.ts';
import { startRun } from '../run/start-run.ts';
import { settleWithTaints, type TaintEvictions } from '../run/taint-evictions.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import { buildCluster } from '../cluster/build-cluster.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { type LeavingPod, noSettledPods, type SettledPods } from '../cluster/standing-cluster.ts';
import { letArrive } from '../run/prepare-scenario.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import type { SimulatedPod } from '../cluster/simulated-pod.ts';

/** A cluster after everything that is declared has arrived and nothing changes any more. */
export interface SettledCluster {
  readonly run: Run;
  /** Pods that wait for a node, and the last answer that they got. */
  readonly waiting: ReadonlyMap<SimulatedPod, Decision | null>;
  /** Pods that were evicted on the way, by which pods or taints and where. */
  readonly evicted: ReadonlyMap<SimulatedPod, EvictedBy>;
  /** Which pod came in the place of another. */
  readonly replacementOf: (pod: SimulatedPod) => SimulatedPod | undefined;
}

export interface EvictedBy {
  /** Null where a taint of the node did. */
  readonly preemptor: SimulatedPod | null;
  readonly node: NodeName;
  /** `namespace/name` of the budgets that this broke. */
  readonly breaks: readonly string[];
}

/** Keeps of a step of a run whom it evicts. */
export function noteEvictions(
  { pod, decision, kind, node, victims }: RunEvent,
  evicted: Map<SimulatedPod, EvictedBy>,
): void {
  if (kind !== 'nominated' || node === null) return;
  const preemption = decision?.kind === 'unschedulable' ? decision.preemption : null;
  const breaks = preemption?.candidates.get(node)?.violatedBudgets ?? [];
  for (const victim of victims) evicted.set(victim, { preemptor: pod, node, breaks });
}

export function noteTaintEvictions(nodes: TaintEvictions['nodes'], evicted: Map<SimulatedPod, EvictedBy>): void {
  for (const { node, evicted: pods } of nodes) {
    for (const { pod } of pods) evicted.set(pod, { preemptor: null, node, breaks: [] });
  }
}

/** What becomes of pods once everything is there; nothing is said where nodes are assumed. */
export function* settledPods(input: SimulationInput): Generator<void, SettledPods> {
  const simulated = yield* buildCluster(input);
  if (simulated.inventory.nodeSource === 'assumed') return noSettledPods;
  const { run, waiting, evicted, replacementOf } = yield* settleCluster(simulated);
  const refused = [...run.pods.touched()].filter((pod) => run.place(pod).state === 'rejected');
  const leaving = new Map<string, LeavingPod>();
  for (const [pod, { preemptor, node }] of evicted) {
    if (preemptor !== null) continue;
    const { kind, namespace, name } = simulated.workloads[pod.workload]!;
    const pods = [pod.pod, replacementOf(pod)?.pod ?? []].flat();
    leaving.set(pod.key, { node, owner: workloadKey(kind, namespace, name), pods });
  }
  const keys = (pods: Iterable<SimulatedPod>): ReadonlySet<string> => new Set([...pods].map(({ key }) => key));
  const failed = refused.filter(({ info }) => info.nodeName !== '');
  return { waiting: keys([...waiting.keys(), ...refused, ...run.toCome.followers()]), failed: keys(failed), leaving };
}

/**
 * @param held pods that do not arrive
 * @param changed what is rolled out of workloads that run
 */
export function* settleCluster(
  simulated: SimulatedCluster,
  held: ReadonlySet<SimulatedPod> = new Set(),
  changed: readonly WorkloadChange[] = [],
): Generator<void, SettledCluster> {
  const controllers = new ReplacingControllers(simulated.workloads, simulated.factory);
  const run = yield* startRun(simulated, controllers, {});
  const arriving = simulated.arriving.flat().filter((pod) => !held.has(pod));
  letArrive(arriving, run, simulated);
  const rollOuts = changed.length === 0 ? null : new RollOuts(simulated, run, controllers, changed);
  const decisions = new Map<SimulatedPod, Decision>();
  const evicted = new Map<SimulatedPod, EvictedBy>();
  const { nodes } = yield* settleWithTaints(run, controllers, (event) => {
    if (event.decision !== null) decisions.set(event.pod, event.decision);
    noteEvictions(event, evicted);
    rollOuts?.follow(event);
  });
  noteTaintEvictions(nodes, evicted);
  run.cluster.refreshBudgets();
  const waiting = [...run.pods.all()].filter((pod) => ['pending', 'nominated'].includes(run.place(pod).state));
  return {
    run,
    waiting: new Map(waiting.map((pod) => [pod, decisions.get(pod) ?? null])),
    evicted,
    replacementOf: (pod) => controllers.replacementOf(pod),
  };
}
