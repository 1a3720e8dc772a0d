import type { Cycle } from '../framework/plugin.ts';
import type { Status } from '../framework/status.ts';

/**
 * Why the pod may not preempt; null when it may. `statuses` are those of this cycle, by node index.
 * Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go (PodEligibleToPreemptOthers)
 */
export function ineligibleReason({ cluster, pod }: Cycle, statuses: readonly (Status | null)[]): string | null {
  if (pod.pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  if (pod.nominatedNodeName === '') return null;
  const node = cluster.node(pod.nominatedNodeName);
  if (node === undefined || statuses[node.index]?.code === 'UnschedulableAndUnresolvable') return null;
  return node.pods.some((each) => each.priority < pod.priority && each.preempted)
    ? 'not eligible due to a terminating pod on the nominated node.'
    : null;
}
