import { tolerates } from '../../kubernetes/taints.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { type Cycle, type Plugin, skip, type PreFilterAnswer } from '../framework/plugin.ts';
import { type Status, unresolvable } from '../framework/status.ts';

const name = 'NodeUnschedulable';
const refused = unresolvable(name, 'node(s) were unschedulable');
/** Source: staging/src/k8s.io/api/core/v1/well_known_taints.go */
const cordonTaint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

export function toleratesCordon({ pod }: PodInfo): boolean {
  return (pod.spec?.tolerations ?? []).some((toleration) => tolerates(toleration, cordonTaint));
}

/** Cordoned nodes. Source: pkg/scheduler/framework/plugins/nodeunschedulable */
export const nodeUnschedulable: Plugin<undefined> = {
  name,
  dependsOnPods: false,

  // Upstream has no PreFilter here; leaving Filter out changes no answer when every node would pass.
  preFilter({ cluster, pod }: Cycle): PreFilterAnswer<undefined> {
    if (!cluster.nodeSet.anyUnschedulable) return skip;
    return toleratesCordon(pod) ? skip : { state: undefined };
  },

  filter(_cycle: Cycle, _state: undefined, node: NodeInfo): Status | null {
    return node.facts.unschedulable ? refused : null;
  },
};
