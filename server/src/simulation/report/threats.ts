import type { NodeSelectorTerm, Pod } from '../../kubernetes/objects.ts';
import type { NodeName } from '../../scheduler/decision.ts';
import type { Recorder } from '../run/recorder.ts';
import type { Run } from '../run/run.ts';
import type { SimulatedCluster } from '../cluster/simulated-cluster.ts';
import { nodeOfDaemonPod } from '../cluster/workload-set.ts';

const defaultThreatLimit = 2000;

/**
 * Question 5: who could evict a running pod? For every workload that may preempt, one more of its pods is tried on each
 * node alone, as things stand at the end; whoever would be its victim there is threatened by it.
 *
 * Returns workloads by index of the pod. Costs a decision for each workload and node, so beyond `limit` of those it is
 * left out altogether.
 */
export function* findThreats(
  recorder: Recorder,
  run: Run,
  simulated: SimulatedCluster,
  limit = defaultThreatLimit,
): Generator<void, ReadonlyMap<number, readonly number[]>> {
  const threats = new Map<number, number[]>();
  const preemptors = simulated.workloads.flatMap((_, index) => {
    const pod = simulated.prototypeOf(index);
    return pod?.refusal === '' && pod.preemptionPolicy !== 'Never' ? [pod] : [];
  });
  if (preemptors.length * simulated.nodes.length > limit) return threats;
  const lowest = lowestPriorities(run);
  for (const pod of preemptors) {
    for (const { name } of simulated.nodes) {
      if ((lowest.get(name) ?? Infinity) >= pod.priority) continue;
      if (simulated.workloads[pod.workload]?.kind === 'DaemonSet' && nodeOfDaemonPod(pod.pod) !== name) continue;
      const decision = run.cluster.decideFor(pinnedTo(pod.pod, name));
      const victims =
        decision.kind === 'unschedulable' ? decision.preemption?.candidates.get(name)?.victims : undefined;
      for (const key of victims ?? []) {
        const victim = run.find(key);
        if (victim === undefined || run.place(victim).state !== 'running') continue;
        const index = recorder.indexOf(victim);
        const known = threats.get(index);
        if (known === undefined) threats.set(index, [pod.workload]);
        else if (!known.includes(pod.workload)) known.push(pod.workload);
      }
    }
    yield;
  }
  return threats;
}

function lowestPriorities(run: Run): ReadonlyMap<NodeName, number> {
  const lowest = new Map<NodeName, number>();
  for (const pod of run.pods.all()) {
    const { state, node } = run.place(pod);
    if (state === 'running' && node !== null) lowest.set(node, Math.min(lowest.get(node) ?? Infinity, pod.priority));
  }
  return lowest;
}

/** The pod with one more requirement: this node. */
export function pinnedTo(pod: Pod, node: NodeName): Pod {
  const { spec } = pod;
  if (spec === undefined) return pod;
  const field = { key: 'metadata.name', operator: 'In', values: [node] };
  const nodeAffinity = spec.affinity?.nodeAffinity;
  const terms = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  const pinned = terms.map((term): NodeSelectorTerm => ({
    ...term,
    matchFields: [...(term.matchFields ?? []), field],
  }));
  return {
    ...pod,
    spec: {
      ...spec,
      affinity: {
        ...spec.affinity,
        nodeAffinity: {
          ...nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: pinned },
        },
      },
    },
  };
}
